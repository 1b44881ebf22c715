"""Reading Korean turns by rule: grammar over morphemes, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.background import NOTHING_KNOWN, Background
from gieok.domain.claim import Claim, claim_id
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.korean import (
    abilities,
    aims,
    alone,
    answers,
    changes,
    diets,
    doings,
    forms,
    habits,
    heartfelt,
    labels,
    pastimes,
    people,
    shared,
    symptoms,
    taste,
    turning,
    turning_points,
    verbs,
)
from gieok.extract.korean.bearers import but_for, named_others
from gieok.extract.korean.echoes import without_echoes
from gieok.extract.korean.gleaning import left_lying
from gieok.extract.korean.guesses import guessed
from gieok.extract.korean.hints import HINTS
from gieok.extract.korean.importance import importance
from gieok.extract.korean.known import known_changes, overruled
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.naming import naming
from gieok.extract.korean.opinions import Opinion, opinion
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.phrasing import sentence
from gieok.extract.korean.plainly import as_first_person, plainly
from gieok.extract.korean.reading import Finding, Reading, Rule
from gieok.extract.korean.standing import found_out, holds, in_earnest, quotes_self, tells
from gieok.extract.korean.telling import Part, Telling, others_named
from gieok.extract.korean.things import is_thing, says_the_same
from gieok.extract.korean.tidying import tidied
from gieok.extract.korean.wayside import by_the_way
from gieok.extract.korean.whose import Speaking, Whose
from gieok.language.clauses import Clause
from gieok.language.emotions import feel
from gieok.language.mood_tone import hedged as sounds_unsure
from gieok.language.mood_tone import joking
from gieok.language.text import has_hangul, normalise

_NAME: Final = "korean/2"
_READING: Final = 0.9  #: how sure a rule's reading is
_IN_PASSING: Final = 0.7  #: … and one of what is told by the way
_HEDGED: Final = 0.4
_LOOK_BACK: Final = 5  #: clauses
_STAGE: Final = re.compile(r"\*[^*\n]+\*")
_NAMES: Final = frozenset({"name", "nickname"})
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
    pastimes.told_when_asked,
    pastimes.pastime,
    pastimes.exercising,
    habits.habit,
    aims.aim,
    abilities.ability,
    diets.diet,
    shared.happened,
)
_BY_WORD: Final = frozenset(
    {
        doings.doing, taste.taste, pastimes.told_when_asked, pastimes.pastime, pastimes.exercising, habits.habit,
        aims.aim, abilities.ability, diets.diet,
    }
)  # fmt: skip
_BY_CLAUSE: Final = tuple(rule for rule in RULES if rule not in _BY_WORD)
_MOST_READ: Final = 600  #: clauses; a page of prose has fewer
_MOST_READ_BY_WORD: Final = 40  #: clauses; these rules look at all words around each


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
            things = frozenset(memory.value or "" for memory in background.mentioned if memory.attribute != "friend")
            speaking = Speaking(speaker=utterance.speaker, scope=scope, names=background.names, things=things)
            known = background if utterance.speaker == USER else NOTHING_KNOWN
            read += _claims(utterance, speaking, heard, known)
            heard.append(utterance)
        return read


def _claims(
    utterance: Utterance, speaking: Speaking, before: Sequence[Utterance], known: Background
) -> Iterator[Claim]:
    text = plainly(normalise(utterance.text))
    if utterance.speaker == USER:
        text = as_first_person(text, known.names)
    text = without_echoes(text, speaking, before)
    if not has_hangul(text) and ":" not in text and not before:
        return
    seen: dict[tuple[object, ...], None] = {}
    read = list(_read(text, speaking, utterance, before))
    changed = [
        each if isinstance(each, Claim) else _claim(each, speaking.me(), speaking, utterance, _READING)
        for each in known_changes(text, known, read)
    ]
    read = [claim for claim in read if not any(overruled(claim, change, text) for change in changed)]
    best = {(claim.subject_id, claim.value) for claim in read if (claim.attribute or "").startswith("favorite.")}
    kept = (claim for claim in read if claim.attribute != "likes" or (claim.subject_id, claim.value) not in best)
    sound = (each for each in (*changed, *kept) if each.attribute is None or is_thing(each.attribute, each.value or ""))
    told = turning_points.but_told_otherwise(list(sound))
    told += _gleaned(text, speaking, utterance, before, known, told)
    theirs = named_others(text, speaking, before)
    told = but_for(theirs, told)
    told += (_claim(each, each.whose or speaking.me(), speaking, utterance, _READING) for each in theirs)
    told += heartfelt.taken_to_heart(text, speaking, utterance, told, _NAME)
    for number, claim in enumerate(told):
        said = (claim.subject, claim.subject_id, claim.attribute, claim.value or claim.content, claim.polarity)
        if said not in seen:
            seen[said] = None
            yield _felt(replace(claim, id=claim_id(utterance.id, number)), text, utterance.speaker)


def _gleaned(
    text: str,
    speaking: Speaking,
    utterance: Utterance,
    before: Sequence[Utterance],
    known: Background,
    read: Sequence[Claim],
) -> Iterator[Claim]:
    """Yield what the learned reader finds of attributes that the rules have read nothing of."""
    asked = before[-1].text if before and before[-1].speaker != utterance.speaker else ""
    text = in_earnest(text)
    if utterance.speaker != USER or joking(_but_for_the_day(text)) or any(note in text for note in "♪♬🎵🎶"):
        return
    playing = "*" in text and _STAGE.search(text) is not None
    for finding in left_lying(forms.without_forms(text), speaking, asked, known, read):
        if not (playing and finding.attribute in _PLAYED) and is_thing(finding.attribute, finding.value):
            yield _claim(finding, speaking.me(), speaking, utterance, _IN_PASSING)


def _felt(claim: Claim, text: str, speaker: str) -> Claim:
    """Return `claim` with how much it matters and the feeling it was told with."""
    told = feel(text, speaker=speaker)
    return replace(
        claim,
        importance=round(min(max(claim.importance + importance(text), 0.0), 1.0), 3),
        emotion_intensity=told.intensity,
        tags=claim.tags if told.emotion == "neutral" else (*claim.tags, told.emotion),
    )


def _read(text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance]) -> Iterator[Claim]:
    taken_back = list(changes.taken_back(text))
    for finding in taken_back:
        yield _claim(finding, speaking.me(), speaking, utterance, certainty=_READING)
    text = in_earnest(text)
    if (joking(_but_for_the_day(text)) and not taken_back) or any(note in text for note in "♪♬🎵🎶"):
        return
    told: set[str] = set()
    asked = before[-1].text if before and before[-1].speaker != utterance.speaker else ""
    for claim in _understood(text, speaking, utterance, asked):
        told |= {claim.attribute} if claim.attribute is not None else set()
        yield claim
    yield from _answers(text, speaking, utterance, before, frozenset(told))


def _answers(
    text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance], told: frozenset[str]
) -> Iterator[Claim]:
    """Yield what the utterance tells as an answer."""
    question = answers.question_before(text, before, utterance.speaker)
    if question is None:
        return
    asking = Speaking(speaker=question.speaker, scope=speaking.scope, names=speaking.names)
    taken_for = guessed(question.text, asking, speaking, _findings)
    for finding in answers.answer(text, question.text, taken_for, told):
        yield _claim(finding, speaking.me(), speaking, utterance, _READING)


def _understood(text: str, speaking: Speaking, utterance: Utterance, asked: str) -> Iterator[Claim]:
    """Yield what a form says, how somebody is called, what clauses state, and what is told by the way."""
    told: set[str] = set()
    found: list[Claim] = []
    named = list(naming(text))
    for finding in (*forms.filled_in(text), *named):
        told.add(finding.attribute)
        found.append(_claim(finding, speaking.me(), speaking, utterance, _READING))
    plain = forms.without_forms(text)
    parts = parts_read(plain, speaking)
    found += _stated(plain, parts, speaking, utterance, told, named=bool(named))
    playing = "*" in text and _STAGE.search(text) is not None
    for finding, sure in by_the_way(text, told, asked, others_named(parts) if plain == text else ()):
        if not (playing and finding.attribute in _PLAYED):
            about = finding.whose or speaking.me()
            found.append(_claim(finding, about, speaking, utterance, _IN_PASSING if sure else _HEDGED))
    telling = Telling(text=plain, parts=parts, me=speaking.me(), words=lexicon(), asked=asked)
    yield from found
    yield from _hinted(telling, speaking, utterance, found)


def _stated(
    text: str, parts: Sequence[Part], speaking: Speaking, utterance: Utterance, told: set[str], *, named: bool
) -> Iterator[Claim]:
    """Yield what clauses state, and note in `told` what they say of the speaker."""
    for place, reading in enumerate(islice(_readings(text, parts, speaking, utterance), _MOST_READ)):
        if isinstance(reading, Claim):
            yield reading
            continue
        certainty = _HEDGED if sounds_unsure(reading.clause.morphemes) else _READING
        for finding in _findings(reading, word_by_word=place < _MOST_READ_BY_WORD):
            about = finding.whose or reading.about
            mine = about.subject_id == reading.me.subject_id
            if mine and named and finding.attribute in ("name", "nickname"):
                continue  # read from the words around it, which tell the two apart
            if mine and finding.polarity == "+" and not finding.past:
                told.add(finding.attribute)
            yield _claim(finding, about, speaking, utterance, certainty)
        thought = opinion(reading, speaker_is_subject=reading.about.subject_id == reading.me.subject_id)
        if thought is not None:
            yield _opinion(thought, reading.about, speaking, utterance)


def _but_for_the_day(text: str) -> str:
    """Return `text` without 만우절 where it is somebody's birthday and no hint that all is in fun."""
    return text.replace("만우절", "") if any(word in text for word in ("생일", "미역국", "태어")) else text


def _hinted(telling: Telling, speaking: Speaking, utterance: Utterance, found: list[Claim]) -> Iterator[Claim]:
    """Yield what the utterance as a whole tells, but for what was `found` in its clauses."""
    for stretch in telling.sentences():
        for finding in (finding for hint in HINTS if hint.calls(stretch) for finding in hint.rule(stretch)):
            claim = _claim(finding, finding.whose or telling.me, speaking, utterance, _IN_PASSING)
            if not any(says_the_same(claim, other) for other in found):
                found.append(claim)
                yield claim


def _readings(text: str, parts: Sequence[Part], speaking: Speaking, utterance: Utterance) -> Iterator[Reading | Claim]:
    """Yield the clauses that state something, ready for the rules, and what others say in passing."""
    read = [part.clause for part in parts]
    for place, part in enumerate(parts):
        clause, about, meant = part.clause, part.about, part.mood
        if about is None:
            continue
        following = read[place + 1] if place + 1 < len(read) else None
        earlier = read[max(0, place - _LOOK_BACK) : place]
        if part.one_of_two(following):
            continue
        if not tells(clause, meant, about) or not holds(clause, following):
            yield from _in_passing(clause, meant, about, text, speaking, utterance)
            if not (meant == "hearsay" and about.subject_id == speaking.me().subject_id and found_out(text)):
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
            quoted_before=next((each for each in reversed(earlier) if quotes_self(each)), None),
        )
        if reading.asserts and (reading.lately or reading.past or not reading.formerly):
            yield reading


def _findings(reading: Reading, *, word_by_word: bool = True) -> Iterator[Finding]:
    """Yield what the rules find; where two speak of the same attribute, the more telling one comes first."""
    playing = "*" in reading.text and _STAGE.search(reading.text) is not None
    taken: dict[tuple[str, str], Rule] = {}
    read: list[Finding] = []
    for rule in RULES if word_by_word else _BY_CLAUSE:
        for finding in rule(reading):
            whom = finding.whose or reading.about
            first = taken.setdefault((whom.subject_id, finding.attribute), rule) is rule
            own = tidied(finding)
            if own is not None and first and not (playing and finding.attribute in _PLAYED):
                read.append(own)  # who somebody is in a scene is a role
    names = {finding.value for finding in read if finding.attribute in _NAMES}
    titles = [finding.value for finding in read if _names_a_thing(finding)]
    for finding in read:
        inside = any(finding.surface in title for title in titles) and not _names_a_thing(finding)
        inside = inside or (finding.attribute == "skill" and finding.value in names)  # 이름이 태오랑께 잘 외워둬
        if not inside:  # 왕의 남자 is a film and says nobody's gender
            yield finding


def _names_a_thing(finding: Finding) -> bool:
    return finding.attribute.startswith("favorite.") or finding.attribute == "dream"


def _in_passing(
    clause: Clause, meant: str, about: Whose, text: str, speaking: Speaking, utterance: Utterance
) -> Iterator[Claim]:
    """Read what a clause says that is no statement: a wish is a dream, and 베프 민지가 …했대 still names a friend."""
    rule = {"wish": people.becoming, "hearsay": people.friends}.get(meant)
    if rule is not None:
        reading = Reading(text=text, clause=clause, about=about, words=lexicon(), me=speaking.me())
        for finding in rule(reading):
            yield _claim(finding, finding.whose or about, speaking, utterance, _READING)


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
