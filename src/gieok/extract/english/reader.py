"""Reading English turns by rule: a small grammar over words, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim, claim_id
from gieok.domain.memory import NOTHING_KNOWN, Background
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.claiming import opined, stated
from gieok.extract.english import (
    answers,
    being,
    changes,
    contacts,
    forms,
    labels,
    matters,
    occasions,
    people,
    roles,
    routines,
    statements,
    symptoms,
    tastes,
    upheavals,
    vows,
)
from gieok.extract.english.clauses import clauses
from gieok.extract.english.clefts import straight
from gieok.extract.english.grammar import Said, parse
from gieok.extract.english.known import known_changes
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.moods import Mood, joking, meant
from gieok.extract.english.opinions import Opinion, opinion
from gieok.extract.english.patterns import Way, patterns
from gieok.extract.english.reading import Finding, Reading, Rule, Speaking, Whose
from gieok.extract.english.whose import somebody, whose
from gieok.extract.english.words import Word, straightened, without_stage, words
from gieok.language.notes import note
from gieok.language.text import normalise

_NAME: Final = "english/1"
_READING: Final = 0.9  #: how sure a rule's reading is
_HEDGED: Final = 0.4
_PLAYED: Final = frozenset("name nickname age job school major workplace residence hometown family".split())
_PARTICIPLES: Final = frozenset("born raised diagnosed bullied promoted hired fired dumped".split())
COMPLETED: Final[tuple[Way, ...]] = ("holds", "happened", "ended")

TELLING: Final[tuple[Rule, ...]] = (
    labels.labelled,
    labels.changed,
    tastes.best,
    symptoms.reaction,
    people.lost_pets,
    statements.stated,
    statements.done_to_me,
    being.being,
    being.fragment,
    routines.able_to,
    routines.planned,
    routines.must,
    roles.by_the_way,
    roles.measured,
    roles.introduced,
    roles.friends,
    roles.for_a_living,
    roles.here_in,
    roles.now_at,
    matters.dear,
    matters.off_limits,
    matters.sides,
    occasions.coming_up,
    occasions.went_through,
    occasions.reached,
    occasions.decided,
    occasions.ruled_out,
    occasions.limited,
    occasions.trains,
)
PASSING: Final[tuple[Rule, ...]] = (statements.mentioned, people.pet_names)


@dataclass(frozen=True, slots=True)
class EnglishRules:
    """The rule extractor for English."""

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
    text = straightened(normalise(utterance.text))
    changed = [(finding, _READING) for finding in known_changes(text, known)]
    gone = {(finding.attribute, finding.instead_of or finding.value) for finding, _ in changed}
    told, thoughts = _read(text, speaking, before)
    moved = {value.casefold() for finding, _ in changed for value in (finding.value, finding.instead_of or "")}
    read = [
        each
        for each in told
        if (each[0].attribute, each[0].value) not in gone and not _elsewhere(each[0], changed, moved)
    ]
    read = [(_superseding(finding, known), certainty) for finding, certainty in read]
    seen: set[tuple[object, ...]] = set()
    for finding, certainty in (*changed, *read):
        about = finding.whose or speaking.me()
        said = (about.subject_id, finding.attribute, finding.value.casefold(), finding.polarity)
        if said not in seen:
            seen.add(said)
            claim = _claim(finding, about, utterance, certainty)
            yield replace(claim, id=claim_id(utterance.id, len(seen) - 1))
    for number, thought in enumerate(thoughts, start=len(seen)):
        yield replace(
            opined(thought, thought.about, utterance, certainty=_READING, extractor=_NAME),
            id=claim_id(utterance.id, number),
        )


def _superseding(finding: Finding, known: Background) -> Finding:
    """Whoever states one value and mentions the one that was known says what it stands in for."""
    mine = finding.whose is None or finding.whose.subject == USER
    if finding.polarity == "-" or finding.act != "assert" or finding.instead_of or finding.past or not mine:
        return finding
    if not attribute(finding.attribute).single:
        return finding
    old = next((each.value for each in known.mentioned if each.attribute == finding.attribute and each.value), None)
    if old is None or old.casefold() == finding.value.casefold():
        return finding
    return replace(finding, instead_of=old)


def _elsewhere(finding: Finding, changed: Sequence[tuple[Finding, float]], moved: set[str]) -> bool:
    """Whether a value whose change is understood was read for another attribute: I moved from Tesco to Aldi."""
    if finding.value.casefold() not in moved:
        return False
    return all(finding.attribute != each.attribute for each, _ in changed)


def _read(
    text: str, speaking: Speaking, before: Sequence[Utterance]
) -> tuple[list[tuple[Finding, float]], list[Opinion]]:
    """Return what `text` tells, with how sure that is, and what it says to be thought; all say of whom."""
    taken_back = list(changes.taken_back(text))
    spoken = words(text)
    if taken_back or joking(spoken):
        return [(finding, _READING) for finding in taken_back], []
    got = [
        (finding, _READING)
        for finding in (*forms.filled_in(text), *tastes.ranked(spoken, text), *matters.superlative(spoken, text))
    ]
    body = without_stage(forms.without_forms(text))
    spoken = words(body)
    thoughts: list[Opinion] = []
    for reading, mood in readings(body, spoken, speaking):
        thought = opinion(reading) if mood == "told" else None
        thoughts += [thought] if thought is not None else []
        got += [(_of(finding, reading), _HEDGED if mood == "unsure" else _READING) for finding in _found(reading, mood)]
    if without_stage(text) != text:  # who somebody is in a scene is a role
        got = [each for each in got if each[0].attribute not in _PLAYED]
    got += [(finding, _READING) for finding in contacts.phones(text, speaking)]
    answered = list(answers.answer(text, before, speaking.speaker, silent=not got))
    stated = answers.restated(text, before, speaking.speaker)
    for reading, mood in readings(stated, words(stated), speaking) if stated is not None else ():
        answered += [_of(finding, reading) for finding in _found(reading, mood)]
    got += [(finding, _READING) for finding in answered]
    return changes.put_right(got, spoken, body), thoughts


def _of(finding: Finding, reading: Reading) -> Finding:
    return finding if finding.whose is not None else replace(finding, whose=reading.about)


def readings(text: str, spoken: Sequence[Word], speaking: Speaking) -> Iterator[tuple[Reading, Mood]]:
    """Yield every clause with whom it is about and how it is meant."""
    about: Whose | None = None
    other: Whose | None = None
    before: Said | None = None
    for each in meant(straight([parse(clause) for clause in clauses(spoken)])):
        said = _completed(each.said)
        if said.clause.intro == "who":
            about = _antecedent(before, speaking)
        about = whose(said, speaking, about if each.said.clause.intro else None, other)
        other = _last_other(said, about, other, speaking)
        yield Reading(text=text, said=said, about=about, speaking=speaking, before=before), each.mood
        before = each.said


def _antecedent(before: Said | None, speaking: Speaking) -> Whose | None:
    """Return whom a "who" stands for: the person named last before it."""
    words = before.clause.words if before is not None else ()
    at = next((i for i in range(len(words) - 1, -1, -1) if words[i].low in lexicon().determiners), None)
    return somebody(words[at:], speaking) if at is not None else None


def _last_other(said: Said, about: Whose | None, other: Whose | None, speaking: Speaking) -> Whose | None:
    """Return whom he, she or it will stand for from here on: also the sister of "my sister's name is …"."""
    if about is not None and about.subject == "other":
        return about
    if about is not None:
        named = _antecedent(said, speaking) if said.lemma in ("have", "get", "adopt") else None
        return named if named is not None else other
    cut = next((i for i, word in enumerate(said.subject) if word.low == "'s"), None)
    return (somebody(said.subject[:cut], speaking) if cut is not None else None) or other


def _completed(said: Said) -> Said:
    """Born in '86; allergic to nuts; not in Austin any more: "am" and "was" are often left out."""
    if said.asking or not said.rest:
        return said
    if said.lemma == "do" and not said.subject and said.clause.words[0].low == "done":
        return replace(said, lemma="be", rest=(said.clause.words[0], *said.rest))  # done with it
    if said.lemma:
        return _participle(said)
    rest, negated = list(said.rest), False
    if rest[0].low == "not":
        rest, negated = rest[1:], True
    first = rest[0].low if rest else ""
    leads = first in _left_out()
    if not leads and not negated:
        return said
    anymore = {"anymore", "more", "longer"} & {word.low for word in rest}
    ended = negated and bool(anymore)
    return replace(
        said, lemma="be", rest=tuple(rest), past=first in _PARTICIPLES, negated=negated and not ended, ended=ended
    )


def _participle(said: Said) -> Said:
    """Employed by the council, petrified of dogs: the verb is not what the speaker does."""
    spoken = next((word for word in said.clause.words if word.low in _left_out() and word.low.endswith("ed")), None)
    near = {word.low for word in said.rest[:3]}
    if (
        said.subject
        or spoken is None
        or not said.past
        or not (said.rest[0].low in lexicon().prepositions or "of" in near)
    ):
        return said
    return replace(said, lemma="be", rest=(spoken, *said.rest), past=spoken.low in _PARTICIPLES)


@cache
def _left_out() -> frozenset[str]:
    """The words that may follow an "am" that is left out: allergic, born, obsessed."""
    known = patterns().by_verb
    return frozenset(
        word
        for way in COMPLETED
        for _, template in known.get((way, "be"), ())
        for part in template.parts[:3]
        for word in part.words
    )


def _found(reading: Reading, mood: Mood) -> Iterator[Finding]:
    """Yield what the rules find; where two speak of the same attribute, the first one counts."""
    if mood == "unsaid":
        yield from symptoms.reaction(reading)
        return
    rules = (*TELLING, *PASSING) if mood != "aside" else PASSING
    if mood != "aside" and (reading.said.commanding or reading.said.subject):
        rules = (statements.ordered, *rules)
    taken: dict[tuple[str, str], Rule] = {}
    promises = list(routines.promised(reading)) or (list(vows.vowed(reading)) if mood == "told" else [])
    yield from promises
    for rule in rules if not promises else PASSING:
        for finding in rule(reading):
            whom = finding.whose or reading.about
            if mood == "aside" and finding.attribute == "age":
                continue  # what's the point of being 27
            if whom is not None and taken.setdefault((whom.subject_id, finding.attribute), rule) is rule:
                yield finding
    if not taken and mood == "told":
        yield from upheavals.turned(reading)
        yield from routines.usual(reading)


def _claim(finding: Finding, about: Whose, utterance: Utterance, certainty: float) -> Claim:
    ended = finding.past or finding.act == "end"
    return stated(
        finding,
        about,
        utterance,
        content=note(finding.attribute, finding.value, "en", negative=finding.polarity == "-", over=ended),
        value_class=_class_of(finding.value),
        certainty=certainty,
        extractor=_NAME,
    )


def _class_of(value: str) -> str | None:
    low = value.casefold()
    last = low.split()[-1] if low.split() else ""
    return lexicon().class_of.get(low) or lexicon().class_of.get(last)
