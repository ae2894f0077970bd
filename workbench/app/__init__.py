"""The app: what `plybench` opens. The only room that knows textual."""
