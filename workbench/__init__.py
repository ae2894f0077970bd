"""The workbench: the app, the command line, and everything that they share."""
