"""`python -m gieok` is `gieok`."""

from gieok.cli import main

main()
