"""Checks of what callers hand in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from gieok.errors import InvalidQuery


def listed(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Return `values`; one string, whose letters would be taken for several, is refused."""
    if isinstance(values, str):
        raise InvalidQuery(f"{name}={values!r} is one string; give a list, e.g. {name}=[{values!r}]")
    return tuple(values)


def composed(text: str) -> str:
    """Return `text` as it is kept: some programs, and names of files on a Mac, have Hangul in pieces (NFD)."""
    return unicodedata.normalize("NFC", text)


def checked_choice(name: str, given: str, choices: tuple[str, ...]) -> None:
    """Raise `InvalidQuery` unless `given` is one of `choices`."""
    if given not in choices:
        raise InvalidQuery(f"unknown {name} {given!r}; choose one of {', '.join(choices)}")
