"""What is known that helps to read a turn: the user's names, the facts it speaks of, and the animals at home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.attributes import SCHEMA
from gieok.domain.claim import Claim
from gieok.domain.memory import Background, Memory
from gieok.domain.pets import is_caution, of_pets
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.korean import leaving
from gieok.extract.korean.animals import names_of, spoken_of
from gieok.extract.korean.known import spoken
from gieok.extract.korean.measured_anew import FIGURES, tells_figure
from gieok.extract.korean.unnamed import gives_up, labelled
from gieok.ports import MemoryFilter, View

_CAUTIONS: Final = tuple(key for key, schema in SCHEMA.items() if schema.category == "caution")


def background_of(view: View, turn: Turn, before: Sequence[Utterance]) -> Background:
    """Return what is known that `turn` or what it answers speaks of, and the user's names, whole and by given name."""
    names = [memory for memory in view.memories(MemoryFilter(attribute="name")) if memory.invalid_at is None]
    full = [memory.value for memory in names if memory.value and memory.subject_id == USER]
    said = "\n".join(utterance.text for utterance in turn.utterances if utterance.speaker == USER)
    if said and before and before[-1].speaker != USER:
        said = f"{said}\n{before[-1].text}"
    return Background(
        names=frozenset([*full, *(name[1:] for name in full if len(name) == 3)]),
        mentioned=_mentioned(view, said) if said else (),
        unnamed=tuple(_unnamed(view, said)) if said else (),
        pets=tuple(_of_others(view, said, names)) if said else (),
    )


def of_pets_known(view: View, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return `claims`, those that warn of something for an animal at home marked as such."""
    if not any(claim.subject == "other" and is_caution(claim) for claim in claims):
        return tuple(claims)
    names = [memory for memory in view.memories(MemoryFilter(attribute="name")) if memory.invalid_at is None]
    return of_pets(claims, names_of(names))


def _mentioned(view: View, said: str) -> tuple[Memory, ...]:
    """Return the facts that `said` names as they are kept, and those it names in other words: 스물다섯 of 25."""
    named = view.mentioned(said)
    known = {memory.id for memory in named}
    meant = {(each.attribute, each.value) for line in said.splitlines() for each in spoken(line)}
    for attribute in sorted({attribute for attribute, _ in meant}):
        for memory in view.memories(MemoryFilter(subject="user", subject_id="user", attribute=attribute)):
            holds = memory.invalid_at is None and memory.polarity == "+" and memory.id not in known
            if holds and (attribute, memory.value) in meant:
                named.append(memory)
    return tuple(named)


def _unnamed(view: View, said: str) -> Iterator[Memory]:
    """Yield what `said` may concern without its name: a job of 퇴사했어, a pill of 약 끊었어."""
    kinds = [MemoryFilter(attribute=each) for each in leaving.LEFT] if leaving.spoken_of(said) else []
    kinds += [MemoryFilter(attribute=each) for each in FIGURES] if tells_figure(said) else []
    if gives_up(said):
        kinds += [MemoryFilter(content_type="preference"), *(MemoryFilter(attribute=each) for each in labelled(said))]
    met: set[str] = set()
    for kind in kinds:
        for memory in view.memories(replace(kind, subject="user", subject_id=USER)):
            if memory.invalid_at is None and memory.polarity == "+" and memory.id not in met:
                met.add(memory.id)
                yield memory


def _of_others(view: View, said: str, names: Sequence[Memory]) -> Iterator[Memory]:
    """Yield the names that others have, and what is known of those whom `said` names; of any, where animals come up."""
    if spoken_of(said):  # 코코는 우리 집 고양이야: what is known of 코코 is from now on a cat's
        for attribute in _CAUTIONS:
            others = view.memories(MemoryFilter(subject="other", attribute=attribute))
            yield from (each for each in others if each.invalid_at is None and each.subject_id in said)
    for name in (memory for memory in names if memory.subject == "other"):
        yield name
        if name.value and name.value in said:
            about = view.memories(MemoryFilter(subject="other", subject_id=name.value))
            yield from (memory for memory in about if memory.invalid_at is None and memory.polarity == "+")
