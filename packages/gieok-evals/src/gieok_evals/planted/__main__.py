"""`python -m gieok_evals.planted`, the same as `gieok eval planted`."""

from gieok_evals.commands import run

run("planted")
