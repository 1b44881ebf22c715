"""LoCoMo: two people talk over months, with questions about it in five categories.

A list of {"conversation": {"speaker_a", "session_1", "session_1_date_time", …}, "qa": […]}. The fifth category asks for
what was never said; it is reported apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gieok.evals.retrieval.datasets import PACE, Conversation, Line, Query, answerable

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_APART: Final = 5
_LINE_ID: Final = re.compile(r"D(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_MOMENT: Final = "%I:%M %p on %d %B, %Y"  #: 1:56 pm on 8 May, 2023


def conversations(records: Sequence[Mapping[str, Any]], *, captions: bool) -> tuple[tuple[Conversation, ...], int]:
    """Return the conversations, and how many questions have no evidence. `captions` adds what a shared photo shows."""
    read = [_conversation(record, number, captions) for number, record in enumerate(records, start=1)]
    asked = sum(len(record["qa"]) for record in records)
    return tuple(read), asked - sum(len(each.queries) for each in read)


def _conversation(record: Mapping[str, Any], number: int, captions: bool) -> Conversation:
    lines = tuple(line for line in _lines(record["conversation"], captions) if line.text.strip())
    return Conversation(
        id=str(record.get("sample_id", number)),
        lines=lines,
        queries=answerable(map(_query, record["qa"]), lines),
    )


def _lines(talk: Mapping[str, Any], captions: bool) -> Iterator[Line]:
    sessions = sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(key)))
    for number in sessions:
        said = datetime.strptime(talk[f"session_{number}_date_time"], _MOMENT)  # noqa: DTZ007  # the file knows no zone
        for place, turn in enumerate(talk[f"session_{number}"]):
            text = str(turn["text"])
            caption = turn.get("blip_caption")
            if captions and caption:
                text = f"{text} [shares a photo: {caption}]"
            yield Line(
                id=_line_ids(turn["dia_id"])[0],
                speaker=turn["speaker"],
                text=text,
                at=said + place * PACE,
                session=f"session {number}",
            )


def _query(asked: Mapping[str, Any]) -> Query:
    category = int(asked["category"])
    return Query(
        text=asked["question"],
        evidence=frozenset(line for ids in asked["evidence"] for line in _line_ids(ids)),
        category=CATEGORIES.get(category, str(category)),
        apart=category == _APART,
    )


def _line_ids(text: str) -> list[str]:
    """Return the ids in `text`, which may hold several ("D8:6; D9:17") and zeros that count nothing ("D30:05")."""
    return [f"D{int(session)}:{int(place)}" for session, place in _LINE_ID.findall(text)]
