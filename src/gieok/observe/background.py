"""What is known that helps an extractor to read a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from gieok.domain.claim import Claim
from gieok.domain.memory import Background, Memory, Needs
from gieok.domain.pets import is_caution, names_a_pet, of_pets
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.values import kind_of
from gieok.ports import Extractor, MemoryFilter, View


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
    said = [memory for memory in view.mentioned_facts(needs.said) if memory.invalid_at is None]
    pets = _pets(view, names)
    others = [each.subject_id for each in view.subjects() if each.subject == "other"] if needs.people else []
    if pets:  # of animals that are known by name, their kind names nobody
        others = [each for each in others if kind_of(each) != "animal"]
    spoken_of = sorted({each for each in (*pets, *others) if each in needs.said})
    facts = (view.memories(MemoryFilter(subject="other", subject_id=name)) for name in spoken_of)
    return Background(
        names=known,
        mentioned=tuple(_current(said)),
        pets=pets,
        aliases={each.value: each.subject_id for each in names if each.value and _is_relative(each)},
        of_others=tuple(_current(chain.from_iterable(facts))),
        people=tuple(dict.fromkeys([*sorted(pets), *others])),
        doubtful=tuple(memory for memory in said if memory.doubtful),
    )


def of_pets_known(view: View, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return `claims`, those that warn of something for an animal at home marked as such."""
    if not any(claim.subject == "other" and is_caution(claim) for claim in claims):
        return tuple(claims)
    names = _current(view.memories(MemoryFilter(attribute="name")))
    return of_pets(claims, _pets(view, names))


def _pets(view: View, names: Iterable[Memory]) -> frozenset[str]:
    """Return the names of animals at home: told as a name, or of one whose kind is told."""
    kinds = _current(view.memories(MemoryFilter(attribute="free.species")))
    named = (memory.value for memory in names if memory.value and names_a_pet(memory))
    return frozenset([*named, *(memory.subject_id for memory in kinds if memory.subject == "other")])


def _is_relative(name: Memory) -> bool:
    """Whether a name is of somebody who is known by another word: 누나; an animal is known by its name."""
    return name.subject == "other" and name.value != name.subject_id and kind_of(name.subject_id) != "animal"


def _current(memories: Iterable[Memory]) -> list[Memory]:
    """Return what is true without an end; readers rest on nothing that is doubtful."""
    return [memory for memory in memories if memory.invalid_at is None and not memory.doubtful]
