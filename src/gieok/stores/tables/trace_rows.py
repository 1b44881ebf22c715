"""Traces as rows. A long context has dozens of hits with seven numbers each: these go as columns.

As a record of its own each, they took most of a millisecond of every turn; like this it is a tenth of one.
"""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from gieok.domain.answer import Found, Source
from gieok.domain.record import from_record, to_record
from gieok.domain.scoring import PART_NAMES, Parts
from gieok.domain.trace import Scored, Trace
from gieok.stores.tables.rows import dump

_PARTS: Final = attrgetter(*PART_NAMES)
_SIZE: Final = 1 + len(PART_NAMES)
_PLACES: Final = 6  #: that four bytes hold
PACKED: Final = frozenset({"hits", "numbers", "whys", "sources", "ranks"})  #: what stands in for `Trace.scored`


def trace_text(trace: Trace) -> str:
    record = to_record(replace(trace, scored=()))
    numbers = array("f")
    for hit in trace.scored:
        numbers.append(hit.score)
        numbers.extend(_PARTS(hit.parts))
    record["hits"] = [hit.item_id for hit in trace.scored]
    record["numbers"] = b64encode(numbers.tobytes()).decode()
    record["whys"] = [len(hit.why) for hit in trace.scored]
    record["sources"] = [found.source for hit in trace.scored for found in hit.why]
    record["ranks"] = [found.rank for hit in trace.scored for found in hit.why]
    return dump(record)


def trace_from(text: str) -> Trace:
    record: dict[str, Any] = json.loads(text)
    hits, packed, whys = (record.pop(name) for name in ("hits", "numbers", "whys"))
    found = map(_found, record.pop("sources"), record.pop("ranks"))
    numbers = [round(number, _PLACES) for number in array("f", b64decode(packed))]
    rows = (numbers[place : place + _SIZE] for place in range(0, len(numbers), _SIZE))
    scored = tuple(
        _scored(item_id, row, tuple(islice(found, many))) for item_id, row, many in zip(hits, rows, whys, strict=True)
    )
    return replace(from_record(Trace, record), scored=scored)


def _scored(item_id: str, numbers: list[float], why: tuple[Found, ...]) -> Scored:
    score, *parts = numbers
    return Scored(item_id, score, Parts(**dict(zip(PART_NAMES, parts, strict=True))), why)


def _found(source: Source, rank: int) -> Found:
    return Found(source=source, rank=rank)
