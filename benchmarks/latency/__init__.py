"""How long somebody waits: for a first result, for a search to stop, for the app to draw and to act on a key."""
