"""What the store hands from part to part never changes on the way; what is filled while it works stands here."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import gieok.stores.sqlite
from support.values import values_of

FILLED = {"Ledger", "_Door"}
BY_PLACE = {"BankVectors", "Known", "Standing", "_Door", "_Job"}  #: read from a row, or made in one place


@pytest.mark.parametrize("kind", values_of(gieok.stores.sqlite), ids=lambda kind: kind.__name__)
def test_a_value_is_frozen_slotted_and_made_by_name(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen is (kind.__name__ not in FILLED)
    assert "__slots__" in vars(kind)
    assert {field.kw_only for field in fields(kind)} == {kind.__name__ not in BY_PLACE}
