"""Running a search: the work record, the thread it runs in, drivers by depth and by checkpoint, and its report."""
