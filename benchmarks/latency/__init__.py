"""How long a user waits: for a first result, for a search to stop, for the app to draw and to react to a key."""
