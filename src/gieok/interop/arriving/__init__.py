"""Moving in: what other systems remember, read from their files and remembered here."""

from gieok.interop.arriving.moving_in import arrive
from gieok.interop.arriving.report import Moved, Report, Tally
from gieok.interop.arriving.shape import Whose

__all__ = ["Moved", "Report", "Tally", "Whose", "arrive"]
