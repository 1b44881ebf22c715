"""Filling sentences: {v}, {v.native}, {old} and {new} become values, {이/가} the particle that fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from gieok.evals.planted.language import Value
from gieok.evals.planted.particles import fitting

_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_VALUE: Final = re.compile(r"(v|old|new)(?:\.(\w+))?")
_DROPPABLE: Final = frozenset({"을/를", "이/가", "은/는"})  #: what people leave out when they type


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
