"""Long work: jobs, workers, journals, compiling, and what went wrong."""
