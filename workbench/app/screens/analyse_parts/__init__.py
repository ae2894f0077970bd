"""Parts of the Analyse screen: its layouts, its panels, its keys for the game and for recorded searches."""
