"""`gieok eval`: the commands of the package gieok-evals, found by the entry point `gieok.commands`."""

from __future__ import annotations

from importlib.metadata import entry_points

import typer

from gieok.errors import GieokError


def add_eval(app: typer.Typer, panel: str) -> None:
    """Add the commands of gieok-evals to `app`, or one command that says how to install it."""
    found = next(iter(entry_points(group="gieok.commands", name="eval")), None)
    if found is not None:
        help_ = "Measure what is understood and found again."
        app.add_typer(found.load(), name="eval", rich_help_panel=panel, help=help_)
    else:
        anything = {"allow_extra_args": True, "ignore_unknown_options": True}
        app.command("eval", rich_help_panel=panel, context_settings=anything)(_missing)


def _missing() -> None:
    """Measure what is understood and found again. To install: pip install gieok-evals."""
    raise GieokError("gieok eval needs the package gieok-evals; run: pip install gieok-evals")
