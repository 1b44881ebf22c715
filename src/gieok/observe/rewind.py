"""Rewinding turns: what they caused is undone, and everything later is judged again without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gieok.domain.apply import OperationApplier, PassRunner, WorkingState
from gieok.domain.claim import Claim
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Learn, Maintain, Operation, Undo
from gieok.domain.scope import Scope
from gieok.domain.state import ScopeState, net_moves
from gieok.errors import UnknownTurn
from gieok.ids import new_id
from gieok.observe.index import Indexer, Likeness, WordVectors, free_claims, nearest
from gieok.ports import Clock, Entry, IndexEntry, MemoryFilter, PlannedEntry, ScopeMoved, Store, View
from gieok.ports.store import insistently

_NEAREST = 50


#: makes what runs passes in a replay
PassRunners = Callable[[View, Sequence[Operation], frozenset[str], WordVectors], PassRunner]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewinder:
    """Rewinds turns."""

    store: Store
    indexer: Indexer
    clock: Clock
    carrier: OperationApplier
    pass_runners: PassRunners

    def rewind(self, scope: Scope, turn_ids: Sequence[str], *, following: bool, at: datetime) -> tuple[str, ...]:
        """Take back `turn_ids`, with `following` also every turn after the first; return their ids, oldest first.

        Corrections, pins and the like survive where the memory they are about still exists.
        """

        def rewound() -> tuple[str, ...]:
            plan, taken_back = self.plan(scope, turn_ids, following=following, at=at)
            self.store.apply_together([plan])
            return taken_back

        return insistently(rewound)

    def plan(
        self, scope: Scope, turn_ids: Sequence[str], *, following: bool, at: datetime
    ) -> tuple[PlannedEntry, tuple[str, ...]]:
        """Return the entry that rewinds, and the ids of the turns that it takes back.

        The entry is made now, as words may have to be embedded. If somebody writes to the scope before it is written,
        that raises `ScopeMoved`.
        """
        self.indexer.warm()
        with self.store.view(scope) as view:
            version = view.version
            observed = {turn_id: view.operation_of(turn_id) for turn_id in turn_ids}
            for turn_id, operation in observed.items():
                if operation is None:
                    raise UnknownTurn(turn_id)
            log = view.operations(since=min(operation.number for operation in observed.values() if operation))
            later = {each.turn_id for each in log if each.kind == "observe"} if following else {*turn_ids}
            removed = [each for each in log if each.turn_id in later]
            entry = self.without(view, log, removed, at)

        taken_back = tuple(each.turn_id for each in removed if each.turn_id is not None and each.kind == "observe")
        return PlannedEntry(scope, unless_moved(version, entry)), taken_back

    def without(
        self, room: View, log: Sequence[Operation], removed: Sequence[Operation], at: datetime, *, why: str = ""
    ) -> Entry:
        """Return the entry by which everything stands as if the operations `removed` had never been.

        `log` holds all operations in force from the first of them on, their requests as they are to be judged again.
        """
        undone = frozenset(operation.id for operation in removed)
        survivors = [operation for operation in log if operation.id not in undone]
        learned = (operation.request for operation in survivors if isinstance(operation.request, Learn))
        claims = [claim for request in learned for claim in request.claims if claim.flaw is None]
        words = {claim.id: claim.findable for claim in claims}
        index = self.indexer.entries(words)
        before = {memory.id: memory for memory in room.memories(MemoryFilter(include_hidden=True))}
        today = {memory.id: memory.findable for memory in before.values()}
        vectors = WordVectors(room, self.indexer, today, {words[each]: index[each] for each in words})
        beliefs = _all_beliefs(room, before, claims, index, vectors, log[0].number)
        turn_number = room.turn_number - sum(each.kind == "observe" for each in log)
        things = room.state_records()
        present = WorkingState(beliefs=beliefs, life=ScopeState(things.items()))
        upkeep = any(isinstance(operation.request, Maintain) for operation in survivors)
        keeper = self.pass_runners(room, log, undone, vectors) if upkeep else None
        revised = self.carrier.rewound(log, undone, present, turn_number=turn_number, keeper=keeper)
        after = beliefs.all()
        changes = (Change(before=before.get(each), after=after.get(each)) for each in dict.fromkeys([*before, *after]))
        net = tuple(change for change in changes if change.before != change.after)
        texts = {
            change.after.id: change.after.findable
            for change in net
            if change.after is not None and (change.before is None or change.before.findable != change.after.findable)
        }  # what it brings (back) with words that the index does not have
        known = {item: index[item] for item, text in texts.items() if words.get(item) == text}
        index = known | self.indexer.entries({item: text for item, text in texts.items() if item not in known})
        turns_left = room.turn_number - sum(each.kind == "observe" for each in removed)
        moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=turns_left)
        return Entry(
            operation=Operation(
                id=new_id(),
                kind="rewind",
                moment=moment,
                who="person",
                request=Undo(operations=tuple(each.id for each in removed)),
                why=why,
            ),
            index=index,
            revised=tuple(revised),
            memories=net,
            moves=net_moves(things, present.life.items()),
        )


def unless_moved(version: int, entry: Entry) -> Callable[[View], Entry]:
    """Return what hands out `entry`, and raises `ScopeMoved` where the scope is no longer at `version`."""

    def checked(now: View) -> Entry:
        if now.version != version:
            raise ScopeMoved
        return entry

    return checked


def _all_beliefs(
    view: View,
    memories: dict[str, Memory],
    claims: Sequence[Claim],
    index: Mapping[str, IndexEntry],
    vectors: WordVectors,
    number: int,
) -> Beliefs:
    """Return everything believed. No search finds hidden memories, but they may be visible in the replay."""
    said = {claim.id: vector for claim, vector in free_claims(claims, index)}
    unseen = [memory for memory in memories.values() if memory.attribute is None and memory.hidden]
    hidden = vectors.rows(unseen) if said else {}
    similarity: dict[tuple[str, str], float] = {}
    for claim_id, vector in said.items():
        near = view.dense(vector, _NEAREST, memories_only=True)
        items = view.items(match.ref for match in near)
        similarity |= {(claim_id, items[match.ref].id): match.score for match in near if match.ref in items}
        similarity |= {(claim_id, memory_id): nearest(vector, rows) for memory_id, rows in hidden.items()}
    heard = view.times_heard((claim.saying for claim in claims), before=number)
    return Beliefs(memories.values(), likeness=Likeness(vectors, said, similarity), heard=heard)
