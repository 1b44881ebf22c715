"""Profiles: what is known of somebody, in a few words, the most important first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gieok.domain.attributes import Category, attribute
from gieok.domain.memory import Memory, by_truth
from gieok.domain.upkeep import UpkeepRules
from gieok.language.text import has_hangul
from gieok.language.token_count import estimate_tokens

_ORDER: Final[tuple[Category, ...]] = (
    "identity", "caution", "people", "preference", "situation", "request", "shared_event",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of one being."""

    text: str
    memories: tuple[Memory, ...]  #: those that it tells, in order


def profile(known: Sequence[Memory], rules: UpkeepRules) -> Profile | None:
    """Return the profile of the one that all of `known` are about; None: too little is known."""
    facts = sorted((memory for memory in known if memory.attribute is not None), key=_first_things_first)
    if len(facts) < rules.profile_at:
        return None
    told: dict[str, Memory] = {}
    room = rules.profile_tokens
    for memory in facts:
        sentence = " ".join(memory.content.split()).rstrip(".")
        cost = estimate_tokens(f"{sentence}. ")
        if sentence not in told and cost <= room:
            told[sentence] = memory
            room -= cost
    left = len({" ".join(memory.content.split()).rstrip(".") for memory in facts}) - len(told)
    text = ". ".join(told) + "."
    if left:
        text += f" 그 밖에 {left}가지." if has_hangul(text) else f" And {left} more."
    return Profile(text=text, memories=tuple(told.values())) if told else None


def _first_things_first(memory: Memory) -> tuple[object, ...]:
    rank = _ORDER.index(attribute(memory.attribute).category) if memory.attribute else len(_ORDER)
    return (rank, -memory.importance, by_truth(memory))
