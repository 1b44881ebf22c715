"""Checks of what callers hand in."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from gieok.domain.scoring import Weights
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
    """Raise `InvalidQuery` if `given` is none of `choices`."""
    if given not in choices:
        raise InvalidQuery(f"unknown {name} {given!r}; choose one of {', '.join(choices)}")


def weights_over(given: Weights | Mapping[str, float] | None, default: Weights) -> Weights:
    """Return the weights that were given; of a mapping those it names, the others as they are by `default`."""
    if given is None:
        return default
    if isinstance(given, Weights):
        return given
    unknown = set(given) - {field.name for field in fields(Weights)}
    if unknown:
        known = ", ".join(field.name for field in fields(Weights))
        raise InvalidQuery(f"unknown weight {sorted(unknown)[0]!r}; the parts are {known}")
    return replace(default, **given)
