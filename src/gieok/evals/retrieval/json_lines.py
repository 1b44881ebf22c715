"""Anybody's own measurements: JSON Lines, one conversation with its queries a line.

{"id": "…", "turns": [{"id", "speaker", "text", "at"?, "session"?}], "queries": [{"query", "evidence", "category"?}]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from gieok.evals.retrieval.datasets import FIRST_MOMENT, PACE, Conversation, Line, Query, answerable


def conversation(record: Mapping[str, Any], number: int) -> Conversation:
    """Return one conversation; raises KeyError, TypeError or ValueError for a record that is none."""
    lines = tuple(line for line in _lines(record["turns"]) if line.text.strip())
    if len({line.id for line in lines}) < len(lines):
        raise ValueError("two of its turns have the same id")
    return Conversation(
        id=str(record.get("id", number)),
        lines=lines,
        queries=answerable(map(_query, record["queries"]), lines),
    )


def _lines(turns: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Yield the lines; where a turn does not say when, it comes a little after the last, or a day after a session."""
    at, session = FIRST_MOMENT - PACE, ""
    for number, turn in enumerate(turns):
        here = str(turn.get("session", ""))
        if "at" in turn:
            at = datetime.fromisoformat(turn["at"])
        else:
            at += timedelta(days=1) if number and here != session else PACE
        session = here
        yield Line(
            id=str(turn["id"]), speaker=str(turn.get("speaker", "user")), text=turn["text"], at=at, session=session
        )


def _query(asked: Mapping[str, Any]) -> Query:
    if isinstance(asked["evidence"], str):
        raise TypeError(f"evidence {asked['evidence']!r} is one string; give a list of turn ids")
    return Query(
        text=asked["query"],
        evidence=frozenset(map(str, asked["evidence"])),
        category=str(asked.get("category", "")),
    )
