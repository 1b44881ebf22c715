"""What a claim states, and whether it is what was expected.

Subjects are compared by whom they mean, values by their accepted spellings. A dislike counts as a negated like.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.claim import Claim, Polarity
from gieok.domain.decision import Decision, Ignore
from gieok.domain.turn import CHARACTER, USER
from gieok_evals.reports import Extraction

#: Reasons to ignore a claim that was understood: there was nothing to close.
_UNDERSTOOD: Final = ("nothing_to_end", "nothing_to_retract")
_PARTIES: Final = (USER, CHARACTER, "world")
_PET: Final = "반려동물"
_ANIMALS: Final = tuple(
    "강아지 개 멍멍이 댕댕이 고양이 냥이 야옹이 토끼 햄스터 앵무새 새 거북이 물고기 금붕어 열대어 고슴도치 기니피그 "
    "도마뱀 게코 페럿 친칠라 달팽이 병아리 닭 말 돼지 다람쥐 동물 애완동물 반려동물 반려견 반려묘".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One fact about one subject."""

    subject: str  #: "user", "character", "world", or another name
    attribute: str
    value: str
    polarity: Polarity = "+"
    past: bool = False  #: no longer true
    implied: bool = False  #: what "B, not A" says of A

    @property
    def current(self) -> bool:
        """Whether it says that something is true now."""
        return self.polarity == "+" and not self.past

    @property
    def sense(self) -> tuple[str, str]:
        """Attribute and polarity; a dislike is a negated like."""
        return ("likes", "-") if self.attribute == "dislikes" else (self.attribute, self.polarity)

    def __str__(self) -> str:
        sign = "≠" if self.polarity == "-" else "="
        return f"{self.subject}.{self.attribute}{sign}{self.value}{' (past)' if self.past else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A fact that an utterance states."""

    said: Statement
    accepted: tuple[str, ...]  #: the value and its other spellings
    optional: bool = False  #: correct if found, no miss if not


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """The statements of one utterance compared with what was expected."""

    found: tuple[Expected, ...]
    missed: tuple[Expected, ...]  #: without optional ones
    extra: tuple[Statement, ...]

    @property
    def counts(self) -> Extraction:
        return Extraction(len(self.found), len(self.missed), len(self.extra))


def fold(text: str) -> str:
    """Return `text` composed (NFC), in lower case and without spaces, to compare values by."""
    return "".join(unicodedata.normalize("NFC", text).split()).casefold()


def listed(statements: Iterable[Statement]) -> str:
    """Return statements in one line: user.job=간호사, user.pet=고양이 (past)."""
    return ", ".join(map(str, statements)) or "nothing"


def statements(claim: Claim, at: datetime) -> Iterator[Statement]:
    """Yield what `claim`, made at `at`, states. One in doubt or without an attribute states nothing comparable."""
    if claim.attribute is None or claim.doubtful:
        return
    subject = claim.subject if claim.subject != "other" else claim.subject_id
    if claim.value is None:
        yield Statement(subject=subject, attribute=claim.attribute, value="", polarity="-")
        return
    ended = claim.act in ("end", "retract") or claim.polarity == "-"
    yield Statement(
        subject=subject,
        attribute=claim.attribute,
        value=claim.value,
        polarity="-" if ended else "+",
        past=claim.invalid_at is not None and claim.invalid_at <= at,
    )
    if claim.instead_of is not None:
        yield Statement(subject=subject, attribute=claim.attribute, value=claim.instead_of, polarity="-", implied=True)


def stored(decisions: Iterable[Decision]) -> Iterator[Claim]:
    """Yield the claims that were stored, and those understood as ending something unknown."""
    for decision in decisions:
        if not isinstance(decision, Ignore) or decision.why in _UNDERSTOOD:
            yield decision.claim


def matched(said: Sequence[Statement], expected: Sequence[Expected]) -> Matched:
    """Pair statements with expectations, each at most once.

    What "B, not A" implies of A may be expected; it is not extra if it is not.
    """
    pets = _pet_names(said, expected)
    left = list(said)
    found = []
    missed = []
    for wanted in expected:
        match = next((each for each in left if _meets(each, wanted, pets)), None)
        if match is not None:
            left.remove(match)
            found.append(wanted)
        elif not wanted.optional:
            missed.append(wanted)
    extra = (each for each in left if not each.implied and not any(_meets(each, wanted, pets) for wanted in found))
    return Matched(found=tuple(found), missed=tuple(missed), extra=tuple(extra))


def violates(said: Statement, forbidden: Statement) -> bool:
    """Whether `said` states as current what must not be stored."""
    return (
        said.current
        and same_subject(said.subject, forbidden.subject)
        and said.sense == forbidden.sense
        and fold(said.value) == fold(forbidden.value)
    )


def same_subject(ours: str, theirs: str, pets: frozenset[str] = frozenset()) -> bool:
    """Whether both mean the same one: 친구 서준 is also 서준, and a pet matches by its kind or its name in `pets`."""
    if ours in _PARTIES or theirs in _PARTIES:
        return ours == theirs
    if theirs == _PET:
        return ours in pets or any(fold(ours).endswith(animal) for animal in _ANIMALS)
    first, second = fold(ours), fold(theirs)
    return first in second or second in first


def _meets(said: Statement, wanted: Expected, pets: frozenset[str]) -> bool:
    """Whether `said` is what was `wanted`. What is past counts as negated, and the other way round."""
    (attribute, polarity), (wanted_attribute, wanted_polarity) = said.sense, wanted.said.sense
    if wanted.said.past:
        same_truth = said.past or polarity == "-"
    else:
        same_truth = polarity == wanted_polarity and (polarity == "-" or not said.past)
    return (
        same_truth
        and attribute == wanted_attribute
        and same_subject(said.subject, wanted.said.subject, pets)
        and fold(said.value) in {fold(value) for value in wanted.accepted}
    )


def _pet_names(said: Iterable[Statement], expected: Iterable[Expected]) -> frozenset[str]:
    """Return the names of the pets of an utterance, as expected or as read."""
    names = [each.value for each in said if each.attribute == "pet"]
    for wanted in expected:
        if wanted.said.subject == _PET and wanted.said.attribute == "name":
            names += wanted.accepted
    return frozenset(names)
