"""Pets of the user: subjects that only their owner speaks for.

Each is known by its name; its species (고양이) has the names of all its pets as value. A pet's cautions are in every
context, like the user's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.memory import Memory

PET: Final = "pet"  #: tag of facts about pets


def pinned(told: Claim | Memory) -> bool:
    """Return whether `told` belongs in every context: by its attribute, or a pet's caution; never if doubtful."""
    if told.attribute is None or told.polarity == "-" or told.doubtful:
        return False
    schema = attribute(told.attribute)
    return schema.pinned and (told.subject in ("user", "character") or (PET in told.tags and is_caution(told)))


def is_caution(told: Claim | Memory) -> bool:
    return told.attribute is not None and attribute(told.attribute).category == "caution"


def names_a_pet(told: Claim | Memory) -> bool:
    """Return whether it names a pet; two cats have two names, and neither replaces the other."""
    return told.attribute == "name" and PET in told.tags


def learned_of_pet(memory: Memory, claim: Claim) -> dict[str, object]:
    """Return the changes of `memory` if `claim` says the same and shows that it is about a pet; else {}."""
    if PET not in claim.tags or PET in memory.tags:
        return {}
    return {"tags": (*memory.tags, PET), "pinned": memory.pinned or (pinned(claim) and not memory.doubtful)}


def of_pet(claim: Claim) -> Claim:
    return claim if PET in claim.tags else replace(claim, tags=(*claim.tags, PET))


def of_pets(claims: Iterable[Claim], names: Collection[str]) -> tuple[Claim, ...]:
    return tuple(of_pet(each) if each.subject == "other" and each.subject_id in names else each for each in claims)
