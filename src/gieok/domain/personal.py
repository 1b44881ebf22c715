"""Personal data: its kinds, how each is handled, and masked text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

PersonalKind = Literal[
    "resident", "foreigner", "business", "passport", "licence", "phone", "account", "card", "email", "address",
    "us_ssn", "us_passport", "us_licence", "us_address", "iban",
]  # fmt: skip
PERSONAL_KINDS: Final[tuple[PersonalKind, ...]] = get_args(PersonalKind)

#: Masks. Korean ones end in a vowel, so that the same particle form fits all of them.
_MASKS: Final[Mapping[PersonalKind, tuple[str, str]]] = {
    "resident": ("주민등록번호", "resident number"),
    "foreigner": ("외국인등록번호", "foreigner number"),
    "business": ("사업자등록번호", "business number"),
    "passport": ("여권번호", "passport number"),
    "licence": ("운전면허번호", "driver's licence"),
    "phone": ("전화번호", "phone number"),
    "account": ("계좌번호", "bank account"),
    "card": ("카드번호", "card number"),
    "email": ("이메일 주소", "email address"),
    "address": ("주소", "address"),
    "us_ssn": ("사회보장번호", "social security number"),
    "us_passport": ("미국 여권번호", "US passport number"),
    "us_licence": ("미국 운전면허번호", "US driver's license"),
    "us_address": ("미국 주소", "street address"),
    "iban": ("국제 계좌번호", "IBAN"),
}
KOREAN: Final[Mapping[PersonalKind, str]] = {kind: korean for kind, (korean, _) in _MASKS.items()}
ENGLISH: Final[Mapping[PersonalKind, str]] = {kind: english for kind, (_, english) in _MASKS.items()}

Flags = Callable[[str], tuple[str, ...]]  #: returns the kinds of personal data in a text, masked or not


@dataclass(frozen=True, slots=True, kw_only=True)
class Masked:
    """A text that may be indexed, quoted and shown to models."""

    text: str
    flags: tuple[str, ...] = ()  #: kinds of personal data that were found
    asked: tuple[str, ...] = ()  #: kinds that are masked until the user consents


def no_flags(text: str) -> tuple[str, ...]:
    return ()


def join_masked(parts: Iterable[Masked]) -> Masked:
    """Join masked texts, one per line, with the findings of all."""
    every = tuple(parts)
    return Masked(
        text="\n".join(each.text for each in every),
        flags=tuple(dict.fromkeys(flag for each in every for flag in each.flags)),
        asked=tuple(dict.fromkeys(flag for each in every for flag in each.asked)),
    )


def masks_of(kind: PersonalKind) -> tuple[str, ...]:
    return (f"[{KOREAN[kind]}]", f"[{ENGLISH[kind]}]")
