"""When what was read is what was expected.

Subjects are compared by whom they mean, values by their accepted spellings, and dislikes count as likes said with no.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.domain.turn import CHARACTER, USER
from gieok_evals.cases import Expected
from gieok_evals.figures import Extraction
from gieok_evals.statement import Statement, fold

_PARTIES: Final = (USER, CHARACTER, "world")
_PET: Final = "반려동물"
_ANIMALS: Final = tuple(
    "강아지 개 멍멍이 댕댕이 고양이 냥이 야옹이 토끼 햄스터 앵무새 새 거북이 물고기 금붕어 열대어 고슴도치 기니피그 "
    "도마뱀 게코 페럿 친칠라 달팽이 병아리 닭 말 돼지 다람쥐 동물 애완동물 반려동물 반려견 반려묘".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """How the statements of one utterance compare with what was expected."""

    found: tuple[Expected, ...]
    missed: tuple[Expected, ...]  #: without optional ones
    extra: tuple[Statement, ...]

    @property
    def counts(self) -> Extraction:
        return Extraction(len(self.found), len(self.missed), len(self.extra))


def matched(said: Sequence[Statement], expected: Sequence[Expected]) -> Matched:
    """Pair statements with expectations, each at most once.

    What "B, not A" implies of A may be expected, and is no extra where it is not.
    """
    pets = pet_names(said, expected)
    left = list(said)
    found = []
    missed = []
    for wanted in expected:
        match = next((each for each in left if meets(each, wanted, pets)), None)
        if match is not None:
            left.remove(match)
            found.append(wanted)
        elif not wanted.optional:
            missed.append(wanted)
    extra = (each for each in left if not each.implied and not _repeats(each, found, pets))
    return Matched(found=tuple(found), missed=tuple(missed), extra=tuple(extra))


def meets(said: Statement, wanted: Expected, pets: frozenset[str] = frozenset()) -> bool:
    """Whether `said` is what was `wanted`: of the same one, the same attribute and value, yes or no, now or past."""
    return (
        same_subject(said.subject, wanted.said.subject, pets)
        and _sense(said)[0] == _sense(wanted.said)[0]
        and _same_truth(said, wanted.said)
        and fold(said.value) in {fold(value) for value in wanted.accepted}
    )


def violates(said: Statement, forbidden: Statement, accepted: Iterable[str] = ()) -> bool:
    """Whether `said` states now what must not be stored."""
    return (
        said.current
        and same_subject(said.subject, forbidden.subject)
        and _sense(said) == _sense(forbidden)
        and fold(said.value) in {fold(value) for value in (forbidden.value, *accepted)}
    )


def same_subject(ours: str, theirs: str, pets: frozenset[str] = frozenset()) -> bool:
    """Whether both mean the same one: user and character as they are, 친구 서준 also as 서준, a pet by what it is."""
    if ours in _PARTIES or theirs in _PARTIES:
        return ours == theirs
    if theirs == _PET:
        return ours in pets or any(fold(ours).endswith(animal) for animal in _ANIMALS)
    one, other = fold(ours), fold(theirs)
    return one in other or other in one


def pet_names(said: Iterable[Statement], expected: Iterable[Expected]) -> frozenset[str]:
    """Return what the pets of an utterance are called, by what is expected or was read."""
    named = [each.value for each in said if each.attribute == "pet"]
    for wanted in expected:
        if wanted.said.subject == _PET and wanted.said.attribute == "name":
            named += wanted.accepted
    return frozenset(named)


def _sense(said: Statement) -> tuple[str, str]:
    """Return attribute and polarity, with every way to dislike as likes "-"."""
    if said.attribute == "dislikes":
        return ("likes", "-")
    return (said.attribute, said.polarity)


def _same_truth(said: Statement, wanted: Statement) -> bool:
    """Whether both hold now, or both do not: what is past counts as no, and no as past."""
    ours, theirs = _sense(said)[1], _sense(wanted)[1]
    if wanted.past:
        return said.past or ours == "-"
    return ours == theirs and (ours == "-" or not said.past)


def _repeats(said: Statement, found: Iterable[Expected], pets: frozenset[str]) -> bool:
    return any(meets(said, wanted, pets) for wanted in found)
