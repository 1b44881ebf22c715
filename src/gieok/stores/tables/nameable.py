"""The user's current facts by what names them, kept in memory: every turn is looked through for all of them.

Reading them from the file for each turn takes longer than all the rest of it once there are some thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Self

from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.domain.turn import USER

MOST_ITEMS: Final = 30_000  #: of a scope whose facts are kept
_NOWHERE: Final = b"\xff"  #: stands in no text: no letter has this byte


class Nameable:
    """Facts by their refs. It never changes: after a write there is another one."""

    def __init__(self, facts: Mapping[int, tuple[bytes, bytes]]) -> None:
        self._facts = facts

    @classmethod
    def of(cls, rows: Iterable[tuple[int, str | None, str | None]]) -> Self:
        """Take the ref of each fact, its value and its words."""
        return cls({ref: (_sign(value), _sign(surface)) for ref, value, surface in rows})

    def named_in(self, text: str) -> list[int]:
        """Return the refs of the facts whose value or words stand in `text`."""
        spelt = spelt_out(text)
        return [ref for ref, (value, surface) in self._facts.items() if value in spelt or surface in spelt]

    def after(self, touched: Mapping[int, Item | None]) -> Self:
        """Return them as they are once the items `touched` are what is given with them; None: they are gone."""
        facts = {**self._facts}
        for ref, item in touched.items():
            if isinstance(item, Memory) and _is_current_fact(item):
                facts[ref] = (_sign(item.value), _sign(item.surface))
            else:
                facts.pop(ref, None)
        return type(self)(facts)


def spelt_out(text: str) -> bytes:
    """Return `text` as names are looked for in it: ASCII letters match in either case."""
    return text.encode(errors="surrogatepass").lower()


def _sign(words: str | None) -> bytes:
    return _NOWHERE if words is None else spelt_out(words)


def _is_current_fact(memory: Memory) -> bool:
    of_user = memory.subject == USER and memory.subject_id == USER and memory.attribute is not None
    return of_user and memory.polarity == "+" and memory.invalid_at is None and not memory.hidden
