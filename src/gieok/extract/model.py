"""Turns what a model reads in a stretch of conversation into claims.

Each fact is looked up by its quote, and its value must have been said or follow from what was said. A fact without
that support becomes a claim with a flaw, which the journal shows; a fact with partial support becomes a doubtful claim.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Final, Literal, NamedTuple

from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Act, Claim, Flaw, Subject, claim_id
from gieok.domain.memory import Memory
from gieok.domain.pets import of_pet
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.errors import InvalidQuery
from gieok.extract.assertion import is_direct
from gieok.extract.feelings import feel
from gieok.extract.ground import Ground
from gieok.extract.holder import STOP, is_hearsay
from gieok.extract.learned.reader import Mark, marks
from gieok.extract.reader import around, sentence_at
from gieok.extract.times import dated
from gieok.extract.values import TOLD, Value, is_one_of_few, kind_of, value_of
from gieok.language.morphemes import analyse
from gieok.language.notes import note
from gieok.language.text import has_hangul, squeeze
from gieok.ports import Model
from gieok.prompts.data import Language
from gieok.prompts.tasks import TASKS, ModelReading, ReadFact, Row, extract_prompt

FIRST: Final = 10_000  #: numbers of a model's claims begin here: those read without one, far fewer, begin with 0
TRUST: Final = 0.95  #: certainty of what a model is sure of
_UNSURE: Final = 0.5  #: what it is less sure of is doubtful
_SOME: Final = 0.3  #: share of the words of a value that must have been said
_HALF: Final = 0.5  #: … of a sentence, or of the facts of an answer
_RUN: Final = 2  #: letters
_DOUBTED: Final = 0.8  #: chance of the tagger from which it holds that something is not meant
_NAMES: Final[dict[Language, tuple[str, str]]] = {"ko": ("사용자", "캐릭터"), "en": ("user", "character")}
_AHEAD: Final = frozenset("plan goal todo promise decision dream".split())
_HAPPENED: Final = frozenset("event milestone timeline vaccination".split())
_OF_BOTH: Final = frozenset("promise constraint nickname event milestone timeline".split())
#: values that may be told without their word ("못 끊었어요": 음주), so that they are in doubt rather than made up
_IN_OTHER_WORDS: Final = frozenset(
    "job part_time_job family pet medical_condition phobia diet hobby exercise habit skill gender".split()
)
#: what orders to store something, whatever it says
_ORDER: Final = re.compile(
    r"라고\s?(?:꼭\s?)?(?:기억|저장|적어|외워|기록)|(?:이전|위의?|앞의?)\s?(?:지시|명령|규칙)|시스템\s?(?:프롬프트|메시지)"
    r"|\b(?:remember|store|save|record|note)\s+(?:this|that|the fact|as a fact)\b"
    r"|\bignore\s+(?:all|any|the|previous|your)\b|\bsystem\s?(?:prompt|message|:)|^\s*(?:assistant|system)\s*:",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"(?P<until>\.\.)?(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?(?P<since>\.\.)?"
)
_ACTS: Final[dict[str, Act]] = {"ended": "end", "fixed": "correct", "undo": "retract"}
#: names of free attributes that say who somebody is to the user
_ANOTHER: Final = re.compile(
    r"^free\.(?:co_?worker|colleague|(?:room|house|class|team|band|lab|flat|dorm)_?mate|neighbou?r|boss|teacher|mentor|"
    r"acquaintance|senior|junior|crew|member)s?$"
)
#: a verb that ends as a noun: 빵 굽기, 잠이 안 옴
_NOUN: Final = re.compile("(?:\N{HANGUL JONGSEONG MIEUM}|\N{HANGUL CHOSEONG KIYEOK}\N{HANGUL JUNGSEONG I})$")
_SHOWN: Final = 60  #: letters of a value in the prompt


class _Place(NamedTuple):
    """Where in the talk a fact is told."""

    utterance: Utterance
    start: int
    end: int


class _When(NamedTuple):
    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of conversation for a model to read."""

    scope: Scope
    turns: tuple[Turn, ...]
    before: tuple[Utterance, ...] = ()  #: read already
    known: tuple[Memory, ...] = ()  #: what may matter of what is known
    readings: tuple[Memory, ...] = ()  #: what was read in the turns without a model
    aliases: Mapping[str, str] = field(default_factory=dict)  #: names of others, by whom they are known as: 다인 → 누나
    people: tuple[str, ...] = ()  #: others of whom something is known

    @property
    def lines(self) -> tuple[Utterance, ...]:
        return tuple(utterance for turn in self.turns for utterance in turn.utterances)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReading:
    """What a model made of one turn."""

    turn: Turn
    claims: tuple[Claim, ...] = ()
    confirmed: tuple[str, ...] = ()  #: ids of memories that the model bears out
    doubted: tuple[str, ...] = ()  #: … that it holds wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelExtractor:
    """Reads windows with a model."""

    model: Model
    language: Language = "ko"

    @property
    def name(self) -> str:
        """What the journal names it by, e.g. "extract/2 gpt-4o-mini"."""
        return f"{TASKS['extract'].version} {self.model.name}"

    def read(self, window: Window) -> tuple[TurnReading, ...]:
        """Return what the model reads in each turn. Raises `ModelFailed`."""
        user, character = _NAMES[self.language]
        character = window.scope.character or character
        shown = {USER: "user", CHARACTER: "character"}
        numbers = {utterance.id: number for number, utterance in enumerate(window.lines, 1)}
        prompt = extract_prompt(
            window=list(_numbered(window.turns, numbers, shown)),
            earlier=[(shown.get(each.speaker, each.speaker), each.text) for each in window.before],
            known=[(_who(each), each.attribute or "", _value_shown(each)) for each in window.known],
            readings=[
                (
                    f"r{number}",
                    _line_of(each, numbers),
                    _who(each),
                    each.attribute or "",
                    _value_shown(each),
                    _act_of(each),
                )
                for number, each in enumerate(window.readings, 1)
            ],
            today=window.turns[-1].at.date(),
            user=user,
            character=character,
            language=self.language,
        )
        answer = self.model.ask(prompt)
        return tuple(self._by_turn(window, answer))

    def _by_turn(self, window: Window, answer: ModelReading) -> Iterator[TurnReading]:
        weighing = Weighing(window=window, extractor=self.name)
        claims, said = list[Claim](), set[tuple[object, ...]]()
        for fact in answer.facts:
            claim = weighing.claim(fact)
            if claim.flaw is not None or (*claim.saying, claim.polarity, claim.act) not in said:
                said.add((*claim.saying, claim.polarity, claim.act))
                claims.append(replace(claim, id=claim_id(claim.source_id or "", FIRST + len(claims))))
        sound = sum(claim.flaw is None for claim in claims)
        believed = sound >= len(claims) * _HALF
        if believed:  # then a value in other words than were said is only in doubt
            claims = [replace(each, flaw=None) if each.flaw and each.doubtful else each for each in claims]
        else:  # an answer that is mostly made up is not trusted at all
            claims = [replace(claim, doubtful=True) for claim in claims]
        claims = list(_one_value_each(claims, window))
        by_number = {f"r{number}": memory for number, memory in enumerate(window.readings, 1)}
        right = [by_number[each] for each in answer.right] if believed else []
        wrong = [by_number[each] for each in answer.wrong] if believed else []
        confirmed = _confirmed(right, claims, window)
        for turn in window.turns:
            ids = {utterance.id for utterance in turn.utterances}
            yield TurnReading(
                turn=turn,
                claims=tuple(claim for claim in claims if claim.source_id in ids),
                confirmed=tuple(each.id for each in right if each.id in confirmed and ids & set(each.sources[:1])),
                doubted=tuple(each.id for each in wrong if ids & set(each.sources[:1])),
            )


@dataclass(frozen=True, kw_only=True)
class Weighing:
    """What the facts of one answer are weighed against."""

    window: Window
    extractor: str

    def claim(self, fact: ReadFact) -> Claim:
        """Return what `fact` claims. Its id is still to be given."""
        place = self._place(fact)
        if place is None:
            return self._bare(fact, self._lines[-1], "ungrounded")
        key = _key_of(fact.attribute)
        about = self._about(fact, place)
        if key is None:
            return self._bare(fact, place.utterance, "unknown_attribute")
        if about is None:
            return self._bare(fact, place.utterance, "ungrounded")
        if self._is_no_statement(key, about, place):
            return self._bare(fact, place.utterance, "not_told")
        read = self._value(key, fact, place)
        bare = self._bare(fact, place.utterance)
        said = self._follows(key, fact, place, read) if read is not None else fact.act == "ended" and not fact.value
        if not said and (read is None or key not in _IN_OTHER_WORDS):
            return replace(bare, flaw="ungrounded")
        claim = self._worded(replace(bare, subject=about[0], subject_id=about[1]), key, fact, place, read)
        return claim if said else replace(claim, flaw="ungrounded", doubtful=True)

    def _bare(self, fact: ReadFact, utterance: Utterance, flaw: Flaw | None = None) -> Claim:
        """Return a claim with everything that was proposed in words, so that the journal shows what was refused."""
        said = f"{fact.who} – {fact.attribute}: {fact.value}"
        told = feel(utterance.text, speaker=utterance.speaker)
        return Claim(
            id="",
            speaker=utterance.speaker,
            subject=USER if fact.who == USER else CHARACTER if fact.who == CHARACTER else "other",
            subject_id=fact.who,
            content=f"{said} – {fact.quote}" if fact.quote else said,
            content_type="fact",
            certainty=round(TRUST * fact.sure, 3),
            emotion_intensity=told.intensity,
            tags=() if told.emotion == "neutral" else (told.emotion,),
            source_id=utterance.id,
            origin="model",
            extractor=self.extractor,
            flaw=flaw,
        )

    def _place(self, fact: ReadFact) -> _Place | None:
        """Return where a fact stands: the value within the quote, or else the quote; in the named line if it can."""
        lines = self._lines
        named = [lines[fact.line - 1]] if 0 < fact.line <= len(lines) else []
        for utterance in (*named, *lines):
            ground = self._grounds[utterance.id]
            quoted = ground.place_of(fact.quote)
            if quoted is not None:
                inside = Ground(utterance.text[slice(*quoted)]).place_of(fact.value)
                begin = quoted[0]
                return _Place(utterance, *((begin + inside[0], begin + inside[1]) if inside else quoted))
        for utterance in named:  # a quote that is not to the letter
            ground = self._grounds[utterance.id]
            found = ground.place_of(fact.value)
            if found is not None and (not fact.quote or ground.share_of(fact.quote) >= _HALF):
                return _Place(utterance, *found)
            if fact.quote and ground.words_all(fact.quote):
                return _Place(utterance, 0, len(utterance.text))
        return None

    def _about(self, fact: ReadFact, place: _Place) -> tuple[Subject, str] | None:
        """Return whom a fact is about; None where nobody of that name was heard of."""
        character = self.window.scope.character
        if fact.who == USER:
            return USER, USER
        if fact.who == CHARACTER or fact.who == character:
            return CHARACTER, character or CHARACTER
        name = self.window.aliases.get(fact.who, fact.who)
        known = {*self.window.people, *(each.subject_id for each in (*self.window.known, *self.window.readings))}
        speaks = {utterance.speaker for utterance in self._lines}
        heard = name in known or name in speaks or self._heard.holds(name) or self._heard.holds(fact.who)
        return ("other", name) if heard else None

    def _is_no_statement(self, key: str, about: tuple[Subject, str], place: _Place) -> bool:
        """Whether the words are an order to store something, or the user's about the character's life."""
        if _is_ordered(place) and not _is_caution(key):
            return True
        return about[0] == CHARACTER and place.utterance.speaker != CHARACTER and key not in _OF_BOTH

    def _value(self, key: str, fact: ReadFact, place: _Place) -> Value | None:
        """Return the value of a fact as the schema has it; None where it cannot be such a value."""
        quoted = fact.quote or place.utterance.text[place.start : place.end]
        words = " ".join((fact.value or quoted).split()).strip(" ,.")
        if key in TOLD or key.startswith("free."):
            near = Ground(_without_orders(place.utterance.text))
            said = near.share_of(words) >= _HALF or self._heard.holds(words)
            shown = words if said else quoted
            return Value(shown, shown)
        return value_of(key, words) or value_of(key, quoted)

    def _follows(self, key: str, fact: ReadFact, place: _Place, read: Value) -> bool:
        """Whether a value was said, or follows from what was."""
        words = " ".join(fact.value.split()).strip(" ,.")
        if not words or key in TOLD or key.startswith("free.") or is_one_of_few(key):
            return True
        near, quoted = self._near(place.utterance, key), value_of(key, fact.quote)
        said = near.holds(words) or near.holds(read.value) or near.share_of(words) >= _SOME or _alike(words, near.text)
        same = quoted is not None and quoted.value == read.value
        return said or same or self._heard.holds(words) or self._heard.holds(read.value)

    def _worded(self, bare: Claim, key: str, fact: ReadFact, place: _Place, read: Value | None) -> Claim:
        schema, text, at = schema_of(key), place.utterance.text, place.utterance.at
        language: Literal["ko", "en"] = "ko" if has_hangul(text) else "en"
        over, negative = fact.act in ("ended", "was"), fact.act in ("ended", "not")
        sentence = sentence_at(text, place.start, place.end)
        named = key == "friend" and "friend" not in fact.attribute  # a roommate is no friend, in so many words
        told = key in TOLD or key.startswith("free.") or read is None or named or _is_clause(read.shown)
        content = sentence if told or read is None else note(key, read.shown, language, negative=negative, over=over)
        if told and read is not None and not Ground(sentence).holds(read.shown):
            content = f"{sentence} ({read.shown})"
        when = _when(fact.when, at)
        ahead = key in _AHEAD
        if key in _AHEAD | _HAPPENED and when.start and when.end:
            content = dated(content, when.start, when.end, language)
        bounded = ahead or when.start is None  # else it is told since when it is so, or on which day it happened
        since = None if key in _AHEAD | _HAPPENED or not when.start or when.start > at else when.start
        until = when.end if bounded and when.end and (ahead or when.end <= at) else None
        claim = replace(
            bare,
            attribute=key,
            value=read.value if read else None,
            surface=text[place.start : place.end],
            value_class=None if told or read is None else kind_of(read.value),
            content=content,
            content_type=schema.content_type,
            polarity="-" if negative else "+",
            act=_ACTS.get(fact.act, "assert"),
            importance=schema.importance,
            valid_at=None if ahead else (until or since) if fact.act == "ended" else since,
            invalid_at=None if fact.act == "ended" else until or (at if fact.act == "was" else None),
            doubtful=self._is_in_doubt(key, fact, place, read),
            direct=not _is_caution(key) or (is_direct(text, place.start, place.end) and not is_hearsay(sentence)),
        )
        return (
            of_pet(claim) if bare.subject == "other" and key in ("free.species", "free.breed", "vaccination") else claim
        )

    def _is_in_doubt(self, key: str, fact: ReadFact, place: _Place, read: Value | None) -> bool:
        """Whether a fact has only partial support.

        A value must be told in the line of the quote or in the question before it; what the character says of the
        user is a guess; what the tagger is sure is not meant is contested.
        """
        if fact.sure < _UNSURE or any(mark.chance * mark.acts["not"] >= _DOUBTED for mark in self._marks_at(place)):
            return True
        if place.utterance.speaker == CHARACTER and fact.who == USER and key not in _OF_BOTH:
            return True
        if _is_ordered(place):
            return True
        if read is None or key in TOLD or key.startswith("free.") or fact.act not in ("is", "was"):
            return False
        near = self._near(place.utterance, key)
        quoted = value_of(key, fact.quote) if fact.quote else None
        same = quoted is not None and quoted.value == read.value
        said = near.holds(fact.value) or near.holds(read.value) or near.share_of(fact.value) >= _SOME
        return not (said or same or (_alike(fact.value, near.text) and not schema_of(key).pinned))

    def _marks_at(self, place: _Place) -> list[Mark]:
        if place.utterance.id not in self._marks:
            lines = [*self.window.before, *self._lines]
            here = next(number for number, each in enumerate(lines) if each.id == place.utterance.id)
            self._marks[place.utterance.id] = marks(place.utterance, lines[max(0, here - 6) : here], ()).facts
        found = self._marks[place.utterance.id]
        return [mark for mark in found if mark.start < place.end and place.start < mark.end]

    def _near(self, utterance: Utterance, key: str) -> Ground:
        """Return an utterance with what was said just before, which it may answer."""
        lines = [*self.window.before, *self._lines]
        here = next(number for number, each in enumerate(lines) if each.id == utterance.id)
        own = utterance.text if _is_caution(key) else _without_orders(utterance.text)
        return Ground("\n".join([*(_without_orders(each.text) for each in lines[max(0, here - 1) : here]), own]))

    @cached_property
    def _lines(self) -> tuple[Utterance, ...]:
        return self.window.lines

    @cached_property
    def _grounds(self) -> dict[str, Ground]:
        return {utterance.id: Ground(utterance.text) for utterance in self._lines}

    @cached_property
    def _heard(self) -> Ground:
        return Ground("\n".join(_without_orders(each.text) for each in (*self.window.before, *self._lines)))

    @cached_property
    def _marks(self) -> dict[str, tuple[Mark, ...]]:
        return {}


def _one_value_each(claims: Sequence[Claim], window: Window) -> Iterator[Claim]:
    """Yield the claims; of several values of one turn for what has only one, the first is firm: 환경미화원, 길 청소."""
    taken = dict[tuple[str, ...], str | None]()
    for claim in claims:
        key = _place_of_value(claim, claim.source_id, window)
        first = key is None or claim.flaw or claim.doubtful or claim.act != "assert"
        yield (
            claim if first or taken.setdefault(key or (), claim.value) == claim.value else replace(claim, doubtful=True)
        )


def _confirmed(right: Sequence[Memory], claims: Sequence[Claim], window: Window) -> set[str]:
    """Return the ids of what was in doubt and is borne out; of several values for what has only one, the firm one."""
    firm = {_place_of_value(each, each.sources[0], window): each.value for each in right if not each.doubtful}
    firm |= {_place_of_value(each, each.source_id, window): each.value for each in claims if not each.flaw}
    found = set[str]()
    for memory in right:
        key = _place_of_value(memory, memory.sources[0], window)
        if memory.doubtful and (key is None or firm.setdefault(key, memory.value) == memory.value):
            found.add(memory.id)
    return found


def _place_of_value(said: Claim | Memory, source: str | None, window: Window) -> tuple[str, ...] | None:
    """Return whose value of what it is in which turn, where only one can be so."""
    if said.attribute is None or not schema_of(said.attribute).single or said.invalid_at is not None:
        return None
    turn = next((turn.id for turn in window.turns for each in turn.utterances if each.id == source), "")
    return said.subject_id, said.attribute, turn


def _numbered(turns: Sequence[Turn], numbers: Mapping[str, int], shown: Mapping[str, str]) -> Iterator[Row]:
    """Yield the lines with their numbers; a day before those that were said on it."""
    day = None
    for turn in turns:
        if turn.at.date() != day:
            day = turn.at.date()
            yield (f"{day.isoformat()}",)
        for each in turn.utterances:
            yield numbers[each.id], shown.get(each.speaker, each.speaker), each.text


def _who(memory: Memory) -> str:
    return memory.subject if memory.subject in (USER, CHARACTER) else memory.subject_id


def _value_shown(memory: Memory) -> str:
    shown = memory.surface if memory.attribute in TOLD and memory.surface else memory.value or memory.content
    return shown[:_SHOWN]


def _act_of(memory: Memory) -> str:
    if memory.polarity == "-":
        return "not"
    return "is" if memory.invalid_at is None else "was"


def _line_of(memory: Memory, numbers: Mapping[str, int]) -> int:
    return min((numbers[each] for each in memory.sources if each in numbers), default=0)


def _is_caution(key: str) -> bool:
    return schema_of(key).category == "caution"


def _without_orders(text: str) -> str:
    """Return a text without the sentences that order to store something: what they name is no fact for that."""
    return "\n".join(each for each in STOP.split(text) if not _ORDER.search(each)) if _ORDER.search(text) else text


def _is_ordered(place: _Place) -> bool:
    """Whether the sentence of a fact is an order to store it."""
    return _ORDER.search(around(place.utterance.text, place.start, place.end)) is not None


def _alike(value: str, text: str) -> bool:
    """Whether two letters of a value stand in the text as they do in it: 스키장 강사, 스키 가르치는."""
    letters, said = squeeze(value), squeeze(text)
    return has_hangul(value) and any(letters[at : at + _RUN] in said for at in range(max(0, len(letters) - _RUN + 1)))


def _is_clause(value: str) -> bool:
    """Whether a value ends as a verb does (별을 보러 다니, 배가 불러요), so that it fits into no sentence of ours."""
    parts = analyse(value) if has_hangul(value) and " " in value else []
    return bool(parts) and parts[-1].tag[0] in "VE" and not _NOUN.search(unicodedata.normalize("NFD", value))


def _key_of(given: str) -> str | None:
    """Return an attribute of the schema for what a model calls it; what the schema does not have is free."""
    try:
        return _free(schema_of(given).key)
    except InvalidQuery:
        pass
    key = re.sub(r"\W+", "_", given.removeprefix("free.").removeprefix("favorite")).strip("_")
    return _free(f"free.{key}") if key else None


def _free(key: str) -> str:
    return "friend" if _ANOTHER.search(key) else key


def _when(said: str, at: datetime) -> _When:
    """Return the stretch of time that a model writes as "2025-07-07", "2025-07", "2025-03.." or "..2025-05"."""
    match = _WHEN.fullmatch(said.replace(" ", ""))
    if match is None:
        return _When(None, None)
    year, month, day = int(match["year"]), int(match["month"] or 0), int(match["day"] or 0)
    try:
        start = datetime(year, month or 1, day or 1, tzinfo=at.tzinfo)
        later = (year, month, day + 1) if day else (year, month + 1, 1) if month else (year + 1, 1, 1)
        end = _first_after(*later, at)
    except ValueError:
        return _When(None, None)
    return _When(None if match["until"] else start, None if match["since"] else end)


def _first_after(year: int, month: int, day: int, at: datetime) -> datetime:
    if month > 12:
        return datetime(year + 1, 1, 1, tzinfo=at.tzinfo)
    try:
        return datetime(year, month, day, tzinfo=at.tzinfo)
    except ValueError:  # the day after the last of a month
        return _first_after(year, month + 1, 1, at)
