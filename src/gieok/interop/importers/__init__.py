"""Import the memories of other systems from their files."""

from __future__ import annotations

from gieok.interop.importers.importer import arrive, import_file
from gieok.interop.importers.records import Report, ScopeReport, Tally, Whose

__all__ = ["Report", "ScopeReport", "Tally", "Whose", "arrive", "import_file"]
