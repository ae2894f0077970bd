"""Men as real pictures, laid over the boards in terminals that can show images."""
