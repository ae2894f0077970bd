"""A whole search as one HTML file that plays it back: no library, no connection, nothing to install."""
