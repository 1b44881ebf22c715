"""The kinds of personal data that are looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "resident", "foreigner", "business", "passport", "licence", "phone", "account", "card", "email", "address",
    "us_ssn", "us_passport", "us_licence", "us_address", "iban",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Found:
    """Personal data in a text: its kind, and where it begins and ends."""

    kind: Kind
    start: int
    end: int
