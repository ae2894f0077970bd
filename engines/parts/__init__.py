"""What the algorithms of a family share: a package per family, and no family imports another."""
