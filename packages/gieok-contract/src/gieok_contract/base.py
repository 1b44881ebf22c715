"""Fixtures that a store provides, and helpers to write and read a scope."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

import pytest

from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import BankClosed
from gieok.ports import Match, MemoryFilter, Occurrences, ScopeMoved, Store, View
from gieok.testing.builders import entry_for
from gieok.testing.scribe import EVERYTHING, Scribe
from gieok.testing.stand_ins import HashVectors

VECTORS: Final = HashVectors(32)  #: the embedder that `store` is opened for
OTHER_VECTORS: Final = HashVectors(48, "other-48")

LETIA: Final = Scope(user="민수", character="레티아", world="아카데미")
SERA: Final = LETIA.beside("세라")
OTHER_USER: Final = Scope(user="지영", character="레티아", world="아카데미")


Seen = TypeVar("Seen")


class Reopen(Protocol):
    """Closes the bank and opens it again for `vectors`."""

    def __call__(self, vectors: HashVectors = VECTORS) -> Store: ...


class Contract:
    """The fixtures. A test class must give `store` and `reopen`; the others are optional."""

    @pytest.fixture
    def store(self) -> Store:
        """A new bank, open, for the embedder `VECTORS`."""
        raise NotImplementedError

    @pytest.fixture
    def reopen(self, store: Store) -> Reopen:
        raise NotImplementedError

    @pytest.fixture
    def second_handle(self, store: Store) -> Store:
        """The same bank, opened once more, as another process would."""
        pytest.skip("this store has one handle only")

    @pytest.fixture
    def rounds(self) -> int:
        """How many random stories to try."""
        return 15

    @pytest.fixture
    def scribe(self, store: Store) -> Scribe:
        return Scribe(store, LETIA, vectors=VECTORS)

    @pytest.fixture(autouse=True)
    def _sound(self, store: Store) -> Iterator[None]:
        """Check after every test that the bank and its audit log are sound."""
        yield
        with suppress(BankClosed):
            assert store.problems() == []
            assert store.audit.verify().findings == ()


@contextmanager
def refused() -> Iterator[None]:
    """Expect that a store refuses an entry. The error is its own choice."""
    with pytest.raises(Exception) as error:  # see above
        yield
    assert not isinstance(error.value, ScopeMoved | AssertionError)


def ids(view: View, matches: Sequence[Match]) -> list[str]:
    """Return the public ids of the matches, best first."""
    items = view.items([match.ref for match in matches])
    return [items[match.ref].id for match in matches]


def near(store: Store, text: str, scope: Scope = LETIA, *, memories_only: bool = False) -> list[str]:
    """Return the ids of everything with a vector, those nearest to `text` first."""
    with store.view(scope) as view:
        return ids(view, view.dense(VECTORS.vector(text), 1_000, memories_only=memories_only))


def word_matches(
    store: Store,
    *words: str,
    prefixes: Sequence[str] = (),
    scope: Scope = LETIA,
    memories_only: bool = False,
) -> list[str]:
    """Return the ids of items with one of `words`, or with a longer word that begins with one of `prefixes`."""
    with store.view(scope) as view:
        found = held(view, *view.occurrences(words), *view.prefix_occurrences(prefixes))
        memories = {item.id for item in view.items(view.refs(found).values()).values() if isinstance(item, Memory)}
        return [item_id for item_id in found if item_id in memories or not memories_only]


def layout_ids(view: View) -> list[str]:
    """Return the public ids of the layout, in its order."""
    refs = view.layout().refs.tolist()
    items = view.items(refs)
    return [items[ref].id for ref in refs]


def held(view: View, *found: Occurrences) -> dict[str, int]:
    """Return the sum of the occurrences of each item, by public id, in the order of the layout."""
    times: Counter[int] = Counter()
    for each in found:
        assert len(each.places) == len(each.times)
        assert len(set(each.places.tolist())) == len(each.places), "each item is named once"
        times.update(dict(zip(each.places.tolist(), each.times.tolist(), strict=True)))
    order = layout_ids(view)
    return {order[place]: times[place] for place in sorted(times)}


def apply_entry(store: Store, *args: Any, **options: Any) -> Operation:
    """Apply one entry to `LETIA`; the arguments are those of `entry_for`."""
    with store.locked(LETIA) as room:
        return room.apply(entry_for(*args, **options))


def read(store: Store, scope: Scope, look: Callable[[View], Seen]) -> Seen:
    with store.view(scope) as view:
        return look(view)


def turn_of(store: Store, turn_id: str, scope: Scope = LETIA) -> Turn:
    """Return a turn that must be there."""
    kept = read(store, scope, lambda view: view.turn(turn_id))
    assert kept is not None, f"turn {turn_id} is not in force"
    return kept


def everything(view: View, *, words: Sequence[str] = (), moments: Sequence[datetime] = ()) -> dict[str, Any]:
    """Return everything that can be read of a scope, for comparison."""
    turns = view.turns(1_000)
    memories = view.memories(EVERYTHING)
    known = [memory.id for memory in memories] + [each.id for turn in turns for each in turn.utterances]
    return {
        "version": view.version,
        "turn_number": view.turn_number,
        "latest_at": view.latest_at,
        "turns": turns,
        "unread": view.unread_turns(1_000),
        "left open": view.open_turns(1_000),
        "memories": {memory.id: memory for memory in memories},
        "visible": {memory.id for memory in view.memories(MemoryFilter())},
        "operations": view.operations(in_force=False),
        "in force": [operation.id for operation in view.operations()],
        "refs": set(view.refs(known)),
        "layout": _picture(view),
        "words": {word: held(view, *view.occurrences([word])) for word in words},
        "longer words": {word: held(view, *view.prefix_occurrences([word])) for word in words},
        "dense": sorted(ids(view, view.dense(VECTORS.vector("무엇이든"), 1_000))),
        "believed": [{each.id: each for each in view.believed_at(moment)} for moment in moments],
    }


def _picture(view: View) -> list[tuple[Any, ...]]:
    layout = view.layout()
    columns = (layout.is_memory, layout.lengths, layout.marks, layout.parties, layout.moments, layout.sittings)
    return list(zip(layout_ids(view), *(column.tolist() for column in columns), strict=True))
