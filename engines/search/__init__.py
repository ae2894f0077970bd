"""One file per algorithm; its docstring is the card a reader is shown. `engines.catalog` lists them."""
