"""A block of a context while it is written: lines go in while there is room, and what stays out is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from gieok.domain.answer import Block, LeftOut, Why

Count = Callable[[str], int]  #: how many tokens a text costs

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…\n]*")
_MORE: Final = "…"


@dataclass(slots=True)
class Page:
    """Lines under a heading that are written while there is room."""

    heading: str
    room: int
    count: Count
    full: Why = "over_budget"  #: what is said of what finds no room
    tokens: int = 0
    lines: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    shortened: list[str] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def cost(self, text: str, alone: int | None = None) -> int:
        """Return what `text` would cost here; the heading is paid for by the first line."""
        heading = self.count(self.heading + "\n") if self.heading and not self.lines else 0
        return (self.count(text + "\n") if alone is None else alone) + heading

    def fits(self, text: str) -> bool:
        return self.tokens + self.cost(text) <= self.room

    def offer(self, item_id: str, text: str, alone: int | None = None, *, shortened: bool = False) -> bool:
        """Write `text` if there is room for it; say whether there was. `alone` is its cost without the heading."""
        cost = self.cost(text, alone)
        if self.tokens + cost > self.room:
            self.leave_out(item_id, self.full)
            return False
        self.tokens += cost
        self.lines.append(text)
        self.items.append(item_id)
        if shortened:
            self.shortened.append(item_id)
        return True

    def leave_out(self, item_id: str, why: Why) -> None:
        self.left_out.append(LeftOut(item_id=item_id, why=why))

    def block(self, name: str) -> Block:
        heading = [self.heading] if self.heading else []
        return Block(
            name=name,
            text="\n".join([*heading, *self.lines]) if self.lines else "",
            tokens=self.tokens,
            items=tuple(self.items),
            shortened=tuple(self.shortened),
            left_out=tuple(self.left_out),
        )


def excerpt(text: str, near: str, tokens: int, count: Count) -> str:
    """Return what of `text` fits into `tokens`: the sentence most like `near`, and as many around it as there is room.

    Whole sentences, because half a sentence may say the opposite: in Korean its "not" comes last. Only where one
    sentence alone is too long, its beginning stands for it. "…" shows that something is missing.
    """
    if count(text) <= tokens:
        return text
    parts = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    if not parts:
        return beginning(text, tokens, count)
    wanted = _pairs(near)
    first = max(range(len(parts)), key=lambda place: (len(wanted & _pairs(parts[place])), -place))
    last = first
    shown = _between(parts, first, last)
    if count(shown) > tokens:
        return beginning(parts[first], tokens, count)
    for place in [*range(first + 1, len(parts)), *reversed(range(first))]:
        if place not in (first - 1, last + 1):
            continue  # the one beside it did not fit
        wider = (min(first, place), max(last, place))
        if count(_between(parts, *wider)) <= tokens:
            first, last = wider
            shown = _between(parts, first, last)
    return shown


def beginning(text: str, tokens: int, count: Count) -> str:
    """Return the beginning of `text` that takes at most `tokens`, where possible up to the end of a word."""
    if count(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle] + _MORE) <= tokens else (low, middle - 1)
    kept = text[:low].rstrip()
    word_end = kept.rfind(" ")
    if not text[len(kept) :][:1].isspace() and word_end > len(kept) // 2:
        kept = kept[:word_end]
    return kept + _MORE if kept else ""


def _between(parts: list[str], first: int, last: int) -> str:
    before = f"{_MORE} " if first > 0 else ""
    after = f" {_MORE}" if last < len(parts) - 1 else ""
    return before + " ".join(parts[first : last + 1]) + after


def _pairs(text: str) -> set[str]:
    """Return the pairs of neighbouring letters in `text`: enough to tell which sentence speaks of the same."""
    plain = "".join(text.casefold().split())
    return {plain[place : place + 2] for place in range(len(plain) - 1)}
