"""What a judgement has to know: the memories that claims may touch, and how alike they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from gieok.domain.attributes import attribute
from gieok.domain.beliefs import Beliefs
from gieok.domain.claim import Claim
from gieok.domain.memory import Memory
from gieok.ports import IndexEntry, Topic, View

if TYPE_CHECKING:
    from gieok.ports import Vector

_NEAREST: Final = 20  #: free memories compared with a free claim


def beliefs_for(
    view: View, claims: Sequence[Claim], index: Mapping[str, IndexEntry], touched: Iterable[str] = ()
) -> Beliefs:
    """Return what `view` knows that judging `claims` and touching the memories `touched` depends on."""
    memories = {memory.id: memory for memory in view.memories_about(map(topic_of, _with_attribute(claims)))}
    memories |= view.memories_by_id(touched)
    similarity = alike(claims, index)
    for claim, vector in free_claims(claims, index):
        near = view.dense(vector, _NEAREST, memories_only=True)
        items = view.items(match.ref for match in near)
        for match in near:
            memory = items.get(match.ref)
            if isinstance(memory, Memory):
                memories[memory.id] = memory
                similarity[(claim.id, memory.id)] = match.score
    return Beliefs(memories.values(), similarity=similarity, heard=view.heard(claim.saying for claim in claims))


def topic_of(claim: Claim) -> Topic:
    """Return what of the claim's subject may agree with it or contradict it."""
    assert claim.attribute is not None, "free claims have no topic"
    schema = attribute(claim.attribute)
    whole: tuple[str, ...] = ()
    if claim.act == "retract":  # what it had closed may open again, up to the next that speaks against it
        whole = (claim.attribute, *schema.opposes)
    elif schema.single or claim.act != "assert":
        whole = (claim.attribute,)
    return Topic(
        subject=claim.subject,
        subject_id=claim.subject_id,
        attributes=whole,
        values=tuple(value for value in (claim.value, claim.instead_of) if value is not None),
    )


def free_claims(claims: Iterable[Claim], index: Mapping[str, IndexEntry]) -> list[tuple[Claim, Vector]]:
    """Return the claims without an attribute that have a vector; what has a flaw is compared with nothing."""
    return [
        (claim, vectors[0])
        for claim in claims
        if claim.attribute is None and claim.flaw is None and (vectors := index[claim.id].vectors) is not None
    ]


def alike(claims: Iterable[Claim], index: Mapping[str, IndexEntry]) -> dict[tuple[str, str], float]:
    """Return how alike free claims are among themselves; each may become the memory of its own id."""
    similarity: dict[tuple[str, str], float] = {}
    for (one, vector), (other, other_vector) in combinations(free_claims(claims, index), 2):
        cosine = float(vector @ other_vector)
        similarity[(one.id, other.id)] = similarity[(other.id, one.id)] = cosine
    return similarity


def _with_attribute(claims: Iterable[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.attribute is not None and claim.flaw is None]
