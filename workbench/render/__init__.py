"""Building blocks of text, shared by terminal and app: values, lines, tables, boards and whole reports."""
