"""A session for others: reports, PGN, EPD, CSV."""
