"""Reading a file into a dataset; what it holds is seen from its beginning."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gieok.errors import InvalidQuery
from gieok.evals.retrieval import json_lines, locomo, sentences
from gieok.evals.retrieval.datasets import Conversation, Dataset

_QUICK: Final = 1_000  #: questions of a set that has tens of thousands
_FORMATS: Final = (
    'LoCoMo (a JSON list of objects with "conversation" and "qa"), ParaKQC (lines of group TAB sentence), '
    'SmileStyle (tab-separated, the first column headed "formal"), or JSON Lines, one conversation a line: '
    '{"id": "…", "turns": [{"id": "…", "speaker": "…", "text": "…"}], '
    '"queries": [{"query": "…", "evidence": ["turn id"]}]}'
)


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
            found, left_out = locomo.conversations(records, captions=captions)
            return replace(_dataset(path, "LoCoMo", found, left_out), captions=captions)
        return _json_lines(path, text)
    cells = first.split("\t")
    rows = [line.split("\t") for line in text.splitlines() if line.strip()]
    if cells[0].strip() == "formal":
        return _dataset(path, "SmileStyle", (sentences.registers(rows),), quick=_QUICK)
    if len(cells) == 2:
        return _dataset(path, "ParaKQC", (sentences.paraphrases(rows),), quick=_QUICK)
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
            found.append(json_lines.conversation(record, number))
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
