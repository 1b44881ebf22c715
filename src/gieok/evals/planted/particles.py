"""Particles that fit the value before them, written here once more on purpose.

The engine under test has its own (`language.particles`); a fault there must not bend the sentences it is tested with.
"""

from __future__ import annotations

from typing import Final

_RIEUL: Final = 8  #: index of ㄹ among the finals of a syllable block
_DIGITS: Final = {"0": 1, "1": _RIEUL, "3": 1, "6": 1, "7": _RIEUL, "8": _RIEUL}  #: 영 일 삼 육 칠 팔
_LETTERS: Final = {"L": _RIEUL, "M": 1, "N": 1, "R": _RIEUL}  #: 엘 엠 엔 알
_UNITS: Final = {"cm": 0, "kg": 1}  #: 센티미터, 킬로그램


def fitting(word: str, pair: str) -> str:
    """Return the form of `pair` that follows `word`: "을/를" is 을 after 책 and 를 after 고양이.

    The form after a consonant comes first. Letters and digits count as they are read in Korean.
    """
    after_consonant, _, after_vowel = pair.partition("/")
    final = _final(word)
    if final == _RIEUL and after_consonant.startswith("으로"):
        return after_vowel
    return after_consonant if final else after_vowel


def _final(word: str) -> int:
    """Return the last sound of `word`: 0 a vowel, 8 ㄹ, anything else another consonant."""
    sounds = [letter for letter in word if letter.isalnum()]
    if not sounds:
        return 0
    last = sounds[-1]
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28
    if word[-2:] in _UNITS:
        return _UNITS[word[-2:]]
    return _DIGITS.get(last, 0) or _LETTERS.get(last.upper(), 0)
