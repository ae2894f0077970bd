"""What shows a recorded search: the drawn tree, the tree that folds, its plies, and the slider."""
