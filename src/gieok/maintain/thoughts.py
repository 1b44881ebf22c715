"""What may come of a model's answers: only what rests on memories, says nothing that they do not hold, and is short."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from gieok.domain.memory import Memory
from gieok.domain.thinking import FEWEST_GROUNDS, Conflict, Insight, Retelling, grounded
from gieok.language.text import fold
from gieok.maintain.grounding import ungrounded
from gieok.prompts.reflect import Reflection

_LONGEST_INSIGHT: Final = 300
_LONGEST_ABOUT: Final = 40
_LONGEST_RETELLING: Final = 1_200


def insights_from(
    reflections: Iterable[Reflection], shown: Mapping[str, Memory], names: Sequence[str]
) -> tuple[Insight, ...]:
    """Return the insights that hold: each cites two of the memories `shown`, whose names and numbers are its own."""
    found = []
    for reflection in reflections:
        cited = [shown[each] for each in dict.fromkeys(reflection.memory_ids) if each in shown]
        content = one_line(reflection.content)
        if len(cited) < FEWEST_GROUNDS or not _fits(content, _LONGEST_INSIGHT, cited, names):
            continue
        if any(fold(content) == fold(memory.content) for memory in cited):
            continue  # that is remembered already
        subjects = {(memory.subject, memory.subject_id) for memory in cited}
        of = cited[0] if len(subjects) == 1 else None
        found.append(
            Insight(
                content=content,
                about=one_line(reflection.about)[:_LONGEST_ABOUT],
                subject=of.subject if of is not None else "user",
                subject_id=of.subject_id if of is not None else "user",
                importance=min(max(reflection.importance, 0.0), 1.0),
                grounds=tuple(map(grounded, cited)),
            )
        )
    return tuple(found)


def retelling_of(
    memory: Memory, text: str, *, grounds: Iterable[Memory] = (), said: Iterable[str] = (), names: Sequence[str]
) -> Retelling | None:
    """Return `memory` as `text` tells it; None: that says more than there is."""
    content = one_line(text)
    if not _fits(content, _LONGEST_RETELLING, (memory, *grounds), (*said, *names)) or fold(content) == fold(
        memory.content
    ):
        return None
    return Retelling(content=content, ground=grounded(memory))


def conflicts_among(found: Iterable[tuple[str, str]], asked: Iterable[tuple[Memory, Memory]]) -> tuple[Conflict, ...]:
    """Return the pairs that were asked about and that a model finds at odds."""
    pairs = {(newer.id, older.id): (newer, older) for newer, older in asked}
    return tuple(
        Conflict(newer=grounded(newer), older=grounded(older))
        for newer, older in (pairs[pair] for pair in dict.fromkeys(found) if pair in pairs)
    )


def one_line(text: str) -> str:
    return " ".join(text.split())


def _fits(content: str, longest: int, grounds: Sequence[Memory], besides: Sequence[str]) -> bool:
    if not 0 < len(content) <= longest:
        return False
    days = [moment.date() for memory in grounds for moment in (memory.valid_at, memory.known_at)]
    return not ungrounded(content, (*map(_all_of, grounds), *besides), days)


def _all_of(memory: Memory) -> str:
    """Return everything that is known through `memory`."""
    told = (memory.content, memory.surface, memory.value, memory.subject_id, memory.speaker, *memory.details)
    return "\n".join(filter(None, told))
