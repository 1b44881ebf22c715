"""What was told in a turn and nothing was made of, for whoever wants it kept in its own words."""

from __future__ import annotations

from gieok.domain.answer import Observed
from gieok.domain.turn import Utterance


def left_open(observed: Observed) -> list[tuple[Utterance, tuple[str, ...]]]:
    """Return the sentences that tell something and of which nothing was read, by who said them.

    Greetings, questions, jokes and what the character says are not among them.
    """
    from gieok.extract.left_open import open_lines

    claims = [decision.claim for decision in observed.decisions]
    return [(line.utterance, line.sentences) for line in open_lines(observed.turn, claims)]
