"""Looking into one turn: all that is known of what became of it, read in one go."""

from __future__ import annotations

from dataclasses import dataclass

from gieok.bank import Mind
from gieok.domain.answer import Context, Observed
from gieok.domain.emotion import Emotion
from gieok.domain.turn import CHARACTER
from gieok.errors import NoTrace
from gieok.web.dates import moment_told
from gieok.web.talk.outcomes import Outcomes, outcomes
from gieok.web.talk.sent import Sent, named_items, sent, sent_before
from gieok.web.talk.standing import Standing, standing
from gieok.web.visitors import Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What became of a turn."""

    at: str  #: when it was said
    outcomes: Outcomes
    standing: Standing
    sent: Sent | None
    emotion: Emotion


def happened(mind: Mind, turn_id: str, context: Context | None, visitor: Visitor) -> Happened:
    """Read what became of a turn; `context` is what the model saw, where that is still at hand.

    Raises `UnknownTurn`.
    """
    observed, words = mind.observed(turn_id), visitor.words
    silence = () if observed.decisions else mind.silence(turn_id)
    return Happened(
        at=moment_told(observed.turn.at, visitor),
        outcomes=outcomes(observed, silence, mind.key, words, threshold=mind.bank.settings.promote_threshold),
        standing=standing(mind.relationship(), observed.moves, mind.key, words),
        sent=sent(context, words) if context is not None else _traced(mind, turn_id, visitor),
        emotion=_face(observed),
    )


def _traced(mind: Mind, turn_id: str, visitor: Visitor) -> Sent | None:
    try:
        trace = mind.trace(turn_id)
    except NoTrace:
        return None
    return sent_before(trace, mind.items(named_items(trace)), visitor.words)


def _face(observed: Observed) -> Emotion:
    return next((felt.emotion for felt in observed.emotions if felt.speaker == CHARACTER), "neutral")
