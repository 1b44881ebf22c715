"""Filling sentences: {v}, {v.native}, {old} and {new} become values, {이/가} the particle that fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gieok_evals.planted.language import Value

_RIEUL: Final = 8  #: index of ㄹ among the finals of a syllable block
_DIGITS: Final = {"0": 1, "1": _RIEUL, "3": 1, "6": 1, "7": _RIEUL, "8": _RIEUL}  #: 영 일 삼 육 칠 팔
_LETTERS: Final = {"L": _RIEUL, "M": 1, "N": 1, "R": _RIEUL}  #: 엘 엠 엔 알
_UNITS: Final = {"cm": 0, "kg": 1}  #: 센티미터, 킬로그램
_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_VALUE: Final = re.compile(r"(v|old|new)(?:\.(\w+))?")
_DROPPABLE: Final = frozenset({"을/를", "이/가", "은/는"})  #: what people leave out when they type


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of a sentence; a value is protected from typing noise."""

    text: str
    value: bool = False


def pieces(text: str, values: Mapping[str, Value], *, drop_particles: bool = False) -> tuple[Piece, ...]:
    """Return `text` with its places filled; a place that cannot be filled raises `ValueError`.

    With `drop_particles`, those after a value that are followed by a space are left out where people leave them out.
    """
    return tuple(piece for piece in _pieces(text, values, drop_particles) if piece.text)


def filled(text: str, values: Mapping[str, Value]) -> str:
    return joined(pieces(text, values))


def joined(parts: Iterable[Piece]) -> str:
    return "".join(part.text for part in parts)


def places(text: str) -> tuple[str, ...]:
    """Return what stands between braces, in order."""
    return tuple(_PLACE.findall(text))


def _pieces(text: str, values: Mapping[str, Value], drop_particles: bool) -> Iterator[Piece]:
    last = ""
    rest = 0
    for place in _PLACE.finditer(text):
        between = text[rest : place.start()]
        if between:
            yield Piece(text=between)
            last = between
        rest = place.end()
        if "/" not in place[1]:
            last = _value(place[1], values)
            yield Piece(text=last, value=True)
        elif not (drop_particles and place[1] in _DROPPABLE and text[rest : rest + 1] == " "):
            yield Piece(text=fitting(last, place[1]))
    yield Piece(text=text[rest:])


def _value(place: str, values: Mapping[str, Value]) -> str:
    named = _VALUE.fullmatch(place)
    if named is None or named[1] not in values or (named[2] or "v") not in values[named[1]].forms:
        raise ValueError(f"nothing fills {{{place}}}")
    return values[named[1]].forms[named[2] or "v"]
