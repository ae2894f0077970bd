"""What algorithms share: the work record, the tape, the root, random numbers, bits."""
