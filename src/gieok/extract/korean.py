"""Reading Korean turns by rule: grammar over morphemes, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean_rules import RULES, Finding, Reading
from gieok.extract.lexicon import lexicon
from gieok.extract.opinions import Opinion, opinion
from gieok.extract.phrasing import sentence
from gieok.extract.whose import Speaking, Whose, whose
from gieok.language.clauses import clauses
from gieok.language.mood import mood
from gieok.language.text import has_hangul, normalise

_NAME: Final = "korean/1"
_READING: Final = 0.9  #: how sure a rule's reading is
_OPINION_IMPORTANCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class KoreanRules:
    """The rule extractor."""

    @property
    def name(self) -> str:
        return _NAME

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance]) -> Sequence[Claim]:
        return [claim for utterance in turn.utterances for claim in _claims(utterance, scope)]


def _claims(utterance: Utterance, scope: Scope) -> Iterator[Claim]:
    text = normalise(utterance.text)
    if not has_hangul(text):
        return
    speaking = Speaking(speaker=utterance.speaker, scope=scope)
    seen: set[tuple[object, ...]] = set()
    for number, claim in enumerate(_read(text, speaking, utterance)):
        said = (*claim.saying, claim.polarity)
        if said not in seen:
            seen.add(said)
            yield _identified(claim, f"{utterance.id}-{number}")


def _read(text: str, speaking: Speaking, utterance: Utterance) -> Iterator[Claim]:
    words = lexicon()
    before: Whose | None = None
    for clause in clauses(text):
        about = whose(clause, speaking, before, words)
        before = None if clause.final else about
        if about is None or mood(clause) != "statement":
            continue
        reading = Reading(text=text, clause=clause, about=about, words=words)
        for rule in RULES:
            for finding in rule(reading):
                yield _claim(finding, about, speaking, utterance)
        thought = opinion(reading, speaker_is_subject=about.subject_id == speaking.me().subject_id)
        if thought is not None:
            yield _opinion(thought, about, speaking, utterance)


def _claim(finding: Finding, about: Whose, speaking: Speaking, utterance: Utterance) -> Claim:
    schema = attribute(finding.attribute)
    return Claim(
        id="",
        speaker=speaking.speaker,
        subject=about.subject,
        subject_id=about.subject_id,
        attribute=finding.attribute,
        value=finding.value,
        surface=finding.surface,
        value_class=lexicon().class_of.get(finding.value.split()[-1]),
        content=sentence(finding.attribute, finding.shown, negative=finding.polarity == "-"),
        content_type=schema.content_type,
        polarity=finding.polarity,
        act=finding.act,
        instead_of=finding.instead_of,
        certainty=_READING,
        importance=schema.importance,
        source_id=utterance.id,
        extractor=_NAME,
    )


def _opinion(thought: Opinion, about: Whose, speaking: Speaking, utterance: Utterance) -> Claim:
    return Claim(
        id="",
        speaker=speaking.speaker,
        subject=about.subject,
        subject_id=about.subject_id,
        content=thought.content,
        content_type="opinion",
        certainty=_READING,
        importance=_OPINION_IMPORTANCE,
        details=(thought.core,),
        source_id=utterance.id,
        extractor=_NAME,
    )


def _identified(claim: Claim, claim_id: str) -> Claim:
    return replace(claim, id=claim_id)
