"""`python -m workbench.cli`: the same as `plybench`."""

from workbench.cli.main import main

main()
