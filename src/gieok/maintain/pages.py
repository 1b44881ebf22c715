"""A summary as it is written: a heading with its span, then a line for each day.

What stands in it can be read back, so that the next summary takes over what still holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby

from gieok.domain.memory import Memory
from gieok.language.dates import find_month_days
from gieok.language.text import has_hangul
from gieok.language.token_count import estimate_tokens
from gieok.maintain.extracts import BETWEEN, BY_HAND, QUOTE, Item, told_by
from gieok.maintain.words import day_said


def chosen(items: Sequence[Item], tokens: int) -> list[Item]:
    """Return the items worth most that fit into `tokens`, in their order; of equals the newer."""
    ranked = sorted(range(len(items)), key=lambda place: (-items[place].worth, -place))
    kept: list[int] = []
    days: set[date | None] = set()
    for place in ranked:
        item = items[place]
        label = "" if item.day in days else _label(item.day, korean=True, year=None)
        cost = estimate_tokens(f"\n{label}{item.text}{BETWEEN}")
        if cost <= tokens:
            kept.append(place)
            days.add(item.day)
            tokens -= cost
    return [items[place] for place in sorted(kept)]


def written(heading: str, items: Sequence[Item], *, korean: bool, year: int) -> str:
    lines = [
        _label(day, korean=korean, year=year) + BETWEEN.join(item.text for item in of_day)
        for day, of_day in groupby(items, key=lambda item: item.day)
    ]
    return "\n".join([heading, *lines])


def read_back(page: Memory, memories: Mapping[str, Memory], year: int) -> list[Item]:
    """Return what `page` tells, without what its memories no longer say: it was forgotten, or is not so any more.

    `year` is that of its making, which its days leave out.
    """
    holding = {told.text: told for memory_id in page.made_from if (told := _told(memories.get(memory_id)))}
    read = (_read_back(text, day, holding, page) for day, text in _texts(page, year))
    items = [item for item in read if item is not None]
    quotations = [item for item in items if _is_quotation(item)]
    if len(quotations) != len(page.sources):  # a person has changed them: whose words are whose cannot be told
        return items
    source = dict(zip((id(item) for item in quotations), page.sources, strict=True))
    return [replace(item, utterance_id=source.get(id(item))) for item in items]


def _read_back(text: str, day: date | None, holding: Mapping[str, Item], page: Memory) -> Item | None:
    if text in holding:
        return replace(holding[text], day=day)
    if text.startswith(BY_HAND):
        return Item(day=day, text=text, worth=1.0)
    if QUOTE in text:
        return Item(day=day, text=text, worth=0.5)
    return Item(day=day, text=BY_HAND + text, worth=1.0) if page.origin == "person" and text.strip() else None


def _is_quotation(item: Item) -> bool:
    return item.memory_id is None and not item.text.startswith(BY_HAND)


def _texts(page: Memory, year: int) -> Iterator[tuple[date | None, str]]:
    for line in page.content.split("\n")[1:]:
        day, texts = _day_and_texts(line, year)
        for text in texts:
            yield day, text


def _told(memory: Memory | None) -> Item | None:
    return None if memory is None else told_by(memory, None)


def _day_and_texts(line: str, year: int) -> tuple[date | None, list[str]]:
    label, mark, rest = line.partition(": ")
    days = find_month_days(label)
    if not mark or len(days) != 1 or days[0].start > len("2026년 "):
        return None, line.split(BETWEEN)
    try:
        return date(days[0].year or year, days[0].month, days[0].day), rest.split(BETWEEN)
    except ValueError:  # the 29th of February of another year
        return None, rest.split(BETWEEN)


def _label(day: date | None, *, korean: bool, year: int | None) -> str:
    return "" if day is None else f"{day_said(day, korean=korean, year=year)}: "


def is_korean(items: Sequence[Item]) -> bool:
    return any(has_hangul(item.text) for item in items)
