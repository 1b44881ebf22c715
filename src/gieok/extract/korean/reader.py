"""Reading Korean turns by rule: grammar over morphemes, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.background import NOTHING_KNOWN, Background
from gieok.domain.claim import Claim, claim_id
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.korean import (
    alone,
    answers,
    changes,
    doings,
    forms,
    labels,
    people,
    symptoms,
    taste,
    turning,
    verbs,
)
from gieok.extract.korean.known import known_changes
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.opinions import Opinion, opinion
from gieok.extract.korean.phrasing import sentence
from gieok.extract.korean.reading import Finding, Reading, Rule
from gieok.extract.korean.whose import Speaking, Whose, carries_on, whose
from gieok.language.clauses import Clause, clauses
from gieok.language.mood import mood
from gieok.language.mood_tone import hedged as sounds_unsure
from gieok.language.mood_tone import joking
from gieok.language.text import has_hangul, normalise

_NAME: Final = "korean/2"
_READING: Final = 0.9  #: how sure a rule's reading is
_HEDGED: Final = 0.4
_LOOK_BACK: Final = 5  #: clauses
_STAGE: Final = re.compile(r"\*[^*\n]+\*")
_QUOTED: Final = frozenset({"라고", "다고", "ㄴ다고", "는다고", "이라고", "냐고", "자고", "으라고"})
_HEARD: Final = ("다는데", "라는데", "냐는데", "다길래", "라길래", "다던데", "라던데")
_TELLING: Final = frozenset(
    "말하다 말씀드리다 드리다 알리다 얘기하다 이야기하다 대답하다 답하다 자랑하다 적다 적히다 쓰다 찍히다 "
    "기재하다 소개하다 밝히다".split()
)
_PLAYED: Final = frozenset("name nickname age job school major workplace residence hometown family".split())
_OPINION_IMPORTANCE: Final = 0.5

RULES: Final[tuple[Rule, ...]] = (
    changes.not_but,
    changes.said_before,
    doings.doing,
    turning.turned_into,
    people.called,
    people.introduced,
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

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background = NOTHING_KNOWN
    ) -> Sequence[Claim]:
        read: list[Claim] = []
        heard = list(before)
        for utterance in turn.utterances:
            speaking = Speaking(speaker=utterance.speaker, scope=scope, names=background.names)
            known = background if utterance.speaker == USER else NOTHING_KNOWN
            read += _claims(utterance, speaking, heard, known)
            heard.append(utterance)
        return read


def _claims(
    utterance: Utterance, speaking: Speaking, before: Sequence[Utterance], known: Background
) -> Iterator[Claim]:
    text = normalise(utterance.text)
    if not has_hangul(text) and ":" not in text and not before:
        return
    seen: dict[tuple[object, ...], None] = {}
    changed = [_claim(finding, speaking.me(), speaking, utterance, _READING) for finding in known_changes(text, known)]
    gone = {(claim.attribute, claim.instead_of or claim.value) for claim in changed}
    read = (claim for claim in _read(text, speaking, utterance, before) if (claim.attribute, claim.value) not in gone)
    for number, claim in enumerate((*changed, *read)):
        said = (claim.subject, claim.subject_id, claim.attribute, claim.value or claim.content, claim.polarity)
        if said not in seen:
            seen[said] = None
            yield replace(claim, id=claim_id(utterance.id, number))


def _read(text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance]) -> Iterator[Claim]:
    taken_back = list(changes.taken_back(text))
    for finding in taken_back:
        yield _claim(finding, speaking.me(), speaking, utterance, certainty=_READING)
    if (joking(text) and not taken_back) or any(note in text for note in "♪♬🎵🎶"):
        return
    found_any = False
    for finding in forms.filled_in(text):
        found_any = True
        yield _claim(finding, speaking.me(), speaking, utterance, _READING)
    for reading in _readings(forms.without_forms(text), speaking, utterance):
        if isinstance(reading, Claim):
            yield reading
            continue
        certainty = _HEDGED if sounds_unsure(reading.clause.morphemes) else _READING
        for finding in _findings(reading):
            found_any = True
            yield _claim(finding, finding.whose or reading.about, speaking, utterance, certainty)
        thought = opinion(reading, speaker_is_subject=reading.about.subject_id == reading.me.subject_id)
        if thought is not None:
            yield _opinion(thought, reading.about, speaking, utterance)
    for finding in answers.answer(text, before, utterance.speaker, silent=not found_any):
        yield _claim(finding, speaking.me(), speaking, utterance, _READING)


def _readings(text: str, speaking: Speaking, utterance: Utterance) -> Iterator[Reading | Claim]:
    """Yield the clauses that state something, ready for the rules, and what others say in passing."""
    read = _with_afterthoughts(clauses(text))
    subject: Whose | None = None
    for place, clause in enumerate(read):
        about = whose(clause, speaking, subject, lexicon())
        subject = about if carries_on(clause) else None
        if about is None:
            continue
        meant = mood(clause)
        following = read[place + 1] if place + 1 < len(read) else None
        earlier = read[max(0, place - _LOOK_BACK) : place]
        if not _tells(clause, meant) or not _holds(clause, following):
            yield from _in_passing(clause, meant, about, text, speaking, utterance)
            continue
        reading = Reading(
            text=text,
            clause=clause,
            about=about,
            words=lexicon(),
            me=speaking.me(),
            before=read[place - 1] if place else None,
            after=following,
            main_before=next((each for each in reversed(earlier) if each.head is None), None),
            quoted_before=next((each for each in reversed(earlier) if _quotes_self(each)), None),
        )
        if reading.asserts and (reading.lately or reading.past or not reading.formerly):
            yield reading


def _findings(reading: Reading) -> Iterator[Finding]:
    """Yield what the rules find; where two speak of the same attribute, the more telling one comes first."""
    playing = "*" in reading.text and _STAGE.search(reading.text) is not None
    taken: dict[tuple[str, str], Rule] = {}
    for rule in RULES:
        for finding in rule(reading):
            whom = finding.whose or reading.about
            first = taken.setdefault((whom.subject_id, finding.attribute), rule) is rule
            if first and not (playing and finding.attribute in _PLAYED):  # who somebody is in a scene is a role
                yield finding


def _in_passing(
    clause: Clause, meant: str, about: Whose, text: str, speaking: Speaking, utterance: Utterance
) -> Iterator[Claim]:
    """Read what a clause says that is no statement: a wish is a dream, and 베프 민지가 …했대 still names a friend."""
    rule = {"wish": people.becoming, "hearsay": people.friends}.get(meant)
    if rule is not None:
        reading = Reading(text=text, clause=clause, about=about, words=lexicon(), me=speaking.me())
        for finding in rule(reading):
            yield _claim(finding, finding.whose or about, speaking, utterance, _READING)


def _with_afterthoughts(read: Sequence[Clause]) -> list[Clause]:
    """좋아해요 떡, …: what is named after its verb belongs to it."""
    whole: list[Clause] = []
    for clause in read:
        last = whole[-1] if whole else None
        if last is not None and _is_afterthought(last, clause):
            whole[-1] = replace(last, phrases=(*last.phrases, *clause.phrases), end=clause.end)
        else:
            whole.append(clause)
    return whole


def _is_afterthought(verb: Clause, noun: Clause) -> bool:
    if verb.predicate is None or verb.predicate.form == "copula" or noun.predicate is not None or verb.head is not None:
        return False
    bare = [phrase for phrase in verb.phrases if phrase.pronoun is None and not phrase.has("은", "는")]
    return not bare and len(noun.phrases) == 1 and not noun.phrases[0].labels and not noun.ends_with.startswith("?")


def _tells(clause: Clause, meant: str) -> bool:
    """Whether a clause of this mood can carry a fact."""
    if meant in ("statement", "fragment"):
        return True
    teased = clause.predicate is not None and clause.predicate.reported in ("놀리다", "부르다")
    return meant == "command" and teased  # 모쏠이라고 놀리지 마라


def _holds(clause: Clause, following: Clause | None) -> bool:
    """Whether the way a clause ends leaves what it says standing: not 키우려면, 먹다가, 교사라니, 있다고 (가정하면)."""
    predicate = clause.predicate
    last = predicate.endings[-1] if predicate is not None and predicate.endings else ""
    if predicate is None or last.endswith(("려면", "려고", "다가", "라니", "다니", "든지", "거나", "ㄹ까", "자마자")):
        return predicate is None
    if last in ("든", "이든") or last.endswith(_HEARD):
        return False
    if _quotes_self(clause):
        return False
    if last not in _QUOTED or predicate.reported is not None:
        return True
    told = following.predicate if following is not None else None
    return told is not None and told.lemma in _TELLING and told.endings[-1:] not in (("면",), ("으면",))


def _quotes_self(clause: Clause) -> bool:
    """의사라고 했는데: what somebody said before, about to be put right."""
    predicate = clause.predicate
    if predicate is None or predicate.reported not in ("하다", "말하다"):
        return False
    told = any(part.tag == "EP" for part in predicate.tail)
    return told and predicate.endings[-1] in ("는데", "ㄴ데", "은데", "지만", "지", "잖아")


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
        content=sentence(
            finding.attribute,
            finding.shown,
            negative=finding.polarity == "-",
            over=finding.past or finding.act == "end",
        ),
        content_type=schema.content_type,
        polarity=finding.polarity,
        act=finding.act,
        instead_of=finding.instead_of,
        certainty=certainty,
        importance=schema.importance,
        invalid_at=utterance.at if finding.past else None,  # nobody said since when; only that it is over
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
