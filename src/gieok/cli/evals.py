"""`gieok eval`: how much is understood, remembered and found again. The commands stand with what they run."""

from __future__ import annotations

from gieok.evals.commands import app

__all__ = ["app"]
