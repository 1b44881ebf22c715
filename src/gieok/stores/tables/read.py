"""Reading a scope's memories: as they are now, and as they were believed then."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from threading import local
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gieok.domain.actor import actor
from gieok.domain.answer import Item, Trace
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Saying
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.noticed import EntityKind, Noticed
from gieok.domain.operation import Operation
from gieok.domain.record import from_record
from gieok.domain.scope import Scope
from gieok.domain.state import Key, StateRecord
from gieok.domain.turn import Turn, Utterance
from gieok.errors import EmbedderMismatch
from gieok.ports import (
    About,
    Counts,
    Entry,
    Happened,
    Hooks,
    Layout,
    Leaf,
    Leafing,
    Match,
    MemoryFilter,
    Occurrences,
    TakenBack,
    Topic,
    Touch,
    TurnNoticed,
    Unembedded,
    Weighed,
)
from gieok.stores.tables.cache import (
    FORGOTTEN_WORDS,
    MOST_ITEMS,
    NAMEABLE,
    PEOPLE,
    ItemCache,
    Nameable,
    operation_of,
    read_from,
    spelt_out,
    turn_named,
)
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.rows import (
    MOST,
    as_read,
    dump,
    memory_from,
    microseconds,
    moment,
    number_of,
    trace_from,
    turn_from,
    utterance_from,
)
from gieok.stores.tables.search_index import TAG, IndexCache, ScopeIndex, WordIndex, scoped_terms, unit
from gieok.stores.tables.snapshot import Mask, Snapshot, memory_from_record, move_from, operation_from, thing_from
from gieok.stores.tables.write import Written, write_entry

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector
    from gieok.stores.tables.search_index import Ids


_MOST_MENTIONED: Final = 32  #: facts that one text names
_QUARTER: Final = 900_000_000  #: microseconds in a quarter of an hour


Work = Callable[[Connection], Written]


@dataclass(slots=True)
class Shared:
    """What all handles on an open bank share."""

    embedder: str  #: whose vectors the bank takes
    index: IndexCache
    known: ItemCache
    embedded_to: int = 0  #: where `unembedded` goes on looking
    entering: local = field(default_factory=local)  #: `at_work` in a thread that does what `Hooks.on_enter` asked for

    def drop(self, scope_id: int) -> None:
        """Let go of a scope that is no more."""
        self.index.drop(scope_id)
        self.known.drop(scope_id)


class Remembering(Snapshot):
    """The part of a view that lists memories."""

    def memories(self, which: MemoryFilter) -> list[Memory]:
        if which.current_at is None or not _narrow(which):
            return self._memories(self._fitting(which))
        ever = replace(which, current_at=None, include_hidden=False, include_faded=False)
        fitting = self._memories(self._listed(ever, lambda: self._fitting(ever)))
        return [memory for memory in fitting if memory.true_at(which.current_at)]

    def _fitting(self, which: MemoryFilter) -> list[int]:
        return self._ids(
            "find_memories",
            scope_id=self._standing.scope_id,
            low=self._first,
            high=self._last,
            subject=which.subject,
            subject_id=which.subject_id,
            speaker=which.speaker,
            content_type=which.content_type,
            attribute=which.attribute,
            pinned=which.pinned,
            learned_since=_stored(which.learned_since),
            current_at=_stored(which.current_at),
            hidden_too=which.include_hidden,
            faded_too=which.include_faded,
        )

    def leaves(self, which: Leafing, limit: int, *, before: int | None = None) -> list[Leaf]:
        few = _few(which)
        high = self._last if before is None else self._first + min(max(before, 0), MOST) - 1
        asked = self._leafing(which) | {"high": high, "limit": max(limit, 0)}
        if few is None:
            ids = self._ids("leaf_memories", **asked)
        else:
            ids = self._ids("leaf_few_memories", **asked, few=few, scope_id=self._standing.scope_id)
        return self._leaves(ids)

    def story(self, which: Leafing, limit: int, *, before: Leaf | None = None) -> list[Leaf]:
        reached: dict[str, int | None] = {"before_at": None, "before_id": None}
        if before is not None:
            reached = {"before_at": microseconds(before.memory.valid_at), "before_id": self._first + before.place}
        return self._leaves(self._ids("leaf_story", **self._leafing(which), **reached, limit=max(limit, 0)))

    def quarters(self, which: Leafing) -> dict[datetime, int]:
        counted = self._rows("count_leaves", **self._leafing(which))
        return {moment(quarter * _QUARTER, 0): memories for quarter, memories in counted}

    def subjects(self) -> list[About]:
        counted = self._rows("count_subjects", scope_id=self._standing.scope_id)
        return [About(subject=subject, subject_id=name, memories=number) for subject, name, number in counted]

    def closed_by(self, memory_id: str) -> list[Memory]:
        return self._memories(self._ids("find_closed_by", scope_id=self._standing.scope_id, memory_id=memory_id))

    def _leafing(self, which: Leafing) -> dict[str, Any]:
        return {
            "low": self._first,
            "high": self._last,
            "state": which.state,
            "present": microseconds(which.present),
            "longest": max(which.words, key=len, default=None),  # most rows fail here, before a list is read
            "words": dump(which.words),
            "since": _stored(which.since),
            "until": _stored(which.until),
            "subject": which.subject,
            "subject_id": which.subject_id,
            "content_type": which.content_type,
            "attribute": which.attribute,
            "origin": which.origin,
            "pinned": which.pinned,
            "pii": which.pii,
        }

    def _leaves(self, ids: Sequence[int]) -> list[Leaf]:
        memories = self._memories(ids)
        return [Leaf(place=id - self._first, memory=memory) for id, memory in zip(ids, memories, strict=True)]

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]:
        wanted = dump(list(memory_ids))
        found = self._rows("find_items", scope_id=self._standing.scope_id, public_ids=wanted)
        return {memory.id: memory for memory in self._memories([ref for _, ref in found])}

    def memories_about(self, topics: Iterable[Topic]) -> list[Memory]:
        ids: dict[int, None] = {}
        for topic in dict.fromkeys(topics):
            ids |= dict.fromkeys(self._listed(topic, partial(self._found_about, topic)))
        return sorted(self._memories(list(ids)), key=by_truth)

    def _found_about(self, topic: Topic) -> list[int]:
        asked = {
            "scope_id": self._standing.scope_id,
            "subject": topic.subject,
            "subject_id": topic.subject_id,
            "attributes": dump(topic.attributes),
        }
        if topic.values or any(name.endswith(".") for name in topic.attributes):
            return self._ids("find_memories_about", **asked, values=dump(topic.values))
        return self._ids("find_memories_of_attributes", **asked)

    def touching(self, touch: Touch, limit: int) -> list[Memory]:
        found = self._ids(
            "find_touching",
            scope_id=self._standing.scope_id,
            low=self._first,
            high=self._last,
            present=microseconds(touch.present),
            subjects=dump(touch.subjects),
            relations=None if touch.relations is None else dump(touch.relations),
            names=dump(touch.names),
            closers=dump(touch.closers),
            without=dump(touch.without),
            limit=max(limit, 0),
        )
        return self._memories(found)

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        return dict(
            self._rows(
                "count_relations",
                scope_id=self._standing.scope_id,
                subjects=dump(list(subjects)),
                present=microseconds(present),
            )
        )

    def concluded(self) -> list[Memory]:
        found = self._listed("concluded", lambda: self._ids("find_concluded", scope_id=self._standing.scope_id))
        return sorted(self._memories(found), key=by_truth)

    def mentioned(self, text: str) -> list[Memory]:
        return sorted(self._memories(self._mentioned(text)), key=by_truth)

    def _mentioned(self, text: str) -> list[int]:
        scope_id = self._standing.scope_id
        if self._standing.next_seq <= MOST_ITEMS:
            kept = self._lasting(NAMEABLE, lambda: Nameable.of(self._nameable()))
            named = kept.named_in(text)
            if len(named) <= _MOST_MENTIONED:
                return named
        return self._ids("find_mentioned", scope_id=scope_id, text=text, limit=_MOST_MENTIONED)

    def _nameable(self) -> list[tuple[int, str | None, str | None]]:
        rows = self._rows("find_nameable", scope_id=self._standing.scope_id)
        return [(ref, value, surface) for ref, value, surface in rows]

    def people(self, text: str) -> dict[str, list[int]]:
        spelt = spelt_out(text)
        return {name: [*refs] for name, (sign, refs) in self._lasting(PEOPLE, self._people).items() if sign in spelt}

    def _people(self) -> dict[str, tuple[bytes, list[int]]]:
        """Return who else is spoken of: what of their name stands in a text that names them, and what is told."""
        told: defaultdict[str, list[int]] = defaultdict(list)
        for name, ref in self._rows("find_people", scope_id=self._standing.scope_id):
            told[name].append(ref)
        # 지훈이 may be written 지훈.
        return {name: (spelt_out(name.rstrip("이") if len(name) > 2 else name), refs) for name, refs in told.items()}

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        wanted = list(utterance_ids)
        known = self._known.lasting
        new = [each for each in wanted if read_from(each) not in known]
        if new:
            found: dict[str, list[int]] = {each: [] for each in new}
            for said, ref in self._rows("find_read_from", scope_id=self._standing.scope_id, utterance_ids=dump(new)):
                found[said].append(ref)
            known.update((read_from(each), refs) for each, refs in found.items())
        refs = dict.fromkeys(ref for each in wanted for ref in known[read_from(each)])
        return sorted(self._memories(list(refs)), key=by_truth)

    def forgotten_words(self) -> frozenset[str]:
        return self._lasting(FORGOTTEN_WORDS, self._forgotten_words)

    def _forgotten_words(self) -> frozenset[str]:
        found = self._rows("find_forgotten_words", scope_id=self._standing.scope_id)
        return frozenset(public_id for (public_id,) in found)

    def first_known(self) -> dict[ContentType, datetime]:
        found = self._rows("first_known", low=self._first, high=self._last)
        return {content_type: moment(known_at, 0) for content_type, known_at in found}

    def hidden_once(self) -> frozenset[str]:
        return frozenset(memory_id for (memory_id,) in self._rows("find_hidden", low=self._first, high=self._last))

    def believed_at(self, moment: datetime) -> list[Memory]:
        found = self._rows("believed_at", scope_id=self._standing.scope_id, moment=microseconds(moment))
        return sorted((memory_from_record(after) for (after,) in found), key=by_truth)

    def heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        last = self._last if before is None else self._first + min(max(before - 1, 0), MOST)
        heard = {saying: self._times_heard(saying, last) for saying in dict.fromkeys(sayings)}
        return Counter({saying: times for saying, times in heard.items() if times})

    def _times_heard(self, saying: Saying, last: int) -> int:
        subject, subject_id, attribute, said = saying
        [times] = self._ids(
            "count_heard",
            subject=subject,
            subject_id=subject_id,
            attribute=attribute,
            said=said,
            low=self._first,
            high=last,
        )
        return times

    def _memories(self, ids: Sequence[int]) -> list[Memory]:
        """Return the memories among `ids`, in their order."""
        found = self._items("load_memories", memory_from, ids)
        return [item for item in map(found.get, ids) if isinstance(item, Memory)]


def _few(which: Leafing) -> str | None:
    """Return which index knows the memories that may be meant; None: none does."""
    if which.pinned:
        return "pinned"
    if which.state == "forgotten":
        return "forgotten"
    return "attribute" if which.subject and which.subject_id and which.attribute else None


def _narrow(which: MemoryFilter) -> bool:
    """Whether only few memories can fit, so that it is worth to note which."""
    return which.pinned is True or (which.subject is not None and which.attribute is not None)


def _stored(moment: datetime | None) -> int | None:
    return None if moment is None else microseconds(moment)


_ALL: Final = -1  # SQLite's LIMIT for no limit
_FEW: Final = 64  #: turns read at once that are kept for the next query


class Log(Snapshot):
    """The part of a view that reads turns and operations."""

    def turn(self, turn_id: str) -> Turn | None:
        turn = self._lasting(turn_named(turn_id), lambda: self._turn_named(turn_id))
        return None if turn is None else self._masked(turn)

    def _turn_named(self, turn_id: str) -> Turn | None:
        found = self._turns(self._ids("find_turn", scope_id=self._standing.scope_id, public_id=turn_id))
        return found[0] if found else None

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        if limit > _FEW or before is not None:  # who leafs back would have a copy of every page kept
            found = self._last_turns(limit, before)
        else:
            found = self.kept(("turns", limit), lambda: self._last_turns(limit, None))
        return [self._masked(turn) for turn in found]

    def _last_turns(self, limit: int, before: int | None) -> list[Turn]:
        return self._turns(
            self._ids(
                "find_last_turns",
                scope_id=self._standing.scope_id,
                before=MOST if before is None else before,
                limit=max(limit, 0),
            )
        )

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        asked = {"session": session, "channel": channel, "limit": max(limit, 0)}
        return self._masked_turns(self._ids("find_turns_of", scope_id=self._standing.scope_id, **asked))

    def unread(self, limit: int) -> list[Turn]:
        return self._masked_turns(self._ids("find_unread_turns", scope_id=self._standing.scope_id, limit=max(limit, 0)))

    def left_open(self, limit: int) -> list[Turn]:
        return self._masked_turns(self._ids("find_open_turns", scope_id=self._standing.scope_id, limit=max(limit, 0)))

    def taken_back(self) -> list[TakenBack]:
        found: dict[int, TakenBack] = {}
        for ref, turn_id, session, at, offset, item_id, text in self._rows(
            "find_taken_back", scope_id=self._standing.scope_id
        ):
            empty = TakenBack(place=ref, turn_id=turn_id, session=session, at=moment(at, offset), lines=())
            turn = found.get(ref, empty)
            found[ref] = replace(turn, lines=(*turn.lines, (item_id, text)))
        return list(found.values())

    def trace(self, turn_id: str) -> Trace | None:
        rows = self._rows("find_trace", scope_id=self._standing.scope_id, public_id=turn_id)
        return trace_from(rows[0][0]) if rows else None

    def operation_of(self, turn_id: str) -> Operation | None:
        return self._lasting(operation_of(turn_id), lambda: self._operation_of(turn_id))

    def _operation_of(self, turn_id: str) -> Operation | None:
        ids = self._ids("find_operation_of_turn", scope_id=self._standing.scope_id, turn_id=turn_id)
        found = self._operations(ids)
        return found[0] if found else None

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        return self._operations(
            self._ids(
                "find_operations",
                first=self._first + max(since, 0),
                high=self._last,
                undone_too=not in_force,
                limit=_ALL if limit is None else max(limit, 0),
            )
        )

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        return self._operations(
            self._ids(
                "find_last_operations",
                low=self._first,
                before=self._last + 1 if before is None else self._first + min(max(before, 0), MOST),
                limit=max(limit, 0),
            )
        )

    def arrived(self, since: int = 1) -> list[tuple[int, str]]:
        rows = self._rows("find_arrived", first=self._first + max(since, 0), high=self._last)
        return [(number_of(private_id), public_id) for private_id, public_id in rows]

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        places = self._rows("find_changes_of_memory", memory_id=memory_id, low=self._first, high=self._last)
        numbers = dict.fromkeys(operation for operation, _ in places)
        by_id = dict(zip(numbers, self._operations(numbers), strict=True))
        return [(by_id[operation], by_id[operation].changes[position]) for operation, position in places]

    def _masked(self, turn: Turn) -> Turn:
        if self._mask is None:
            return turn
        return replace(turn, utterances=tuple(map(self._masked_utterance, turn.utterances)))

    def _masked_turns(self, ids: Sequence[int]) -> list[Turn]:
        return [self._masked(turn) for turn in self._turns(ids)]

    def _turns(self, ids: Sequence[int]) -> list[Turn]:
        """Return the turns, oldest first, as they were said."""
        spoken = self._rows("find_utterances_of_turns", turns=dump(ids), low=self._first, high=self._last)
        utterances: defaultdict[int, list[Utterance]] = defaultdict(list)
        for row in self._loaded("load_utterances", (private_id for (private_id,) in spoken)):
            utterances[row[-1]].append(utterance_from(row))
        return [turn_from(row, utterances[row[0]]) for row in self._loaded("load_turns", ids)]

    def _operations(self, ids: Iterable[int]) -> list[Operation]:
        """Return the operations in the log's order."""
        wanted = dump(list(ids))
        candidates = _by_operation(self._rows("load_candidates", ids=wanted))
        changes = _by_operation(self._rows("load_changes", ids=wanted))
        moves = _by_operation(self._rows("load_moves", ids=wanted))
        operations = self._rows("load_operations", ids=wanted, low=self._first, high=self._last)
        return [operation_from(row, candidates[row[0]], changes[row[0]], moves[row[0]]) for row in operations]


def _by_operation(rows: Iterable[Row]) -> defaultdict[int, list[Row]]:
    grouped: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row)
    return grouped


_FEW_LIVING: Final = 8  #: turns of which it is kept what was noticed in them


class Living(Snapshot):
    """The part of a view that tells how things stand."""

    def things(self, kind: str | None = None) -> dict[Key, StateRecord]:
        scope_id = self._standing.scope_id
        if kind is None:
            return _things(self._rows("all_things", scope_id=scope_id))
        return {
            **self.kept(("things", kind), lambda: _things(self._rows("things_of_kind", scope_id=scope_id, kind=kind)))
        }

    def things_by_key(self, keys: Iterable[Key]) -> dict[Key, StateRecord]:
        wanted = tuple(keys)
        return {**self.kept(("things", wanted), lambda: self._things_by_key(wanted))}

    def _things_by_key(self, keys: Iterable[Key]) -> dict[Key, StateRecord]:
        wanted = dump([list(key) for key in keys])
        return _things(self._rows("things_by_key", scope_id=self._standing.scope_id, keys=wanted))

    def acquaintances(self) -> dict[str, EntityKind]:
        return dict(self._rows("names_of_people", scope_id=self._standing.scope_id))

    def last_things(self, kind: str, limit: int = 1) -> list[tuple[str, StateRecord]]:
        return [*self.kept(("last", kind, limit), lambda: self._last_things(kind, limit))]

    def _last_things(self, kind: str, limit: int) -> list[tuple[str, StateRecord]]:
        rows = self._rows("last_things", scope_id=self._standing.scope_id, kind=kind, limit=max(limit, 0))
        return [(public_id, thing) for (_, public_id), thing in _things(reversed(rows)).items()]

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[Happened]:
        asked = {
            "low": self._first,
            "high": self._last if before is None else self._first + min(max(before - 1, 0), MOST),
            "kind": kind,
            "limit": _ALL if limit is None else max(limit, 0),
        }
        if id is None:
            rows = self._rows("moves_of_kind", **asked)
        else:
            rows = self._rows("moves_of_thing", **asked, public_id=id)
        return [_happened(row) for row in reversed(rows)]

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[Happened]:
        named = dump([[part.partition(".")[0], part] for part in parts])
        rows = self._rows("turning_moves", low=self._first, high=self._last, kind=kind, public_id=id, parts=named)
        return [_happened(row) for row in rows]

    def spread(self, kind: str, ids: Sequence[str], most: int) -> list[Happened]:
        wanted = dump(list(dict.fromkeys(ids)))
        rows = self._rows(
            "spread_moves", low=self._first, high=self._last, kind=kind, public_ids=wanted, most=max(most, 2)
        )
        return [_happened(row) for row in rows]

    def noticed(self, *, since: int = 0, before: int | None = None, limit: int | None = None) -> list[TurnNoticed]:
        if limit is None or limit > _FEW_LIVING or before is not None:
            return self._noticed(since, before, limit)
        return [*self.kept(("noticed", since, limit), lambda: self._noticed(since, None, limit))]

    def _noticed(self, since: int, before: int | None, limit: int | None) -> list[TurnNoticed]:
        rows = self._rows(
            "noticed_since",
            low=self._first,
            high=self._last,
            since=since,
            before=before,
            limit=_ALL if limit is None else max(limit, 0),
        )
        return [
            TurnNoticed(
                noticed=from_record(Noticed, json.loads(noticed)),
                turn_id=turn_id,
                turn_number=number,
                at=moment(at, offset),
            )
            for turn_id, number, at, offset, noticed in reversed(rows)
        ]

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        held = self._standing
        rows = self._rows("load_vectors", scope_id=held.scope_id, public_ids=dump(list(item_ids)))
        firsts = self._packing.firsts([column for _, column in rows], held.dimension)
        return {public_id: row for (public_id, _), row in zip(rows, firsts, strict=True)}

    def counts(self, *, learned_since: int, said_since: int) -> Counts:
        row = self._rows(
            "count_for_upkeep",
            scope_id=self._standing.scope_id,
            learned_since=learned_since,
            said_since=said_since,
        )[0]
        learned, letters, at, offset = row
        return Counts(learned=learned, letters=letters, began_at=None if at is None else moment(at, offset))


def _happened(row: Row) -> Happened:
    *move, turn_id, at, offset, turn_number, operation = row
    return Happened(
        move=move_from(*move),
        number=number_of(operation),
        at=moment(at, offset),
        turn_id=turn_id,
        turn_number=turn_number,
    )


def _things(rows: Iterable[Row]) -> dict[Key, StateRecord]:
    return {(kind, public_id): thing_from(kind, record) for kind, public_id, record in rows}


_MOST_PLACES: Final = 100_000  # of one word


class Searching(Snapshot):
    """The part of a view that finds items."""

    def __init__(self, connection: Connection, scope: Scope, shared: Shared, mask: Mask | None = None) -> None:
        super().__init__(connection, scope, shared.known, mask)
        self._shared = shared
        self._embedder = shared.embedder
        self._cache = shared.index
        self._ranks = connection.ranks
        self._seen: ScopeIndex | None = None
        self._scanned: tuple[bytes, Scores] | None = None  #: the last vector, and the cosines with it

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[Match]:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        asked = self._asked(vector)
        if not asked.any():
            return []
        return self._index().nearest(self._cosines(asked), limit, memories_only=memories_only)

    def vectorless(self, limit: int) -> list[Unembedded]:
        rows = self._rows("find_vectorless", low=self._first, high=self._last, limit=limit)
        return [Unembedded(key=key, text=self._mask(text) if self._mask else text) for key, text in rows]

    def layout(self) -> Layout:
        return self._index().layout

    def cosines(self, vector: Vector) -> Scores:
        """Raise `EmbedderMismatch` while the bank holds another embedder's vectors."""
        return self._cosines(self._asked(vector))

    def occurrences(self, words: Sequence[str]) -> list[Occurrences]:
        return self._found("word_postings", words, WordIndex.standing)

    def beginnings(self, prefixes: Sequence[str]) -> list[Occurrences]:
        return self._found("prefix_postings", prefixes, WordIndex.beginning)

    def weighed(self, words: Sequence[str]) -> list[Weighed] | None:
        if not self._ranks:
            return None
        index, terms = self._index(), self._terms(words)
        asked = list(dict.fromkeys(term for term in terms if term is not None))
        found = self._weights(asked)
        # An engine whose index is gone may still find words, and weighs nothing.
        self._ranks = found is not None and all((weights > 0).all() for _, weights in found.values())
        if found is None or not self._ranks:
            return None
        nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return [index.weighed(*found.get(term or "", nothing)) for term in terms]

    def tagged(self, tags: Sequence[str]) -> list[Occurrences]:
        known = self._index().tagged
        new = [tag for tag in dict.fromkeys(tags) if tag not in known]
        found = self._found("word_postings", [f"{TAG}{tag}" if tag else "" for tag in new], WordIndex.standing)
        known |= dict(zip(new, found, strict=True))
        return [known[tag] for tag in tags]

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        wanted = list(refs)
        read = self._known.items
        found = {ref: read[ref] for ref in wanted if ref in read}
        if len(found) < len(wanted):
            found = self._items("load_memories", memory_from, wanted)
            found |= self._items("load_utterances", utterance_from, [ref for ref in wanted if ref not in found])
            found = {ref: found[ref] for ref in wanted if ref in found}
        if self._mask is None:
            return found
        masked = self._masked_utterance
        return {ref: masked(item) if isinstance(item, Utterance) else item for ref, item in found.items()}

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        public_ids = dump(list(item_ids))
        return dict(self._rows("find_items", scope_id=self._standing.scope_id, public_ids=public_ids))

    def _index(self) -> ScopeIndex:
        if self._seen is not None:
            return self._seen
        held = self._standing
        self._seen = self._cache.index(
            held.scope_id,
            epoch=held.index_epoch,
            dimension=held.dimension,
            first=self._first,
            last=self._first + max(held.next_seq - 1, 0),
            load=lambda first, last: self._rows("load_index", low=first, high=last),
        )
        return self._seen

    def _cosines(self, asked: Vector) -> Scores:
        """Return the cosine of every item with `asked`; a question asks for the same ones twice."""
        key, scanned = asked.tobytes(), self._scanned
        if scanned is None or scanned[0] != key:
            scanned = self._scanned = (key, self._index().cosines(asked))
            scanned[1].setflags(write=False)
        return scanned[1]

    def _asked(self, vector: Vector) -> Vector:
        held = self._standing
        if held.embedder != self._embedder:
            raise EmbedderMismatch(built_with=held.embedder, configured=self._embedder)
        return unit(vector, held.dimension)

    def all_words(self) -> list[tuple[str, str]]:
        scope_id = self._standing.scope_id
        start, beyond = f"{scope_id}x", f"{scope_id}y"
        return [
            (term, ids)
            for term, ids in self._rows("all_postings", start=start, beyond=beyond, low=self._first, high=self._last)
        ]

    def words_between(self, first: int, last: int) -> list[tuple[int, str]]:
        return [(id, terms) for id, terms in self._rows("load_words", low=first, high=last)]

    def folded(self, term: str) -> str | None:
        with self._turn:
            return self.held().folded(term)

    def _found(
        self, query: str, words: Sequence[str], look: Callable[[WordIndex, str | None], Ids]
    ) -> list[Occurrences]:
        if not words:
            return []
        index = self._index()
        held = self._standing
        known = self._cache.words(
            held.scope_id, epoch=held.index_epoch, last=self._first + max(held.next_seq - 1, 0), source=self
        )
        if known is not None:
            return [index.occurrences(look(known, term)) for term in self._terms(words)]
        # One text for each word instead of a row for each place: more than twice as fast for a common word.
        terms = dump(self._terms(words))
        rows = self._rows(query, words=terms, low=self._first, high=self._last, most=_MOST_PLACES)
        found = {key: np.fromstring(places or "", dtype=np.int64, sep=",") for key, places in rows}
        return [index.occurrences(found[number]) for number in range(len(words))]

    def _weights(self, terms: Sequence[str]) -> dict[str, tuple[Ids, Scores]] | None:
        """Return the ids of the items with each of `terms`, and what it weighs there; None: the engine fails."""
        with self._turn:
            rows = self.held().weights(terms, self._first, self._last, _MOST_PLACES) if terms else []
        if rows is None:
            return None
        return {
            term: (np.fromstring(ids or "", np.int64, sep=","), np.fromstring(weights or "", np.float32, sep=","))
            for term, (ids, weights) in zip(terms, rows, strict=True)
        }

    def _terms(self, words: Sequence[str]) -> list[str | None]:
        """Return each of `words` as the index holds it; None for one that it cannot hold."""
        scope_id = self._standing.scope_id
        with self._turn:
            fold = self.held().folded
            return [fold(scoped[0]) if (scoped := scoped_terms(scope_id, [word])) else None for word in words]


class StoredView(Searching, Remembering, Log, Living):
    """One scope, read in one snapshot."""


class StoredRoom(StoredView):
    """One scope, held. It takes one entry, and with that it is left: its snapshot would be of the past."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        shared: Shared,
        hooks: Hooks,
        commit: Callable[[StoredRoom, Work], Written],
    ) -> None:
        """`commit` does the work of writing an entry, commits it and leaves the room."""
        super().__init__(connection, scope, shared, hooks.mask)
        self._hooks = hooks
        self._commit = commit
        self.applied: list[Callable[[], None]] = []  #: what is to be called once the room is left

    def apply(self, entry: Entry) -> Operation:
        self.held()  # raises if the room was left
        told = self._hooks.on_apply(self._scope, self, entry) if self._hooks.on_apply else None
        written = self._commit(
            self,
            partial(
                write_entry,
                scope=self._scope,
                entry=entry,
                seen_version=self.version,
                embedder=self._embedder,
                actor=actor(),  # here: whoever writes may do so in another thread
            ),
        )
        touched = {ref: None if memory is None else as_read(memory) for ref, memory in written.touched.items()}
        if entry.gone is not None:
            self._shared.drop(written.scope_id)
        self._shared.known.written(written.scope_id, written.version, touched, written.upset)
        if told is not None:
            self.applied.append(partial(told, written.operation))
        return written.operation
