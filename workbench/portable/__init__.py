"""A session as one file, with its tapes: made to be handed to somebody else, and taken in there."""
