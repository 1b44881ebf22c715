"""Checks of what callers hand in."""

from __future__ import annotations

from collections.abc import Iterable

from gieok.errors import InvalidQuery


def listed(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Return `values`; one string, whose letters would be taken for several, is refused."""
    if isinstance(values, str):
        raise InvalidQuery(f"{name}={values!r} is one string; give a list, e.g. {name}=[{values!r}]")
    return tuple(values)
