"""What the tagger sees of a text: syllables, pairs of syllables and Kiwi's morphemes.

Training and reading share this module, so that both see the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gieok.language.morphemes import Morpheme, analyse

LENGTH: Final = 96  #: most characters of a piece
CONTEXT: Final = 8  #: pieces before the one that is read
TAGS: Final = (
    "NNG NNP NNB NR NP VV VA VX VCP VCN MM MAG MAJ IC JKS JKC JKG JKO JKB JKV JKQ JX JC EP EF EC ETN ETM XPN XSN XSV "
    "XSA XSM XR SF SP SS SSO SSC SE SO SW SL SH SN SB W_URL W_EMAIL W_HASHTAG W_MENTION W_SERIAL W_EMOJI Z_CODA Z_SIOT"
).split()
_TAG: Final = {tag: number + 1 for number, tag in enumerate(TAGS)}
_CONTENT: Final = frozenset("NV")  #: first letters of tags that win a shared syllable
_STOP: Final = re.compile(r"[.!?~…\n]+\s*|(?<=[ㅋㅎㅠㅜ])\s+")

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Features:
    """One row a character."""

    codes: Ints  #: code points
    tags: Ints  #: tag of the morpheme that covers it; 0: none
    starts: Ints  #: 1 where a morpheme begins
    words: Ints  #: row of that morpheme in the table of vectors; 0: none


def pieces(text: str) -> list[tuple[int, int]]:
    """Cut a text into stretches of at most `LENGTH` characters, after sentences where it can be."""
    found, begin = [], 0
    while len(text) - begin > LENGTH:
        window = text[begin : begin + LENGTH]
        stops = [match.end() for match in _STOP.finditer(window) if match.end() >= LENGTH // 4]
        cut = stops[-1] if stops else window.rfind(" ") + 1 or LENGTH
        found.append((begin, begin + cut))
        begin += cut
    if begin < len(text) or not found:
        found.append((begin, len(text)))
    return found


def features(text: str, vocabulary: Mapping[str, int]) -> Features:
    """Return the features of a piece; `vocabulary` gives the row of "form/tag"."""
    return from_morphemes(text, analyse(text), vocabulary)


def from_morphemes(text: str, morphemes: tuple[Morpheme, ...], vocabulary: Mapping[str, int]) -> Features:
    size = len(text)
    tags, starts, words = (np.zeros(size, np.int32) for _ in range(3))
    for part in morphemes:
        begin, end = part.start, min(max(part.end, part.start + 1), size)
        if begin >= size:
            break
        form = part.form.lower() if part.tag == "SL" else part.form
        number, word = _TAG.get(part.tag, 0), vocabulary.get(f"{form}/{part.tag}", 0)
        content = part.tag[0] in _CONTENT
        for i in range(begin, end):
            if content or not tags[i]:
                tags[i], words[i] = number, word
        starts[begin] = 1
    return Features(np.array([ord(each) for each in text], np.int32), tags, starts, words)


def pair_rows(codes: Ints, rows: int) -> Ints:
    """Return the row of each pair of neighbouring characters in a table with `rows` rows."""
    left = codes.astype(np.uint64)
    right = np.concatenate([left[1:], np.zeros(1, np.uint64)]) if len(left) else left
    return ((left * 2654435761 + right * 40503) % 4294967291 % rows).astype(np.int32)
