"""What passes from step to step of a recall never changes on the way, and is put together by name.

What is filled while somebody works on it is the exception, and stands here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import gieok.recall
from support.values import values_of

FILLED = set("Candidate ContextWriter Page ScopeReader Search Walk _Call _Parts _Rival".split())
BY_PLACE = FILLED - {"ContextWriter", "Walk"}  #: made by the hundred, or private to their module
CACHING = {"ContextWriter"}  #: works things out once, which takes a dictionary


@pytest.mark.parametrize("kind", values_of(gieok.recall), ids=lambda kind: kind.__name__)
def test_a_value_is_frozen_slotted_and_made_by_name(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen is (kind.__name__ not in FILLED)
    assert ("__slots__" in vars(kind)) is (kind.__name__ not in CACHING)
    assert {field.kw_only for field in fields(kind) if field.init} == {kind.__name__ not in BY_PLACE}
