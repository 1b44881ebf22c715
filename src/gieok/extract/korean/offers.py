"""What an utterance offers as values: runs of nouns and their parts, described things, and doings named as nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.telling import Part
from gieok.language.morphemes import Morpheme, corrected_morphemes

NOUNS: Final = frozenset({"NNG", "NNP", "NNB", "NR", "SN", "SL", "SH", "XPN", "XSN", "XR", "W_SERIAL"})
_OPENS_NOTHING: Final = frozenset({"XSN", "NNB"})
_DESCRIBING: Final = frozenset({"VA", "XSA"})
_LONGEST: Final = 5  #: morphemes of an offer
_LONGEST_RUN: Final = 8
_LONGEST_NAME: Final = 18  #: letters between quotation marks
_MOST_MORPHEMES: Final = 120
_QUOTED: Final = re.compile(r"\*[^*\n]{1,200}\*|“[^”\n]{1,200}”|\"[^\"\n]{1,200}\"|‘[^’\n]{1,200}’|'[^'\n]{2,200}'")
_DEED: Final = 4  #: morphemes before the -기 of a doing
_GLUE: Final = frozenset("@#_\\/=+&|")
MOST: Final = 60  #: offers of an utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A stretch of morphemes that may be somebody's value."""

    first: int  #: place of its first morpheme among all
    last: int  #: … and of the one behind its last
    start: int  #: offset in the text
    end: int
    part: int  #: which clause it stands in
    shape: str  #: "noun", "described" or "deed"

    def overlaps(self, other: Offer) -> bool:
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True, slots=True, kw_only=True)
class Morphemes:
    """All morphemes of some clauses in order, and the clause of each."""

    all: tuple[Morpheme, ...]
    part_of: tuple[int, ...]


def morphemes_of(text: str, parts: Sequence[Part]) -> Morphemes:
    """Return the morphemes of `text`, each with the last of `parts` that it stands in."""
    own = corrected_morphemes(text)[:_MOST_MORPHEMES] if parts else ()
    starts = [(each.clause.start, number) for number, each in enumerate(parts)]
    starts.sort()
    of, current, following = [], 0, 0
    for part in own:
        while following < len(starts) and starts[following][0] <= part.start:
            current = starts[following][1]
            following += 1
        of.append(current)
    return Morphemes(all=own, part_of=tuple(of))


def _is_glued(text: str, start: int, end: int) -> bool:
    """Whether a stretch is but a piece of an address or a sign: the a of a@b."""
    return text[start - 1 : start] in _GLUE or text[end : end + 1] in _GLUE


def offers(text: str, said: Morphemes) -> list[Offer]:
    """Return the offers of an utterance, at most `MOST`; what stands between quotation marks is offered as a whole."""
    found: dict[tuple[int, int], Offer] = {}
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for first, last, shape in (*_names(said.all, quoted), *_spans(said.all)):
        if (first, last) in found or len(found) >= MOST:
            continue
        own = said.all[first:last]
        start, end = own[0].start, max(part.end for part in own)
        if _is_glued(text, start, end):
            continue
        if shape == "quoted" or not any(opened < end and start < closed for opened, closed in quoted):
            found[first, last] = Offer(
                first=first, last=last, start=start, end=end, part=said.part_of[last - 1], shape=shape
            )
    return list(found.values())


def _names(parts: Sequence[Morpheme], quoted: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    for opened, closed in quoted:
        inside = [place for place, part in enumerate(parts) if opened < part.start and part.end < closed]
        if inside and closed - opened <= _LONGEST_NAME:
            yield inside[0], inside[-1] + 1, "quoted"


def _spans(parts: Sequence[Morpheme]) -> Iterator[tuple[int, int, str]]:
    place = 0
    while place < len(parts):
        if parts[place].tag in NOUNS or _counts(parts, place):
            last = _run_end(parts, place)
            yield from _within(parts, place, last)
            yield from _described(parts, place, last)
            place = last
        else:
            if parts[place].tag == "ETN":
                yield from _deeds(parts, place)
            place += 1


def _run_end(parts: Sequence[Morpheme], first: int) -> int:
    last = first + 1
    while last < len(parts) and last - first < _LONGEST_RUN:
        joins = parts[last].tag == "JKG" and last + 1 < len(parts) and parts[last + 1].tag in NOUNS
        if parts[last].tag not in NOUNS and not joins and not _counts(parts, last):
            break
        last += 1
    return last


def _within(parts: Sequence[Morpheme], first: int, last: int) -> Iterator[tuple[int, int, str]]:
    for start in range(first, last):
        if parts[start].tag in _OPENS_NOTHING or parts[start].tag == "JKG":
            continue
        for end in range(start + 1, min(last, start + _LONGEST) + 1):
            if parts[end - 1].tag not in ("JKG", "XPN"):
                yield start, end, "noun"


def _described(parts: Sequence[Morpheme], first: int, last: int) -> Iterator[tuple[int, int, str]]:
    """매운 음식, 사람 많은 곳."""
    stem = first - 2
    if stem < 0 or parts[first - 1].tag != "ETM" or parts[stem].tag not in _DESCRIBING:
        return
    start = stem - 1 if parts[stem].tag == "XSA" and stem else stem
    yield start, last, "described"
    before = start - 1
    if before >= 0 and parts[before].tag in ("JKS", "JX"):
        before -= 1
    if before >= 0 and parts[before].tag in NOUNS and before != start - 1 + (parts[start].tag in NOUNS):
        yield before, last, "described"


def _counts(parts: Sequence[Morpheme], place: int) -> bool:
    """열네 of 열네 살."""
    return parts[place].tag == "MM" and place + 1 < len(parts) and parts[place + 1].tag == "NNB"


def _deeds(parts: Sequence[Morpheme], place: int) -> Iterator[tuple[int, int, str]]:
    """책 읽기, 손톱 물어뜯기."""
    for start in range(max(0, place - _DEED), place):
        opens = parts[start].tag in ("NNG", "NNP", "VV", "MAG", "SL") and (
            start == 0 or parts[start - 1].end < parts[start].start
        )
        if opens and all(
            part.tag[0] in "NVXM" or part.tag in ("JKO", "EC", "SL", "JKB") for part in parts[start:place]
        ):
            yield start, place + 1, "deed"
