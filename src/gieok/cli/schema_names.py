"""Names of the schema, checked as they are typed, so that a slip does not read as "nothing is known"."""

from __future__ import annotations

from typing import get_args

from gieok.domain.attributes import ContentType, attribute
from gieok.errors import InvalidQuery


def checked_attribute(key: str | None) -> str | None:
    return None if key is None else attribute(key).key


def checked_type(name: str | None) -> ContentType | None:
    if name is None:
        return None
    known: tuple[ContentType, ...] = get_args(ContentType)
    for each in known:
        if each == name:
            return each
    raise InvalidQuery(f"unknown type {name!r}; known: {', '.join(known)}")
