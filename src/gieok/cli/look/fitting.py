"""A table on a narrow screen: the columns that matter, instead of all of them squeezed to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

NARROW: Final = 60  #: columns of a screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """`table`, of which a screen below `NARROW` shows the columns `kept` alone."""

    table: Table
    kept: Sequence[int]  #: places of columns, in the order of the table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width >= NARROW:
            yield self.table
            return
        few = copy(self.table)
        few.columns = [self.table.columns[place] for place in self.kept]
        yield few
