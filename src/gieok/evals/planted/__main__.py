"""`python -m gieok.evals.planted`, the same as `gieok eval planted`."""

from gieok.evals.commands import run

run("planted")
