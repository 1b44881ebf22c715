"""Sentences and what is read from them: the rows of tests/data/extract (support/reading.py says how they are written).

What rows want and what they forbid is scored by attribute; no score may fall below its floor.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from gieok_evals.reports import Extraction
from support.reading import Row, made_up, missed, read, rows, shown
from support.reading_scores import BY_ATTRIBUTE, floors

ROWS: dict[str, list[Row]] = defaultdict(list)
for each in rows():
    ROWS[each.attribute].append(each)
FLOORS = floors()["rows"]


def listed(failed: list[Row]) -> str:
    return "\n".join(f"{row}\n    read: {shown(read(row))}" for row in failed)


@pytest.mark.parametrize("attribute", sorted(ROWS))
def test_rows_are_read_as_well_as_recorded(attribute: str) -> None:
    own, floor = ROWS[attribute], FLOORS.get(attribute, Extraction())
    of = sum(len(row.wanted) for row in own)
    assert of == floor.found + floor.missed, "rows were added or taken away; `make floors` records them"

    slack = int(BY_ATTRIBUTE * len(own))
    wrong = [row for row in own if made_up(row, read(row))]
    count = sum(len(made_up(row, read(row))) for row in wrong)
    assert count <= floor.extra + slack, f"{count} are read that rows forbid, {floor.extra} may be:\n{listed(wrong)}"

    lost = [row for row in own if missed(row, read(row))]
    found = of - sum(len(missed(row, read(row))) for row in lost)
    assert found >= floor.found - slack, f"{found} of {of} are read, {floor.found} should be:\n{listed(lost)}"
