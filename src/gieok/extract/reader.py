"""Reading a turn in its conversation: what the tagger marks, through the truth gate.

The tagger sees whose fact it is and whether it is meant. What it marks is firm where it is sure, doubtful where it is
not, and below that nothing. What the character says is evidence of her own words only. With "both", a claim of the
grammar is firm where the tagger agrees, and gone where the tagger says that the fact is somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Act, Claim, Subject, claim_id
from gieok.domain.memory import NOTHING_KNOWN, Background, Needs
from gieok.domain.pets import of_pet
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.extract.assertion import is_new, is_over
from gieok.extract.learned.reader import Mark, Marks, marks
from gieok.extract.rules import Rules
from gieok.extract.times import dated, time_of_plan, time_of_state
from gieok.extract.values import TOLD, value_of
from gieok.language.emotions import feel
from gieok.language.notes import note
from gieok.language.text import has_hangul

NAME: Final = "reader/1"
FIRM: Final = 0.62  #: certainty of the tagger from which a fact of the user is believed
FIRM_PINNED: Final = 0.7  #: … one that goes into every context
FIRM_OTHERS: Final = 0.35  #: … one of somebody else
FIRM_CHARACTER: Final = 0.65
AGREES: Final = 0.5  #: certainty of the tagger that makes a claim of the grammar firm
AGREES_OTHERS: Final = 0.1  #: … one of somebody else
DISAGREES: Final = 0.15  #: certainty of another holder that overrules the grammar
DOUBTFUL: Final = 0.2  #: certainty from which it is kept in doubt
RETRACTS: Final = 0.5
_LONGEST: Final = 90  #: characters of a sentence that is kept as a memory
_STOP: Final = re.compile(r"[.!?~…\n]+|(?<=[ㅋㅎㅠㅜ])\s")
_NOISE: Final = re.compile(r"[ㅋㅎㅠㅜㄷㅇㄱ]{2,}|\*[^*\n]*\*|[\^;:]{2,}")
_HAPPENED: Final = frozenset({"event", "milestone", "timeline", "note", "trauma", "name", "birthday", "promise"})
_AHEAD: Final = frozenset({"plan", "goal", "todo", "promise", "decision"})  #: what has a day in the future
_PET_SIGNS: Final = frozenset({"free.breed", "free.species", "vaccination"})


@dataclass(frozen=True, slots=True)
class Reader:
    """An extractor that needs no model: the tagger, alone or with the grammar.

    "learned": facts are read by the tagger; "both": by the grammar, too, where the tagger agrees.
    """

    readers: Literal["learned", "both"] = "learned"
    grammar: Rules = field(default_factory=Rules)

    @property
    def name(self) -> str:
        return NAME

    def needs(self, turn: Turn, before: Sequence[Utterance]) -> Needs:
        """Return which known facts `claims` needs for `turn`."""
        return replace(self.grammar.needs(turn, before), people=True)

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background = NOTHING_KNOWN
    ) -> Sequence[Claim]:
        heard, read = list(before), list[Claim]()
        people = [*background.people]
        for utterance in turn.utterances:
            marked = marks(utterance, heard[-6:], people[:12])
            reading = _Reading(utterance, scope, background, tuple(people))
            alone = replace(turn, utterances=(utterance,))
            grammar = self.grammar.claims(alone, scope, heard, background)
            if self.readers == "learned":  # the grammar still reads commands and sentences without an attribute
                grammar = [claim for claim in grammar if claim.attribute is None or claim.act == "retract"]
            plain = [reading.gated(claim, marked, heard) for claim in grammar]
            told = [claim for claim in plain if claim is not None]
            found = [*told, *(claim for claim in reading.claims(marked) if not _covered(claim, told))]
            if marked.retracts >= RETRACTS and utterance.speaker == USER:
                taken_back = list(self._taken_back(reading, heard, marked))
                found = [claim for claim in found if claim.saying not in {each.saying for each in taken_back}]
                found = [*taken_back, *found]
            found = list(_one_value_each(found))
            read += (replace(claim, id=claim_id(utterance.id, number)) for number, claim in enumerate(found))
            people = list(dict.fromkeys([*(each.subject_id for each in found if each.subject == "other"), *people]))
            heard.append(utterance)
        return read

    def _taken_back(self, reading: _Reading, before: Sequence[Utterance], marked: Marks) -> Iterator[Claim]:
        """Yield the retraction of what the user told last: in this utterance, or else in an earlier one."""
        own = [claim for claim in reading.claims(marked) if claim.act == "assert"]
        if own:
            yield from (replace(claim, act="retract", doubtful=False) for claim in own)
            return
        for number in range(len(before) - 1, -1, -1):
            utterance = before[number]
            if utterance.speaker != USER:
                continue
            earlier = _Reading(utterance, reading.scope, reading.background, reading.people)
            told = list(earlier.claims(marks(utterance, before[max(0, number - 6) : number], reading.people[:12])))
            if told:
                source = reading.utterance.id
                yield from (replace(claim, act="retract", doubtful=False, source_id=source) for claim in told)
                return


@dataclass(frozen=True, slots=True)
class _Reading:
    """One utterance, its scope and what is known."""

    utterance: Utterance
    scope: Scope
    background: Background
    people: tuple[str, ...]

    def claims(self, marked: Marks) -> Iterator[Claim]:
        said = set[tuple[object, ...]]()
        for mark in marked.facts:
            claim = self._claim(mark)
            if claim is not None and (*claim.saying, claim.polarity) not in said:
                said.add((*claim.saying, claim.polarity))
                yield claim

    def gated(self, claim: Claim, marked: Marks, before: Sequence[Utterance]) -> Claim | None:
        """Return a claim of the grammar as the tagger lets it stand."""
        if claim.attribute is None or claim.act == "retract" or not before or self._of_known_pet(claim):
            return claim
        text = self.utterance.text
        said = claim.surface or claim.value or ""
        at = text.find(said)
        over = [mark for mark in marked.facts if at >= 0 and mark.start < at + len(said) and at < mark.end]
        same = [mark for mark in over if mark.holder and self._subject(mark.holder)[1] == claim.subject_id]
        agrees = max((_agreement(mark, claim) for mark in same), default=0.0)
        differs = max((mark.certainty for mark in over if mark.holder and mark not in same), default=0.0)
        if differs > agrees and differs >= DISAGREES:
            return None
        if claim.act in ("end", "correct") or claim.instead_of is not None:
            return claim  # read with what is known
        own = claim.subject == USER
        if agrees >= (AGREES if own else AGREES_OTHERS):
            return claim
        return replace(claim, doubtful=True) if agrees >= (DOUBTFUL if own else 0.0) else None

    def _of_known_pet(self, claim: Claim) -> bool:
        pets = self.background.pets
        return claim.subject == "other" and any(claim.subject_id in (each.subject_id, each.value) for each in pets)

    def _claim(self, mark: Mark) -> Claim | None:
        act, certainty = mark.act, mark.certainty
        if act in ("end", "past") and is_new(self.utterance.text, mark.start, mark.end):
            act, certainty = "assert", mark.certainty_of("assert", "correct", "end", "past")
        if act == "not" or not mark.holder or certainty < DOUBTFUL:
            return None
        subject, subject_id = self._subject(mark.holder)
        speaker = self.utterance.speaker
        if speaker == CHARACTER and subject != CHARACTER:
            return None  # what she says of others is no evidence
        if speaker != CHARACTER and subject == CHARACTER:
            return None
        key = {"favorite.other": "likes", "grade": "free.grade"}.get(mark.attribute, mark.attribute)
        schema = schema_of(key)
        text = self.utterance.text
        lasting = schema.lifelong or key in _HAPPENED
        if act == "assert" and not lasting and is_over(text, mark.start, mark.end):
            act = "past"
        if act == "plan" and key not in ("plan", "goal", "dream", "todo", "promise", "decision"):
            key, schema = "plan", schema_of("plan")
        words, sentence = text[mark.start : mark.end], _sentence(text, mark.start, mark.end)
        language: Literal["ko", "en"] = "ko" if has_hangul(text) else "en"
        told = key in TOLD or key.startswith("free.")
        if told:
            content = sentence
            value = shown = " ".join(words.split()).strip(" ,.")
        else:
            read = value_of(key, words)
            if read is None:
                return None
            value, shown = read.value, read.shown
            content = note(key, shown, language, negative=act in ("deny", "end"), over=act in ("end", "past"))
        at = self.utterance.at
        time = time_of_plan(sentence, at) if key in _AHEAD else time_of_state(sentence, at)
        if key in _AHEAD and time.since is not None:
            content = dated(content, time.since, time.until or time.since, language)
        firm = self._firm(subject, schema.pinned)
        felt = feel(text, speaker=speaker)
        acts: dict[str, Act] = {"correct": "correct", "end": "end"}
        claim = Claim(
            id="",
            speaker=speaker,
            subject=subject,
            subject_id=subject_id,
            attribute=key,
            value=value,
            surface=words,
            content=content,
            content_type=schema.content_type,
            polarity="-" if act in ("deny", "end") else "+",
            act=acts.get(act, "assert"),
            certainty=round(certainty, 3),
            importance=schema.importance,
            emotion_intensity=felt.intensity,
            tags=() if felt.emotion == "neutral" else (felt.emotion,),
            valid_at=None if key in _AHEAD else time.since,
            invalid_at=time.until or (at if act == "past" else None),
            source_id=self.utterance.id,
            extractor=NAME,
            doubtful=certainty < firm,
        )
        return of_pet(claim) if key in _PET_SIGNS and subject == "other" else claim

    def _firm(self, subject: str, pinned: bool) -> float:
        if subject == USER:
            return FIRM_PINNED if pinned else FIRM
        return FIRM_CHARACTER if subject == CHARACTER else FIRM_OTHERS

    def _subject(self, holder: str) -> tuple[Subject, str]:
        if holder == USER or holder in self.background.names:
            return "user", USER
        character = self.scope.character or CHARACTER
        if holder in (CHARACTER, character):
            return "character", character
        for known in self.people:
            if known == holder or (min(len(known), len(holder)) > 1 and (known in holder or holder in known)):
                return "other", known
        return "other", holder


def _agreement(mark: Mark, claim: Claim) -> float:
    """Return how far a mark of the same holder supports a claim of the grammar: not where it is of another kind."""
    kind = (claim.attribute or "").partition(".")[0]
    alike = any(name.partition(".")[0] == kind and share >= 0.1 for name, share in mark.attributes.items())
    return mark.certainty if alike else 0.0


def _covered(claim: Claim, told: Sequence[Claim]) -> bool:
    """Whether one of `told` says it already, or reads something else in the same words."""
    own = (claim.surface or "").replace(" ", "")
    for other in told:
        same = other.subject_id == claim.subject_id or other.attribute == claim.attribute or other.subject == "other"
        if other.attribute is not None and same:
            said = {each.replace(" ", "") for each in (other.surface, other.value) if each}
            if any(own in each or each in own for each in said):
                return True
    return False


def _one_value_each(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the claims of one utterance; of several values for what has only one, the surest is firm."""
    surest: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        if claim.attribute and claim.act == "assert" and claim.polarity == "+" and claim.invalid_at is None:
            key = (claim.subject_id, claim.attribute)
            if key not in surest or claim.certainty > surest[key].certainty:
                surest[key] = claim
    for claim in claims:
        best = surest.get((claim.subject_id, claim.attribute or ""))
        rival = best is not None and best is not claim and best.value != claim.value
        single = claim.attribute is not None and schema_of(claim.attribute).single
        stands = not single or not rival or claim.act != "assert" or claim.invalid_at is not None
        stands = stands or claim.extractor != NAME  # the grammar knows two cats from one cat with two names
        yield claim if stands else replace(claim, doubtful=True)


def _sentence(text: str, start: int, end: int) -> str:
    """Return the sentence around a span, short enough to be a memory."""
    begin = max((stop.end() for stop in _STOP.finditer(text, 0, start)), default=0)
    stop = _STOP.search(text, end)
    close = stop.start() if stop else len(text)
    if close - begin > _LONGEST:
        begin = max(begin, text.rfind(" ", begin, max(begin, start - 30)) + 1)
        close = min(close, begin + _LONGEST)
    return " ".join(_NOISE.sub(" ", text[begin:close]).split()).strip(" ,") or text[start:end].strip()
