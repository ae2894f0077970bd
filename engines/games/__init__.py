"""One module a game: rules, evaluation, notation. `engines.catalog` lists them."""
