"""What is known that helps an extractor to read a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    wanted = {*needs.attributes}
    asked = (*needs.attributes, *sorted({attribute for attribute, _ in needs.values}))
    of_user: dict[str, Memory] = {}
    if asked:
        about = view.memories_about([Topic(subject=USER, subject_id=USER, attributes=asked)])
        of_user = {each.id: each for each in about if each.attribute in asked and not each.hidden}
    for content_type in needs.content_types:
        which = MemoryFilter(subject=USER, subject_id=USER, content_type=content_type)
        of_user |= {memory.id: memory for memory in view.memories(which)}
    facts = sorted((each for each in _current(of_user.values()) if each.polarity == "+"), key=by_truth)
    said = [memory for memory in view.mentioned_facts(needs.said) if memory.invalid_at is None]
    mentioned = _current(said)
    told = {memory.id for memory in mentioned}
    mentioned += [each for each in facts if (each.attribute, each.value) in needs.values and each.id not in told]
    pets: list[Memory] = []
    if needs.cautions_of_others:
        others = _current(view.memories(MemoryFilter(subject="other")))
        pets += [each for each in others if each.attribute in _CAUTIONS and each.subject_id in needs.said]
    for name in names:
        if name.subject == "other":
            pets.append(name)
            if name.value and name.value in needs.said:
                about = _current(view.memories(MemoryFilter(subject="other", subject_id=name.value)))
                pets += [memory for memory in about if memory.polarity == "+"]
    return Background(
        names=known,
        mentioned=tuple(mentioned),
        unnamed=tuple(e for e in facts if e.attribute in wanted or e.content_type in needs.content_types),
        pets=tuple(pets),
        people=tuple(each.subject_id for each in view.subjects() if each.subject == "other") if needs.people else (),
        doubtful=tuple(memory for memory in said if memory.doubtful),
    )


def of_pets_known(view: View, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return `claims`, those that warn of something for an animal at home marked as such."""
    if not any(claim.subject == "other" and is_caution(claim) for claim in claims):
        return tuple(claims)
    return marked_for_pets(claims, _current(view.memories(MemoryFilter(attribute="name"))))


def _current(memories: Iterable[Memory]) -> list[Memory]:
    """Return what is true without an end; readers rest on nothing that is doubtful."""
    return [memory for memory in memories if memory.invalid_at is None and not memory.doubtful]
