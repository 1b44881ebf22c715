"""What was read of the scopes that were used last, so that it need not be read again: answers, items and search index.

Answers are kept for one version of a scope, by topic. When this process writes, each topic has a rule for what becomes
of its answers: they stay, are brought up to date, or go. When another process wrote, all of them go.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.operation import Learn
from gieok.domain.state import StateRecord
from gieok.domain.turn import USER
from gieok.ports import BrowseFilter, MemoryFilter, Topic
from gieok.stores.tables.columns import microseconds, utc_offset
from gieok.stores.tables.rows import as_read
from gieok.stores.tables.scopes import ScopeRow
from gieok.stores.tables.search_index import GrowingIndex, Packing
from gieok.stores.tables.write import Written

if TYPE_CHECKING:
    from gieok.ports import Matrix

DEFAULT_BYTES: Final = 256 * 1024 * 1024
_MOST_ANSWERS: Final = 16_384  #: of one scope, items included
_ANSWER_BYTES: Final = 2_048  #: that one of them takes, about
FEW_NAMEABLE: Final = 30_000  #: ids of a scope whose nameable facts are kept at once
_MOST_LISTS: Final = 128  #: lists of memories of one scope; each is looked at when something is written
Known = dict[Any, Any]  #: the answers of a topic, by what was asked
Rule = Callable[[Known, Written], Known]
Nameable = dict[str, tuple[tuple[str, int], ...]]  #: names of facts with their refs, by how the names begin
BEGINNING: Final = 2  #: letters by which names are kept
_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
#: All that a list of memories goes by: what changes with every use of one is not among it.
_listed_by: Final = attrgetter(
    "subject", "subject_id", "speaker", "attribute", "value", "content_type", "origin", "closed_by", "pinned", "hidden",
    "valid_at", "known_at", "doubtful",
)  # fmt: skip
#: What a filter may ask for that tells most memories apart.
_NARROWED_BY: Final = ("subject", "subject_id", "attribute", "content_type", "pinned", "doubtful")


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


def _dropped_if(changed: Callable[[Written], bool]) -> Rule:
    return lambda known, written: {} if changed(written) else known


def _without(known: Known, stale: Iterable[Any]) -> Known:
    left = {**known}
    for question in stale:
        left.pop(question, None)
    return left


def _items(known: Known, written: Written) -> Known:
    if not written.items:
        return known
    changed = {ref: as_read(memory) for ref, memory in written.items.items() if memory is not None}
    return _without({**known, **changed}, written.items.keys() - changed.keys())


def _of_turns(known: Known, written: Written) -> Known:
    """Drop what was asked of the turns that the entry is about."""
    entry = written.entry
    touched = {entry.turn.id if entry.turn else None, entry.caught_up, entry.deepened, entry.operation.turn_id}
    return _without(known, touched)


def _last_turns(known: Known, written: Written) -> Known:
    if written.turn is None:
        return known
    return {limit: [*turns, written.turn][-limit:] if limit else [] for limit, turns in known.items()}


def _latest_at(known: Known, written: Written) -> Known:
    at = written.operation.moment.at
    now = (microseconds(at), utc_offset(at))
    return {question: [max([*latest, now], key=itemgetter(0))] for question, latest in known.items()}


def _noticed_something(written: Written) -> bool:
    request = written.operation.request
    return isinstance(request, Learn) and request.noticed is not None


def _heard(known: Known, written: Written) -> Known:
    request = written.operation.request
    return _without(known, (claim.saying for claim in request.claims) if isinstance(request, Learn) else ())


def _counts(known: Known, written: Written) -> Known:
    """Count what the entry says and learns, by the turns since which it was asked: see `View.counts`."""
    said = written.turn.utterances if written.turn else ()
    letters = sum(len(utterance.text) for utterance in said)

    def counted(memory: Memory | None, since: int) -> bool:
        return (
            memory is not None and memory.touched_turn > since and memory.origin != "reflection" and not memory.hidden
        )

    counts = {}
    for (learned_since, said_since), (learned, before, at, offset) in known.items():
        for change in written.entry.memories:
            learned += counted(change.after, learned_since) - counted(change.before, learned_since)
        told = written.turn is not None and (written.turn.number or 0) > said_since
        if at is None and written.turn is not None:
            at, offset = microseconds(written.turn.at), utc_offset(written.turn.at)
        counts[learned_since, said_since] = (learned, before + letters * told, at, offset)
    return counts


def _left_without_vector(written: Written) -> bool:
    """Whether something new, or newly visible, waits for a vector."""
    changes, index = written.entry.memories, written.entry.index
    said = written.entry.turn.utterances if written.entry.turn else ()
    new = [utterance.id for utterance in said] + [change.memory_id for change in changes if change.before is None]
    embedded = {item_id for item_id, entry in index.items() if entry.vectors is not None}
    shown = any(change.before and change.after and change.before.hidden != change.after.hidden for change in changes)
    return shown or not embedded.issuperset({*new, *index})


def _lists(known: Known, written: Written) -> Known:
    """Drop the lists to which a memory may belong that came, went or belongs into other lists now.

    The uses of a memory alone change nothing.
    """
    moved: list[Memory] = []
    for change in written.entry.memories:
        before, after = change.before, change.after
        if before is None or after is None or _listed_by(before) != _listed_by(after):
            moved += [side for side in (before, after) if side is not None]
    if not moved:
        return known
    here = {memory.id for memory in moved}
    closed_elsewhere = any(memory.closed_by not in here for memory in moved if memory.closed_by is not None)
    left = {asked: refs for asked, refs in known.items() if not _may_list(asked, moved, closed_elsewhere)}
    return left if len(left) <= _MOST_LISTS else {}


def _may_list(
    asked: MemoryFilter | tuple[BrowseFilter, int] | Topic | str, memories: Iterable[Memory], closed_elsewhere: bool
) -> bool:
    """Whether a list may hold any of `memories`, or what they close by others that are `closed_elsewhere`."""
    if isinstance(asked, str):  # conclusions
        return any(memory.origin == "reflection" for memory in memories)
    if isinstance(asked, Topic):  # it also holds what its memories closed
        return closed_elsewhere or any(_is_about(asked, memory) for memory in memories)
    which = asked[0] if isinstance(asked, tuple) else asked
    wanted = [(name, value) for name in _NARROWED_BY if (value := getattr(which, name)) is not None]
    return any(all(getattr(memory, name) == value for name, value in wanted) for memory in memories)


def _is_about(topic: Topic, memory: Memory) -> bool:
    name = memory.attribute
    if name is None or topic.subject_id != memory.subject_id or topic.subject != memory.subject:
        return False
    if memory.value in topic.values or name in topic.attributes:
        return True
    return any(each.endswith(".") and name.startswith(each) for each in topic.attributes)


def _subjects(known: Known, written: Written) -> Known:
    """Count whom new memories are about; see `View.subjects`."""
    if written.reindexed:  # a memory may have been made again
        return {}
    counts: Known = {}
    for asked, counted in known.items():
        counts[asked] = Counter(counted)
        for change in written.entry.memories:
            for side, number in ((change.before, -1), (change.after, 1)):
                if side is not None:
                    counts[asked][side.subject, side.subject_id] += number
    return counts


def _nameable(known: Known, written: Written) -> Known:
    """Bring the user's current facts, by how their names begin, up to date."""
    if None not in known:
        return {**known}  # an older view may still put there what it reads
    facts: Nameable = {**known[None]}
    for change in written.entry.memories:
        ref = written.refs.get(change.memory_id)
        if ref is None:
            return {}
        gone, come = names_of(change.before), names_of(change.after)
        for name in gone - come:
            facts[name[:BEGINNING]] = tuple(each for each in facts.get(name[:BEGINNING], ()) if each != (name, ref))
        for name in come - gone:
            facts[name[:BEGINNING]] = (*facts.get(name[:BEGINNING], ()), (name, ref))
    return {None: facts}


def names_of(memory: Memory | None) -> frozenset[str]:
    """Return what names a fact in a text; nothing, if it is not a current fact about the user."""
    if memory is None or not memory.subject == memory.subject_id == USER or memory.attribute is None:
        return frozenset()
    if memory.polarity == "-" or memory.invalid_at is not None or memory.hidden:
        return frozenset()
    return frozenset(folded(name) for name in (memory.value, memory.surface) if name is not None)


def _last_state(known: Known, written: Written) -> Known:
    """Bring the records of a kind with the highest ids up to date."""
    found = {}
    for (kind, limit), records in known.items():
        moves = [move for move in written.entry.moves if move.kind == kind]
        if any(move.after is None for move in moves):
            continue
        now = dict(records) | {move.id: move.after for move in moves}
        found[kind, limit] = sorted(now.items())[-limit:] if limit else []
    return found


def _names(known: Known, written: Written) -> Known:
    """Add the names of new entities; when one loses a name, all are asked for again."""
    if not known:
        return known
    names = {**known[None]}
    for move in written.entry.moves:
        if move.kind == "entity":
            if not (after := _faces(move.after)).items() >= _faces(move.before).items():
                return {}
            names |= after
    return {None: names}


def _faces(entity: StateRecord | None) -> dict[str, str]:
    return {face.name: face.kind for face in entity.faces} if isinstance(entity, Entity) else {}


def _others_changed(written: Written) -> bool:
    """Whether a memory of somebody else came, went, was shown or hidden, or is another's now."""
    for change in written.entry.memories:
        sides = [side for side in (change.before, change.after) if side is not None]
        spoken_of = {(side.subject, side.subject_id, side.hidden) for side in sides}
        if any(side.subject == "other" for side in sides) and (len(sides) == 1 or len(spoken_of) == 2):
            return True
    return False


def _read_from(known: Known, written: Written) -> Known:
    """Drop utterances that came now, and those that memories which came or went were read from: t1-0 gave t1-0-2."""
    said = written.entry.turn.utterances if written.entry.turn else ()
    stale = {utterance.id for utterance in said}
    for change in written.entry.memories:
        if change.before is None or change.after is None:
            stale |= {change.memory_id[:at] for at, sign in enumerate(change.memory_id) if sign == "-"}
    return _without(known, stale)


def _forgot_something(written: Written) -> bool:
    sides = (side for change in written.entry.memories for side in (change.before, change.after))
    return any(side is not None and side.forgotten_at is not None for side in sides)


#: What becomes of the answers of each topic when an entry is written.
RULES: Final[Mapping[str, Rule]] = {
    "version": _dropped_if(lambda _: True),  #: true of one version alone
    "items": _items,  #: by ref
    #: By public id. Memories go, and utterances are taken back, by rewinds and erasures alone.
    "refs": lambda known, written: {**known, **written.refs},
    "turn": _of_turns,  #: by id; None: there is none
    "operation of turn": _of_turns,
    "last turns": _last_turns,  #: by how many
    "unread turns": _dropped_if(lambda w: w.entry.unread or w.entry.caught_up is not None),  #: by how many
    "open turns": _dropped_if(lambda w: w.entry.left_open or w.entry.deepened is not None),  #: by how many
    "latest at": _latest_at,
    "noticed": _dropped_if(_noticed_something),
    "heard": _heard,  #: by saying
    "counts": _counts,  #: by two turns
    "vectorless": _dropped_if(_left_without_vector),  #: by index epoch and how many
    "lists": _lists,  #: of memories: by filter, topic, or "conclusions"
    "subjects": _subjects,
    "nameable": _nameable,
    "people": _dropped_if(_others_changed),
    "read from": _read_from,  #: by utterance id
    "forgotten words": _dropped_if(_forgot_something),
    "state": lambda known, written: {**known, **{move.key: move.after for move in written.entry.moves}},  #: by key
    "state of kind": lambda known, w: _without(known, {move.kind for move in w.entry.moves}),  #: by kind
    "last state": _last_state,  #: by kind and how many
    "names": _names,
}


def folded(text: str) -> str:
    """Return `text` as names are looked for in it: ASCII letters match in either case."""
    return text.translate(_LOWER)


def spelt_out(text: str | None) -> bytes:
    """Return `text` as names are looked for in it: ASCII letters match in either case. None stands in no text."""
    return b"\xff" if text is None else text.encode(errors="surrogatepass").lower()  # no letter has this byte


@dataclass(slots=True)
class _Kept:
    """What is kept of one scope."""

    answers: Answers
    index: GrowingIndex | None = None
    hidden: list[frozenset[int]] = field(default_factory=list)  #: items that left it, a set for each later epoch
    counted: int = 0  #: bytes, when they were last counted


@dataclass(slots=True)
class ScopeCache:
    """What is kept of the scopes that were used last, up to so many bytes. Threads may share it."""

    packing: Packing
    limit: int = DEFAULT_BYTES
    _scopes: OrderedDict[int, _Kept] = field(default_factory=OrderedDict)
    _size: int = 0
    _directions: dict[int, Matrix] = field(default_factory=dict)  #: of the sketches of every index
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
            before, hidden = kept.index, kept.hidden
            if before is not None and before.epoch == here.index_epoch:
                return before
        if before is not None and hidden and before.epoch + len(hidden) == here.index_epoch:
            index = before.without(frozenset().union(*hidden), here.index_epoch)
        else:
            index = GrowingIndex(here.scope_id, here.index_epoch, here.dimension, self.packing, self._directions)
        with self._lock:
            if kept.index is None or kept.index.epoch < here.index_epoch:  # else of an older snapshot, for itself
                kept.index, kept.hidden = index, []
        return index

    def settle(self, here: ScopeRow) -> None:
        """Count what an index has grown to, and let go of other scopes where it is too much."""
        with self._lock:
            if (kept := self._scopes.get(here.scope_id)) is not None:
                self._make_way(here.scope_id, kept)

    def written(self, written: Written) -> None:
        if written.entry.removal is not None:
            self.drop(written.scope_id)
            return
        with self._lock:
            kept = self._scopes.get(written.scope_id)
            if kept is None:
                return
            if kept.answers.version == written.version - 1:
                kept.answers = kept.answers.after(written)
            reached = None if kept.index is None else kept.index.epoch + len(kept.hidden)
            if written.hidden and reached == written.index_epoch - 1:
                kept.hidden = [*kept.hidden, written.hidden]

    def drop(self, scope_id: int) -> None:
        with self._lock:
            kept = self._scopes.pop(scope_id, None)
            self._size -= kept.counted if kept is not None else 0

    def _make_way(self, scope_id: int, kept: _Kept) -> None:
        self._scopes.move_to_end(scope_id)
        size = len(kept.answers) * _ANSWER_BYTES + (kept.index.size if kept.index is not None else 0)
        self._size += size - kept.counted
        kept.counted = size
        while self._size > self.limit and len(self._scopes) > 1:
            _, oldest = self._scopes.popitem(last=False)
            self._size -= oldest.counted
