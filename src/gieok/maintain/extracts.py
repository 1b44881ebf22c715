"""Extracts: of a stretch of talk, what is worth telling again, in the words that are there.

What became a memory is told by it; of the rest, sentences that say something are quoted. Questions, greetings and
small talk stay behind. Nothing is reworded, so nothing is invented.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Final

from gieok.domain.memory import Memory, by_truth
from gieok.domain.turn import CHARACTER, USER
from gieok.domain.upkeep import Told
from gieok.language import lately
from gieok.language.mood import mood_of
from gieok.language.morphemes import analyse
from gieok.language.terms import STOP_WORDS
from gieok.language.text import has_hangul, normalise, sentences
from gieok.maintain.words import day_of, words

BETWEEN: Final = " · "
BY_HAND: Final = "※ "  #: before what a person wrote into a summary, so that the next one knows it
QUOTE: Final = "“"
_WORTH: Final = 0.5  #: a sentence worth less is not quoted
_LONGEST: Final = 100  #: characters of a quotation; Korean says "not" at the end, so none is cut
_SHORTEST: Final = 6
_READ: Final = 60  #: utterances that are looked at, the longest
_FELT: Final = 0.4  #: a feeling at least so strong is noted
_SAID: Final = frozenset({"statement", "wish"})
_NOUNS: Final = frozenset({"NNG", "NNP", "SH", "SL"})
_PLAIN: Final = str.maketrans({"“": "‘", "”": "’"})
_MARK: Final = re.compile(r"[?？!.…~]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to tell."""

    day: date | None  #: None: nobody knows any more
    text: str
    worth: float
    memory_id: str | None = None
    utterance_id: str | None = None  #: of a quotation


def told_by(memory: Memory, day: date | None) -> Item:
    worth = memory.importance + 0.3 * memory.emotion_intensity
    text = one_line(memory.content)
    if memory.subject in ("character", "other") and memory.subject_id not in text:
        text = f"{one_line(memory.subject_id)}: {text}"
    return Item(day=day, text=text, worth=worth, memory_id=memory.id)


class Remembered:
    """Memories by the utterances that said them, and those that nobody said by their day."""

    def __init__(self, memories: Iterable[Memory], now: datetime) -> None:
        self._by_source: dict[str, list[Memory]] = defaultdict(list)
        self._by_day: dict[date, list[Memory]] = defaultdict(list)
        for memory in sorted(memories, key=by_truth):
            if not memory.true_at(now) or memory.content_type in ("summary", "profile", "insight"):
                continue
            for source in memory.sources:
                self._by_source[source].append(memory)
            if not memory.sources:
                self._by_day[day_of(memory.known_at, now.tzinfo)].append(memory)

    def from_utterance(self, utterance_id: str) -> list[Memory]:
        return self._by_source.get(utterance_id, [])

    def on(self, day: date) -> list[Memory]:
        return self._by_day.get(day, [])


def extracts(turns: Sequence[Told], remembered: Remembered, zone: tzinfo | None, *, quotes: int) -> list[Item]:
    """Return what is worth telling of `turns`, in the order of the story, at most `quotes` of it quoted."""
    days = {turn.number: day_of(turn.at, zone) for turn in turns}
    facts: dict[str, Item] = {}
    for day in dict.fromkeys(days.values()):
        facts |= {memory.id: told_by(memory, day) for memory in remembered.on(day)}
    for turn in turns:
        for memory in (memory for line in turn.lines for memory in remembered.from_utterance(line[0])):
            facts.setdefault(memory.id, told_by(memory, days[turn.number]))
    quoted = sorted(_quotations(turns, remembered, days), key=lambda item: -item.worth)[:quotes]
    return sorted((*facts.values(), *quoted), key=lambda item: (item.day or date.min, -item.worth))


def _quotations(turns: Sequence[Told], remembered: Remembered, days: Mapping[int, date]) -> Iterator[Item]:
    spoken = [
        (turn, utterance_id, speaker, text)
        for turn in turns
        for utterance_id, speaker, text in turn.lines
        if speaker != CHARACTER and not remembered.from_utterance(utterance_id)
    ]
    longest = sorted(range(len(spoken)), key=lambda place: (-len(spoken[place][3]), place))[:_READ]
    seen: set[str] = set()
    for place in sorted(longest):
        turn, utterance_id, speaker, text = spoken[place]
        feeling, strength = _felt(turn, speaker)
        sentence, worth = max(
            ((each, worth_of(each, mark) + 0.6 * strength) for each, mark in _sentences(text)),
            key=lambda pair: pair[1],
            default=("", 0.0),
        )
        if worth < _WORTH or worth == 0.6 * strength or sentence in seen:
            continue
        seen.add(sentence)
        who = "" if speaker == USER else f"{one_line(speaker)}: "
        yield Item(
            day=days[turn.number],
            text=f"{who}{QUOTE}{sentence}”{_noted(feeling, strength, sentence)}",
            worth=worth,
            utterance_id=utterance_id,
        )


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of `text` that can be quoted, each with the mark that ends it."""
    text = normalise(text)
    place = 0
    for sentence in sentences(text):
        place = text.index(sentence, place) + len(sentence)
        mark = _MARK.match(text, place)
        if _SHORTEST <= len(sentence) <= _LONGEST:
            yield one_line(sentence), mark.group() if mark else ""


@lately.remembered
def worth_of(sentence: str, mark: str = "") -> float:
    """Return how much a sentence tells, 0–1: by its nouns, names and numbers; 0 for what states nothing."""
    morphemes = analyse(sentence)
    asked = "?" in mark or "？" in mark
    if asked or (has_hangul(sentence) and mood_of(morphemes, mark) not in _SAID):
        return 0.0
    nouns = {m.form.casefold() for m in morphemes if m.tag in _NOUNS} - words().light - STOP_WORDS
    named = any(morpheme.tag in ("NNP", "SN", "NR") for morpheme in morphemes)
    return min(0.25 * len(nouns), 0.7) + (0.3 if named and nouns else 0.0)


def _felt(turn: Told, speaker: str) -> tuple[str, float]:
    for felt in turn.felt:
        if felt.speaker == speaker and felt.emotion != "neutral":
            return felt.emotion, felt.intensity
    return "neutral", 0.0


def _noted(feeling: str, strength: float, sentence: str) -> str:
    if feeling == "neutral" or strength < _FELT:
        return ""
    return f" ({words().feelings[feeling].noted if has_hangul(sentence) else feeling})"


def one_line(text: str) -> str:
    """Return `text` so that it can stand among others, without the marks that tell what each of them is."""
    plain = " ".join(text.split()).translate(_PLAIN).removeprefix(BY_HAND)
    return plain.replace(BETWEEN, ", ")
