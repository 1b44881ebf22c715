"""Reading a turn with a model: its proposals become claims, and those that must not be believed say why.

A model is trusted less than the reader: its certainty counts for less, it says nothing of what is read already, and
what it proposes must stand in the words of the one who spoke, as a plain statement, about the one it says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Claim, claim_id
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.extract.left_open import OpenLine, open_lines
from gieok.extract.model.weighing import Weighing
from gieok.ports import Model
from gieok.prompts.data import Language, Line
from gieok.prompts.tasks import TASKS, Proposed, extract_prompt

FIRST: Final = 10_000  #: numbers of a model's claims begin here: those read without one, far fewer, begin with 0
_USER: Final[dict[Language, str]] = {"ko": "사용자", "en": "user"}
_CHARACTER: Final[dict[Language, str]] = {"ko": "캐릭터", "en": "character"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExtractor:
    """Reads what the reader left open."""

    model: Model
    language: Language = "ko"
    least_certainty: float = 0.6  #: below, a proposal is unsure
    least_importance: float = 0.3  #: below, it is trifling

    @property
    def name(self) -> str:
        """What the journal names it by, e.g. "extract/1 gpt-4o-mini"."""
        return f"{TASKS['extract'].version} {self.model.name}"

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance] = (), read: Sequence[Claim] = ()
    ) -> tuple[Claim, ...]:
        """Return what the model reads in `turn`, of which something is `read` already. Raises `ModelFailed`.

        A turn that leaves nothing open is not shown to the model.
        """
        lines = open_lines(turn, [claim for claim in read if not claim.doubtful])
        if not lines:
            return ()
        prompt = extract_prompt(
            lines=[self._line(each.utterance, scope) for each in lines],
            before=[self._line(each, scope) for each in (*before, *_unasked(turn, lines))],
            today=turn.at.date(),
            user=_USER[self.language],
            character=self._character(scope),
            language=self.language,
        )
        proposals = self.model.ask(prompt)
        return tuple(self._weighed(proposals, lines, scope, read, [*before, *_unasked(turn, lines)]))

    def _weighed(
        self,
        proposals: Sequence[Proposed],
        lines: Sequence[OpenLine],
        scope: Scope,
        read: Sequence[Claim],
        before: Sequence[Utterance],
    ) -> Iterator[Claim]:
        weighing = Weighing(
            lines=tuple(lines),
            before=tuple(before),
            scope=scope,
            read=tuple(read),
            extractor=self.name,
            least_certainty=self.least_certainty,
            least_importance=self.least_importance,
            known_as=frozenset({_USER[self.language], self._character(scope)}),
        )
        seen: set[tuple[object, ...]] = set()
        for proposed in proposals:
            claim = weighing.claim(proposed)
            if claim.flaw is not None or (*claim.saying, claim.polarity) not in seen:
                seen.add((*claim.saying, claim.polarity))
                yield replace(claim, id=claim_id(claim.source_id or "", FIRST + len(seen)))

    def _line(self, utterance: Utterance, scope: Scope) -> Line:
        names = {USER: _USER[self.language], CHARACTER: self._character(scope)}
        return Line(speaker=names.get(utterance.speaker, utterance.speaker), text=utterance.text)

    def _character(self, scope: Scope) -> str:
        return scope.character or _CHARACTER[self.language]


def _unasked(turn: Turn, lines: Sequence[OpenLine]) -> list[Utterance]:
    """Return what was said in the turn before the first line that is open."""
    first = lines[0].utterance.position
    return [utterance for utterance in turn.utterances if utterance.position < first]
