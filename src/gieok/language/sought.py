"""What kind of value a question wants for an answer, and whether a text holds one: a time, a number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from gieok.language.lately import remembered
from gieok.language.periods import asked_periods

_WHEN: Final = re.compile(
    r"언제|며칠|몇\s?(?:월|시|년|일)(?!\s?동안)|무슨\s?요일"
    r"|\bwhen\b|\b(?:what|which)\s(?:date|day|month|year|time)\b|\bhow long ago\b",
    re.IGNORECASE,
)
_HOW_MANY: Final = re.compile(r"몇|얼마|\bhow (?:many|much|old|often|long|tall|far)\b", re.IGNORECASE)
_ANY_DAY: Final = datetime(2024, 7, 1, tzinfo=UTC)  # whether there is a time does not depend on when one looks


def asks_when(text: str) -> bool:
    return _WHEN.search(text) is not None


def asks_how_many(text: str) -> bool:
    return _HOW_MANY.search(text) is not None


@remembered
def holds_time(text: str) -> bool:
    return bool(asked_periods(text, _ANY_DAY, UTC))


def holds_number(terms: Iterable[str]) -> bool:
    return any(term[0].isdigit() for term in terms)
