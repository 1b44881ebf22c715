"""How far back a context quotes the talk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from gieok.domain.turn import Turn
from gieok.ports import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Recent:
    """The last turns, or the last messages."""

    turns: int
    messages: int = 0  #: above 0: counted in messages, whatever the turns

    def of(self, view: View, now: datetime) -> list[Turn]:
        """Return the turns, oldest first; a turn that is in only by half keeps its newer half."""
        turns = [turn for turn in view.turns(self.messages or self.turns) if turn.at <= now]
        if not self.messages:
            return turns
        kept: list[Turn] = []
        left = self.messages
        for turn in reversed(turns):
            if left > 0:
                kept.append(replace(turn, utterances=turn.utterances[-left:]))
                left -= len(turn.utterances)
        return kept[::-1]
