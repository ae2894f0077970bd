"""What text is made of, in terminal and app alike."""
