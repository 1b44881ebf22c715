"""Hand-written cases: an utterance, what stands before it, and what should and must not be read from it.

One JSON object a line, as in korean_facts_dev.jsonl: `id speaker utterance expected`, and where needed
`must_not_extract known context register phenomena note`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gieok.errors import InvalidQuery
from gieok_evals.statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A fact that an utterance states."""

    said: Statement
    accepted: tuple[str, ...]  #: the value and its other spellings
    optional: bool = False  #: right when found, no miss when not


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One utterance and what should become of it."""

    id: str
    speaker: str
    utterance: str
    expected: tuple[Expected, ...]
    must_not: tuple[Statement, ...] = ()
    known: tuple[Statement, ...] = ()  #: remembered before
    context: tuple[tuple[str, str], ...] = ()  #: (speaker, text), said before
    phenomena: tuple[str, ...] = ()
    register: str = ""


def load(path: Path) -> list[Case]:
    """Read the cases of `path`; a line that is no case raises `InvalidQuery` with its number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as cause:
        raise InvalidQuery(f"the cases in {path} cannot be read: {cause}") from cause
    cases = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(case(json.loads(line)))
        except (ValueError, KeyError, TypeError) as cause:
            raise InvalidQuery(f"{path}, line {number} is no case: {cause!r}") from cause
    return cases


def case(line: Mapping[str, Any]) -> Case:
    note = line.get("note", "")
    optional = "선택" in note or "optional" in note
    return Case(
        id=line["id"],
        speaker=line.get("speaker", "user"),
        utterance=line["utterance"],
        expected=tuple(_expected(each, optional) for each in line["expected"]),
        must_not=tuple(_statement(each) for each in line.get("must_not_extract", ())),
        known=tuple(_statement(each) for each in line.get("known", ())),
        context=tuple((each["speaker"], each["text"]) for each in line.get("context", ())),
        phenomena=tuple(line.get("phenomena", ())),
        register=line.get("register", ""),
    )


def _expected(item: Mapping[str, Any], optional: bool) -> Expected:
    said = _statement(item)
    optional = optional or "선택" in item.get("note", "")
    return Expected(said=said, accepted=(said.value, *item.get("value_alt", ())), optional=optional)


def _statement(item: Mapping[str, Any]) -> Statement:
    return Statement(
        subject=item["subject"],
        attribute=item["attribute"],
        value=item["value"],
        polarity=item.get("polarity", "+"),
        past=item.get("time") == "past",
    )
