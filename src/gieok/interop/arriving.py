"""Alias of `gieok.interop.importers`, the name in 0.1.0."""

from gieok.interop.importers import Report, Tally, Whose, arrive

__all__ = ["Report", "Tally", "Whose", "arrive"]
