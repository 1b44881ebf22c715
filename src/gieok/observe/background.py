"""What is known that helps an extractor to read a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from gieok.domain.attributes import SCHEMA
from gieok.domain.claim import Claim
from gieok.domain.memory import Background, Memory, Needs, by_truth
from gieok.domain.pets import is_caution
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.needs import marked_for_pets
from gieok.ports import Extractor, MemoryFilter, Topic, View

_CAUTIONS: Final = frozenset(key for key, schema in SCHEMA.items() if schema.category == "caution")


def needs_of(extractor: Extractor, turn: Turn, before: Sequence[Utterance]) -> Needs:
    """Return what `extractor` needs to know for `turn`; one without `needs` gets the facts that the user names."""
    needs = getattr(extractor, "needs", None)
    if needs is not None:
        found: Needs = needs(turn, before)
        return found
    return Needs(said="\n".join(each.text for each in turn.utterances if each.speaker == USER))


def background_of(view: View, needs: Needs) -> Background:
    """Return what is known of `needs`, and the user's names, full and given."""
    names = _current(view.memories(MemoryFilter(attribute="name")))
    full = [memory.value for memory in names if memory.value and memory.subject_id == USER]
    known = frozenset([*full, *(name[1:] for name in full if len(name) == 3)])
    if not needs.said:
        return Background(names=known)
    asked = (*needs.attributes, *sorted({attribute for attribute, _ in needs.values}))
    facts = _of_user(view, asked, needs.content_types)
    mentioned = view.mentioned_facts(needs.said)
    told = {memory.id for memory in mentioned}
    mentioned += [each for each in facts if (each.attribute, each.value) in needs.values and each.id not in told]
    wanted = {*needs.attributes}
    return Background(
        names=known,
        mentioned=tuple(mentioned),
        unnamed=tuple(e for e in facts if e.attribute in wanted or e.content_type in needs.content_types),
        pets=tuple(_of_others(view, needs, names)),
    )


def of_pets_known(view: View, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return `claims`, those that warn of something for an animal at home marked as such."""
    if not any(claim.subject == "other" and is_caution(claim) for claim in claims):
        return tuple(claims)
    return marked_for_pets(claims, _current(view.memories(MemoryFilter(attribute="name"))))


def _of_user(view: View, attributes: Sequence[str], content_types: Sequence[str]) -> list[Memory]:
    """Return the user's current facts of these attributes and types, oldest first."""
    found: dict[str, Memory] = {}
    if attributes:
        topic = Topic(subject=USER, subject_id=USER, attributes=tuple(attributes))
        about = view.memories_about([topic])
        found = {each.id: each for each in about if each.attribute in attributes and not each.hidden}
    for each in content_types:
        which = MemoryFilter(subject=USER, subject_id=USER, content_type=each)
        found |= {memory.id: memory for memory in view.memories(which)}
    return sorted((each for each in _current(found.values()) if each.polarity == "+"), key=by_truth)


def _of_others(view: View, needs: Needs, names: Sequence[Memory]) -> Iterator[Memory]:
    """Yield the names that others have, what is known of those who are named, and cautions if they are needed."""
    if needs.cautions_of_others:
        others = _current(view.memories(MemoryFilter(subject="other")))
        yield from (each for each in others if each.attribute in _CAUTIONS and each.subject_id in needs.said)
    for name in names:
        if name.subject == "other":
            yield name
            if name.value and name.value in needs.said:
                about = _current(view.memories(MemoryFilter(subject="other", subject_id=name.value)))
                yield from (memory for memory in about if memory.polarity == "+")


def _current(memories: Iterable[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.invalid_at is None]
