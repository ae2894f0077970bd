"""Files that are whole or not there, archives of arrays, and TOML: each read as what a stranger may have made."""
