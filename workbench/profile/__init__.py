"""Where the nodes of a recorded search went: by cause, by depth, by ply and by subtree."""
