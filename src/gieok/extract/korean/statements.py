"""What the clauses of an utterance state, by the rules over clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from gieok.extract.korean import (
    abilities,
    alone,
    appointed,
    arriving,
    changes,
    credentials,
    doings,
    goals,
    habits,
    kin_listed,
    labels,
    opinions,
    parents,
    pastimes,
    people,
    settling,
    specified,
    starting,
    symptoms,
    taste,
    trades,
    turning,
    verbs,
)
from gieok.extract.korean.doers import nobody_in_particular
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.listing import one_by_one
from gieok.extract.korean.opinions import Opinion, opinion
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Finding, Reading, Rule
from gieok.extract.korean.standing import found_out, holds, in_a_tale, quotes_self, tells
from gieok.extract.korean.telling import Part
from gieok.extract.korean.tidying import tidied
from gieok.extract.korean.whose import Speaking, Whose
from gieok.language.cache import cached_by_text
from gieok.language.clauses import Clause
from gieok.language.mood import hedged as sounds_unsure

_PLAYED: Final = frozenset("name nickname age job school major workplace residence hometown family".split())
NAMES: Final = frozenset({"name", "nickname"})
_STAGE: Final = re.compile(r"\*[^*\n]+\*")
_LOOK_BACK: Final = 5  #: clauses

RULES: Final[tuple[Rule, ...]] = (
    changes.not_but,
    changes.said_before,
    doings.doing,
    turning.turned_into,
    specified.specified,
    appointed.appointed,
    arriving.arrived,
    settling.settled,
    starting.started,
    people.called,
    people.introduced,
    people.pets,
    labels.labelled,
    alone.alone,
    verbs.done,
    trades.trade,
    taste.taste,
    symptoms.allergy,
    symptoms.reaction,
    symptoms.fear,
    people.love,
    people.friends,
    kin_listed.listed,
    parents.parent,
    changes.ended,
    pastimes.told_when_asked,
    pastimes.pastime,
    pastimes.exercising,
    habits.habit,
    goals.aim,
    abilities.ability,
    credentials.certified,
    habits.diet,
    habits.kept_from,
    opinions.happened,
)
_BY_WORD: Final = frozenset(
    {
        doings.doing, taste.taste, pastimes.told_when_asked, pastimes.pastime, pastimes.exercising, habits.habit,
        goals.aim, abilities.ability, habits.diet,
    }
)  # fmt: skip
_IN_PASSING: Final[Mapping[str, tuple[Rule, ...]]] = {
    "wish": (people.becoming, goals.longed_for),
    "hearsay": (people.friends,),
}
_BY_CLAUSE: Final = tuple(rule for rule in RULES if rule not in _BY_WORD)
_MOST_READ: Final = 600  #: clauses; a page of prose has fewer
_MOST_READ_BY_WORD: Final = 40  #: clauses; these rules look at all words around each


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something that a clause states of somebody."""

    what: Finding | Opinion
    about: Whose
    hedged: bool = False
    in_passing: bool = False  #: the clause itself is a wish or hearsay


@cached_by_text
def statements(text: str, speaking: Speaking) -> tuple[Statement, ...]:
    """Return what the clauses of `text` state, in their order."""
    stated: list[Statement] = []
    for place, read in enumerate(islice(_readings(text, speaking), _MOST_READ)):
        if isinstance(read, Statement):
            stated.append(read)
            continue
        hedged = sounds_unsure(read.clause.morphemes)
        stated += (
            Statement(what=finding, about=finding.whose or read.about, hedged=hedged)
            for finding in findings(read, word_by_word=place < _MOST_READ_BY_WORD and not _in_a_story(read))
        )
        thought = opinion(read, speaker_is_subject=read.about.subject_id == read.me.subject_id)
        if thought is not None:
            stated.append(Statement(what=thought, about=read.about))
    return tuple(stated)


def _readings(text: str, speaking: Speaking) -> Iterator[Reading | Statement]:
    """Yield the clauses that state something, ready for the rules, and what others say in passing."""
    parts = parts_read(text, speaking)
    read = [part.clause for part in parts]
    for place, part in enumerate(parts):
        clause, about, meant = part.clause, part.about, part.mood
        if about is None or (about.phrase is not None and nobody_in_particular(about.phrase, lexicon())):
            continue
        following = read[place + 1] if place + 1 < len(read) else None
        earlier = read[max(0, place - _LOOK_BACK) : place]
        if part.one_of_two(following) or (place and parts[place - 1].one_of_two(clause)):
            continue
        if not tells(clause, meant, about) or not holds(clause, following):
            yield from _in_passing(clause, meant, about, text, speaking)
            own = meant == "hearsay" and about.subject_id == speaking.me().subject_id
            if not own or not found_out(text) or (place and _of_another(parts[place - 1], clause)):
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


def _of_another(before: Part, clause: Clause) -> bool:
    """남친은 검사 받았더니 INFJ래: whoever was tested; but 동생이 그러는데 나 메밀 알레르기래."""
    if any(phrase.pronoun in ("나", "저") for phrase in clause.phrases):
        return False
    return before.about is not None and before.about.subject == "other" and not before.clause.final


def findings(reading: Reading, *, word_by_word: bool = True) -> Iterator[Finding]:
    """Yield what the rules find; where two speak of the same attribute, the more telling one comes first."""
    taken: dict[tuple[str, str], Rule] = {}
    read: list[Finding] = []
    for rule in RULES if word_by_word else _BY_CLAUSE:
        for finding in rule(reading):
            whom = finding.whose or reading.about
            first = taken.setdefault((whom.subject_id, finding.attribute), rule) is rule
            own = tidied(finding)
            if own is not None and first and not is_role(finding, reading.text):
                read += one_by_one(own)
    names = {finding.value for finding in read if finding.attribute in NAMES}
    titles = [finding.value for finding in read if _names_a_thing(finding)]
    for finding in read:
        inside = any(finding.surface in title for title in titles) and not _names_a_thing(finding)
        inside = inside or (finding.attribute == "skill" and finding.value in names)  # 이름이 태오랑께 잘 외워둬
        if not inside:  # 왕의 남자 is a film and says nobody's gender
            yield finding


def _in_a_story(reading: Reading) -> bool:
    """다이어트 하는 드라마 봤어: the words around are not the speaker's."""
    return reading.before is not None and in_a_tale(reading.before, reading.clause)


def _names_a_thing(finding: Finding) -> bool:
    return finding.attribute.startswith("favorite.") or finding.attribute == "dream"


def is_role(finding: Finding, text: str) -> bool:
    """Whether `text` acts a scene in which somebody is what `finding` says."""
    return finding.attribute in _PLAYED and "*" in text and _STAGE.search(text) is not None


def _in_passing(clause: Clause, meant: str, about: Whose, text: str, speaking: Speaking) -> Iterator[Statement]:
    """Read what a clause says that is no statement: a wish is a dream, and 베프 민지가 …했대 still names a friend."""
    reading = Reading(text=text, clause=clause, about=about, words=lexicon(), me=speaking.me())
    for rule in _IN_PASSING.get(meant, ()):
        for finding in rule(reading):
            yield Statement(what=finding, about=finding.whose or about, in_passing=True)
