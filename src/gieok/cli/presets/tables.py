"""The presets on the screen: side by side, and one value by value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gieok.cli.presets.meanings import as_toml, defaults, meanings
from gieok.presets import DEFAULT, PRESETS, Preset, Sourced, described

_DIM: Final = "bright_black"
_OWN: Final = "bold green"  #: other than the default
_NAME: Final = "cyan"


def overview() -> RenderableType:
    """Return what each preset is for, and the values in which they differ from the default and one another."""
    chosen = [described(name) for name in (DEFAULT, *PRESETS)]
    return Group(
        _purposes(chosen), Text(), _differences(chosen), Text(), Text("gieok presets NAME explains one", style=_DIM)
    )


def _purposes(chosen: Sequence[Preset]) -> Table:
    table = _table("preset", "what it is for")
    for each in chosen:
        about = Text.assemble(each.about, (f' From "{each.document}".' if each.name != DEFAULT else "", _DIM))
        table.add_row(Text(each.name, style=_NAME), about)
    return table


def _differences(chosen: Sequence[Preset]) -> Table:
    """Return the settings that a preset has otherwise; where one leaves it as it is, its cell is empty."""
    table = _table("setting", *(each.name for each in chosen), room=1)
    table.columns[0].no_wrap = True
    values = [{each.name: each.value for each in one.values} for one in chosen]
    for name, default in values[0].items():
        others = [own.get(name, default) for own in values[1:]]
        if any(other != default for other in others):
            cells = [Text("" if other == default else _bare(other), style=_OWN) for other in others]
            table.add_row(Text(name), Text(_bare(default), style=_DIM), *cells)
    return table


def _bare(value: object) -> str:
    return value if isinstance(value, str) else as_toml(value)


def explained(preset: Preset) -> RenderableType:
    """Return every value of `preset` with its meaning and its source, and what its document asks of every bank."""
    head = Text.assemble((preset.name, f"bold {_NAME}"), f": {preset.about}")
    shown: list[RenderableType] = [head]
    if preset.name != DEFAULT:
        shown.append(Text(f'From "{preset.document}". What is not here keeps its default.', style=_DIM))
    shown += [Text(), _by_source(preset.values, _setting)]
    if preset.rules:
        note = "What its document asks for and every bank does, whatever is set; names as in gieok.domain:"
        shown += [Text(), Text(note), Text(), _by_source(preset.rules, _rule)]
    return Group(*shown)


def _by_source(values: Sequence[Sourced], row: Callable[[Sourced], tuple[Text, ...]]) -> RenderableType:
    """Return the values, those of one source below it; all in the same columns."""
    rows = [row(each) for each in values]
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    shown: list[RenderableType] = []
    for source, group in groupby(zip(values, rows, strict=True), key=lambda each: each[0].source):
        grid = Table.grid(padding=(0, 2, 0, 0))
        for width in widths[:-1]:
            grid.add_column(width=width)
        for _, cells in group:
            grid.add_row(*cells)
        shown += [Text(source, style=_DIM), Padding(grid, (0, 0, 0, 2))]
    return Group(*shown)


def _setting(each: Sourced) -> tuple[Text, ...]:
    default = defaults()[each.name]
    other = each.value != default
    instead = Text(f"not {_bare(default)}" if other else "", style=_DIM)
    return Text(each.name, style=_NAME), Text(_bare(each.value), style=_OWN), instead, Text(meanings()[each.name])


def _rule(each: Sourced) -> tuple[Text, ...]:
    return Text(each.name, style=_NAME), Text(_bare(each.value))


def _table(*headings: str, room: int = 2) -> Table:
    table = Table(box=None, padding=(0, room, 0, 0), show_edge=False, header_style=_DIM)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table
