"""Upkeep without a model: which passes are due in a scope, what they see of it, and how their changes are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.domain.apply import OperationApplier, PassRunner, WorkingState
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.operation import Maintain, Operation
from gieok.domain.scope import Scope
from gieok.domain.state import ScopeState
from gieok.domain.upkeep import (
    PASSES,
    Kept,
    Measured,
    Outlook,
    PassName,
    Ran,
    UpkeepCounters,
    UpkeepRules,
    UpkeepSource,
    UpkeepTurn,
    Upkept,
    outlooks,
    refreshed,
)
from gieok.ids import new_id
from gieok.maintain.merge import merged
from gieok.maintain.prune import pruned, retained
from gieok.maintain.reflect import reflected
from gieok.maintain.summarise import TAG as ROLLING
from gieok.maintain.summarise import summarised, weeks_documented
from gieok.ports import Clock, IndexEntry, MemoryFilter, Room, Store, View, Watch
from gieok.ports.store import entry, held

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Vector


_MOST_TOLD: Final = 2_000  #: turns that one pass looks back on, however long none has run


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the vectors of memories and the turns of a scope are read from.

    In a replay, turns of undone operations are left out and the later ones move up.
    """

    view: View
    undone: tuple[Operation, ...] = ()  #: operations that took part until now
    by_words: Callable[[Sequence[Memory]], Mapping[str, Vector]] | None = None  #: in a replay, by the words of then

    def vectors(self, memories: Sequence[Memory]) -> NDArray[np.float32]:
        """Return a row for each of `memories`; zeros where there is no vector."""
        by_words = self.by_words
        found = self.view.vectors([memory.id for memory in memories]) if by_words is None else by_words(memories)
        width = len(next(iter(found.values()))) if found else 1
        empty = np.zeros(width, dtype=np.float32)
        return np.array([found.get(memory.id, empty) for memory in memories], dtype=np.float32).reshape(-1, width)

    def told(self, since: int, until: int) -> list[UpkeepTurn]:
        """Return the turns numbered above `since` and up to `until`, oldest first; of very many the newest."""
        since = max(since, until - _MOST_TOLD)
        gone = sorted(each.moment.turn_number for each in self.undone if each.kind == "observe")
        newest = max(self.view.turn_number - since, 0)  # without this limit every turn there is would be looked through
        noticed = {each.turn_id: each.noticed for each in self.view.noticed(since=since, limit=newest)}
        told = []
        for turn in self.view.turns(newest):
            number = turn.number - int(np.searchsorted(gone, turn.number))
            if turn.number in gone or not since < number <= until:
                continue
            seen = noticed.get(turn.id)
            told.append(
                UpkeepTurn(
                    number=number,
                    at=turn.at,
                    lines=tuple((line.id, line.speaker, line.text) for line in turn.utterances),
                    felt=seen.felt if seen is not None else (),
                    topics=seen.topics if seen is not None else (),
                )
            )
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeGround:
    """Implements `domain.upkeep.Ground` for one operation."""

    present: WorkingState
    sources: Sources
    turn_number: int

    def memories(self) -> list[Memory]:
        known = self.present.beliefs.all().values()
        return sorted(
            (memory for memory in known if not memory.hidden), key=lambda memory: (memory.known_at, memory.id)
        )

    def alike(self, ids: Sequence[str]) -> NDArray[np.float32]:
        rows = self.sources.vectors([self.present.beliefs[memory_id] for memory_id in ids])
        return np.asarray(rows @ rows.T, dtype=np.float32)

    def told(self, since: int) -> list[UpkeepTurn]:
        """Return the turns since then, without words that a memory was read from which is forgotten by now."""
        forgotten: defaultdict[str, list[Memory]] = defaultdict(list)
        for memory in self.present.beliefs.all().values():
            if memory.forgotten_at is not None and not memory.extractor.startswith("upkeep/"):
                for source in memory.sources:
                    forgotten[source].append(memory)
        turns = self.sources.told(since, self.turn_number)
        return [_without(turn, forgotten) for turn in turns] if forgotten else turns

    def last(self, name: PassName) -> Ran | None:
        return self.present.life.get(Ran, name)


def _without(turn: UpkeepTurn, forgotten: Mapping[str, Sequence[Memory]]) -> UpkeepTurn:
    """Return `turn` without the lines in `forgotten`, and without those that repeat what was read from them."""
    gone = [memory for line, _, _ in turn.lines for memory in forgotten.get(line, ())]
    if not gone:
        return turn
    words = {word for memory in gone for word in (memory.value, memory.surface) if word and len(word) > 1}
    kept = (
        (line, speaker, text)
        for line, speaker, text in turn.lines
        if line not in forgotten and not any(word in text for word in words)
    )
    return replace(turn, lines=tuple(kept))


Pass = Callable[[UpkeepSource, Moment, UpkeepRules, Callable[[int], str]], Iterator[Kept]]


def promoted(ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield the episodes that were said again and used often enough; nothing loses importance by it."""
    firm = (m for m in ground.memories() if not m.doubtful)
    often = (m for m in firm if m.kind == "episodic" and m.mentions + m.uses >= rules.promote_at)
    for memory in sorted(often, key=by_truth):
        importance = max(memory.importance, rules.promoted_importance)
        after = refreshed(memory, moment, rules, kind="semantic", importance=importance)
        why = f"said again {memory.mentions} times, used {memory.uses} times"
        yield Kept(action="promote", why=why, changes=(Change(before=memory, after=after),))


PASS_FUNCTIONS: Final[Mapping[PassName, Pass]] = {
    "promote": promoted,
    "merge": merged,
    "prune": pruned,
    "retain": retained,
    "reflect": reflected,
    "summarise": summarised,
    "weekly": weeks_documented,
}


def pass_runner(rules: UpkeepRules, sources: Sources) -> PassRunner:
    """Return what runs a pass on a scope."""

    def run(name: PassName, operation: Operation, present: WorkingState) -> Iterator[Kept]:
        moment = operation.moment
        ground = ScopeGround(present=present, sources=sources, turn_number=moment.turn_number)
        return PASS_FUNCTIONS[name](ground, moment, rules, lambda number: f"{operation.id}-{name}-{number}")

    return run


def replay_pass_runner(
    rules: UpkeepRules,
    view: View,
    log: Sequence[Operation],
    undone: frozenset[str],
    vectors: Callable[[Sequence[Memory]], Mapping[str, Vector]],
) -> PassRunner:
    """Return what runs passes in a replay of `log` without the operations `undone`, by the rules of today."""
    gone = tuple(operation for operation in log if operation.id in undone)
    rules = replace(rules, keep_days=view.provisions.laid_down(rules.keep_days))
    return pass_runner(rules, Sources(view=view, undone=gone, by_words=vectors))


def _told_of_lately(view: View, ran: Ran | None) -> list[Memory] | None:
    """Return what the next summary can tell: what the last one told, and what was learned since; None: anything."""
    pages = [page for page in view.conclusions() if ROLLING in page.tags]
    if ran is None or not pages:
        return None
    told = view.memories_by_id(each for page in pages for each in page.made_from).values()
    since = view.memories(MemoryFilter(touched_since=ran.turn_number))
    return list({each.id: each for each in (*pages, *told, *since)}.values())


_LEASE: Final = timedelta(minutes=5)
_WHO: Final = "upkeep/1"
_LOOSE: Final = frozenset({"promote", "merge", "prune", "summarise"})  #: passes that need not look at all memories
_STALE: Final = Measured(by="stale", have=1, need=1, due=True)
_TOKENS_A_LETTER: Final = 0.7  #: of Korean; enough to tell whether a summary is due


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintainer:
    """Does upkeep."""

    store: Store
    carrier: OperationApplier
    clock: Clock
    rules: UpkeepRules
    zone: tzinfo  #: whose midnight ends a day and a week
    indexed: Callable[[Mapping[str, str]], Mapping[str, IndexEntry]]  #: makes texts findable
    warm: Callable[[], None]  #: loads what upkeep takes, before a transaction
    watch: Watch

    def due(self, scope: Scope, at: datetime | None = None) -> tuple[PassName, ...]:
        """Return the passes that are due in `scope` at `at`, or now."""
        return tuple(each.name for each in self.outlook(scope, at) if each.due)

    def outlook(self, scope: Scope, at: datetime | None = None) -> tuple[Outlook, ...]:
        """Return how far each pass is from being due in `scope`, at `at` or now."""
        with self.store.view(scope) as view:
            return self._outlook(view, self._present(view, at), self._rules(view))

    def after_turn(self, scope: Scope, at: datetime, *, gave_up: bool) -> Upkept:
        """Do what is due after a turn; `gave_up`: the turn ended or took back something that was known.

        What goes by the clock alone is left to a schedule. No lease is needed: what is due is worked out again with
        the scope held, so whoever comes second finds it done.
        """
        with self.store.view(scope) as view:
            rules = replace(self._rules(view), every_hours=None)
            if not self._due(view, at, rules, look_at_summary=gave_up):
                return Upkept(scope=scope, passes=(), kept=())
        return self._told(scope, lambda room: (self._due(room, at, rules, look_at_summary=gave_up), at))

    def maintain(
        self, scope: Scope, passes: Sequence[PassName] | None, *, at: datetime | None, dry_run: bool = False
    ) -> Upkept:
        """Do `passes` (None: those that are due). A dry run writes nothing and tells the same.

        Raises `UnderHold` where retention is asked for and a hold stands.
        """
        if passes is not None and "retain" in passes:
            with self.store.view(scope) as view:
                view.provisions.check_hold(scope)
        if dry_run:
            with self.store.view(scope) as view:
                wanted = self._wanted(view, passes, at)
                done = self._done(view, wanted, self._present(view, at))
            return Upkept(scope=scope, passes=wanted, kept=done.kept if done else (), dry_run=True)
        if passes is None and not self.due(scope, at):
            return Upkept(scope=scope, passes=(), kept=())
        holder = new_id()
        now = self.clock.now()
        if not self.store.lease(scope, holder, until=now + _LEASE, now=now):
            with self.store.view(scope) as view:
                return Upkept(scope=scope, passes=(), kept=(), busy=view.version > 0)
        try:
            return self._told(scope, lambda room: (self._wanted(room, passes, at), self._present(room, at)))
        finally:
            self.store.release(scope, holder)

    def let_expire(self, scope: Scope) -> None:
        """Forget what is past its time in `scope`, now."""
        self._told(scope, lambda room: (("retain",), self._present(room, None)))

    def _rules(self, view: View) -> UpkeepRules:
        """Return the rules of this scope: it may keep things longer or shorter than the bank."""
        days = view.provisions.days(self.rules.keep_days)
        return self.rules if days == self.rules.keep_days else replace(self.rules, keep_days=days)

    def _told(self, scope: Scope, wanted: Callable[[View], tuple[tuple[PassName, ...], datetime]]) -> Upkept:
        """Do the passes that `wanted` names, as of its moment, with the scope held; count what was done."""

        def keep(room: Room) -> Upkept:
            passes, at = wanted(room)
            operation = self._done(room, passes, at)
            if operation is None:
                return Upkept(scope=scope, passes=passes, kept=())
            words = {
                change.after.id: change.after.findable
                for change in operation.changes
                if change.after is not None and change.before is None and ROLLING not in change.after.tags
            }  # nobody searches for the story so far: every context has it
            room.apply(entry(operation, self.indexed(words)))
            return Upkept(scope=scope, passes=passes, kept=operation.kept)

        self.warm()
        upkept = held(self.store, scope, keep)
        for name in upkept.passes:
            self.watch.counted("passes", name)
        for kept in upkept.kept:
            self.watch.counted("upkeep", kept.action)
        return upkept

    def _wanted(self, view: View, passes: Sequence[PassName] | None, at: datetime | None) -> tuple[PassName, ...]:
        if passes is None:
            return self._due(view, self._present(view, at), self._rules(view))
        return tuple(name for name in PASSES if name in passes)

    def _done(self, view: View, passes: tuple[PassName, ...], at: datetime) -> Operation | None:
        """Return the operation of these passes as it would be carried out now; None: there is nothing to do."""
        if not passes or not view.version:
            return None
        moment = Moment(at=at.astimezone(self.zone), recorded_at=self.clock.now(), turn_number=view.turn_number)
        asked = Operation(id=new_id(), kind="pass", moment=moment, who=_WHO, request=Maintain(passes=passes))
        # no pass is to tell again what was read from words that are forgotten
        silent = view.forgotten_words()
        forgotten = [memory for memory in view.read_from(silent) if memory.forgotten_at is not None] if silent else []
        life = ScopeState(view.state_records("pass").items())
        rules = self._rules(view)
        known = self._looked_at(view, passes, rules, life)
        present = WorkingState(beliefs=Beliefs([*known, *forgotten]), life=life)
        keeper = pass_runner(rules, Sources(view=view))
        return self.carrier.carried_out(asked, present, keeper=keeper)

    def _looked_at(
        self, view: View, passes: tuple[PassName, ...], rules: UpkeepRules, life: ScopeState
    ) -> Iterable[Memory]:
        """Return the memories that matter to these passes; what else there is they would leave alone."""
        known: list[Memory] = []
        if _LOOSE.issuperset(passes) and rules.cap is None:
            if "summarise" in passes:
                lately = _told_of_lately(view, life.get(Ran, "summarise"))
                if lately is None:
                    return view.memories(MemoryFilter())
                known += lately
            if passes != ("summarise",):
                known += view.memories(MemoryFilter(loose=rules.promote_at))
            return {memory.id: memory for memory in known}.values()
        return view.memories(MemoryFilter())

    def _present(self, view: View, at: datetime | None) -> datetime:
        """Return `at`, or the present of the story: its newest turn, unless the clock is further."""
        return at if at is not None else max(filter(None, (view.latest_at, self.clock.now())))

    def _due(
        self, view: View, now: datetime, rules: UpkeepRules, *, look_at_summary: bool = True
    ) -> tuple[PassName, ...]:
        return tuple(each.name for each in self._outlook(view, now, rules, look_at_summary=look_at_summary) if each.due)

    def _outlook(
        self, view: View, now: datetime, rules: UpkeepRules, *, look_at_summary: bool = True
    ) -> tuple[Outlook, ...]:
        ran = dict(ScopeState(view.state_records("pass").items()).all(Ran))
        counts = view.counts(
            learned_since=ran["reflect"].turn_number if "reflect" in ran else 0,
            said_since=ran["summarise"].turn_number if "summarise" in ran else 0,
        )
        standing = UpkeepCounters(
            turn_number=view.turn_number,
            writes=view.version,
            new_memories=counts.learned,
            unsummarised_tokens=round(counts.letters * _TOKENS_A_LETTER),
            began_at=counts.began_at,
            ran={name: ran[name] for name in PASSES if name in ran},
        )
        found = outlooks(standing, rules, now)
        due = {each.name for each in found if each.due}
        if not look_at_summary or "summarise" in due:
            return found
        rolling = [each for each in view.conclusions() if ROLLING in each.tags]
        grounds = view.memories_by_id(each for memory in rolling for each in memory.made_from).values()
        if not any(each.given_up_by(now) for each in grounds):  # the summary tells only what holds
            return found
        return tuple(replace(each, measured=_STALE) if each.name == "summarise" else each for each in found)
