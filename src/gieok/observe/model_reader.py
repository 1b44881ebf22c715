"""Reading again, with a model, what the reader left open: behind the talk, one turn at a time.

The model is asked outside any lock; what it read becomes one operation of its own, whose claims a rewind judges again
without it. A model that fails leaves the turn open for another try, and never holds up newer turns.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.domain.answer import Failure, Observed
from gieok.domain.apply import OperationApplier
from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.operation import Learn, Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import ModelFailed
from gieok.extract.model import ModelExtractor
from gieok.ids import new_id
from gieok.observe.background import of_pets_known
from gieok.observe.index import Indexer, learned
from gieok.observe.said import FailedTurns
from gieok.ports import Clock, Room, Store, View
from gieok.ports.store import held

_ENOUGH: Final = 3  #: failures of one turn
log = logging.getLogger(__name__)
_TURNS_BEFORE: Final = 2
_OPEN: Final = 200  #: of how many turns left open it chooses
_ANSWERED: Final[frozenset[Failure]] = frozenset({"broken", "too_long"})  #: no better answer is to be had
_ABSENT: Final[frozenset[Failure]] = frozenset({"unreachable", "rate_limited", "refused"})  #: whatever was asked


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """Has a model read the turns that the reader left open."""

    store: Store
    extractor: ModelExtractor
    indexer: Indexer
    carrier: OperationApplier
    clock: Clock
    failures: FailedTurns = field(default_factory=lambda: FailedTurns(enough=_ENOUGH))

    def read(self, scope: Scope, limit: int = 10) -> list[Observed]:
        """Read at most `limit` of the turns left open, those that never failed first; return what was learned.

        Once the model fails, the rest waits for the next time.
        """
        with self.store.view(scope) as view:
            waiting = [turn for turn in view.open_turns(_OPEN) if self.failures.worth_trying(turn)]
        learned = []
        for turn in sorted(waiting, key=self.failures.count)[:limit]:
            claims = self._claims(scope, turn)
            if claims is None:
                break
            done = self._learned(scope, turn, claims)
            if done is not None:
                learned.append(done)
        return learned

    def read_turn(self, scope: Scope, turn: Turn) -> Observed | None:
        """Read `turn` now; None if it was not left open, or the model failed."""
        with self.store.view(scope) as view:
            still_open = any(each.id == turn.id for each in view.open_turns(_OPEN))
        claims = self._claims(scope, turn) if still_open else None
        return self._learned(scope, turn, claims) if claims is not None else None

    def _claims(self, scope: Scope, turn: Turn) -> tuple[Claim, ...] | None:
        """Return what the model reads in `turn`; nothing if it cannot say it, None if it is to be asked again."""
        with self.store.view(scope) as view:
            silent = view.forgotten_words()
            turns = view.turns(_TURNS_BEFORE, before=turn.number)
            before = [line for each in turns for line in each.utterances if line.id not in silent]
            read = _read(view, turn)
        heard = replace(turn, utterances=tuple(each for each in turn.utterances if each.id not in silent))
        try:
            return self.extractor.claims(heard, scope, before, read)
        except ModelFailed as trouble:
            log.warning("turn %s is not read by %s yet: %s", turn.id, self.extractor.name, trouble)
            if trouble.failure in _ANSWERED:
                return ()
            if trouble.failure not in _ABSENT:
                self.failures.failed(turn)
            return None

    def _learned(self, scope: Scope, turn: Turn, read: tuple[Claim, ...]) -> Observed | None:
        sound = [claim for claim in read if claim.flaw is None]
        index = self.indexer.entries({claim.id: claim.findable for claim in sound})

        def learn(room: Room) -> Observed | None:
            if all(each.utterances != turn.utterances for each in room.open_turns(_OPEN)):
                return None  # it was taken back meanwhile, or another process has read it
            silent = room.forgotten_words()  # some of it may have been forgotten meanwhile
            claims = of_pets_known(room, [claim for claim in read if claim.source_id not in silent])
            moment = Moment(
                at=turn.at, recorded_at=self.clock.now(), turn_number=room.turn_number, channel=turn.channel
            )
            asked = Operation(
                id=new_id(),
                kind="deepen",
                moment=moment,
                who=self.extractor.name,
                request=Learn(claims=claims),
                turn_id=turn.id,
            )
            done = learned(room, asked, index, indexer=self.indexer, carrier=self.carrier, deepened=turn.id)
            return Observed(turn=turn, decisions=done.decisions, moves=done.moves)

        return held(self.store, scope, learn)


def _read(view: View, turn: Turn) -> Sequence[Claim]:
    """Return what the reader read in `turn`, when it was said or when it was caught up with."""
    observed = view.operation_of(turn.id)
    claims = observed.request.claims if observed is not None and isinstance(observed.request, Learn) else ()
    known = {claim.id for claim in claims}
    said = [utterance.id for utterance in turn.utterances]
    later = [memory for memory in view.read_from(said) if memory.id not in known]
    return [*claims, *(_claimed(memory, said) for memory in later)]


def _claimed(memory: Memory, said: Sequence[str]) -> Claim:
    return Claim(
        id=memory.id,
        speaker=memory.speaker,
        subject=memory.subject,
        subject_id=memory.subject_id,
        attribute=memory.attribute,
        value=memory.value,
        surface=memory.surface,
        content=memory.content,
        content_type=memory.content_type,
        source_id=next((each for each in said if memory.id.startswith(each)), None),
    )
