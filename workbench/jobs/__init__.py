"""Long work: background jobs, worker processes, journals, compilation, and crash reports."""
