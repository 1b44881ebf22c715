"""What adapters ask of a text without having it kept: what it claims, what was left unread, what a question means."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from gieok.domain.answer import Observed
from gieok.domain.claim import Claim
from gieok.domain.memory import NOTHING_KNOWN
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance, checked_text
from gieok.ids import new_id

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank


def left_open(observed: Observed) -> list[tuple[Utterance, tuple[str, ...]]]:
    """Return the sentences that tell something and of which nothing was read, by who said them.

    Greetings, questions, jokes and what the character says are not among them.
    """
    from gieok.extract.left_open import open_lines

    claims = [decision.claim for decision in observed.decisions]
    return [(line.utterance, line.sentences) for line in open_lines(observed.turn, claims)]


def claimed(
    bank: MemoryBank,
    scope: Scope,
    lines: Sequence[tuple[str, str]],
    *,
    before: Sequence[tuple[str, str]] = (),
    at: datetime,
) -> list[Claim]:
    """Return what is claimed in `lines`, each (speaker, text), after what was said `before`; all of it is masked."""

    def turn_of(said: Sequence[tuple[str, str]]) -> Turn:
        turn_id = new_id()
        masked = [(speaker, bank.services.mask(checked_text(text)).text) for speaker, text in said]
        spoken = tuple(
            Utterance(id=new_id(), turn_id=turn_id, speaker=speaker, text=text, at=at, position=position)
            for position, (speaker, text) in enumerate(masked)
        )
        return Turn(id=turn_id, utterances=spoken, at=at, recorded_at=at)

    extractor = bank.services.extractor
    return list(extractor.claims(turn_of(lines), scope, turn_of(before).utterances, NOTHING_KNOWN))


def made_whole(query: str, before: Sequence[str]) -> str:
    """Return a question with what was said last before it, if it cannot be understood without; else as it is."""
    from gieok.recall.model import leans_on_talk

    return f"{before[-1]}\n{query}" if before and leans_on_talk(query) else query
