"""What is known, and whose memories a bank holds, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.bars import Fitting
from gieok.cli.look.words import Words
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.ports import ScopeSummary

_ID_SHOWN = 8  #: the end of an id; its beginning is the time and much the same for all
_PINNED = "*"


def facts_table(
    memories: Sequence[Memory], scope: Scope, words: Words, zone: ZoneInfo, *, history: bool = False
) -> RenderableType:
    """Return `memories` in the order given; `history` adds until when each was true and since when it is known."""
    if not memories:
        return Text(words.nothing, style="bright_black")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(words.id, style="bright_black", no_wrap=True)
    table.add_column(words.about, no_wrap=True, style="cyan")
    table.add_column(words.attribute, no_wrap=True, style="magenta")
    table.add_column(words.memory, overflow="fold")
    table.add_column(words.true_from, no_wrap=True)
    if history:
        table.add_column(words.true_until, no_wrap=True)
        table.add_column(words.known_since, no_wrap=True, style="bright_black")
    for memory in memories:
        over = history and memory.invalid_at is not None
        row: list[RenderableType] = [memory.id[-_ID_SHOWN:], words.named(memory.subject_id, scope)]
        row += [memory.attribute or memory.content_type]
        row += [_content(memory, over=over), day(memory.valid_at, zone)]
        if history:
            until = Text(day(memory.invalid_at, zone)) if memory.invalid_at else Text(words.still, style="green")
            row += [until, day(memory.known_at, zone)]
        table.add_row(*row)
    shown = Fitting(table=table, kept=(0, 1, 3))
    if any(memory.pinned for memory in memories):
        return Group(shown, Text(f"{_PINNED} {words.pinned}", style="yellow"))
    return shown


def _content(memory: Memory, *, over: bool) -> Text:
    content = Text().append(memory.content, "bright_black" if over else "")
    return content.append(f" {_PINNED}", "yellow") if memory.pinned and not over else content


def day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def scopes_table(summaries: Sequence[ScopeSummary], zone: ZoneInfo) -> RenderableType:
    if not summaries:
        return Text("This bank is still empty; tell it something first: gieok chat", style="bright_black")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    for heading in ("user", "character", "world"):
        table.add_column(heading, style="cyan", overflow="fold")
    for heading in ("turns", "memories"):
        table.add_column(heading, justify="right")
    table.add_column("latest", style="bright_black", no_wrap=True)
    for each in summaries:
        latest = f"{each.latest_at.astimezone(zone):%Y-%m-%d %H:%M}" if each.latest_at else ""
        names = (each.scope.user or "–", each.scope.character or "–", each.scope.world or "–")
        table.add_row(*names, f"{each.turns:,}", f"{each.memories:,}", latest)
    return Fitting(table=table, kept=(0, 1, 2, 4))
