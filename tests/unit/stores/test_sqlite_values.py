"""What the store hands from part to part never changes on the way; what is filled while it works stands here."""

from __future__ import annotations

import pkgutil
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import pytest

import gieok.stores.sqlite

FILLED = {"Ledger", "_Door"}
BY_PLACE = {"BankVectors", "Known", "Standing", "_Door", "_Job"}  #: read from a row, or made in one place


def values() -> list[type[Any]]:
    names = [each.name for each in pkgutil.iter_modules(gieok.stores.sqlite.__path__)]
    modules = [import_module(f"gieok.stores.sqlite.{name}") for name in names]
    kinds = {
        kind for module in modules for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
    }  # fmt: skip
    return sorted(kinds, key=lambda kind: kind.__qualname__)


@pytest.mark.parametrize("kind", values(), ids=lambda kind: kind.__name__)
def test_a_value_is_frozen_slotted_and_made_by_name(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen is (kind.__name__ not in FILLED)
    assert "__slots__" in vars(kind)
    assert {field.kw_only for field in fields(kind)} == {kind.__name__ not in BY_PLACE}
