"""Files written atomically, archives of arrays, and TOML: all read as untrusted input."""
