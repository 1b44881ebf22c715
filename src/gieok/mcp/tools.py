"""What a model can do with a memory: each tool is one call of a mind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field

from gieok.bank import Mind
from gieok.domain.answer import Where
from gieok.domain.attributes import ContentType
from gieok.domain.desk import Role
from gieok.domain.memory import Memory
from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.domain.typed_moments import end_of, last_of
from gieok.domain.typed_moments import moment as moment_in
from gieok.mcp.records import (
    Changed,
    Memories,
    Prepared,
    Recalled,
    Remembered,
    hit_record,
    memory_record,
    prepared,
)
from gieok.mcp.records import remembered as remembered_record
from gieok.mcp.wording import WORDS, Telling

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_UTTERANCE)]
MemoryId = Annotated[str, Field(min_length=1, description="The id of a memory, as recall, facts and timeline give it.")]
About = Annotated[
    str | None, Field(description="Only what is about: 'user', 'character', 'world', or somebody's name (엄마, 코코).")
]
Type = Annotated[ContentType | None, Field(description="Only this type of memory.")]
Limit = Annotated[int, Field(ge=1, le=200, description="How many at most.")]
Offset = Annotated[int, Field(ge=0, description="How many to pass over, for the next page.")]
Since = Annotated[str | None, Field(description="From this day or moment on: 2026-03-15 or 2026-03-15T20:30+09:00.")]
Until = Annotated[str | None, Field(description="Until then, a bare day included: 2026-03-15.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """A tool before it has a bank: what it does with a mind, and what its caller must be."""

    does: Callable[..., CallToolResult]
    title: str
    role: Role
    hints: ToolAnnotations

    @property
    def name(self) -> str:
        return self.does.__name__


def remember(
    mind: Mind,
    content: Annotated[Text, Field(description="A short self-contained sentence, e.g. '민수는 땅콩 알레르기가 있다'.")],
    about: Annotated[str, Field(description="Whom it is about: 'user', 'character', 'world', or a name.")] = "user",
    attribute: Annotated[
        str | None,
        Field(description="What it tells, if it is one of: name, age, birthday, job, allergy, likes, pet, promise …"),
    ] = None,
    value: Annotated[str | None, Field(description="The value of the attribute, e.g. '땅콩'.")] = None,
    importance: Annotated[float | None, Field(ge=0, le=1, description="0 (trifle) to 1 (must not be lost).")] = None,
    at: Annotated[str | None, Field(description="When it was said, if not now: 2026-03-15T20:30+09:00.")] = None,
) -> Annotated[CallToolResult, Remembered]:
    """Keep something for good: a fact, a wish, a promise, an event. Use it when somebody tells something lasting.

    The same thing told twice is kept once, and what it contradicts (an old address, another age) becomes history.
    """
    moment = moment_in(at or None, _zone(mind), "at")
    decision = mind.remember(content, about=about, attribute=attribute, value=value, importance=importance, at=moment)
    record = remembered_record(decision)
    return _answer(_telling(mind).remembered(record), record)


def recall(
    mind: Mind,
    query: Annotated[Text, Field(description="What to look for, in plain words: '좋아하는 음식', 'when is the exam?'")],
    k: Annotated[int, Field(ge=1, le=50, description="How many hits at most.")] = 8,
    about: About = None,
    since: Since = None,
    until: Until = None,
) -> Annotated[CallToolResult, Recalled]:
    """Search the memory by meaning and by words, best hits first: memories, and what was said in earlier talks.

    Use it before answering anything that may depend on what was told before.
    """
    zone = _zone(mind)
    where = Where(
        about=about, since=moment_in(since or None, zone, "since"), until=end_of(until or None, zone, "until")
    )
    record = Recalled(hits=[hit_record(hit) for hit in mind.recall(query, k=k, where=where)])
    return _answer(_telling(mind).hits(record.hits), record)


def context(
    mind: Mind,
    query: Annotated[Text, Field(description="The message that is about to be answered.")],
    budget: Annotated[int | None, Field(ge=1, le=100_000, description="Tokens at most.")] = None,
) -> Annotated[CallToolResult, Prepared]:
    """Give everything worth knowing before answering a message, in one text within a token budget.

    It holds cautions and who the user is, the relationship, fitting memories, a summary and the last turns.
    """
    record = prepared(mind.context(query, budget=budget))
    return _answer(record.text or _telling(mind).words.nothing, record)


def facts(
    mind: Mind,
    about: About = None,
    attribute: Annotated[str | None, Field(description="Only this: name, allergy, likes, pet …")] = None,
    type: Type = None,
    as_of: Annotated[str | None, Field(description="What was true on this day: 2026-03-15.")] = None,
    history: Annotated[bool, Field(description="Also what is no longer true.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Annotated[CallToolResult, Memories]:
    """List what is true now (or was on a day), oldest first, with the ids that correct and forget need."""
    moment = last_of(as_of or None, _zone(mind), "as_of")
    known = mind.facts(about, attribute=attribute, type=type, as_of=moment, history=history)
    return _page(mind, known, limit, offset)


def timeline(
    mind: Mind,
    since: Since = None,
    until: Until = None,
    type: Type = None,
    text: Annotated[str | None, Field(description="Only what has this in its words.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Annotated[CallToolResult, Memories]:
    """List what was ever true by when it began, also what has changed since: how things came to be as they are."""
    zone = _zone(mind)
    told = mind.timeline(
        since=moment_in(since or None, zone, "since"), until=end_of(until or None, zone, "until"), type=type, text=text
    )
    return _page(mind, told, limit, offset)


def correct(
    mind: Mind,
    memory_id: MemoryId,
    content: Annotated[Text, Field(description="What is right, as a self-contained sentence.")],
) -> Annotated[CallToolResult, Changed]:
    """Put a memory right that was wrong from the start. What it said before stays in its history.

    For something that has changed since, use remember: the old one was true then.
    """
    record = Changed(memory=memory_record(mind.correct(memory_id, content)))
    telling = _telling(mind)
    return _answer(f"{telling.words.corrected}\n{telling.memory(record.memory)}", record)


def forget(mind: Mind, memory_id: MemoryId) -> Annotated[CallToolResult, Changed]:
    """Hide a memory from every answer, at once. Use it when somebody asks for it to be forgotten."""
    record = Changed(memory=memory_record(mind.forget(memory_id)))
    telling = _telling(mind)
    return _answer(f"{telling.words.forgotten}\n{telling.memory(record.memory)}", record)


def _hints(*, reads: bool = False, destroys: bool = False, again: bool = True) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=reads, destructive_hint=destroys, idempotent_hint=again, open_world_hint=False
    )


ABILITIES: Final = (
    Ability(does=remember, title="기억하기 · Remember", role="writer", hints=_hints(again=False)),
    Ability(does=recall, title="떠올리기 · Recall", role="reader", hints=_hints(reads=True)),
    Ability(does=context, title="문맥 · Context", role="reader", hints=_hints(reads=True)),
    Ability(does=facts, title="아는 것 · Facts", role="reader", hints=_hints(reads=True)),
    Ability(does=timeline, title="지나온 일 · Timeline", role="reader", hints=_hints(reads=True)),
    Ability(does=correct, title="바로잡기 · Correct", role="writer", hints=_hints(destroys=True)),
    Ability(does=forget, title="잊기 · Forget", role="writer", hints=_hints(destroys=True)),
)


def _page(mind: Mind, memories: Sequence[Memory], limit: int, offset: int) -> CallToolResult:
    shown = [memory_record(memory) for memory in memories[offset : offset + limit]]
    page = Memories(memories=shown, total=len(memories), offset=offset)
    return _answer(_telling(mind).page(page), page)


def _answer(text: str, record: BaseModel) -> CallToolResult:
    structure: dict[str, Any] = record.model_dump(mode="json")
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure)


def _telling(mind: Mind) -> Telling:
    return Telling(words=WORDS[mind.bank.settings.language], zone=_zone(mind))


def _zone(mind: Mind) -> ZoneInfo:
    return mind.bank.settings.zone
