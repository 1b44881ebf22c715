"""Words that were said, to look up whether a value or a quote stands in them.

Spaces, letter case, particles, endings and the way a number is written make no difference: "스물다섯" holds 25, and
"서류에 합격했어" holds 서류 합격.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gieok.language.morphemes import Morpheme, analyse
from gieok.language.numerals import find_numbers
from gieok.language.text import fold, has_hangul, squeeze

_MEANING: Final = frozenset("NNG NNP NR SL SN SH XR VV VA VCN MAG".split())
_DIGITS: Final = re.compile(r"\d+")
_LATIN: Final = re.compile(r"[a-z0-9][a-z0-9'’]*")
#: what a sentence about somebody says without anybody having said it
_UNSAID: Final = frozenset(
    "하다 되다 있다 이다 사용자 유저 user 상대 캐릭터 character 것 the a an is are was has have".split()
)


@dataclass(frozen=True)
class Ground:
    """Words that were said."""

    text: str

    def holds(self, said: str) -> bool:
        """Whether `said` stands in the text: letter for letter, or every word and number of it."""
        wanted = squeeze(said)
        if not wanted:
            return False
        if wanted.isascii():
            words = _LATIN.findall(fold(said))
            return bool(words) and all(word in self._latin or _number(word) in self._numbers for word in words)
        if wanted in self._squeezed and (len(wanted) > 1 or any(word.startswith(wanted) for word in self.text.split())):
            return True
        return all(self._says(part) for part in _meaning(said)) and bool(_meaning(said))

    def words_all(self, content: str) -> bool:
        """Whether nearly every word that means something in `content` stands in the text."""
        return self.share_of(content) >= _MOST_OF_IT

    def share_of(self, said: str) -> float:
        """Return which share of the words of `said` that mean something stands in the text."""
        if not has_hangul(said):
            words = [word for word in _LATIN.findall(fold(said)) if word not in _UNSAID]
            return sum(self._says_word(word) for word in words) / len(words) if words else 0.0
        parts = [part for part in _meaning(said) if part.lemma not in _UNSAID]
        return sum(self._says(part) for part in parts) / len(parts) if parts else 0.0

    def place_of(self, said: str) -> tuple[int, int] | None:
        """Return where `said` stands in the text, spaces and marks aside; None where it does not as such."""
        wanted = squeeze(said)
        letters, places = self._letters
        at = letters.find(wanted) if wanted else -1
        return (places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None

    def _says_word(self, word: str) -> bool:
        """Whether a word stands in the text, or another of its stem: birdwatching, birdwatcher."""
        return word in self._latin or any(_same_stem(word, said) for said in self._latin)

    def _says(self, part: Morpheme) -> bool:
        if part.form in self._forms or part.lemma in self._forms:
            return True
        number = _number(part.form)
        return number is not None and number in self._numbers

    @cached_property
    def _squeezed(self) -> str:
        return squeeze(self.text)

    @cached_property
    def _letters(self) -> tuple[str, tuple[int, ...]]:
        """The letters of the text as they are compared, and where each stands in it."""
        pairs = [(letter, place) for place, raw in enumerate(self.text) for letter in squeeze(raw)]
        return "".join(letter for letter, _ in pairs), tuple(place for _, place in pairs)

    @cached_property
    def _forms(self) -> frozenset[str]:
        parts = _meaning(self.text)
        return frozenset(part.form for part in parts) | {part.lemma for part in parts}

    @cached_property
    def _latin(self) -> frozenset[str]:
        return frozenset(_LATIN.findall(fold(self.text)))

    @cached_property
    def _numbers(self) -> frozenset[int | None]:
        written = (int(digits) for digits in _DIGITS.findall(self.text)[:200] if len(digits) < 16)
        return frozenset(found.value for found in find_numbers(self.text)) | frozenset(written)


_MOST_OF_IT: Final = 0.8
_MOST_OF_A_WORD: Final = 0.75
_STEM: Final = 4  #: letters


def _same_stem(word: str, other: str) -> bool:
    shorter = min(len(word), len(other))
    stem = max(_STEM, int(shorter * _MOST_OF_A_WORD))
    return shorter >= _STEM and word[:stem] == other[:stem]


def _number(word: str) -> int | None:
    return int(word) if word.isdecimal() and len(word) < 16 else None


def _meaning(text: str) -> list[Morpheme]:
    return [part for part in analyse(text) if part.tag in _MEANING]
