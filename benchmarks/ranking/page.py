"""`docs/leaderboard.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from holding.measurement import Measurement
from holding.running import Result
from machine import Machine
from ranking.boards import Board

_WIDTH: Final = 120


def page(
    boards: Sequence[Board], measurements: Sequence[Measurement], results: Mapping[str, Result], machine: Machine
) -> str:
    """Return the whole page; what was not measured says so."""
    commands = {each.name: each.shown for each in measurements}
    lines = [
        "# Leaderboard",
        "",
        "How gieok does, and others where they were measured. Written by `make leaderboard DATA=/where/the/data/is`",
        "from figures that are kept; do not edit it by hand. A commit behind a command is the one it was measured at.",
        "",
        *machine.lines(),
        "",
    ]
    for board in boards:
        lines += [
            f"## {board.title}",
            "",
            *wrap(board.asks, _WIDTH, break_on_hyphens=False),
            "",
            *_table(board, results),
            "",
        ]
        lines += [*_reproduced(board, commands, results), ""]
    return "\n".join(lines).rstrip() + "\n"


def missing(board: Board, results: Mapping[str, Result]) -> dict[str, str]:
    """Return why measurements of `board` are not there."""
    found = {}
    for name in board.by:
        result = results.get(name)
        trouble = "it was not run" if result is None else result.trouble
        if trouble is not None:
            found[name] = trouble
    return found


def _table(board: Board, results: Mapping[str, Result]) -> Iterator[str]:
    lacking = missing(board, results)
    if lacking:
        yield from (f"**NOT MEASURED**: `{name}`: {_cell(why)}" for name, why in lacking.items())
        return
    yield _row(board.headings)
    rows = board.rows(*(results[name].told for name in board.by))
    yield _row(["---:" if all(_is_figure(cell) for cell in column) else "---" for column in zip(*rows, strict=True)])
    yield from (_row([_cell(cell) for cell in cells]) for cells in rows)


def _is_figure(cell: str) -> bool:
    return cell == "–" or cell[:1].isdigit()


def _reproduced(board: Board, commands: Mapping[str, str], results: Mapping[str, Result]) -> Iterator[str]:
    yield "```sh"
    for name in board.by:
        result = results.get(name)
        at = "" if result is None or result.trouble is not None else f"   # {result.commit}"
        yield f"{commands[name]}{at}"
    yield "```"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
