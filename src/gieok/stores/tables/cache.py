"""Answers that last beyond the next write, and which of them a write upsets.

Few writes concern them, and each takes many rows to find.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from threading import Lock
from typing import Any, Final, Self

from gieok.domain.answer import Item
from gieok.domain.memory import Change, Memory
from gieok.domain.turn import USER
from gieok.ports import Entry

PEOPLE: Final = "people"
NAMEABLE: Final = "nameable facts"  #: no write upsets it: it is brought up to date
FORGOTTEN_WORDS: Final = "forgotten words"
LISTS: Final = "lists"  #: of memories that fit something

#: All that a list of memories goes by: what changes with every use of one is not among it.
_listed_by: Final = attrgetter(
    "subject", "subject_id", "speaker", "attribute", "value", "content_type", "origin", "closed_by", "pinned", "hidden",
    "valid_at", "known_at",
)  # fmt: skip


def read_from(utterance_id: str) -> Hashable:
    """Return the name of the answer to what was read from an utterance."""
    return ("read from", utterance_id)


def turn_named(turn_id: str) -> Hashable:
    return ("turn", turn_id)


def operation_of(turn_id: str) -> Hashable:
    return ("operation of", turn_id)


def upset_by(entry: Entry) -> frozenset[Hashable] | None:
    """Return the names of the answers that are not true any more after `entry`.

    None: after a rewind or an erasure, any may be.
    """
    if entry.revised or entry.gone is not None:
        return None
    names: set[Hashable] = set()
    for turn_id in (entry.turn.id if entry.turn else None, entry.caught_up, entry.deepened, entry.operation.turn_id):
        if turn_id is not None:
            names |= {turn_named(turn_id), operation_of(turn_id)}
    if entry.turn is not None:
        names.update(read_from(utterance.id) for utterance in entry.turn.utterances)
    for change in entry.memories:
        names.update(_upset_by(change))
    return frozenset(names)


def _upset_by(change: Change) -> Iterator[Hashable]:
    before, after = change.before, change.after
    sides = [side for side in (before, after) if side is not None]
    if any(side.forgotten_at is not None for side in sides):
        yield FORGOTTEN_WORDS
    spoken_of = {(side.subject, side.subject_id, side.hidden) for side in sides}
    if any(side.subject == "other" for side in sides) and (len(sides) == 1 or len(spoken_of) == 2):
        yield PEOPLE
    if before is None or after is None or _listed_by(before) != _listed_by(after):
        yield LISTS
    if len(sides) == 1:
        yield from (read_from(change.memory_id[:at]) for at, sign in enumerate(change.memory_id) if sign == "-")


_MOST: Final = 16_384  #: items and answers of all scopes together
_MOST_SCOPES: Final = 32


@dataclass(frozen=True, slots=True)
class Known:
    """What snapshots of one version of a scope have read, to look up and to add to."""

    version: int
    items: dict[int, Item] = field(default_factory=dict)  #: by ref
    answers: dict[Hashable, Any] = field(default_factory=dict)  #: of queries; of this version alone
    lasting: dict[Hashable, Any] = field(default_factory=dict)  #: of queries; until a write upsets them
    lists: dict[Hashable, list[int]] = field(default_factory=dict)  #: of memories; until a write upsets them all

    @property
    def size(self) -> int:
        return len(self.items) + len(self.answers) + len(self.lasting) + len(self.lists)


class ItemCache:
    """What was read of the scopes that were read last. Threads may share it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._scopes: OrderedDict[int, Known] = OrderedDict()
        self._lock = Lock()

    def known(self, scope_id: int, version: int) -> Known:
        """Return what snapshots of this `version` of the scope have read."""
        with self._lock:
            known = self._scopes.get(scope_id)
            if known is not None and known.version > version:
                return Known(version)  # an older snapshot, for itself
            if known is None or known.version < version or known.size > self._most:
                known = self._scopes[scope_id] = Known(version)
            self._scopes.move_to_end(scope_id)
            self._make_way()
            return known

    def written(
        self,
        scope_id: int,
        version: int,
        touched: Mapping[int, Item | None],
        upset: Collection[Hashable] | None = None,
    ) -> None:
        """Take note that `version` of the scope differs from the one before in nothing but the items `touched`.

        They are by now what is given with them; None: they are gone. Of the lasting answers
        those in `upset` are no longer true; None: any of them may be wrong.
        """
        with self._lock:
            known = self._scopes.get(scope_id)
            if known is None or known.version != version - 1:
                return
            # Copies: what older snapshots are still going to add stays with them.
            items, lasting = known.items.copy(), {} if upset is None else known.lasting.copy()
            for ref, item in touched.items():
                if item is not None:
                    items[ref] = item
                else:
                    items.pop(ref, None)
            for name in upset or ():
                lasting.pop(name, None)
            if touched and (nameable := lasting.get(NAMEABLE)) is not None:
                lasting[NAMEABLE] = nameable.after(touched)
            lists = {} if upset is None or LISTS in upset else known.lists.copy()
            self._scopes[scope_id] = Known(version, items, {}, lasting, lists)

    def drop(self, scope_id: int) -> None:
        """Let go of a scope that is no more."""
        with self._lock:
            self._scopes.pop(scope_id, None)

    def _make_way(self) -> None:
        held = sum(known.size for known in self._scopes.values())
        while len(self._scopes) > 1 and (held > self._most or len(self._scopes) > _MOST_SCOPES):
            _, known = self._scopes.popitem(last=False)
            held -= known.size


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
