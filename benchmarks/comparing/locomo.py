"""LoCoMo: long conversations, and questions with the turns that answer them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

_ASKED: Final = frozenset({1, 2, 3, 4})  #: category 5 asks for what was never said
_TURN: Final = re.compile(r"D:?(\d+):0*(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_DATE: Final = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One turn, as a memory."""

    key: str  #: the turn's id, e.g. "D1:3"
    text: str  #: with date and speaker, as every peer gets it
    speaker: str
    at: str  #: ISO 8601


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and the keys of the turns that answer it."""

    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation of two people over months."""

    name: str
    notes: tuple[Note, ...]
    questions: tuple[Asked, ...]


def conversations(path: Path) -> list[Conversation]:
    """Read the file; questions of the categories 1–4 whose evidence is in their conversation are kept.

    Texts come without blanks at their ends: some peers trim what they are given, and look vectors up by the rest.
    """
    return [_conversation(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(sample: dict[str, Any]) -> Conversation:
    notes = tuple(_notes(sample["conversation"]))
    known = {note.key for note in notes}
    asked = (
        Asked(text=each["question"].strip(), category=each["category"], evidence=evidence(each.get("evidence", ())))
        for each in sample["qa"]
        if each["category"] in _ASKED
    )
    questions = tuple(each for each in asked if each.evidence and known.issuperset(each.evidence))
    return Conversation(name=sample["sample_id"], notes=notes, questions=questions)


def _notes(talk: dict[str, Any]) -> Iterator[Note]:
    sessions = sorted((int(found[1]), name) for name in talk if (found := _SESSION.fullmatch(name)))
    for _, name in sessions:
        when = talk[f"{name}_date_time"]
        at = datetime.strptime(when, _DATE).replace(tzinfo=UTC).isoformat()
        for turn in talk[name]:
            photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"[{when}] {turn['speaker']}: {turn['text'].strip()}{photo}"
            [key] = evidence([turn["dia_id"]])
            yield Note(key=key, text=text, speaker=turn["speaker"], at=at)


def evidence(written: list[str]) -> tuple[str, ...]:
    """Return the turns that are named, in one spelling: the data has "D8:6; D9:17", "D30:05" and "D:11:26" as well."""
    found = (match for text in written for match in _TURN.finditer(text))
    return tuple(dict.fromkeys(f"D{match[1]}:{match[2]}" for match in found))
