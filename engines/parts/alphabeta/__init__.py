"""The alpha-beta family: move ordering, parameters, transposition table, drivers and principal variations."""
