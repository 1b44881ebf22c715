"""Turns of one utterance, for whatever reads them."""

from __future__ import annotations

from gieok.domain.turn import Turn, Utterance
from gieok.testing import day


def spoken(said: str, speaker: str = "user") -> Turn:
    utterance = Utterance(id="u", turn_id="t", speaker=speaker, text=said, at=day(1), position=0)
    return Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
