"""Animals that live with the user: others, of whom only their keeper can tell.

Each is known by its name, and its kind (고양이) has the names of all of that kind. What it must not have belongs into
every context as what the user must not have does: an animal cannot be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.memory import Memory

PET: Final = "pet"  #: the tag of what is told of them


def pinned(told: Claim | Memory) -> bool:
    """Whether `told` belongs into every context: by the schema, and of others only pets' cautions; never in doubt."""
    if told.attribute is None or told.polarity == "-" or told.doubtful:
        return False
    schema = attribute(told.attribute)
    return schema.pinned and (told.subject in ("user", "character") or (PET in told.tags and is_caution(told)))


def is_caution(told: Claim | Memory) -> bool:
    return told.attribute is not None and attribute(told.attribute).category == "caution"


def names_a_pet(told: Claim | Memory) -> bool:
    """Whether it gives an animal its name; two cats have two, and neither is a change of the other."""
    return told.attribute == "name" and PET in told.tags


def learned_of_pet(memory: Memory, claim: Claim) -> dict[str, object]:
    """Return what changes in `memory` where `claim` says the same, now that it is known to be a pet's; else nothing."""
    if PET not in claim.tags or PET in memory.tags:
        return {}
    return {"tags": (*memory.tags, PET), "pinned": memory.pinned or (pinned(claim) and not memory.doubtful)}


def of_pet(claim: Claim) -> Claim:
    return claim if PET in claim.tags else replace(claim, tags=(*claim.tags, PET))


def of_pets(claims: Iterable[Claim], names: Collection[str]) -> tuple[Claim, ...]:
    return tuple(of_pet(each) if each.subject == "other" and each.subject_id in names else each for each in claims)
