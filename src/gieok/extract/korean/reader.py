"""Reading Korean turns by rule: grammar over morphemes, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import alone, answers, changes, labels, people, symptoms, taste, verbs
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.opinions import Opinion, opinion
from gieok.extract.korean.phrasing import sentence
from gieok.extract.korean.reading import Finding, Reading, Rule
from gieok.extract.korean.whose import Speaking, Whose, whose
from gieok.language.clauses import Clause, clauses
from gieok.language.mood import mood_of
from gieok.language.text import has_hangul, normalise

_NAME: Final = "korean/2"
_READING: Final = 0.9  #: how sure a rule's reading is
_HEDGED: Final = 0.4
_OPINION_IMPORTANCE: Final = 0.5
_HEDGES: Final = frozenset({"아마", "글쎄"})
_HEDGE_ENDINGS: Final = frozenset({"ㄹ걸", "을걸", "ㄹ지도", "을지도", "려나"})

RULES: Final[tuple[Rule, ...]] = (
    changes.not_but,
    people.called,
    people.pets,
    labels.labelled,
    alone.alone,
    verbs.done,
    taste.taste,
    symptoms.allergy,
    symptoms.reaction,
    symptoms.fear,
    people.love,
    people.friends,
    people.siblings,
    changes.ended,
)


@dataclass(frozen=True, slots=True)
class KoreanRules:
    """The rule extractor."""

    @property
    def name(self) -> str:
        return _NAME

    def claims(self, turn: Turn, scope: Scope, before: Sequence[Utterance]) -> Sequence[Claim]:
        read: list[Claim] = []
        heard = list(before)
        for utterance in turn.utterances:
            read += _claims(utterance, scope, heard)
            heard.append(utterance)
        return read


def _claims(utterance: Utterance, scope: Scope, before: Sequence[Utterance]) -> Iterator[Claim]:
    text = normalise(utterance.text)
    if not has_hangul(text) and not before:
        return
    speaking = Speaking(speaker=utterance.speaker, scope=scope)
    seen: dict[tuple[object, ...], None] = {}
    for number, claim in enumerate(_read(text, speaking, utterance, before)):
        said = (claim.subject, claim.subject_id, claim.attribute, claim.value or claim.content, claim.polarity)
        if said not in seen:
            seen[said] = None
            yield replace(claim, id=f"{utterance.id}-{number}")


def _read(text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance]) -> Iterator[Claim]:
    words = lexicon()
    for finding in changes.taken_back(text):
        yield _claim(finding, speaking.me(), speaking, utterance, certainty=_READING)
    read = clauses(text)
    found_any = False
    subject: Whose | None = None
    for place, clause in enumerate(read):
        about = whose(clause, speaking, subject, words)
        subject = None if clause.final else about
        meant = mood_of(clause.morphemes, clause.ends_with, final=clause.final)
        hedged = _hedged(clause)
        if about is None or not _tells(clause, meant, hedged=hedged):
            continue
        reading = Reading(
            text=text,
            clause=clause,
            about=about,
            words=words,
            me=speaking.me(),
            before=read[place - 1] if place else None,
            after=read[place + 1] if place + 1 < len(read) else None,
        )
        taken: set[tuple[str, str]] = set()
        for rule in RULES:
            for finding in rule(reading):
                key = (finding.whose.subject_id if finding.whose else about.subject_id, finding.attribute)
                single = attribute(finding.attribute).single
                if single and key in taken:
                    continue  # the more telling rule came first
                taken.add(key)
                found_any = True
                yield _claim(finding, finding.whose or about, speaking, utterance, _HEDGED if hedged else _READING)
        thought = opinion(reading, speaker_is_subject=about.subject_id == speaking.me().subject_id)
        if thought is not None:
            yield _opinion(thought, about, speaking, utterance)
    for finding in answers.answer(text, before, utterance.speaker, silent=not found_any):
        yield _claim(finding, speaking.me(), speaking, utterance, _READING)


def _tells(clause: Clause, meant: str, *, hedged: bool) -> bool:
    """Whether a clause of this mood can carry a fact."""
    if meant in ("statement", "fragment") or (hedged and meant == "question"):
        return True
    teased = clause.predicate is not None and clause.predicate.reported in ("놀리다", "부르다")
    return meant == "command" and teased  # 모쏠이라고 놀리지 마라


def _hedged(clause: Clause) -> bool:
    endings = clause.predicate.endings if clause.predicate else ()
    return bool(_HEDGES & set(clause.adverbs)) or bool(_HEDGE_ENDINGS & set(endings))


def _claim(finding: Finding, about: Whose, speaking: Speaking, utterance: Utterance, certainty: float) -> Claim:
    schema = attribute(finding.attribute)
    return Claim(
        id="",
        speaker=speaking.speaker,
        subject=about.subject,
        subject_id=about.subject_id,
        attribute=finding.attribute,
        value=finding.value,
        surface=finding.surface,
        value_class=lexicon().class_of.get(finding.value.split()[-1]) if finding.value.split() else None,
        content=sentence(finding.attribute, finding.shown, negative=finding.polarity == "-", past=finding.past),
        content_type=schema.content_type,
        polarity=finding.polarity,
        act=finding.act,
        instead_of=finding.instead_of,
        certainty=certainty,
        importance=schema.importance,
        valid_at=_long_ago(utterance.at) if finding.past else None,
        invalid_at=utterance.at if finding.past else None,
        source_id=utterance.id,
        extractor=_NAME,
    )


def _long_ago(at: datetime) -> datetime:
    """Nobody said since when: a year before it was told."""
    return at.replace(year=at.year - 1, day=min(at.day, 28))


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
