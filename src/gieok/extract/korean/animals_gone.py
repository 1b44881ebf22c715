"""Animals that are with the speaker no more, by their names: 초코 떠난 지 49일, 치즈 무지개다리 건넜어."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gieok.extract.korean.animals import is_others, kind_of
from gieok.extract.korean.farewells import Spot
from gieok.extract.korean.giving_up import given_up, spot
from gieok.language.clauses import Clause, clauses

_STAND_INS: Final = ("바나나", "수박")  #: read as anything, by whether a particle finds an open syllable


def gone_by_name(text: str, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the animals of `names` that `text` says to be gone."""
    for name in names:
        at = text.find(name)
        if at < 0 or "?" in text or is_others(text[:at]):
            continue
        # a name is read as anything, and so is what follows it
        rest = text[at + len(name) :]
        closed = rest[:1] in ("은", "을", "과") and (ord(name[-1]) - ord("가")) % 28 != 0
        stand_in = _STAND_INS[closed]
        masked = f"{text[:at]}{stand_in}{rest if closed else rest.removeprefix('이')}"
        said = clauses(masked)
        spotted = spot(said, at, at + len(stand_in))
        given = given_up(masked, spotted, said, "pet") if spotted is not None else None
        if spotted is not None and given is not None and given[0] == "over" and _of_it(said, spotted, given[1]):
            yield name


def _of_it(said: Sequence[Clause], at: Spot, end: int) -> bool:
    """Whether what ends at `end` is said of the animal: not 나비 잡으러 떠났어, 보리 두고 떠났어."""
    clause = said[at.place]
    leads = at.phrase is not None and at.phrase.has("이", "가", "은", "는")
    ending = clause.predicate.endings[-1:] if clause.predicate is not None else ()
    return end <= clause.end or leads or ending in (("다가",), ("어서",), ("더니",))


def kinds_gone(text: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of which nobody is left at home, each with the name of the one who is gone."""
    for name in gone_by_name(text, names):
        kind = kind_of(names[name])
        if kind is not None and list(names.values()).count(names[name]) == 1:
            yield kind, name
