"""What `add` does: messages are observed, or kept in their own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gieok.bank import Mind
from gieok.bank.unkept import left_open
from gieok.domain.answer import Observed
from gieok.domain.decision import Decision
from gieok.domain.turn import CHARACTER, USER
from gieok.ids import new_id
from gieok.interop.messages import Exchange, Line, exchanges


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What became of one line, or of one exchange."""

    decisions: tuple[Decision, ...]
    line: Line | None = None  #: that was kept in its own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Learns from the messages of one `add`."""

    mind: Mind
    run: str | None
    at: datetime | None
    names: frozenset[str]  #: of those who speak as users; one name beside a user id is the user's own

    def verbatim(self, lines: Sequence[Line]) -> Iterator[Learned]:
        """Keep every line as it is. Each has a value that nothing else has, so none is taken for another."""
        for line in lines:
            speaker = self._speaker(line)
            decision = self.mind.remember(
                line.text, about=speaker, said_by=speaker, attribute="note", value=new_id(), at=self.at
            )
            yield Learned(decisions=(decision,), line=line)

    def inferred(self, lines: Sequence[Line]) -> Iterator[Learned]:
        """Observe every exchange; what tells something and was not read is kept in its own words, as a note.

        Where a model reads what rules leave open, it is waited for instead.
        """
        before = [each.number for each in self.mind.last_operations(1)]
        turns = []
        for exchange in exchanges([self._heard(line) for line in lines]):
            observed = self._observed(exchange)
            turns.append(observed.turn.id)
            yield Learned(decisions=observed.decisions)
            if not self._is_read_by_a_model:
                yield from self._noted(observed)
        if self._is_read_by_a_model:
            yield from self._deepened(turns, since=max(before, default=0) + 1)

    @property
    def _is_read_by_a_model(self) -> bool:
        bank = self.mind.bank
        return bank.model is not None and bank.settings.deep_extraction

    def _observed(self, exchange: Exchange) -> Observed:
        said, answered = exchange.said, exchange.answered
        return self.mind.observe(
            None if said is None else said.text,
            reply=None if answered is None else answered.text,
            speaker=None if said is None else self._speaker(said),
            session=self.run,
            at=self.at,
        )

    def _heard(self, line: Line) -> Line:
        """Return a line as this mind hears it: what another agent says is said to it."""
        return line if self._speaker(line) == CHARACTER else replace(line, role="user")

    def _noted(self, observed: Observed) -> Iterator[Learned]:
        for utterance, sentences in left_open(observed):
            for sentence in sentences:
                who = utterance.speaker
                decision = self.mind.remember(sentence, about=who, said_by=who, at=observed.turn.at)
                yield Learned(decisions=(decision,))

    def _deepened(self, turns: Sequence[str], *, since: int) -> Iterator[Learned]:
        """Wait for the model, and tell what it read in these turns."""
        bank = self.mind.bank
        if bank.settings.behind_the_scenes == "auto":
            bank.settle()
        else:
            self.mind.deepen()
        for operation in self.mind.journal(since=since):
            if operation.kind == "deepen" and operation.turn_id in turns and not operation.undone:
                yield Learned(decisions=operation.decisions)

    def _speaker(self, line: Line) -> str:
        """Return whose words a line is: the user's and the agent's, unless it says that it is somebody else's."""
        key = self.mind.key
        if line.role == "assistant":
            return line.name if line.name is not None and key.character not in (None, line.name) else CHARACTER
        if line.name is None or (key.user is not None and self.names == {line.name}):
            return USER
        return line.name
