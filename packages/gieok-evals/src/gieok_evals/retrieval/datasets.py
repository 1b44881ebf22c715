"""Datasets for retrieval: lines that were said, and questions with the lines that answer them.

`load` recognises the format of a file by its beginning.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from gieok.errors import InvalidQuery
from gieok_evals.files import read_text

PACE: Final = timedelta(seconds=20)  #: from one line of a session to the next
_FIRST_MOMENT: Final = datetime.fromisoformat("2024-03-04T12:00")  #: of lines without a time
_CATEGORIES: Final = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_ADVERSARIAL: Final = 5
_LINE_ID: Final = re.compile(r"D(\d+):(\d+)")
_SESSION: Final = re.compile(r"session_(\d+)")
_MOMENT: Final = "%I:%M %p on %d %B, %Y"  #: 1:56 pm on 8 May, 2023
_SAMPLE: Final = 1_000  #: questions of a dataset that has tens of thousands
_FORMATS: Final = (
    'LoCoMo (a JSON list of objects with "conversation" and "qa"), ParaKQC (lines of group TAB sentence), '
    'SmileStyle (tab-separated, the first column headed "formal"), or JSON Lines, one conversation a line: '
    '{"id": "…", "turns": [{"id": "…", "speaker": "…", "text": "…"}], '
    '"queries": [{"query": "…", "evidence": ["turn id"]}]}'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something that somebody said."""

    id: str
    speaker: str
    text: str
    at: datetime  #: without a time zone: local time of the bank
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question and the lines that answer it."""

    text: str
    evidence: frozenset[str]  #: ids of lines; at least one
    category: str = ""
    apart: bool = False  #: reported separately, not part of the overall figures
    group: str = ""  #: questions of one group depend on each other
    itself: str | None = None  #: id of the line that is the question, and therefore no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Lines in the order they were said, and the questions about them."""

    id: str
    lines: tuple[Line, ...]
    queries: tuple[Query, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The conversations of a file."""

    name: str
    format: str
    conversations: tuple[Conversation, ...]
    captions: bool | None = None  #: whether lines include the captions of photos; None: there are no photos
    left_out: int = 0  #: questions without evidence among the lines
    unasked: int = 0  #: questions that a sample left out
    sample: int | None = None  #: how many questions to ask by default; None: all

    @property
    def lines(self) -> int:
        return sum(len(each.lines) for each in self.conversations)

    @property
    def queries(self) -> int:
        return sum(len(each.queries) for each in self.conversations)

    @property
    def unit(self) -> str:
        """What intervals are drawn over: conversations, or in a single one the groups of its questions."""
        if len(self.conversations) > 1:
            return "conversation"
        grouped = any(query.group for each in self.conversations for query in each.queries)
        return "group" if grouped else "question"


def sampled(dataset: Dataset, count: int | None, *, seed: int) -> Dataset:
    """Return `dataset` with `count` questions, the same ones for the same seed; 0: all, None: the default."""
    if count is not None and count < 0:
        raise InvalidQuery(f"queries={count}: give how many to ask, or 0 for all")
    wanted = dataset.sample if count is None else count
    if not wanted or wanted >= dataset.queries:
        return dataset
    places = [(at, number) for at, each in enumerate(dataset.conversations) for number in range(len(each.queries))]
    drawn = set(random.Random(seed).sample(places, wanted))
    kept = tuple(
        replace(each, queries=tuple(query for number, query in enumerate(each.queries) if (at, number) in drawn))
        for at, each in enumerate(dataset.conversations)
    )
    asked = tuple(each for each in kept if each.queries)
    return replace(dataset, conversations=asked, unasked=dataset.queries - wanted)


def load(path: Path, *, captions: bool = True) -> Dataset:
    """Read `path`; raises `InvalidQuery` for an unknown format or a file without questions."""
    text = read_text(path)
    if not text.strip():
        raise InvalidQuery(f"{path} is empty; the formats are {_FORMATS}")
    try:
        dataset = _read(path, text, captions)
    except InvalidQuery:  # is a ValueError, too
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as cause:
        raise InvalidQuery(f"{path} cannot be understood: {cause!r}; the formats are {_FORMATS}") from cause
    if not dataset.queries:
        raise InvalidQuery(
            f"no question in {path} has evidence among its lines; "
            "evidence lists the ids of the turns that answer the question"
        )
    return dataset


def _read(path: Path, text: str, captions: bool) -> Dataset:
    first = text.lstrip().partition("\n")[0]
    if first.startswith(("[", "{")):
        records = _locomo_records(text)
        if records is None:
            return _json_lines(path, text)
        found = [_locomo(record, number, captions) for number, record in enumerate(records, start=1)]
        asked = sum(len(record["qa"]) for record in records)
        return replace(_dataset(path, "LoCoMo", found, asked), captions=captions)
    rows = [line.split("\t") for line in text.splitlines() if line.strip()]
    if rows[0][0].strip() == "formal":
        return replace(_dataset(path, "SmileStyle", [_registers(rows)]), sample=_SAMPLE)
    if len(rows[0]) == 2:
        return replace(_dataset(path, "ParaKQC", [_paraphrases(rows)]), sample=_SAMPLE)
    raise InvalidQuery(f"{path} has an unknown format; the formats are {_FORMATS}")


def _dataset(path: Path, form: str, found: Sequence[Conversation], asked: int | None = None) -> Dataset:
    """Return a dataset; `asked` counts the questions of the file, with those that have no evidence."""
    answerable = sum(len(each.queries) for each in found)
    return Dataset(
        name=path.name,
        format=form,
        conversations=tuple(each for each in found if each.queries),
        left_out=0 if asked is None else asked - answerable,
    )


def _conversation(name: str, lines: Iterable[Line], queries: Iterable[Query]) -> Conversation:
    """Return a conversation with its lines that are not empty and the questions that they answer."""
    kept = tuple(line for line in lines if line.text.strip())
    known = {line.id for line in kept}
    narrowed = (replace(query, evidence=query.evidence & known) for query in queries)
    return Conversation(id=name, lines=kept, queries=tuple(query for query in narrowed if query.evidence))


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
                f"{path}, line {number} is not a conversation: {cause!r}; the formats are {_FORMATS}"
            ) from cause
        asked += len(record["queries"])
    return _dataset(path, "JSON Lines", found, asked)


def conversation(record: Mapping[str, Any], number: int) -> Conversation:
    """Return one conversation of JSON Lines; raises KeyError, TypeError or ValueError for a bad record."""
    found = _conversation(
        str(record.get("id", number)), _own_lines(record["turns"]), map(_own_query, record["queries"])
    )
    if len({line.id for line in found.lines}) < len(found.lines):
        raise ValueError("two of its turns have the same id")
    return found


def _own_lines(turns: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    """Yield the lines; a turn without a time comes a little after the last one, or a day after in a new session."""
    at, session = _FIRST_MOMENT - PACE, ""
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
        text=asked["query"], evidence=frozenset(map(str, asked["evidence"])), category=str(asked.get("category", ""))
    )


def _locomo_records(text: str) -> list[Any] | None:
    """Return the conversations of a LoCoMo file, or None if it is not one."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return None
    records = value if isinstance(value, list) else [value]
    known = all(isinstance(each, dict) and {"conversation", "qa"} <= set(each) for each in records)
    return records if known and records else None


def _locomo(record: Mapping[str, Any], number: int, captions: bool) -> Conversation:
    return _conversation(
        str(record.get("sample_id", number)),
        _locomo_lines(record["conversation"], captions),
        map(_locomo_query, record["qa"]),
    )


def _locomo_lines(talk: Mapping[str, Any], captions: bool) -> Iterator[Line]:
    sessions = sorted(int(found[1]) for key in talk if (found := _SESSION.fullmatch(key)))
    for number in sessions:
        said = datetime.strptime(talk[f"session_{number}_date_time"], _MOMENT)  # noqa: DTZ007  # the file has no zone
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


def _locomo_query(asked: Mapping[str, Any]) -> Query:
    category = int(asked["category"])
    return Query(
        text=asked["question"],
        evidence=frozenset(line for ids in asked["evidence"] for line in _line_ids(ids)),
        category=_CATEGORIES.get(category, str(category)),
        apart=category == _ADVERSARIAL,
    )


def _line_ids(text: str) -> list[str]:
    """Return the ids in `text`, which may hold several ("D8:6; D9:17") and leading zeros ("D30:05")."""
    return [f"D{int(session)}:{int(place)}" for session, place in _LINE_ID.findall(text)]


def _paraphrases(rows: Sequence[Sequence[str]]) -> Conversation:
    """Return ParaKQC, rows of (group, sentence): every sentence asks for the others of its group."""
    groups: dict[str, dict[str, str]] = {}  # group → sentence → id: a repeated sentence counts once
    for number, (group, sentence) in enumerate(rows, start=1):
        groups.setdefault(group, {}).setdefault(sentence.strip(), f"{group}.{number}")
    queries = (
        Query(text=sentence, evidence=frozenset(ids.values()) - {line_id}, group=group, itself=line_id)
        for group, ids in groups.items()
        for sentence, line_id in ids.items()
    )
    lines = (_line(line_id, text) for ids in groups.values() for text, line_id in ids.items())
    return _conversation("paraphrases", lines, queries)


def _registers(rows: Sequence[Sequence[str]]) -> Conversation:
    """Return SmileStyle, a header and rows whose first cell is formal: the other registers ask for it."""
    names, *rest = rows
    formal: dict[str, str] = {}
    queries = []
    for row in rest:
        text = row[0].strip()
        if not text:
            continue
        line_id = formal.setdefault(text, f"formal.{len(formal) + 1}")
        for name, cell in zip(names[1:], row[1:], strict=False):  # a row may be short
            if cell.strip():
                evidence = frozenset({line_id})
                queries.append(Query(text=cell.strip(), evidence=evidence, category=name.strip(), group=line_id))
    return _conversation("registers", (_line(line_id, text) for text, line_id in formal.items()), queries)


def _line(line_id: str, text: str) -> Line:
    return Line(id=line_id, speaker="user", text=text, at=_FIRST_MOMENT, session=line_id)
