"""`gieok eval`: how much is understood, remembered and found again. Most commands stand with what they run."""

from __future__ import annotations

from gieok.cli.emotions import emotion
from gieok.evals.commands import app

app.command()(emotion)

__all__ = ["app"]
