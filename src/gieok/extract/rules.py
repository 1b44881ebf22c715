"""Reading turns by rule, each utterance in its language: Hangul by the Korean rules, everything else by the English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.memory import NOTHING_KNOWN, Background, Needs
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.english import EnglishRules
from gieok.extract.korean import KoreanRules
from gieok.extract.needs import needs_of
from gieok.language.text import has_hangul

_NAME: Final = "rules/1"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule extractor. Every claim carries the name of the rules that read it."""

    korean: KoreanRules = field(default_factory=KoreanRules)
    english: EnglishRules = field(default_factory=EnglishRules)

    @property
    def name(self) -> str:
        return _NAME

    def needs(self, turn: Turn, before: Sequence[Utterance]) -> Needs:
        """Return which known facts `claims` needs for `turn`."""
        return needs_of(turn, before)

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background = NOTHING_KNOWN
    ) -> Sequence[Claim]:
        read: list[Claim] = []
        heard = list(before)
        for utterance in turn.utterances:
            alone = replace(turn, utterances=(utterance,))
            read += self._claims(alone, utterance, scope, heard, background)
            heard.append(utterance)
        return read

    def _claims(
        self, turn: Turn, utterance: Utterance, scope: Scope, heard: Sequence[Utterance], background: Background
    ) -> Sequence[Claim]:
        if has_hangul(utterance.text):
            return self.korean.claims(turn, scope, heard, background)
        if heard and has_hangul(heard[-1].text):  # "MBTI 뭐야?" – "INFP": the question is Korean
            answered = self.korean.claims(turn, scope, heard, background)
            if answered:
                return answered
        return self.english.claims(turn, scope, heard, background)
