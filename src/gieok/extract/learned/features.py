"""What the tagger sees of a text: units, pairs of units and Kiwi's morphemes.

A unit is a syllable or another character, in Latin script up to four letters of a word. Training and reading share this
module, so that both see the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gieok.language.morphemes import Morpheme, analyse

LENGTH: Final = 96  #: most units of a piece
CONTEXT: Final = 8  #: pieces before the one that is read
TAGS: Final = (
    "NNG NNP NNB NR NP VV VA VX VCP VCN MM MAG MAJ IC JKS JKC JKG JKO JKB JKV JKQ JX JC EP EF EC ETN ETM XPN XSN XSV "
    "XSA XSM XR SF SP SS SSO SSC SE SO SW SL SH SN SB W_URL W_EMAIL W_HASHTAG W_MENTION W_SERIAL W_EMOJI Z_CODA Z_SIOT "
    "CAPITAL"
).split()
_TAG: Final = {tag: number + 1 for number, tag in enumerate(TAGS)}
_CONTENT: Final = frozenset("NV")  #: first letters of tags that win a shared syllable
_UNIT: Final = re.compile(r" ?[A-Za-z]{1,4}|.", re.DOTALL)
_LATIN: Final = 0x110000  #: codes of Latin units begin after those of characters
_LATIN_CODES: Final = 4096
_STOP: Final = re.compile(r"[.!?~…\n]+\s*|(?<=[ㅋㅎㅠㅜ])\s+")

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Features:
    """One row a unit."""

    begins: Ints  #: where the unit stands in the text
    ends: Ints
    codes: Ints  #: the code point, or a code of the letters
    tags: Ints  #: tag of the morpheme that covers it; 0: none
    starts: Ints  #: 1 where a morpheme begins
    words: Ints  #: row of that morpheme in the table of vectors; 0: none


def units(text: str) -> list[tuple[int, int, int]]:
    """Return begin, end and code of each unit; the space before a Latin word belongs to its code."""
    found = []
    for match in _UNIT.finditer(text):
        said, begin = match.group(), match.start()
        if len(said) == 1 and not ("a" <= said <= "z" or "A" <= said <= "Z"):
            found.append((begin, begin + 1, ord(said)))
        else:
            code = _LATIN + crc32(said.lower().encode()) % _LATIN_CODES
            found.append((begin + said.startswith(" "), match.end(), code))
    return found


def pieces(text: str) -> list[tuple[int, int]]:
    """Cut a text into stretches of at most `LENGTH` units, after sentences where it can be."""
    if len(text) <= LENGTH:  # a unit is a character or more
        return [(0, len(text))]
    found, begin = [], 0
    begins = [unit[0] for unit in units(text)]
    first = 0  #: unit
    while len(begins) - first > LENGTH:
        window = text[begin : begins[first + LENGTH]]
        stops = [match.end() for match in _STOP.finditer(window) if match.end() >= len(window) // 4]
        cut = stops[-1] if stops else window.rstrip().rfind(" ") + 1 or len(window)
        found.append((begin, begin + cut))
        begin += cut
        first = bisect_left(begins, begin, first)
    if begin < len(text) or not found:
        found.append((begin, len(text)))
    return found


def features(text: str, vocabulary: Mapping[str, int]) -> Features:
    """Return the features of a piece; `vocabulary` gives the row of "form/tag"."""
    return from_morphemes(text, analyse(text), vocabulary)


def from_morphemes(text: str, morphemes: tuple[Morpheme, ...], vocabulary: Mapping[str, int]) -> Features:
    tags, starts, words = (np.zeros(len(text) + 1, np.int32) for _ in range(3))
    for part in morphemes:
        begin, end = part.start, min(max(part.end, part.start + 1), len(text))
        if begin >= len(text):
            break
        number, form = _TAG.get(part.tag, 0), part.form
        if part.tag == "SL":
            number, form = _TAG["CAPITAL"] if text[begin].isupper() else number, form.lower()
        word = vocabulary.get(f"{form}/{part.tag}", 0)
        content = part.tag[0] in _CONTENT
        for i in range(begin, end):
            if content or not tags[i]:
                tags[i], words[i] = number, word
        starts[begin] = 1
    rows = np.array(units(text)[:LENGTH], np.int32).reshape(-1, 3)
    begins = rows[:, 0]
    return Features(begins, rows[:, 1], rows[:, 2], tags[begins], starts[begins], words[begins])


def pair_rows(codes: Ints, rows: int) -> Ints:
    """Return the row of each pair of neighbouring characters in a table with `rows` rows."""
    left = codes.astype(np.uint64)
    right = np.concatenate([left[1:], np.zeros(1, np.uint64)]) if len(left) else left
    return ((left * 2654435761 + right * 40503) % 4294967291 % rows).astype(np.int32)
