"""The terminal app that `plybench` opens. Only this package and what is in it imports textual."""
