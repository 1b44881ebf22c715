"""Reading a file into a dataset; what it holds is seen from its beginning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from gieok.errors import InvalidQuery
from gieok_evals.retrieval.datasets import FIRST_MOMENT, PACE, Conversation, Dataset, Line, Query, answerable

CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_APART: Final = 5
_LINE_ID: Final = re.compile(r"D(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_MOMENT: Final = "%I:%M %p on %d %B, %Y"  #: 1:56 pm on 8 May, 2023
_SPEAKER: Final = "user"
_QUICK: Final = 1_000  #: questions of a set that has tens of thousands
_FORMATS: Final = (
    'LoCoMo (a JSON list of objects with "conversation" and "qa"), ParaKQC (lines of group TAB sentence), '
    'SmileStyle (tab-separated, the first column headed "formal"), or JSON Lines, one conversation a line: '
    '{"id": "…", "turns": [{"id": "…", "speaker": "…", "text": "…"}], '
    '"queries": [{"query": "…", "evidence": ["turn id"]}]}'
)


def conversation(record: Mapping[str, Any], number: int) -> Conversation:
    """Return one conversation; raises KeyError, TypeError or ValueError for a record that is none."""
    lines = tuple(line for line in _own_lines(record["turns"]) if line.text.strip())
    if len({line.id for line in lines}) < len(lines):
        raise ValueError("two of its turns have the same id")
    return Conversation(
        id=str(record.get("id", number)),
        lines=lines,
        queries=answerable(map(_own_query, record["queries"]), lines),
    )


def _own_lines(turns: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
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


def _own_query(asked: Mapping[str, Any]) -> Query:
    if isinstance(asked["evidence"], str):
        raise TypeError(f"evidence {asked['evidence']!r} is one string; give a list of turn ids")
    return Query(
        text=asked["query"],
        evidence=frozenset(map(str, asked["evidence"])),
        category=str(asked.get("category", "")),
    )


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


def paraphrases(rows: Sequence[Sequence[str]]) -> Conversation:
    """Return ParaKQC, rows of (group, sentence): every sentence asks for the others of its group."""
    groups: dict[str, dict[str, str]] = {}  # group → sentence → id: a sentence that stands there twice counts once
    for number, (group, sentence) in enumerate(rows, start=1):
        groups.setdefault(group, {}).setdefault(sentence.strip(), f"{group}.{number}")
    queries = []
    for group, ids in groups.items():
        for sentence, line_id in ids.items():
            others = frozenset(ids.values()) - {line_id}
            if others:
                queries.append(Query(text=sentence, evidence=others, group=group, itself=line_id))
    lines = tuple(_line(line_id, text) for ids in groups.values() for text, line_id in ids.items())
    return Conversation(id="paraphrases", lines=lines, queries=tuple(queries))


def registers(rows: Sequence[Sequence[str]]) -> Conversation:
    """Return SmileStyle, a header and rows whose first cell is formal: the other registers ask for it."""
    names, *rest = rows
    formal: dict[str, str] = {}
    for row in rest:
        if row[0].strip():
            formal.setdefault(row[0].strip(), f"formal.{len(formal) + 1}")
    return Conversation(
        id="registers",
        lines=tuple(_line(line_id, text) for text, line_id in formal.items()),
        queries=tuple(query for row in rest if row[0].strip() for query in _in_registers(names, row, formal)),
    )


def _in_registers(names: Sequence[str], row: Sequence[str], formal: dict[str, str]) -> Iterator[Query]:
    line_id = formal[row[0].strip()]
    for name, cell in zip(names[1:], row[1:], strict=False):  # a short row has nothing more to say
        if cell.strip():
            yield Query(text=cell.strip(), evidence=frozenset({line_id}), category=name.strip(), group=line_id)


def _line(line_id: str, text: str) -> Line:
    return Line(id=line_id, speaker=_SPEAKER, text=text, at=FIRST_MOMENT, session=line_id)


def load(path: Path, *, captions: bool = True) -> Dataset:
    """Read `path`; raises `InvalidQuery` for a file of no known format, or with nothing to ask in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as cause:
        raise InvalidQuery(f"{path} cannot be read: {cause}") from cause
    if not text.strip():
        raise InvalidQuery(f"{path} is empty; what can be measured is {_FORMATS}")
    try:
        dataset = _read(path, text, captions)
    except InvalidQuery:  # a ValueError, too, that says already what is wrong
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as cause:
        raise InvalidQuery(f"{path} cannot be understood: {cause!r}; what can be measured is {_FORMATS}") from cause
    if not dataset.queries:
        raise InvalidQuery(
            f"no question in {path} has evidence among its lines; "
            "evidence lists the ids of the turns that answer the question"
        )
    return dataset


def _read(path: Path, text: str, captions: bool) -> Dataset:
    first = text.lstrip().partition("\n")[0]
    if first.startswith(("[", "{")):
        records = _whole(text)
        if records is not None:
            found, left_out = conversations(records, captions=captions)
            return replace(_dataset(path, "LoCoMo", found, left_out), captions=captions)
        return _json_lines(path, text)
    cells = first.split("\t")
    rows = [line.split("\t") for line in text.splitlines() if line.strip()]
    if cells[0].strip() == "formal":
        return _dataset(path, "SmileStyle", (registers(rows),), quick=_QUICK)
    if len(cells) == 2:
        return _dataset(path, "ParaKQC", (paraphrases(rows),), quick=_QUICK)
    raise InvalidQuery(f"{path} has no format known here; what can be measured is {_FORMATS}")


def _whole(text: str) -> list[Any] | None:
    """Return the conversations of a LoCoMo file, or None where it is no such file."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return None
    records = value if isinstance(value, list) else [value]
    known = all(isinstance(each, dict) and {"conversation", "qa"} <= set(each) for each in records)
    return records if known and records else None


def _json_lines(path: Path, text: str) -> Dataset:
    found: list[Conversation] = []
    asked = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            found.append(conversation(record, number))
        except (KeyError, TypeError, ValueError, AttributeError) as cause:
            raise InvalidQuery(
                f"{path}, line {number} is no conversation: {cause!r}; what can be measured is {_FORMATS}"
            ) from cause
        asked += len(record["queries"])
    return _dataset(path, "JSON Lines", tuple(found), asked - sum(len(each.queries) for each in found))


def _dataset(
    path: Path, form: str, found: tuple[Conversation, ...], left_out: int = 0, quick: int | None = None
) -> Dataset:
    return Dataset(
        name=path.name,
        format=form,
        conversations=tuple(each for each in found if each.queries),
        left_out=left_out,
        quick=quick,
    )
