"""Moving in: what other systems remember, read from their files and remembered here."""

from __future__ import annotations

from gieok.interop.importers.importer import arrive
from gieok.interop.importers.records import Moved, Report, Tally, Whose

__all__ = ["Moved", "Report", "Tally", "Whose", "arrive"]
