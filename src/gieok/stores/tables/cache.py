"""What was read of the scopes that were used last, so that it need not be read again: answers, items and search index.

Answers are kept for one version of a scope, by topic. When this process writes, each topic has a rule for what becomes
of its answers: they stay, are brought up to date, or go. When another process wrote, all of them go.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from threading import Lock
from typing import Any, Final, Self

from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.domain.operation import Learn
from gieok.domain.turn import USER
from gieok.ports import MemoryFilter, Topic
from gieok.stores.tables.connection import Packing
from gieok.stores.tables.rows import as_read, moment_as_read
from gieok.stores.tables.scopes import ScopeRow
from gieok.stores.tables.search_index import GrowingIndex
from gieok.stores.tables.write import Written

DEFAULT_BYTES: Final = 256 * 1024 * 1024
_MOST_ANSWERS: Final = 16_384  #: of one scope, items included
_ANSWER_BYTES: Final = 2_048  #: that one of them takes, about
MOST_NAMEABLE: Final = 30_000  #: items of a scope whose nameable facts are kept
_NOWHERE: Final = b"\xff"  #: stands in no text: no letter has this byte
Known = dict[Any, Any]  #: the answers of a topic, by what was asked
_FILTERED_BY: Final = ("subject", "subject_id", "speaker", "content_type", "attribute", "pinned")
#: All that a list of memories goes by: what changes with every use of one is not among it.
_listed_by: Final = attrgetter(
    "subject", "subject_id", "speaker", "attribute", "value", "content_type", "origin", "closed_by", "pinned", "hidden",
    "valid_at", "known_at",
)  # fmt: skip


class Answers:
    """What snapshots of one version of a scope have read, by topic: to look up and to add to."""

    __slots__ = ("_topics", "version")

    def __init__(self, version: int, topics: dict[str, Known] | None = None) -> None:
        self.version = version
        self._topics = {} if topics is None else topics

    def __len__(self) -> int:
        return sum(map(len, self._topics.values()))

    def topic(self, name: str) -> Known:
        """Return the answers of a topic, one of `RULES`."""
        return self._topics.setdefault(name, {})

    def after(self, written: Written) -> Answers:
        """Return what is still true once an entry was written; answers that readers add to this one stay with it."""
        anything = bool(written.entry.revised) or written.entry.removal is not None  # after a rewind or an erasure
        topics = {
            name: RULES[name](known, written)
            for name, known in self._topics.items()
            if known and (name == "items" or not anything)
        }
        return Answers(written.version, topics)


def _gone(_known: Known, _written: Written) -> Known:
    return {}


def _without(known: Known, stale: Iterable[Any]) -> Known:
    left = {**known}
    for question in stale:
        left.pop(question, None)
    return left


def _items(known: Known, written: Written) -> Known:
    if not written.items:
        return known
    items = {**known, **{ref: as_read(memory) for ref, memory in written.items.items() if memory is not None}}
    for ref, memory in written.items.items():
        if memory is None:
            items.pop(ref, None)
    return items


def _refs(known: Known, written: Written) -> Known:
    return {**known, **written.refs}  # memories go, and utterances are taken back, by rewinds and erasures alone


def _of_turns(known: Known, written: Written) -> Known:
    """Drop what was asked of the turns that the entry is about."""
    entry = written.entry
    touched = {entry.turn.id if entry.turn else None, entry.caught_up, entry.deepened, entry.operation.turn_id}
    return _without(known, touched)


def _last_turns(known: Known, written: Written) -> Known:
    if written.turn is None:
        return known
    return {limit: [*turns, written.turn][-limit:] if limit else [] for limit, turns in known.items()}


def _unread(known: Known, written: Written) -> Known:
    return {} if written.entry.unread or written.entry.caught_up is not None else known


def _left_open(known: Known, written: Written) -> Known:
    return {} if written.entry.left_open or written.entry.deepened is not None else known


def _latest_at(known: Known, written: Written) -> Known:
    at = moment_as_read(written.operation.moment.at)
    return {question: at if latest is None else max(latest, at) for question, latest in known.items()}


def _noticed(known: Known, written: Written) -> Known:
    request = written.operation.request
    return {} if isinstance(request, Learn) and request.noticed is not None else known


def _heard(known: Known, written: Written) -> Known:
    request = written.operation.request
    claims = request.claims if isinstance(request, Learn) else ()
    said = [claim.saying for claim in claims if claim.flaw is None and claim.saying in known]
    if not said:
        return known
    heard = {**known}
    for saying in said:
        heard[saying] += 1
    return heard


def _vectorless(known: Known, written: Written) -> Known:
    """Keep that nothing waits for a vector, unless something new, or newly visible, has none."""
    changes, index = written.entry.memories, written.entry.index
    said = written.entry.turn.utterances if written.entry.turn else ()
    new = [utterance.id for utterance in said] + [change.memory_id for change in changes if change.before is None]
    embedded = {item_id for item_id, entry in index.items() if entry.vectors is not None}
    shown = any(change.before and change.after and change.before.hidden != change.after.hidden for change in changes)
    return known if not shown and embedded.issuperset({*new, *index}) else {}


def _lists(known: Known, written: Written) -> Known:
    """Put memories that changed into the lists they belong to, and take them out of others."""
    lists = known
    for change in written.entry.memories:
        before, after = change.before, change.after
        if before is not None and after is not None and _listed_by(before) == _listed_by(after):
            continue
        lists = {
            question: refs
            for question, listed in lists.items()
            if (refs := _list_after(question, listed, written.refs.get(change.memory_id), before, after)) is not None
        }
    return lists


def _list_after(
    question: Any, refs: frozenset[int], ref: int | None, before: Memory | None, after: Memory | None
) -> frozenset[int] | None:
    """Return a list as it is after a change; None: it has to be read again."""
    belonged, belongs = (side is not None and _belongs(question, side) for side in (before, after))
    closed = any(side is not None and side.closed_by is not None for side in (before, after))
    if isinstance(question, Topic) and ((closed and not belongs) or (before is not None and belonged != belongs)):
        return None  # what the memories of a topic have closed belongs to it, too
    if ref is None:
        return None
    return refs | {ref} if belongs else refs - {ref}


def _belongs(question: Any, memory: Memory) -> bool:
    match question:
        case MemoryFilter():
            narrow = (
                (wanted, getattr(memory, name))
                for name in _FILTERED_BY
                if (wanted := getattr(question, name)) is not None
            )
            learned = question.learned_since is None or memory.known_at >= question.learned_since
            return learned and not memory.hidden and all(wanted == own for wanted, own in narrow)
        case Topic():
            if (memory.subject, memory.subject_id) != (
                question.subject,
                question.subject_id,
            ) or memory.attribute is None:
                return False
            whole = memory.attribute in question.attributes or memory.value in question.values
            return whole or any(memory.attribute.startswith(each) for each in question.attributes if each.endswith("."))
    return memory.origin == "reflection" and not memory.hidden  # "concluded"


def _nameable(known: Known, written: Written) -> Known:
    return {question: nameable.after(written.items) for question, nameable in known.items()}


def _people(known: Known, written: Written) -> Known:
    for change in written.entry.memories:
        sides = [side for side in (change.before, change.after) if side is not None]
        spoken_of = {(side.subject, side.subject_id, side.hidden) for side in sides}
        if any(side.subject == "other" for side in sides) and (len(sides) == 1 or len(spoken_of) == 2):
            return {}
    return known


def _read_from(known: Known, written: Written) -> Known:
    """Drop utterances that came now, and those that memories which came or went were read from: t1-0 gave t1-0-2."""
    said = written.entry.turn.utterances if written.entry.turn else ()
    stale = {utterance.id for utterance in said}
    for change in written.entry.memories:
        if change.before is None or change.after is None:
            stale |= {change.memory_id[:at] for at, sign in enumerate(change.memory_id) if sign == "-"}
    return _without(known, stale)


def _forgotten_words(known: Known, written: Written) -> Known:
    sides = (side for change in written.entry.memories for side in (change.before, change.after))
    return {} if any(side is not None and side.forgotten_at is not None for side in sides) else known


def _state(known: Known, written: Written) -> Known:
    return {**known, **{move.key: move.after for move in written.entry.moves}}


def _state_of_kind(known: Known, written: Written) -> Known:
    moved = {move.kind for move in written.entry.moves}
    return {kind: _moved(records, written, kind) if kind in moved else records for kind, records in known.items()}


def _moved(records: Mapping[Any, Any], written: Written, kind: str) -> dict[Any, Any]:
    after = {move.key: move.after for move in written.entry.moves if move.kind == kind}
    both = {**records, **after}
    return {key: both[key] for key in sorted(both) if both[key] is not None}


def _last_state(known: Known, written: Written) -> Known:
    moved = {move.kind for move in written.entry.moves}
    return {(kind, limit): records for (kind, limit), records in known.items() if kind not in moved}


def _names(known: Known, written: Written) -> Known:
    return {} if any(move.kind == "entity" for move in written.entry.moves) else known


#: What becomes of the answers of each topic when an entry is written.
RULES: Final[Mapping[str, Callable[[Known, Written], Known]]] = {
    "version": _gone,  #: true of one version alone
    "items": _items,  #: by ref
    "refs": _refs,  #: by public id
    "turn": _of_turns,  #: by id; None: there is none
    "operation of turn": _of_turns,
    "last turns": _last_turns,  #: by how many
    "unread turns": _unread,  #: by how many
    "open turns": _left_open,  #: by how many
    "latest at": _latest_at,
    "noticed": _noticed,
    "heard": _heard,  #: by saying
    "vectorless": _vectorless,  #: by index epoch and how many
    "lists": _lists,  #: of memories: by filter, topic, or "concluded"
    "nameable": _nameable,
    "people": _people,
    "read from": _read_from,  #: by utterance id
    "forgotten words": _forgotten_words,
    "state": _state,  #: by key; None: there is none
    "state of kind": _state_of_kind,  #: by kind
    "last state": _last_state,  #: by kind and how many
    "names": _names,
}


class Nameable:
    """The user's current facts by their refs, with what names them. It never changes: a write makes another one."""

    def __init__(self, facts: Mapping[int, tuple[bytes, bytes]]) -> None:
        self._facts = facts

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]]) -> Self:
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


@dataclass(slots=True)
class _Kept:
    """What is kept of one scope."""

    answers: Answers
    index: GrowingIndex | None = None
    counted: int = 0  #: bytes, when they were last counted

    @property
    def size(self) -> int:
        return len(self.answers) * _ANSWER_BYTES + (self.index.size if self.index is not None else 0)


@dataclass(slots=True)
class ScopeCache:
    """What is kept of the scopes that were used last, up to so many bytes. Threads may share it."""

    packing: Packing
    limit: int = DEFAULT_BYTES
    _scopes: OrderedDict[int, _Kept] = field(default_factory=OrderedDict)
    _size: int = 0
    _lock: Lock = field(default_factory=Lock)

    def answers(self, here: ScopeRow) -> Answers:
        """Return what snapshots of this version of the scope have read."""
        with self._lock:
            kept = self._scopes.get(here.scope_id)
            if kept is None:
                kept = self._scopes[here.scope_id] = _Kept(Answers(here.version))
            elif kept.answers.version > here.version:
                return Answers(here.version)  # an older snapshot, for itself
            elif kept.answers.version < here.version or len(kept.answers) > _MOST_ANSWERS:
                kept.answers = Answers(here.version)
            self._make_way(here.scope_id, kept)
            return kept.answers

    def index(self, here: ScopeRow) -> GrowingIndex:
        """Return the index of the scope, to be loaded as far as `here` reaches; `settle` is to follow."""
        with self._lock:
            kept = self._scopes.setdefault(here.scope_id, _Kept(Answers(here.version)))
            if kept.index is None or kept.index.epoch < here.index_epoch:
                kept.index = GrowingIndex(here.index_epoch, here.dimension, self.packing)
            elif kept.index.epoch > here.index_epoch:
                return GrowingIndex(here.index_epoch, here.dimension, self.packing)  # an older snapshot, for itself
            return kept.index

    def settle(self, here: ScopeRow) -> None:
        """Count what an index has grown to, and let go of other scopes where it is too much."""
        with self._lock:
            if (kept := self._scopes.get(here.scope_id)) is not None:
                self._make_way(here.scope_id, kept)

    def written(self, written: Written) -> None:
        """Take note that an entry was written by this process."""
        if written.entry.removal is not None:
            self.drop(written.scope_id)
            return
        with self._lock:
            kept = self._scopes.get(written.scope_id)
            if kept is not None and kept.answers.version == written.version - 1:
                kept.answers = kept.answers.after(written)

    def drop(self, scope_id: int) -> None:
        """Let go of a scope that is no more."""
        with self._lock:
            kept = self._scopes.pop(scope_id, None)
            self._size -= kept.counted if kept is not None else 0

    def _make_way(self, scope_id: int, kept: _Kept) -> None:
        self._scopes.move_to_end(scope_id)
        size = kept.size
        self._size += size - kept.counted
        kept.counted = size
        while self._size > self.limit and len(self._scopes) > 1:
            _, oldest = self._scopes.popitem(last=False)
            self._size -= oldest.counted
