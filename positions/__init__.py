"""The position library, and the readers and writers of formats."""
