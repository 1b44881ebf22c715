"""Reading the conversation with a model, behind the talk: a window of turns at a time.

The model is asked outside any lock; what it read in each turn becomes one operation of its own, whose claims a rewind
judges again without it. Turns wait in the store until they are read, so that a crash loses none; a model that fails
leaves them waiting for another try.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from gieok.domain.answer import Failure, Observed
from gieok.domain.apply import OperationApplier
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory, Needs
from gieok.domain.operation import Learn, Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn
from gieok.errors import ModelFailed
from gieok.extract.model import ModelExtractor, TurnReading, Window
from gieok.ids import new_id
from gieok.observe.background import background_of, of_pets_known
from gieok.observe.index import Indexer, learned
from gieok.observe.said import FailedTurns
from gieok.ports import Clock, MemoryFilter, Room, Store, View
from gieok.ports.store import held

log = logging.getLogger(__name__)
_ENOUGH: Final = 3  #: failures of one turn
_BEFORE: Final = 2  #: turns before the window that are shown
_OPEN: Final = 200  #: of how many waiting turns it chooses
_KNOWN: Final = 24  #: known facts that are shown
_SILENCE: Final = timedelta(hours=3)  #: after a longer one another session begins, where nobody names them
_IDLE: Final = timedelta(minutes=30)  #: since the last turn, by the clock, until a session counts as over
_ANSWERED: Final[frozenset[Failure]] = frozenset({"broken", "too_long"})  #: no better answer is to be had
_ABSENT: Final[frozenset[Failure]] = frozenset({"unreachable", "rate_limited", "refused"})  #: whatever was asked


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """Has a model read the turns that wait for it."""

    store: Store
    extractor: ModelExtractor
    indexer: Indexer
    carrier: OperationApplier
    clock: Clock
    turns: int = 6  #: of a window
    by_session: bool = False  #: it waits until a session is over, not until a window is full
    failures: FailedTurns = field(default_factory=lambda: FailedTurns(enough=_ENOUGH))

    def read(self, scope: Scope, limit: int = 60, *, all_of_them: bool = False) -> list[Observed]:
        """Read the windows that are due, at most `limit` turns; return what was learned.

        `all_of_them`: also those that would wait for more turns. Once the model fails, the rest waits for next time.
        """
        with self.store.view(scope) as view:
            waiting = [turn for turn in view.open_turns(_OPEN) if self.failures.worth_trying(turn)]
        learned = list[Observed]()
        for window in self._windows(waiting[:limit]):
            if not (all_of_them or self._is_due(window, waiting)):
                continue
            readings = self._readings(scope, window)
            if readings is None:
                break
            learned += (done for each in readings if (done := self._learned(scope, each)) is not None)
        return learned

    def _windows(self, turns: Sequence[Turn]) -> Iterator[list[Turn]]:
        window = list[Turn]()
        for turn in turns:
            alone = self.failures.count(turn) > 0  # a turn that a model fails at must not keep others from being read
            full = len(window) >= self.turns or alone
            if window and (full or (self.by_session and not _together(window[-1], turn))):
                yield window
                window = []
            if alone:
                yield [turn]
            else:
                window.append(turn)
        if window:
            yield window

    def _is_due(self, window: Sequence[Turn], waiting: Sequence[Turn]) -> bool:
        last = window[-1]
        idle = self.clock.now() - last.recorded_at > _IDLE
        return idle or last is not waiting[-1] or (len(window) >= self.turns and not self.by_session)

    def _readings(self, scope: Scope, turns: Sequence[Turn]) -> tuple[TurnReading, ...] | None:
        """Return what the model reads; nothing of a turn of which it cannot say it, None if it is to be asked again."""
        window = self._window(scope, turns)
        if not window.lines:  # all of it has been forgotten
            return tuple(TurnReading(turn=turn) for turn in window.turns)
        try:
            return self.extractor.read(window)
        except ModelFailed as trouble:
            log.warning("%d turns are not read by %s yet: %s", len(turns), self.extractor.name, trouble)
            if trouble.failure in _ANSWERED:
                if len(turns) == 1:
                    return (TurnReading(turn=turns[0]),)
                alone = [self._readings(scope, [turn]) for turn in turns]
                return tuple(each for found in alone if found is not None for each in found)
            if trouble.failure not in _ABSENT:
                for turn in turns:
                    self.failures.failed(turn)
            return None

    def _window(self, scope: Scope, turns: Sequence[Turn]) -> Window:
        with self.store.view(scope) as view:
            silent = view.forgotten_words()
            heard = [_without(turn, silent) for turn in turns]
            before = [_without(turn, silent) for turn in view.turns(_BEFORE, before=turns[0].number)]
            lines = [line for turn in (*before, *heard) for line in turn.utterances]
            said = "\n".join(line.text for line in lines)
            background = background_of(view, Needs(said=said, people=True))
            ids = {line.id for turn in heard for line in turn.utterances}
            readings = [each for each in view.read_from(ids) if _is_reading(each) and ids >= set(each.sources)]
            return Window(
                scope=scope,
                turns=tuple(heard),
                before=tuple(line for turn in before for line in turn.utterances),
                known=tuple(_known(view, [*background.of_others, *background.mentioned], turns[-1], readings)),
                readings=tuple(sorted(readings, key=lambda each: (each.known_at, each.id))),
                aliases=background.aliases,
                people=background.people,
            )

    def _learned(self, scope: Scope, reading: TurnReading) -> Observed | None:
        turn = reading.turn
        index = self.indexer.entries({claim.id: claim.findable for claim in reading.claims if claim.flaw is None})

        def learn(room: Room) -> Observed | None:
            waiting = next((each for each in room.open_turns(_OPEN) if each.id == turn.id), None)
            silent = room.forgotten_words()  # some of it may have been forgotten meanwhile
            if waiting is None or _without(waiting, silent).utterances != _without(turn, silent).utterances:
                return None  # it was taken back meanwhile, or another process has read it
            claims = of_pets_known(room, [claim for claim in reading.claims if claim.source_id not in silent])
            moment = Moment(
                at=turn.at, recorded_at=self.clock.now(), turn_number=room.turn_number, channel=turn.channel
            )
            asked = Operation(
                id=new_id(),
                kind="deepen",
                moment=moment,
                who=self.extractor.name,
                request=Learn(claims=claims, confirmed=reading.confirmed, doubted=reading.doubted),
                turn_id=turn.id,
            )
            done = learned(room, asked, index, indexer=self.indexer, carrier=self.carrier, deepened=turn.id)
            return Observed(turn=waiting, decisions=done.decisions, moves=done.moves)

        return held(self.store, scope, learn)


def _together(turn: Turn, later: Turn) -> bool:
    if turn.session or later.session:
        return turn.session == later.session
    return later.at - turn.at < _SILENCE


def _without(turn: Turn, silent: frozenset[str]) -> Turn:
    return replace(turn, utterances=tuple(each for each in turn.utterances if each.id not in silent))


def _is_reading(memory: Memory) -> bool:
    """Whether a memory is what a reader read, and nobody else vouches for it."""
    return memory.origin == "rule" and memory.attribute is not None and not memory.hidden and memory.certainty < 1


def _known(view: View, mentioned: Sequence[Memory], turn: Turn, readings: Sequence[Memory]) -> list[Memory]:
    """Return the facts that may matter to what is read: those spoken of, and what is always known of the user."""
    always = view.memories(MemoryFilter(subject=USER, pinned=True, current_at=turn.at))
    left_out = {each.id for each in readings}
    found = {each.id: each for each in (*mentioned, *always) if each.id not in left_out and each.attribute}
    return list(found.values())[:_KNOWN]
