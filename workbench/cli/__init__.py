"""The command line: everything Plybench does without a screen."""
