"""One scope, read in one snapshot (`StoredView`), or held while an entry is written to it (`StoredRoom`)."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from operator import add
from threading import Lock, local
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from gieok import ports
from gieok.domain.actor import actor
from gieok.domain.answer import Item, Trace
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Saying
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.noticed import EntityKind, Noticed
from gieok.domain.operation import Operation
from gieok.domain.recognition import Imprint
from gieok.domain.record import from_record
from gieok.domain.scope import Scope, Sharing
from gieok.domain.state import Key, StateRecord
from gieok.domain.turn import USER, Turn, Utterance
from gieok.errors import BankInterrupted, BankUnavailable, EmbedderMismatch, ErrorText
from gieok.ports.nearness import Nearness
from gieok.ports.store import insistently
from gieok.stores.tables.cache import BEGINNING, FEW_NAMEABLE, Nameable, ScopeCache, folded, spelt_out
from gieok.stores.tables.columns import MOST, Row, dump, microseconds, moment, number_of
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.erase import recognised
from gieok.stores.tables.rows import (
    memory_from,
    move_from,
    operation_from,
    state_record_from,
    trace_from,
    turn_from,
    utterance_from,
)
from gieok.stores.tables.scopes import find_scope, scope_key, scope_named
from gieok.stores.tables.search_index import TAG, GrowingIndex, ScopeIndex, WordIndex, scoped_terms, unit
from gieok.stores.tables.write import Written, write_entry

if TYPE_CHECKING:
    from gieok.ports import Scores, Vector
    from gieok.stores.tables.search_index import Ids

Answer = TypeVar("Answer")
Question = TypeVar("Question", bound=Hashable)
Mask = Callable[[str], str]  #: see `gieok.ports.Hooks.mask`
Work = Callable[[Connection], Written]
_ALL: Final = -1  # SQLite's LIMIT for no limit
_FEW: Final = 256  #: items read at once that are kept for the next query
_FEW_TURNS: Final = 64  #: read at once that are kept for the next query
_FEW_NOTICED: Final = 8  #: turns of which it is kept what was noticed in them
_MOST_MENTIONED: Final = 32  #: facts that one text names
_MOST_PLACES: Final = 100_000  #: of one word
_QUARTER: Final = 900_000_000  #: microseconds in a quarter of an hour
_ANY_TIME: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Shared:
    """What all handles on an open bank share."""

    embedder: str  #: whose vectors the bank takes
    cache: ScopeCache
    embedded_to: int = 0  #: where `unembedded` goes on looking
    entering: local = field(default_factory=local)  #: `at_work` in a thread that does what `Hooks.on_enter` asked for


class StoredView:
    """Implements `gieok.ports.View`. Answers until it is left. Threads may share it; their queries take turns."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        shared: Shared,
        mask: Mask | None = None,
        *,
        again: Callable[[], Connection] | None = None,
    ) -> None:
        """`again` lends another snapshot where this one breaks off; a scope nobody wrote to is read on there."""
        self._scope = scope
        self._again = again
        self._shared = shared
        self._mask = mask
        self._turn = Lock()
        self._here = here = find_scope(connection, scope)
        self.version = here.version
        self.turn_number = here.turn_number
        self.provisions = here.provisions
        self._last = here.first + max(here.next_seq - 1, 0)  #: the highest id that this snapshot can have seen
        self._connection: Connection | None = self._here.connection
        self._answers = shared.cache.answers(self._here)  #: what was read already
        self._ranks = connection.ranks
        self._found: tuple[GrowingIndex, ScopeIndex] | None = None

    @property
    def latest_at(self) -> datetime | None:
        rows = self._known("latest at", None, lambda: self._rows("latest_moment"))
        return moment(*rows[0]) if rows else None

    def leave(self) -> None:
        """End the transaction and let go of the connection, once a query that is under way is done."""
        with self._turn:
            if self._connection is not None:
                self._connection.end()
                self._connection = None

    def held(self) -> Connection:
        """Return the connection of the transaction; raises RuntimeError once the view was left."""
        if self._connection is None:
            raise RuntimeError("this view was left, or took its entry; enter the scope again")
        return self._connection

    def _asked(self, question: Callable[[Connection], Answer]) -> Answer:
        with self._turn:
            try:
                return question(self.held())
            except BankInterrupted:
                if self._again is None:
                    raise
                return insistently(lambda: question(self._resumed()))

    def _resumed(self) -> Connection:
        """Return a connection with a new snapshot, if the scope stands there as it did."""
        assert self._again is not None
        here = find_scope(self._again(), self._scope)
        before = self._here
        if (here.scope_id, here.version, here.index_epoch) != (before.scope_id, before.version, before.index_epoch):
            raise BankUnavailable(ErrorText("bank.read_moved", scope=self._scope))
        self._connection = here.connection
        return here.connection

    def cached(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        return self._known("version", name, make)

    def existing_scopes(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        keys = {tuple(scope_key(scope).values()): scope for scope in scopes}
        begun: set[Scope] = set()
        for user in sorted({user for user, *_ in keys}):  # one user's scopes are on one node of a cluster
            asked = dump([key for key in keys if key[0] == user])
            begun.update(keys[row] for row in self._rows("find_begun", user=user, keys=asked))
        return frozenset(begun)

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        named = self._scope.user if sharing == "user_facts" else self._scope.character
        if sharing == "none" or self._scope.is_canon or named is None:
            return []
        query = "find_siblings_of_user" if sharing == "user_facts" else "find_siblings_of_character"
        return [scope_named(*row) for row in self._rows(query, limit=limit, **scope_key(self._scope))]

    def _known(self, topic: str, question: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` returns, kept for as long as the rule of its topic says: see `cache.RULES`."""
        answers = self._answers.topic(topic)
        try:
            found: Answer = answers[question]
        except KeyError:
            found = answers[question] = make()
        return found

    def _rows(self, query: str, **values: Any) -> list[Row]:
        """Return the rows of a query about the scope: its number and range of ids are among the values."""
        return self._asked(lambda connection: connection.rows(query, **values))

    def _ids(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._rows(query, **values)]

    def _loaded(self, query: str, ids: Iterable[int]) -> list[Row]:
        """Return the rows of `ids` that are in this scope."""
        wanted = list(ids)
        return self._rows(query, ids=dump(wanted)) if wanted else []

    def _items(self, query: str, make: Callable[[Row], Item], refs: Sequence[int]) -> dict[int, Item]:
        """Return those of `refs` that `query` finds or that were read before."""
        read = self._answers.topic("items")
        made = {row[0]: make(row) for row in self._loaded(query, (ref for ref in refs if ref not in read))}
        if len(made) <= _FEW:
            read.update(made)
        return {ref: item for ref in refs if (item := made.get(ref) or read.get(ref)) is not None}

    # Searching

    def dense(self, vector: Vector, limit: int, *, memories_only: bool = False) -> list[ports.Match]:
        nearness = self.nearness(vector)
        return self._index().nearest(nearness, limit, memories_only=memories_only) if np.any(vector) else []

    def vectorless(self, limit: int) -> list[ports.Unembedded]:
        question = (self._here.index_epoch, limit)
        rows = self._known("vectorless", question, lambda: self._rows("find_vectorless", limit=limit))
        return [ports.Unembedded(key=key, text=self._mask(text) if self._mask else text) for key, text in rows]

    def layout(self) -> ports.Layout:
        return self._index().layout

    def cosines(self, vector: Vector) -> Scores:
        return self._index().cosines(self._unit(vector))

    def nearness(self, vector: Vector) -> Nearness:
        return self._index().nearness(self._unit(vector))

    def _unit(self, vector: Vector) -> Vector:
        if self._here.embedder != self._shared.embedder:
            raise EmbedderMismatch(built_with=self._here.embedder, configured=self._shared.embedder)
        return unit(vector, self._here.dimension)

    def occurrences(self, words: Sequence[str]) -> list[ports.Occurrences]:
        return self._occurrences("word_postings", words, WordIndex.standing)

    def prefix_occurrences(self, prefixes: Sequence[str]) -> list[ports.Occurrences]:
        return self._occurrences("prefix_postings", prefixes, WordIndex.beginning)

    def _occurrences(
        self, query: str, words: Sequence[str], look: Callable[[WordIndex, str | None], Ids]
    ) -> list[ports.Occurrences]:
        if not words:
            return []
        index, terms = self._index(), self._terms(words)
        assert self._found is not None, "the index was found just now"
        known = self._found[0].words(self._last, self._rows, self._folded)
        self._shared.cache.settle(self._here)
        if known is not None:
            return index.occurrences([look(known, term) for term in terms])
        # One text for each word instead of a row for each place: more than twice as fast for a common word.
        rows = self._rows(query, words=dump(terms), most=_MOST_PLACES)
        found = {key: np.fromstring(places or "", dtype=np.int64, sep=",") for key, places in rows}
        return index.occurrences([found[number] for number in range(len(words))])

    def word_weights(self, words: Sequence[str]) -> list[ports.WordWeights] | None:
        if not self._ranks:
            return None
        index, terms = self._index(), self._terms(words)
        asked = list(dict.fromkeys(term for term in terms if term is not None))
        place = (self._here.first, self._here.last, _MOST_PLACES)
        rows = self._asked(lambda connection: connection.weights(asked, *place)) if asked else []
        found = {
            term: (np.fromstring(ids or "", np.int64, sep=","), np.fromstring(weights or "", np.float32, sep=","))
            for term, (ids, weights) in zip(asked, rows or (), strict=False)
        }
        # An engine whose index is gone may still find words, and weighs nothing.
        self._ranks = rows is not None and all((weights > 0).all() for _, weights in found.values())
        if not self._ranks:
            return None
        nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return [index.weighed(*found.get(term or "", nothing)) for term in terms]

    def tagged(self, tags: Sequence[str]) -> list[ports.Occurrences]:
        known = self._index().tagged
        new = [tag for tag in dict.fromkeys(tags) if tag not in known]
        found = self.occurrences([f"{TAG}{tag}" if tag else "" for tag in new])
        known |= dict(zip(new, found, strict=True))
        return [known[tag] for tag in tags]

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        wanted, read = list(refs), self._answers.topic("items")
        found = {ref: read[ref] for ref in wanted if ref in read}
        if len(found) < len(wanted):
            found = self._items("load_memories", memory_from, wanted)
            found |= self._items("load_utterances", utterance_from, [ref for ref in wanted if ref not in found])
            found = {ref: found[ref] for ref in wanted if ref in found}
        if self._mask is None:
            return found
        return {ref: self._masked(item) if isinstance(item, Utterance) else item for ref, item in found.items()}

    def _masked(self, utterance: Utterance) -> Utterance:
        if self._mask is None:
            return utterance
        masked = self._mask(utterance.text)
        return utterance if masked == utterance.text else replace(utterance, text=masked)

    def refs(self, item_ids: Iterable[str]) -> dict[str, int]:
        wanted, known = list(item_ids), self._answers.topic("refs")
        if new := [item_id for item_id in wanted if item_id not in known]:
            rows = self._rows("find_items", public_ids=dump(new))
            known.update({item_id: ref for item_id, ref, *_ in rows})
        return {item_id: known[item_id] for item_id in wanted if item_id in known}

    def vectors(self, item_ids: Sequence[str]) -> dict[str, Vector]:
        rows = self._rows("load_vectors", public_ids=dump(list(item_ids)))
        firsts = self._shared.cache.packing.firsts([column for _, column in rows], self._here.dimension)
        return {public_id: row for (public_id, _), row in zip(rows, firsts, strict=True)}

    def _folded(self, term: str) -> str | None:
        with self._turn:
            return self.held().folded(term)

    def _index(self) -> ScopeIndex:
        if self._found is None:
            growing = self._shared.cache.index(self._here)
            self._found = growing, growing.up_to(self._last, self._rows)
            self._shared.cache.settle(self._here)
        return self._found[1]

    def _terms(self, words: Sequence[str]) -> list[str | None]:
        """Return each of `words` as the index holds it; None for one that it cannot hold."""
        terms = (scoped_terms(self._here.scope_id, [word]) for word in words)
        return [self._folded(scoped[0]) if scoped else None for scoped in terms]

    # Memories

    def memories(self, which: ports.MemoryFilter) -> list[Memory]:
        at, all_too = which.current_at, which.include_hidden or which.include_faded
        of_user = which.subject in (None, USER)
        few = which.pinned or which.doubtful or which.attribute or which.content_type or not of_user
        few = few and which.touched_since is None
        if (at is None and all_too) or not few:
            return self._memories(self._ids("find_memories", **_asked(which)))
        ever = replace(which, current_at=None, include_hidden=False, include_faded=False)
        found = self._listed([ever], lambda _: [(0, ref) for ref in self._ids("find_memories", **_asked(ever))])
        return [memory for memory in found if at is None or memory.true_at(at)]

    def browse(self, which: ports.BrowseFilter, limit: int, *, before: int | None = None) -> list[ports.Leaf]:
        asked = self._leafing(which) | {"limit": max(limit, 0)}
        if before is not None:
            asked["high"] = self._here.first + min(max(before, 0), MOST) - 1
        narrow = {  # each names an index that knows the memories which may be meant
            "pinned": which.pinned,
            "doubtful": which.doubtful,
            "forgotten": which.state == "forgotten",
            "attribute": which.subject and which.subject_id and which.attribute,
        }
        few = next((name for name, meant in narrow.items() if meant), None)
        if few is None:
            return self._leaves(self._ids("leaf_memories", **asked))
        find = partial(self._ids, "leaf_few_memories", **asked, few=few)
        if before is not None or limit > _FEW or which.state not in ("all", "forgotten"):
            return self._leaves(find())
        lists = self._answers.topic("lists")
        question = (replace(which, present=_ANY_TIME), limit)
        if question not in lists:
            lists[question] = find()
        return self._leaves(lists[question])

    def browse_by_date(
        self, which: ports.BrowseFilter, limit: int, *, before: ports.Leaf | None = None
    ) -> list[ports.Leaf]:
        reached: dict[str, int | None] = {"before_at": None, "before_id": None}
        if before is not None:
            reached = {"before_at": microseconds(before.memory.valid_at), "before_id": self._here.first + before.place}
        return self._leaves(self._ids("leaf_story", **self._leafing(which), **reached, limit=max(limit, 0)))

    def count_by_quarter_hour(self, which: ports.BrowseFilter) -> dict[datetime, int]:
        counted = self._rows("count_leaves", **self._leafing(which))
        return {moment(quarter * _QUARTER, 0): memories for quarter, memories in counted}

    def _leafing(self, which: ports.BrowseFilter) -> dict[str, Any]:
        longest = max(which.words, key=len, default=None)  # most rows fail here, before a list is read
        return {**_asked(which), "longest": longest}

    def _leaves(self, ids: Sequence[int]) -> list[ports.Leaf]:
        memories = zip(ids, self._memories(ids), strict=True)
        return [ports.Leaf(place=id - self._here.first, memory=memory) for id, memory in memories]

    def subjects(self) -> list[ports.About]:
        counted = self._known("subjects", None, lambda: {row[:2]: row[2] for row in self._rows("count_subjects")})
        most_first = sorted((-number, subject, name) for (subject, name), number in counted.items() if number)
        return [ports.About(subject=subject, subject_id=name, memories=-number) for number, subject, name in most_first]

    def closed_by(self, memory_id: str) -> list[Memory]:
        return self._memories(self._ids("find_closed_by", memory_id=memory_id))

    def memories_by_id(self, memory_ids: Iterable[str]) -> dict[str, Memory]:
        return {memory.id: memory for memory in self._memories(list(self.refs(memory_ids).values()))}

    def memories_about(self, topics: Iterable[ports.Topic]) -> list[Memory]:
        def find(some: Sequence[ports.Topic]) -> list[Row]:
            asked = [[each.subject, each.subject_id, each.attributes, each.values] for each in some]
            return self._rows("find_memories_about", topics=dump(asked))

        return self._listed(list(dict.fromkeys(topics)), find)

    def related(self, touch: ports.RelatedFilter, limit: int) -> list[Memory]:
        return self._memories(self._ids("find_touching", **_asked(touch), limit=max(limit, 0)))

    def relations(self, subjects: Sequence[tuple[str, str]], present: datetime) -> dict[str, int]:
        return dict(self._rows("count_relations", subjects=dump(list(subjects)), present=microseconds(present)))

    def conclusions(self) -> list[Memory]:
        return self._listed(["conclusions"], lambda _: [(0, ref) for ref in self._ids("find_concluded")])

    def mentioned_facts(self, text: str) -> list[Memory]:
        asked = self._answers.topic("nameable")
        if None not in asked and self._here.next_seq > FEW_NAMEABLE and not asked.get("again"):
            asked["again"] = True  # where there are many, they are kept from the second time on
            return sorted(self._memories(self._ids("find_mentioned", text=text, limit=_MOST_MENTIONED)), key=by_truth)
        known = self._known("nameable", None, self._nameable)
        said = folded(text)
        parts = {"", *said, *map(add, said, said[1:])}  # as long as `BEGINNING`, and shorter
        named = {ref for part in parts & known.keys() for name, ref in known[part] if name in said}
        newest = sorted(named, reverse=True)[:_MOST_MENTIONED]
        return sorted(self._memories(newest), key=by_truth)

    def _nameable(self) -> Nameable:
        found: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for ref, *names in self._rows("find_nameable"):
            for name in {folded(name) for name in names if name is not None}:
                found[name[:BEGINNING]].append((name, ref))
        return {beginning: tuple(facts) for beginning, facts in found.items()}

    def people(self, text: str) -> dict[str, list[int]]:
        known = self._answers.topic("people")
        if "told" not in known:
            told: defaultdict[str, list[int]] = defaultdict(list)
            for name, ref in self._rows("find_people"):
                told[name].append(ref)
            shortest = {name: name.rstrip("이") if len(name) > 2 else name for name in told}  # 지훈이 may be 지훈
            known["told"] = {name: (spelt_out(shortest[name]), refs) for name, refs in told.items()}
        spelt = spelt_out(text)
        return {name: [*refs] for name, (sign, refs) in known["told"].items() if sign in spelt}

    def read_from(self, utterance_ids: Iterable[str]) -> list[Memory]:
        wanted, known = list(utterance_ids), self._answers.topic("read from")
        if new := [each for each in wanted if each not in known]:
            found: dict[str, list[int]] = {each: [] for each in new}
            for said, ref in self._rows("find_read_from", utterance_ids=dump(new)):
                found[said].append(ref)
            known.update(found)
        refs = list(dict.fromkeys(ref for each in wanted for ref in known[each]))
        return sorted(self._memories(refs), key=by_truth)

    def forgotten_words(self) -> frozenset[str]:
        rows = self._known("forgotten words", None, partial(self._rows, "find_forgotten_words"))
        return frozenset(utterance_id for (utterance_id,) in rows)

    def first_known(self) -> dict[ContentType, datetime]:
        return {content_type: moment(known_at, 0) for content_type, known_at in self._rows("first_known")}

    def recognised(self, imprints: Iterable[Imprint], among: Collection[str] | None = None) -> frozenset[Imprint]:
        with self._turn:
            return recognised(self.held(), self._scope, imprints, among)

    def ever_hidden(self) -> frozenset[str]:
        return frozenset(memory_id for (memory_id,) in self._rows("find_hidden"))

    def believed_at(self, moment: datetime) -> list[Memory]:
        found = self._rows("believed_at", moment=microseconds(moment))
        return sorted((from_record(Memory, json.loads(after)) for (after,) in found), key=by_truth)

    def times_heard(self, sayings: Iterable[Saying], *, before: int | None = None) -> Counter[Saying]:
        wanted = list(dict.fromkeys(sayings))
        known = self._answers.topic("heard") if before is None else {}
        if new := [saying for saying in wanted if saying not in known]:
            last = self._here.last if before is None else self._here.first + min(max(before - 1, 0), MOST)
            rows = self._rows("count_heard", sayings=dump(new), high=last)
            known.update(dict.fromkeys(new, 0) | {new[place]: times for place, times in rows})
        return Counter({saying: known[saying] for saying in wanted if known[saying]})

    def _listed(self, questions: Sequence[Question], find: Callable[[Sequence[Question]], list[Row]]) -> list[Memory]:
        """Return the memories that answer any of `questions`, by when they became true; short lists are kept.

        `find` returns the place of a question that is not known yet, with a ref, once for each memory.
        """
        known = self._answers.topic("lists")
        refs = {ref for question in questions for ref in known.get(question, ())}
        if new := [question for question in questions if question not in known]:
            found: dict[int, set[int]] = {place: set() for place in range(len(new))}
            for place, ref in find(new):
                found[place].add(ref)
            known.update({new[place]: frozenset(some) for place, some in found.items() if len(some) <= _FEW})
            refs.update(*found.values())
        return sorted(self._memories(list(refs)), key=by_truth)

    def _memories(self, ids: Sequence[int]) -> list[Memory]:
        """Return the memories among `ids`, in their order."""
        found = self._items("load_memories", memory_from, ids)
        return [item for item in map(found.get, ids) if isinstance(item, Memory)]

    # Turns

    def turn(self, turn_id: str) -> Turn | None:
        found = self._known("turn", turn_id, lambda: self._turns("find_turn", public_id=turn_id))
        return self._quoted(found)[0] if found else None

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        asked = {"before": MOST if before is None else before, "limit": max(limit, 0)}
        find = partial(self._turns, "find_last_turns", **asked)
        if limit > _FEW_TURNS or before is not None:  # whoever pages back would have a copy of every page kept
            return self._quoted(find())
        return self._quoted(self._known("last turns", limit, find))

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        return self._quoted(self._turns("find_turns_of", session=session, channel=channel, limit=max(limit, 0)))

    def unread_turns(self, limit: int) -> list[Turn]:
        find = partial(self._turns, "find_unread_turns", limit=max(limit, 0))
        return self._quoted(self._known("unread turns", limit, find))

    def is_unread(self, turn_id: str) -> bool:
        return bool(self._rows("find_unread_turn", public_id=turn_id))

    def open_turns(self, limit: int) -> list[Turn]:
        find = partial(self._turns, "find_open_turns", limit=max(limit, 0))
        return self._quoted(self._known("open turns", limit, find))

    def rewound_turns(self) -> list[ports.RewoundTurn]:
        found: dict[int, ports.RewoundTurn] = {}
        for ref, turn_id, session, at, offset, item_id, text in self._rows("find_taken_back"):
            empty = ports.RewoundTurn(place=ref, turn_id=turn_id, session=session, at=moment(at, offset), lines=())
            turn = found.get(ref, empty)
            found[ref] = replace(turn, lines=(*turn.lines, (item_id, text)))
        return list(found.values())

    def trace(self, turn_id: str) -> Trace | None:
        rows = self._rows("find_trace", public_id=turn_id)
        return trace_from(rows[0][0]) if rows else None

    def _quoted(self, turns: Sequence[Turn]) -> list[Turn]:
        if self._mask is None:
            return [*turns]
        return [replace(turn, utterances=tuple(map(self._masked, turn.utterances))) for turn in turns]

    def _turns(self, query: str, **asked: Any) -> list[Turn]:
        """Return the turns that a query finds, oldest first, as they were said."""
        ids, utterances = self._ids(query, **asked), defaultdict[int, list[Utterance]](list)
        for row in self._loaded("load_utterances_of_turns", ids):
            utterances[row[-1]].append(utterance_from(row))
        return [turn_from(row, utterances[row[0]]) for row in self._loaded("load_turns", ids)]

    # The journal

    def operation_of(self, turn_id: str) -> Operation | None:
        find = partial(self._ids, "find_operation_of_turn", turn_id=turn_id)
        found = self._known("operation of turn", turn_id, lambda: self._operations(find()))
        return found[0] if found else None

    def operations(self, *, since: int = 1, limit: int | None = None, in_force: bool = True) -> list[Operation]:
        most = _ALL if limit is None else max(limit, 0)
        first = self._here.first + max(since, 0)
        return self._operations(self._ids("find_operations", first=first, undone_too=not in_force, limit=most))

    def last_operations(self, limit: int, *, before: int | None = None) -> list[Operation]:
        end = self._here.last + 1 if before is None else self._here.first + min(max(before, 0), MOST)
        return self._operations(self._ids("find_last_operations", before=end, limit=max(limit, 0)))

    def imported_operations(self, since: int = 1) -> list[tuple[int, str]]:
        rows = self._rows("find_arrived", first=self._here.first + max(since, 0))
        return [(number_of(private_id), public_id) for private_id, public_id in rows]

    def history(self, memory_id: str) -> list[tuple[Operation, Change]]:
        places = self._rows("find_changes_of_memory", memory_id=memory_id)
        numbers = dict.fromkeys(operation for operation, _ in places)
        by_id = dict(zip(numbers, self._operations(numbers), strict=True))
        return [(by_id[operation], by_id[operation].changes[position]) for operation, position in places]

    def _operations(self, ids: Iterable[int]) -> list[Operation]:
        """Return the operations in the log's order."""
        wanted = list(ids)
        parts: list[defaultdict[int, list[Row]]] = []
        for query in ("load_candidates", "load_changes", "load_moves"):
            parts.append(defaultdict(list))
            for row in self._loaded(query, wanted):
                parts[-1][row[0]].append(row)
        loaded = self._loaded("load_operations", wanted)
        return [operation_from(row, *(part[row[0]] for part in parts)) for row in loaded]

    # State records

    def state_records(self, *kinds: str) -> dict[Key, StateRecord]:
        if not kinds:
            return _state(self._rows("all_things"))
        known = self._answers.topic("state of kind")
        found: dict[Key, StateRecord] = {}
        for kind in kinds:
            if kind not in known:
                known[kind] = _state(self._rows("things_of_kind", kind=kind))
            found |= known[kind]
        return found

    def state_records_by_key(self, keys: Iterable[Key]) -> dict[Key, StateRecord]:
        wanted, known = list(keys), self._answers.topic("state")
        if new := [key for key in wanted if key not in known]:
            found = _state(self._rows("things_by_key", keys=dump(new)))
            known.update({key: found.get(key) for key in new})
        return {key: record for key in wanted if (record := known[key]) is not None}

    def known_names(self) -> dict[str, EntityKind]:
        return {**self._known("names", None, lambda: dict(self._rows("names_of_people")))}

    def last_state_records(self, kind: str, limit: int = 1) -> list[tuple[str, StateRecord]]:
        known = self._answers.topic("last state")
        if (kind, limit) not in known:
            found = _state(reversed(self._rows("last_things", kind=kind, limit=max(limit, 0))))
            known[kind, limit] = [(public_id, record) for (_, public_id), record in found.items()]
        return [*known[kind, limit]]

    def moves(
        self, kind: str, id: str | None = None, *, limit: int | None = None, before: int | None = None
    ) -> list[ports.RecordedMove]:
        asked: dict[str, Any] = {"kind": kind, "limit": _ALL if limit is None else max(limit, 0)}
        if before is not None:
            asked["high"] = self._here.first + min(max(before - 1, 0), MOST)
        query = "moves_of_kind"
        if id is not None:
            query, asked["public_id"] = "moves_of_thing", id
        return [_happened(row) for row in reversed(self._rows(query, **asked))]

    def turning_points(self, kind: str, id: str, parts: Sequence[str]) -> list[ports.RecordedMove]:
        named = dump([[part.partition(".")[0], part] for part in parts])
        return [_happened(row) for row in self._rows("turning_moves", kind=kind, public_id=id, parts=named)]

    def sampled_moves(self, kind: str, ids: Sequence[str], most: int) -> list[ports.RecordedMove]:
        wanted = dump(list(dict.fromkeys(ids)))
        return [_happened(row) for row in self._rows("spread_moves", kind=kind, public_ids=wanted, most=max(most, 2))]

    def noticed(
        self, *, since: int = 0, before: int | None = None, limit: int | None = None
    ) -> list[ports.TurnNoticed]:
        most = _ALL if limit is None else max(limit, 0)

        def find() -> list[ports.TurnNoticed]:
            rows = self._rows("noticed_since", since=since, before=before, limit=most)
            found = ((*row, _noticed_from(noticed)) for *row, noticed in reversed(rows))
            return [
                ports.TurnNoticed(noticed=noticed, turn_id=turn_id, turn_number=number, at=moment(at, offset))
                for turn_id, number, at, offset, noticed in found
            ]

        few = limit is not None and limit <= _FEW_NOTICED and before is None
        return [*self._known("noticed", (since, limit), find)] if few else find()

    def counts(self, *, learned_since: int, said_since: int) -> ports.Counts:
        asked = partial(self._rows, "count_for_upkeep", learned_since=learned_since, said_since=said_since)
        learned, letters, at, offset = self._known("counts", (learned_since, said_since), lambda: asked()[0])
        return ports.Counts(learned=learned, letters=letters, began_at=None if at is None else moment(at, offset))


def _asked(which: ports.MemoryFilter | ports.BrowseFilter | ports.RelatedFilter) -> dict[str, Any]:
    """Return what a filter asks for, as queries take it."""
    asked = {each.name: getattr(which, each.name) for each in fields(which)}
    for name, value in asked.items():
        if isinstance(value, datetime | tuple):
            asked[name] = microseconds(value) if isinstance(value, datetime) else dump(value)
    return asked


@lru_cache(maxsize=1024)  # upkeep looks back on the same turns again and again
def _noticed_from(record: str) -> Noticed:
    return from_record(Noticed, json.loads(record))


def _happened(row: Row) -> ports.RecordedMove:
    *move, turn_id, at, offset, turn_number, operation = row
    return ports.RecordedMove(
        move=move_from(*move),
        number=number_of(operation),
        at=moment(at, offset),
        turn_id=turn_id,
        turn_number=turn_number,
    )


def _state(rows: Iterable[Row]) -> dict[Key, StateRecord]:
    return {(kind, public_id): state_record_from(kind, record) for kind, public_id, record in rows}


class StoredRoom(StoredView):
    """Implements `gieok.ports.Room`. It takes one entry, and with that it is left: its snapshot is of the past."""

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        shared: Shared,
        hooks: ports.Hooks,
        commit: Callable[[StoredRoom, Work], Written],
    ) -> None:
        """`commit` does the work of writing an entry, commits it and leaves the room."""
        super().__init__(connection, scope, shared, hooks.mask)
        self._hooks = hooks
        self._commit = commit
        self.applied: list[Callable[[], None]] = []  #: what is to be called once the room is left

    def apply(self, entry: ports.Entry) -> Operation:
        self.held()  # raises if the room was left
        told = self._hooks.on_apply(self._scope, self, entry) if self._hooks.on_apply else None
        work = partial(write_entry, scope=self._scope, entry=entry, seen_version=self.version)
        # The actor here: whoever writes may do so in another thread.
        written = self._commit(self, partial(work, embedder=self._shared.embedder, actor=actor()))
        self._shared.cache.written(written)
        if told is not None:
            self.applied.append(partial(told, written.operation))
        return written.operation
