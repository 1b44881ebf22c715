"""Korean sentences that mean the same: ParaKQC (groups of paraphrases) and SmileStyle (one sentence in many registers).

Every sentence is a session of its own, all said at one moment: neither a neighbour nor the time helps to find it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.evals.retrieval.datasets import FIRST_MOMENT, Conversation, Line, Query

_SPEAKER: Final = "user"


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
