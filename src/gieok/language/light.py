"""Morphemes without Kiwi: the most likely segmentation of a word into pieces that Kiwi found in the training texts.

`pieces.json.gz` holds the pieces, each with its morphemes, and how often one follows another. `training/pieces.py`
writes it, and prints with `--score` how far the morphemes agree with Kiwi's.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from gieok.language.budget import check_time

FILE: Final = "pieces.json.gz"
START: Final = "^"
END: Final = "$"
HANGUL: Final = re.compile(r"[가-힣]+")
#: Morphemes with these tags are told apart by their form: what follows 는 is not what follows 을.
_BY_FORM: Final = ("J", "E", "VX", "VCP", "VCN", "XS", "NP", "NNB", "MM")
_LONGEST: Final = 8  #: syllables of a piece
_WORD: Final = 24  #: syllables that are segmented at once; no word is longer
_UNKNOWN: Final = -6.0  #: log probability of a noun that is in no training text, and of each syllable of it
_SYLLABLE: Final = -6.0
_BACKED: Final = 8.0  #: how much the probabilities of tags count beside those of labels
_SENTENCE: Final = re.compile(r"[.?!~,\n…]")
_SYLLABLES: Final = 0xAC00
_CODAS: Final = {"ㄴ": 4, "ㄹ": 8, "ㅁ": 16, "ㅂ": 17, "ᆫ": 4, "ᆯ": 8, "ᆷ": 16, "ᆸ": 17}
_PAST: Final = 20  #: the coda ㅆ
_BRIGHT: Final = (0, 2, 8)  #: vowels that 아 follows: ㅏ ㅑ ㅗ
#: Vowels of a stem without a coda, and what they become with 어 or 아: ㅏ+아=ㅏ, ㅗ+아=ㅘ, ㅜ+어=ㅝ, ㅣ+어=ㅕ …
_MERGED: Final = {0: 0, 1: 1, 4: 4, 5: 5, 6: 6, 8: 9, 11: 10, 13: 14, 18: 4, 20: 6}


class Part(NamedTuple):
    """A morpheme of a piece."""

    form: str
    tag: str
    start: int
    end: int


class Piece(NamedTuple):
    """What a stretch of syllables may be."""

    parts: tuple[Part, ...]
    first: str  #: label of its first morpheme
    last: str
    score: float  #: log probability of the piece, given its first label


def label(form: str, tag: str) -> str:
    """Return by what a morpheme is known to its neighbours: its tag, with the form where the form matters."""
    return f"{form}/{tag}" if tag.startswith(_BY_FORM) else tag


def _tag(name: str) -> str:
    return name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class _Pieces:
    written: dict[str, str]  #: the analyses of each piece as text, parsed on demand
    follows: dict[str, dict[str, int]]  #: how often a label follows another; after a space the other ends in "_"
    firsts: dict[str, int]
    tags: dict[str, dict[str, int]]  #: the same for tags
    totals: dict[str, int]  #: how often each label is followed by something
    tag_totals: dict[str, int]
    tag_firsts: dict[str, int]


@cache
def _pieces() -> _Pieces:
    kept: dict[str, Any] = json.loads(gzip.decompress(files(__package__).joinpath(FILE).read_bytes()))
    tag_firsts: dict[str, int] = {}
    for name, count in kept["firsts"].items():
        tag_firsts[_tag(name)] = tag_firsts.get(_tag(name), 0) + count
    return _Pieces(
        written=kept["pieces"],
        follows=kept["follows"],
        firsts=kept["firsts"],
        tags=kept["tags"],
        totals=kept["totals"],
        tag_totals={name: sum(counts.values()) for name, counts in kept["tags"].items()},
        tag_firsts=tag_firsts,
    )


def warm() -> None:
    """Load the pieces now, if they are not loaded yet."""
    _pieces()


def _analyses(stored: str) -> Iterator[tuple[int, tuple[Part, ...]]]:
    """Yield how often each analysis of a piece was seen, and its morphemes."""
    for each in stored.split("|"):
        count, *morphemes = each.split(" ")
        split = (morpheme.split("/") for morpheme in morphemes)
        yield int(count), tuple(Part(form, tag, int(start), int(end)) for form, tag, start, end in split)


@lru_cache(maxsize=4096)
def _known(written: str) -> tuple[Piece, ...]:
    """Return what `written` was in the training texts."""
    known, found = _pieces(), []
    for count, parts in _analyses(known.written[written]) if written in known.written else ():
        first = label(parts[0].form, parts[0].tag)
        score = math.log(count / known.firsts[first])
        found.append(Piece(parts, first, label(parts[-1].form, parts[-1].tag), score))
    return tuple(found)


@lru_cache(maxsize=16_384)
def _transition(before: str, after: str) -> float:
    """Return the log probability that the label `after` follows `before`."""
    known = _pieces()
    tag, next_tag = _tag(before), _tag(after)
    share = known.firsts[after] / known.tag_firsts[next_tag] if after != END else 1.0
    backed = (known.tags.get(tag, {}).get(next_tag, 0) + 0.05) / (known.tag_totals.get(tag, 0) + 2.5) * share
    seen = known.follows.get(before, {}).get(after, 0)
    return math.log((seen + _BACKED * backed) / (known.totals.get(before, 0) + _BACKED))


def cut(text: str) -> Iterator[tuple[str, str, int, int, bool]]:
    """Yield (form, tag, start, end, whether it is known) of the morphemes in the Hangul of `text`."""
    before, place = START, 0
    for match in HANGUL.finditer(text):
        if before != START:
            before = START if _SENTENCE.search(text, place, match.start()) else f"{before}_"
        check_time()
        for begin in range(match.start(), match.end(), _WORD):
            parts, before = _best(text[begin : min(begin + _WORD, match.end())], before)
            for part, known in parts:
                yield part.form, part.tag, begin + part.start, begin + part.end, known
        place = match.end()


def _best(word: str, before: str) -> tuple[list[tuple[Part, bool]], str]:
    """Return the likeliest morphemes of `word`, and the label of the last one (Viterbi)."""
    length = len(word)
    reached: list[dict[str, tuple[float, int, str, Piece]]] = [{} for _ in range(length + 1)]
    reached[0][before] = (0.0, 0, before, Piece((), before, before, 0.0))
    for begin in range(length):
        if not reached[begin]:
            continue
        open_to = [
            (end, piece)
            for end in range(begin + 1, min(length, begin + _LONGEST) + 1)
            for piece in (*_known(word[begin:end]), _noun(word[begin:end]))
        ]
        for name, (score, *_) in reached[begin].items():
            for end, piece in open_to:
                total = score + _transition(name, piece.first) + piece.score
                best = reached[end].get(piece.last)
                if best is None or total > best[0]:
                    reached[end][piece.last] = (total, begin, name, piece)
    last = max(reached[length], key=lambda name: reached[length][name][0] + _transition(name, END))
    found: list[tuple[Part, bool]] = []
    end, name = length, last
    while end:
        _, begin, name, piece = reached[end][name]
        known = len(piece.parts) > 1 or piece.score > _UNKNOWN + _SYLLABLE
        shifted = [part._replace(start=begin + part.start, end=begin + part.end) for part in piece.parts]
        found[:0] = [(part, known) for part in shifted]
        end = begin
    return found, last


def _noun(written: str) -> Piece:
    part = Part(written, "NNG", 0, len(written))
    return Piece((part,), "NNG", "NNG", _UNKNOWN + _SYLLABLE * len(written))


@cache
def _spelt() -> dict[str, str]:
    """Return how morphemes that share a syllable are written."""
    found: dict[str, tuple[int, str]] = {}
    for written, stored in _pieces().written.items():
        for count, parts in _analyses(stored):
            if len(parts) > 1:
                key = " ".join(f"{part.form}/{part.tag}" for part in parts)
                found[key] = max(found.get(key, (0, "")), (count, written))
    return {key: written for key, (_, written) in found.items()}


def join(parts: Sequence[tuple[str, str]]) -> str:
    """Return what the (form, tag) `parts` spell together: as in the training texts, or as regular stems are."""
    said = ""
    stem: list[tuple[str, str]] = []  #: what may still share a syllable with what follows
    for form, tag in parts:
        tag = tag.partition("-")[0]
        together = _spelt().get(" ".join(f"{form}/{tag}" for form, tag in (*stem, (form, tag)))) if stem else None
        if together is not None:
            said = said[: len(said) - len(_written(stem))] + together
            stem = [*stem, (form, tag)]
            continue
        said = _attached(said, form) if tag.startswith("E") else said + form
        stem = [(form, tag)]
    return said


def _written(stem: Sequence[tuple[str, str]]) -> str:
    return _spelt().get(" ".join(f"{form}/{tag}" for form, tag in stem), stem[0][0]) if len(stem) > 1 else stem[0][0]


def _attached(stem: str, ending: str) -> str:
    """Return a regular stem with its ending: 가 + 어요 is 가요, 먹 + 어요 먹어요, 놀라 + ㄴ 놀란."""
    last = ord(stem[-1:] or " ") - _SYLLABLES
    if not 0 <= last < 11_172 or not ending:
        return stem + ending
    vowel, coda = last // 28 % 21, last % 28
    if ending[0] in _CODAS:
        if coda == 0 or (coda == 8 and ending[0] not in "ㅁᆷ"):
            return stem[:-1] + chr(_SYLLABLES + last - coda + _CODAS[ending[0]]) + ending[1:]
        filler = "스" if ending[0] in "ㅂᆸ" else "으"
        return stem + chr(ord(filler) + _CODAS[ending[0]]) + ending[1:]
    if ending[0] not in "어었아았":
        return stem + ending
    past = _PAST if ending[0] in "었았" else 0
    if stem[-1] == "하":
        return stem[:-1] + chr(ord("해") + past) + ending[1:]
    if coda == 0 and vowel in _MERGED:
        return stem[:-1] + chr(_SYLLABLES + last // 588 * 588 + _MERGED[vowel] * 28 + past) + ending[1:]
    bright = vowel in _BRIGHT and coda != _PAST  # 갔어요
    return stem + chr(ord("아" if bright else "어") + past) + ending[1:]
