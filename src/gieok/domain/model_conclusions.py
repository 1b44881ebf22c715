"""Rules that apply a model's conclusions from memories.

A model proposes text; these rules decide what it may change. The grounds of a conclusion must still exist and still say
the same, at first and in every replay; otherwise the conclusion is dropped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from gieok.domain.attributes import attribute
from gieok.domain.claim import Subject
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.upkeep import Kept, closing_change, conclusion

Thought = Literal["reflect", "interpret", "summarise", "profile", "conflict"]
THOUGHTS: Final[tuple[Thought, ...]] = get_args(Thought)

FEWEST_GROUNDS: Final = 2  #: a single memory does not support a conclusion
_IMPORTANCE: Final = 0.6
_BY_A_MODEL: Final = "upkeep/model/"  #: prefix of prompt and model in an insight's extractor
_KEPT_BY_RULE: Final = frozenset({"identity", "caution"})  #: a model cannot close these


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A memory as the model read it."""

    memory_id: str
    words: str  #: digest of its content, see `content_fingerprint`


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """A conclusion from several memories."""

    content: str
    about: str  #: topic, in a word or two; a newer insight on the same topic replaces this one
    subject: Subject = "user"
    subject_id: str = "user"
    importance: float = _IMPORTANCE
    grounds: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retelling:
    """A rewording of one memory: an event from the character's view, or a summary in natural language."""

    content: str
    ground: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two contradictory memories: the older ended when the newer began."""

    newer: Evidence
    older: Evidence


def pass_id(thought: Thought) -> str:
    """Return the id under which the last request for such thoughts is recorded."""
    return f"ponder/{thought}"


def insight_id(operation_id: str, number: int) -> str:
    return f"{operation_id}-think-{number}"


def evidence_ids(
    insights: tuple[Insight, ...], retellings: tuple[Retelling, ...], conflicts: tuple[Conflict, ...]
) -> tuple[str, ...]:
    grounds = (
        *(ground for insight in insights for ground in insight.grounds),
        *(retelling.ground for retelling in retellings),
        *(ground for conflict in conflicts for ground in (conflict.newer, conflict.older)),
    )
    return tuple(dict.fromkeys(ground.memory_id for ground in grounds))


def evidence_for(memory: Memory) -> Evidence:
    return Evidence(memory_id=memory.id, words=content_fingerprint(memory))


def content_fingerprint(memory: Memory) -> str:
    return hashlib.sha256(memory.content.encode()).hexdigest()[:16]


def apply_conclusions(
    insights: tuple[Insight, ...],
    retellings: tuple[Retelling, ...],
    conflicts: tuple[Conflict, ...],
    *,
    who: str,
    operation_id: str,
    beliefs: Beliefs,
    moment: Moment,
) -> Iterator[Kept]:
    """Yield the effects of a model's conclusions; each is absorbed before the next is processed."""
    for conflict in conflicts:
        yield from _settled(conflict, beliefs, moment)
    for retelling in retellings:
        memory = _still_valid(retelling.ground, beliefs, moment)
        if memory is not None and memory.interpretation != retelling.content:
            after = memory.changed(interpretation=retelling.content)
            yield Kept(action="retell", why=f"retold by {who}", changes=(Change(before=memory, after=after),))
    for number, insight in enumerate(insights):
        yield from _concluded(insight, insight_id(operation_id, number), who, beliefs, moment)


def _concluded(insight: Insight, new_id: str, who: str, beliefs: Beliefs, moment: Moment) -> Iterator[Kept]:
    grounds = [_still_valid(ground, beliefs, moment) for ground in insight.grounds]
    if len({ground.memory_id for ground in insight.grounds}) < FEWEST_GROUNDS:
        return
    if any(ground is None or ground.doubtful for ground in grounds):
        return
    tags = ("insight", insight.about)
    about = (insight.subject, insight.subject_id, tags)
    found = (memory for memory in beliefs.all().values() if memory.extractor.startswith(_BY_A_MODEL))
    same = (each for each in found if (each.subject, each.subject_id, each.tags) == about and each.true_at(moment.at))
    known = sorted(same, key=by_truth)
    if any(memory.content == insight.content or memory.origin == "person" for memory in known):
        return  # a person's text is not overwritten
    made = conclusion(
        filter(None, grounds),
        moment,
        id=new_id,
        subject=insight.subject,
        subject_id=insight.subject_id,
        content=insight.content,
        content_type="insight",
        importance=insight.importance,
        extractor=_BY_A_MODEL + who,
        made_from=tuple(ground.memory_id for ground in insight.grounds),
        tags=tags,
    )
    closed = (closing_change(memory, moment, replaced_by=made.id) for memory in known)
    why = f"{len(grounds)} memories together"
    yield Kept(action="reflect", why=why, changes=(Change(before=None, after=made), *closed))


def _settled(conflict: Conflict, beliefs: Beliefs, moment: Moment) -> Iterator[Kept]:
    newer = _still_valid(conflict.newer, beliefs, moment)
    older = _still_valid(conflict.older, beliefs, moment)
    if newer is None or older is None or not may_close(newer, older):
        return
    closed = older.changed(invalid_at=newer.valid_at, closed_by=newer.id)
    yield Kept(action="settle", why="both cannot hold", changes=(Change(before=older, after=closed),))


def may_close(newer: Memory, older: Memory) -> bool:
    """Return whether a model may end `older`: same subject and speaker, later, and not identity or caution."""
    if newer.doubtful or older.pinned or older.origin in ("person", "import") or newer.valid_at <= older.valid_at:
        return False
    if older.attribute is not None and attribute(older.attribute).category in _KEPT_BY_RULE:
        return False
    return (newer.subject, newer.subject_id, newer.speaker) == (older.subject, older.subject_id, older.speaker)


def _still_valid(ground: Evidence, beliefs: Beliefs, moment: Moment) -> Memory | None:
    """Return the memory that a conclusion rests on, if it is still true and says the same."""
    memory = beliefs.get(ground.memory_id)
    holds = memory is not None and memory.true_at(moment.at) and content_fingerprint(memory) == ground.words
    return memory if holds else None
