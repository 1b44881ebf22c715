"""Sentences and what is read from them: the rows of tests/data/extract (support/reading.py says how they are written).

What a row forbids is never read. What rows want is scored by attribute, and may not fall below its floor.
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
def test_rows_are_read_as_they_say(attribute: str) -> None:
    own, floor = ROWS[attribute], FLOORS.get(attribute, Extraction())
    wrong = [row for row in own if made_up(row, read(row))]
    assert not wrong, f"these read what they forbid:\n{listed(wrong)}"

    of = sum(len(row.wanted) for row in own)
    assert of == floor.found + floor.missed, "rows were added or taken away; `make floors` records them"
    found = of - sum(len(missed(row, read(row))) for row in own)
    least = floor.found - int(BY_ATTRIBUTE * of)
    lost = [row for row in own if missed(row, read(row))]
    assert found >= least, f"{found} of {of} are read, {least} must be; these are not:\n{listed(lost)}"
