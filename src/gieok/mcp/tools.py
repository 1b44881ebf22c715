"""The MCP tools. Each wraps one call of a mind and returns its result as text and as a record."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from gieok.access.caller import Caller, acting_for, caller_in, note_read
from gieok.bank import MemoryBank, Mind
from gieok.bank.adapters import claims_in, question_about
from gieok.domain.answer import Where
from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Claim
from gieok.domain.decision import Ignore, Supersede
from gieok.domain.memory import Memory
from gieok.domain.record import decision_name
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds, Role
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, end_of, last_of
from gieok.domain.turn import moment as moment_in
from gieok.errors import Forbidden, GieokError, InvalidScope
from gieok.records import MCP_CONTEXT, MCP_HIT, MCP_MEMORY
from gieok.words import Words, words_in


class ScopeRecord(BaseModel):
    """A scope: the user, character and world that a memory belongs to."""

    user: str | None = None
    character: str | None = None
    world: str | None = None


class MemoryRecord(BaseModel):
    """A memory."""

    id: str = Field(description="Memory id, as used by `correct`, `confirm`, `reject` and `forget`.")
    content: str
    about: str = Field(description="user, character, world, or a person's name")
    type: str
    attribute: str | None = None
    value: str | None = None
    importance: float
    pinned: bool = False
    doubtful: bool = Field(False, description="Not confirmed yet.")
    question: str | None = Field(None, description="From `doubtful`: the question to ask the user to confirm it.")
    since: datetime = Field(description="True from this time on.")
    until: datetime | None = Field(None, description="No longer true from this time on; null: still true.")


class Remembered(BaseModel):
    """The result of `remember`."""

    outcome: Literal["remember", "reinforce", "supersede", "retract", "ignore"]
    memory: MemoryRecord | None = None
    also: list[MemoryRecord] = Field(default_factory=list, description="Other memories stored from the same sentence.")
    replaced: list[MemoryRecord] = Field(default_factory=list, description="Memories that it ended.")


class HitRecord(BaseModel):
    """A search result."""

    text: str
    score: float
    kind: Literal["memory", "said"] = Field(description="said: an utterance of the conversation; it has no memory id")
    said_by: str
    at: datetime
    scope: ScopeRecord = Field(description="The scope that holds it: the requested one, or the lore it shares.")
    memory: MemoryRecord | None = None


class Recalled(BaseModel):
    """Search results, best first."""

    hits: list[HitRecord]


class Prepared(BaseModel):
    """The context for a model, as `context` returns it."""

    text: str
    tokens: int
    items: list[str] = Field(description="Ids of the quoted memories and utterances.")
    degraded: list[str] = Field(default_factory=list, description="Sources that could not be used, in words.")


class Memories(BaseModel):
    """A page of memories."""

    memories: list[MemoryRecord]
    total: int
    offset: int = 0


class Changed(BaseModel):
    """A memory after a change."""

    memory: MemoryRecord


class ScopeContents(BaseModel):
    """The summary and facts of one scope."""

    scope: ScopeRecord
    summary: str | None = None
    total: int = Field(description="Number of facts; `facts` holds the latest.")
    facts: list[MemoryRecord]


class KnownScope(BaseModel):
    """An existing scope and the URI of its resource."""

    scope: ScopeRecord
    uri: str
    turns: int
    memories: int
    latest_at: datetime | None = None


def memory_record(memory: Memory) -> MemoryRecord:
    return MemoryRecord.model_validate(MCP_MEMORY.record(memory))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerText:
    """Formats results as text in one language and time zone. Line breaks in quoted text are removed."""

    words: Words
    zone: tzinfo

    def memory(self, memory: MemoryRecord) -> str:
        dates = {"since": self._day(memory.since), "until": memory.until and self._day(memory.until)}
        when = self.words("mcp.since" if memory.until is None else "mcp.span", **dates)
        unsure = f", {self.words('mcp.doubtful')}" if memory.doubtful else ""
        question = f" → {memory.question}" if memory.question else ""
        whose = self.words(f"mcp.whose.{memory.about}") if memory.about in _PARTIES else memory.about
        return f"- {whose}: {' '.join(memory.content.split())} ({when}{unsure}, id {memory.id}){question}"

    def hits(self, hits: list[HitRecord]) -> str:
        lines = [
            f"- {hit.said_by}: “{' '.join(hit.text.split())}” ({self._day(hit.at)})"
            if hit.memory is None
            else self.memory(hit.memory)
            for hit in hits
        ]
        return "\n".join(lines) or self.words("mcp.nothing")

    def remembered(self, told: Remembered) -> str:
        lines = [self.words(f"mcp.outcomes.{told.outcome}")]
        lines += [self.memory(each) for each in (told.memory, *told.also) if each is not None]
        lines += [self.words("mcp.replaced"), *(self.memory(each) for each in told.replaced)] if told.replaced else []
        return "\n".join(lines)

    def page(self, page: Memories) -> str:
        lines = [self.memory(memory) for memory in page.memories]
        if len(lines) < page.total and lines:
            last = page.offset + len(lines)
            lines.append(self.words("mcp.page", first=page.offset + 1, last=last, total=page.total))
        return "\n".join(lines) or self.words("mcp.nothing")

    def _day(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime("%Y-%m-%d")


_PARTIES: Final = ("user", "character", "world")
_FACT_CATEGORIES: Final = ("caution", "identity", "people", "preference")  #: attribute categories that `remember` reads
_ROLE_WORDS: Final = {USER: ("user", "사용자", "유저", "상대"), CHARACTER: ("character", "캐릭터")}
_FIRST_PERSON: Final = {
    "은": "나는",
    "는": "나는",
    "이는": "나는",
    "이": "내가",
    "가": "내가",
    "의": "내",
    "'s": "My",
    "": "I",
}

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_UTTERANCE)]
MemoryId = Annotated[str, Field(min_length=1, description="Memory id, as returned by recall, facts and timeline.")]
About = Annotated[
    str | None, Field(description="Only memories about 'user', 'character', 'world', or a person (엄마, 코코).")
]
Type = Annotated[ContentType | None, Field(description="Only this type of memory.")]
Limit = Annotated[int, Field(ge=1, le=200, description="Maximum number of results.")]
Offset = Annotated[int, Field(ge=0, description="Number of results to skip, for paging.")]
Since = Annotated[str | None, Field(description="From this day or time on: 2026-03-15 or 2026-03-15T20:30+09:00.")]
Until = Annotated[str | None, Field(description="Up to this day or time; a day is included: 2026-03-15.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool before it is bound to a bank: its function, and the role that a caller needs."""

    call: Callable[..., CallToolResult]
    title: str
    role: Role
    destroys: bool = False

    @property
    def name(self) -> str:
        return self.call.__name__


def remember(
    mind: Mind,
    content: Annotated[Text, Field(description="A short self-contained sentence, e.g. '민수는 땅콩 알레르기가 있다'.")],
    about: Annotated[str, Field(description="Subject: 'user', 'character', 'world', or a person's name.")] = "user",
    attribute: Annotated[
        str | None,
        Field(description="Attribute, if one fits: name, age, birthday, job, allergy, likes, pet, promise …"),
    ] = None,
    value: Annotated[str | None, Field(description="Value of the attribute, e.g. '땅콩'.")] = None,
    importance: Annotated[float | None, Field(ge=0, le=1, description="0 (trivial) to 1 (critical).")] = None,
    at: Annotated[str | None, Field(description="Time it was said, if not now: 2026-03-15T20:30+09:00.")] = None,
) -> Annotated[CallToolResult, Remembered]:
    """Store a fact, wish, promise or event permanently. Use it when someone tells you something of lasting value.

    A repeated statement is stored once. Memories that it contradicts (an old address or age) become history.
    """
    moment = moment_in(at or None, _zone(mind), "at")
    told: list[dict[str, Any]] = [{"content": content, "attribute": attribute, "value": value}]
    if attribute is None and (facts := facts_told(mind, content, about)):
        told = [
            {"content": each.content, "attribute": each.attribute, "value": each.value, "polarity": each.polarity}
            for each in facts
        ]
        told[0]["content"] = content
    decisions = [mind.remember(**each, about=about, importance=importance, at=moment) for each in told]
    closed = [old for each in decisions if isinstance(each, Supersede) for old in each.closed]
    kept = [memory_record(each.memory) for each in decisions if not isinstance(each, Ignore)]
    record = Remembered.model_validate(
        {
            "outcome": decision_name(decisions[0]),
            "memory": kept[0] if kept else None,
            "also": kept[1:],
            "replaced": [memory_record(old) for old in closed],
        }
    )
    return _answer(_text(mind).remembered(record), record)


def facts_told(mind: Mind, sentence: str, about: str) -> list[Claim]:
    """Return the firm facts in a sentence, cautions first; empty: store it as a note.

    A sentence that refers to the user by name or as "the user" is read as if the user had said it.
    """
    speaker = CHARACTER if about in (CHARACTER, mind.key.character) else USER
    whose = {USER: USER, CHARACTER: mind.key.character or CHARACTER}.get(about, about)
    if about in (speaker, mind.key.character):
        own = mind.key.character if speaker == CHARACTER else mind.key.user
        known = (fact.value for fact in mind.facts(speaker) if fact.attribute in ("name", "nickname"))
        names = "|".join(re.escape(name) for name in (own, *known, *_ROLE_WORDS[speaker]) if name)
        subject = re.compile(rf"(?:the )?(?:{names})({'|'.join(_FIRST_PERSON)})\s+", re.IGNORECASE)
        sentence = subject.sub(lambda found: f"{_FIRST_PERSON[found[1]]} ", sentence, count=1)
    claims = claims_in(mind.bank, mind.key, [(speaker, sentence)], at=mind.bank.clock.now())
    firm = [each for each in claims if each.act == "assert" and each.flaw is None and not each.doubtful]
    found = [(attribute(each.attribute).category, each) for each in firm if each.attribute and each.subject_id == whose]
    lasting = [(category, each) for category, each in found if category in _FACT_CATEGORIES]
    return [each for _, each in sorted(lasting, key=lambda pair: _FACT_CATEGORIES.index(pair[0]))]


def recall(
    mind: Mind,
    query: Annotated[Text, Field(description="What to look for, in plain words: '좋아하는 음식', 'when is the exam?'")],
    k: Annotated[int, Field(ge=1, le=50, description="Maximum number of results.")] = 8,
    about: About = None,
    since: Since = None,
    until: Until = None,
) -> Annotated[CallToolResult, Recalled]:
    """Search memories and earlier messages by meaning and by words. Results are sorted best first.

    Use it before answering anything that may depend on earlier conversations.
    """
    zone = _zone(mind)
    where = Where(
        about=about, since=moment_in(since or None, zone, "since"), until=end_of(until or None, zone, "until")
    )
    hits = mind.recall(query, k=k, where=where)
    record = Recalled(hits=[HitRecord.model_validate(MCP_HIT.record(hit)) for hit in hits])
    return _answer(_text(mind).hits(record.hits), record)


def context(
    mind: Mind,
    query: Annotated[Text, Field(description="The user's message that you are about to answer.")],
    budget: Annotated[int | None, Field(ge=1, le=100_000, description="Maximum number of tokens.")] = None,
) -> Annotated[CallToolResult, Prepared]:
    """Return everything relevant to answering a message, as one text within a token budget.

    It contains cautions, the user's profile, the relationship, relevant memories, a summary and the last turns.
    """
    record = Prepared.model_validate(MCP_CONTEXT.record(mind.context(query, budget=budget)))
    return _answer(record.text or _text(mind).words("mcp.nothing"), record)


def facts(
    mind: Mind,
    about: About = None,
    attribute: Annotated[str | None, Field(description="Only this attribute: name, allergy, likes, pet …")] = None,
    type: Type = None,
    as_of: Annotated[str | None, Field(description="List what was true on this day: 2026-03-15.")] = None,
    history: Annotated[bool, Field(description="Also list what is no longer true.")] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Annotated[CallToolResult, Memories]:
    """List what is true now, or was on a given day, oldest first. Each fact has the id that correct and forget take."""
    moment = last_of(as_of or None, _zone(mind), "as_of")
    known = mind.facts(about, attribute=attribute, type=type, as_of=moment, history=history)
    return _page(mind, known, limit, offset)


def timeline(
    mind: Mind,
    since: Since = None,
    until: Until = None,
    type: Type = None,
    text: Annotated[str | None, Field(description="Only memories that contain this text.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Annotated[CallToolResult, Memories]:
    """List current and past facts, sorted by start date."""
    zone = _zone(mind)
    told = mind.timeline(
        since=moment_in(since or None, zone, "since"), until=end_of(until or None, zone, "until"), type=type, text=text
    )
    return _page(mind, told, limit, offset)


def correct(
    mind: Mind,
    memory_id: MemoryId,
    content: Annotated[Text, Field(description="The correct statement, as a self-contained sentence.")],
) -> Annotated[CallToolResult, Changed]:
    """Correct a memory that was wrong from the start. The old wording stays in its history.

    If a fact has changed since, use remember instead: the old fact was true at the time.
    """
    return _changed(mind, "corrected", mind.correct(memory_id, content))


def doubtful(mind: Mind, limit: Limit = 50, offset: Offset = 0) -> Annotated[CallToolResult, Memories]:
    """List unconfirmed memories, oldest first. Ask the user about each, then call confirm or reject."""
    return _page(mind, mind.doubtful(), limit, offset, asking=True)


def confirm(mind: Mind, memory_id: MemoryId) -> Annotated[CallToolResult, Changed]:
    """Confirm a doubtful memory. Use it when the user says that it is true."""
    return _changed(mind, "confirmed", mind.confirm(memory_id))


def reject(mind: Mind, memory_id: MemoryId) -> Annotated[CallToolResult, Changed]:
    """Reject a doubtful memory. Use it when the user says that it is not true."""
    return _changed(mind, "rejected", mind.reject(memory_id))


def forget(mind: Mind, memory_id: MemoryId) -> Annotated[CallToolResult, Changed]:
    """Hide a memory from all answers at once. Use it when the user asks you to forget something."""
    return _changed(mind, "forgotten", mind.forget(memory_id))


TOOLS: Final = (
    ToolSpec(call=remember, title="기억하기 · Remember", role="writer"),
    ToolSpec(call=recall, title="떠올리기 · Recall", role="reader"),
    ToolSpec(call=context, title="문맥 · Context", role="reader"),
    ToolSpec(call=facts, title="아는 것 · Facts", role="reader"),
    ToolSpec(call=timeline, title="지나온 일 · Timeline", role="reader"),
    ToolSpec(call=doubtful, title="확실하지 않은 것 · Doubtful", role="reader"),
    ToolSpec(call=confirm, title="맞아요 · Confirm", role="writer"),
    ToolSpec(call=reject, title="아니에요 · Reject", role="writer", destroys=True),
    ToolSpec(call=correct, title="바로잡기 · Correct", role="writer", destroys=True),
    ToolSpec(call=forget, title="잊기 · Forget", role="writer", destroys=True),
)


def _changed(mind: Mind, done: str, memory: Memory) -> CallToolResult:
    record, text = Changed(memory=memory_record(memory)), _text(mind)
    return _answer(f"{text.words(f'mcp.{done}')}\n{text.memory(record.memory)}", record)


def _page(mind: Mind, memories: Sequence[Memory], limit: int, offset: int, *, asking: bool = False) -> CallToolResult:
    """Return one page of `memories`. With `asking`, each has the question that would confirm it."""
    shown = [memory_record(memory) for memory in memories[offset : offset + limit]]
    for record, memory in zip(shown, memories[offset:], strict=False):
        record.question = question_about(mind.bank, memory) if asking else None
    page = Memories(memories=shown, total=len(memories), offset=offset)
    return _answer(_text(mind).page(page), page)


def _answer(text: str, record: BaseModel) -> CallToolResult:
    structure: dict[str, Any] = record.model_dump(mode="json")
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure)


def _text(mind: Mind) -> AnswerText:
    return AnswerText(words=words_in(mind.bank.settings.language), zone=_zone(mind))


def _zone(mind: Mind) -> ZoneInfo:
    return mind.bank.settings.zone


CallerOf = Callable[[ServerRequestContext[Any, Any]], Caller]
#: caller of the current message; no default, so that a message without a caller is refused
CALLER: Final[ContextVar[Caller]] = ContextVar("caller")
NAMES: Final = ("user", "character", "world")


def guarded_caller(message: ServerRequestContext[Any, Any]) -> Caller:
    """Return the HTTP caller of this request, as authenticated by the server.

    The caller of the request that opened the session is not used: another client's session id grants no rights.
    """
    return caller_in(message.request.scope)  # type: ignore[union-attr]  # HTTP messages have one; without it the message fails


def caller_middleware(caller_of: CallerOf) -> ServerMiddleware[Any]:
    """Return middleware that stores the caller of each message in `CALLER`."""

    async def note(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        before = CALLER.set(caller_of(ctx))
        try:
            return await call_next(ctx)
        finally:
            CALLER.reset(before)

    return note


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The default scope. If `fixed`, calls cannot name another."""

    default: Bounds = field(default_factory=Bounds)
    fixed: bool = False

    def __post_init__(self) -> None:
        if self.fixed and self.default == Bounds():
            raise InvalidScope("a fixed scope needs a name; give at least one of user, character and world")

    def scope(self, caller: Caller, named: Mapping[str, str | None]) -> Scope:
        """Return the scope of a call; an empty name removes that part of the default."""
        if self.fixed:
            return Scope(user=self.default.user, character=self.default.character, world=self.default.world)
        found: dict[str, str | None] = {}
        for name in NAMES:
            own = getattr(caller.home, name)
            usual = own if own is not None else getattr(self.default, name)
            found[name] = usual if (given := named.get(name)) is None else given or None
        if not any(found.values()):
            raise InvalidScope(
                "whose memory? give user, character or world; the resource gieok://scopes lists the scopes"
            )
        return Scope(**found)

    def check(self, scope: Scope) -> None:
        """Raise `Forbidden` if the server is fixed to another scope."""
        if self.fixed and not self.holds(scope):
            raise Forbidden(f"this server serves only [{self.scope(Caller(), {})}]")

    def holds(self, scope: Scope) -> bool:
        return not self.fixed or scope == self.scope(Caller(), {})


_SCOPE_ARGUMENTS: Final[Mapping[str, str]] = {
    "user": "The user that the memory belongs to. Omit it to use the default; '' for none (lore shared by all users).",
    "character": "The character that remembers. Omit it to use the default; '' for none.",
    "world": "The story world. Omit it to use the default; '' for none.",
}


def make_tool(spec: ToolSpec, bank: MemoryBank, place: Place) -> Tool:
    """Return the MCP tool for `spec`; unless the scope is fixed, it takes user, character and world arguments."""

    def called(caller: Caller, named: dict[str, str | None], arguments: dict[str, Any]) -> CallToolResult:
        scope = place.scope(caller, named)
        caller.check(spec.role, scope)
        if spec.role == "reader":
            note_read(bank, caller, scope, f"mcp {spec.name}")
        return spec.call(bank.mind(scope), **arguments)

    async def call(**arguments: Any) -> CallToolResult:
        named = {name: arguments.pop(name, None) for name in NAMES}
        caller = CALLER.get()
        try:
            with nullcontext() if caller.key is None else acting_for(caller):
                return await asyncio.to_thread(called, caller, named, arguments)
        except GieokError as error:
            raise ToolError(str(error)) from error

    own = inspect.signature(spec.call, eval_str=True)
    given = [each for each in own.parameters.values() if each.name != "mind"]
    for name, text in _SCOPE_ARGUMENTS.items() if not place.fixed else ():
        hint = Annotated[str | None, Field(max_length=200, description=text)]
        given.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint))
    named_only = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in given]
    call.__signature__ = own.replace(parameters=named_only)  # type: ignore[attr-defined]  # what the SDK reads
    hints = ToolAnnotations(
        read_only_hint=spec.role == "reader",
        destructive_hint=spec.destroys,
        idempotent_hint=spec.name != "remember",
        open_world_hint=False,
    )
    about = inspect.getdoc(spec.call)
    return Tool.from_function(call, name=spec.name, title=spec.title, description=about, annotations=hints)


def argument_check(tools: Mapping[str, Tool]) -> ServerMiddleware[Any]:
    """Return middleware that reports invalid arguments to the model in one sentence."""

    async def check(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        params = ctx.params or {}
        tool = tools.get(str(params.get("name"))) if ctx.method == "tools/call" else None
        arguments = params.get("arguments") or {}
        if tool is None or not isinstance(arguments, dict):
            return await call_next(ctx)
        known = tool.parameters["properties"]
        strange = [name for name in arguments if name not in known]
        wrong = [f"there is no argument {name!r}; there are {', '.join(known)}" for name in strange]
        try:
            tool.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            wrong += [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
        if not wrong:
            return await call_next(ctx)
        told = f"{tool.name}: {'; '.join(wrong)}. Nothing was done; correct the arguments and call it again"
        return CallToolResult(content=[TextContent(type="text", text=told)], is_error=True)

    return check
