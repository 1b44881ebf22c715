"""Asking a director what the next reply should mind, and how far the two moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gieok.domain.answer import Prompt
from gieok.domain.relationship import AXES
from gieok.domain.state import MOST, Delta
from gieok.prompts.quoting import Language, Line, named, quoted, rendered, said
from gieok.prompts.reading import NUMBER, TEXT, list_of, number, object_in, one_of, schema_of, words

VERSION: Final = "director/1"
_LONGEST: Final = 300
_LONGEST_WHY: Final = 100
_SCHEMA: Final[Mapping[str, Any]] = schema_of(
    note=TEXT, deltas=list_of(schema_of(axis=one_of(AXES), points=NUMBER, words=TEXT), most=len(AXES))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """What a director says after a turn."""

    note: str  #: "" where there is nothing to mind
    deltas: tuple[Delta, ...]  #: each axis once


def director_prompt(
    *, lines: Sequence[Line], relationship: str, note_before: str, user: str, character: str, language: Language
) -> Prompt[Direction]:
    """Ask for a note on the next reply and for what the last lines changed between the two."""
    return Prompt(
        task="director",
        version=VERSION,
        messages=rendered(
            "director",
            language,
            user=named(user),
            character=named(character),
            relationship=quoted(relationship),
            note_before=quoted(note_before),
            lines=said(lines),
        ),
        schema=_SCHEMA,
        read=_read,
        most_tokens=512,
    )


def _read(answer: str) -> Direction:
    said_so = object_in(answer)
    if not isinstance(said_so.get("note"), str):
        raise ValueError('the answer has no text "note"')
    note = words(said_so["note"], most=_LONGEST)
    listed = said_so.get("deltas")
    deltas = [delta for delta in map(_delta, listed if isinstance(listed, list) else []) if delta is not None]
    return Direction(note=note, deltas=tuple({delta.axis: delta for delta in reversed(deltas)}.values())[::-1])


def _delta(item: Any) -> Delta | None:
    if not isinstance(item, dict):
        return None
    axis = next((axis for axis in AXES if axis == item.get("axis")), None)
    points = number(item.get("points"))
    if axis is None or not points:
        return None
    return Delta(axis=axis, points=min(max(points, -MOST), MOST), words=words(item.get("words"), most=_LONGEST_WHY))
