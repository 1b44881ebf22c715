"""A memory in words: whom it is about, what kind it is, since when and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal, Self, cast, get_args
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from gieok.bank import Mind
from gieok.bank.history import Month
from gieok.bank.mind import Narrowed, State
from gieok.domain.actor import Actor
from gieok.domain.attributes import ContentType
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Amend, Hide, Learn, Operation, Pin, Restore
from gieok.domain.record import decision_name
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import UnknownMemory
from gieok.web.kit import PATHS, day, moment_told
from gieok.web.visitors import Visitor
from gieok.words import Words

Standing = Literal["current", "past", "forgotten", "retracted", "faded", "future"]
CHIPS: Final[Mapping[Standing, str]] = {
    "current": "good",
    "past": "",
    "forgotten": "bad",
    "retracted": "warn",
    "faded": "warn",
    "future": "info",
}
_FAVORITE: Final = "favorite."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory as a line of the table or the timeline."""

    id: str
    content: str
    about: str
    kind: str
    since: str
    until: str  #: "": it is open
    standing: Standing
    state: str
    importance: int  #: per cent
    strength: int
    pinned: bool
    pii: bool
    at: datetime  #: true since


def standing(memory: Memory, present: datetime) -> Standing:
    """Return how a memory stands at `present`."""
    stands = memory.state(present)
    return "future" if stands == "current" and memory.valid_at > present else stands


def row(memory: Memory, strength: float, present: datetime, visitor: Visitor) -> Row:
    """Return `memory` as a line, as it stands at `present`."""
    words, scope = visitor.words, visitor.scope
    held = standing(memory, present)
    return Row(
        id=memory.id,
        content=memory.content,
        about=named(memory.subject, memory.subject_id, scope, words),
        kind=kind_told(memory, words),
        since=day(memory.valid_at, visitor),
        until=day(memory.invalid_at, visitor) if memory.invalid_at is not None else "",
        standing=held,
        state=words(f"shared.states.{held}"),
        importance=per_cent(memory.importance),
        strength=per_cent(strength),
        pinned=memory.pinned,
        pii=bool(memory.pii_flags),
        at=memory.valid_at,
    )


def named(subject: str, subject_id: str, scope: Scope | None, words: Words) -> str:
    """Return whom a subject means, by name where there is one."""
    if subject == "user":
        return (scope and scope.user) or words("shared.subjects.user")
    if subject == "world":
        return (scope and scope.world) or words("shared.subjects.world")
    if subject == "character" and subject_id == CHARACTER:
        return (scope and scope.character) or words("shared.subjects.character")
    return subject_id


def speaker_named(speaker: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker means."""
    return named(speaker if speaker in (USER, CHARACTER) else "other", speaker, scope, words)


def kind_told(memory: Memory, words: Words) -> str:
    """Return type and attribute: "취향 · 좋아하는 것"."""
    kind = words(f"shared.types.{memory.content_type}")
    if memory.attribute is None:
        return kind
    attribute = attribute_told(memory.attribute, words)
    return kind if kind == attribute else f"{kind} · {attribute}"


def attribute_told(key: str, words: Words) -> str:
    """Return an attribute as people say it; a favourite that nobody foresaw goes by its own name."""
    if key.startswith(_FAVORITE):
        thing = key.removeprefix(_FAVORITE)
        known = words.some("shared.favorites").get(thing)
        return known or f"{words('shared.attributes.favorite')}: {thing}"
    return words.some("shared.attributes").get(key, key)


def per_cent(part: float) -> int:
    return round(100 * min(max(part, 0.0), 1.0))


def short(content: str, most: int = 80) -> str:
    """Return the beginning of what a memory says, in a line, for a label."""
    line = " ".join(content.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


_TOLD: Final = (  #: the fields whose changes are told
    "content", "value", "kind", "valid_at", "invalid_at", "pinned", "retracted", "forgotten_at", "faded_at",
    "importance", "mentions", "interpretation",
)  # fmt: skip
_SAID: Final = (  #: what rolling back brings back
    "content", "value", "polarity", "pinned", "retracted", "forgotten_at", "faded_at", "valid_at", "invalid_at",
    "closed_by",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that an entry changed, in words; None: it was not there."""

    what: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One entry of the journal, as far as it is about one memory."""

    number: int
    operation_id: str
    what: str
    at: datetime
    recorded_at: datetime
    who: str
    why: str
    differences: tuple[Difference, ...]
    content: str | None  #: what the memory said then
    uses: int = 0  #: how many such entries this one stands for, where it was only used
    undone: bool = False
    restorable: bool = False  #: going back to it would change something


def happenings(
    history: Sequence[tuple[Operation, Change]],
    memory: Memory,
    visitor: Visitor,
    actors: Mapping[int, Actor] = MappingProxyType({}),
) -> tuple[Happening, ...]:
    """Return the history of `memory`, which is as it is now, oldest first; uses in a row are told as one.

    `actors` did it, by the numbers of the operations.
    """
    told: list[Happening] = []
    for operation, change in history:
        each = _happening(operation, change, memory, visitor, actors.get(operation.number))
        if each.uses and told and told[-1].uses:
            told[-1] = replace(each, uses=told[-1].uses + 1)
        else:
            told.append(each)
    words = visitor.words
    return tuple(
        replace(each, what=words("memories.history.used", n=each.uses)) if each.uses else each for each in told
    )


def _happening(
    operation: Operation, change: Change, memory: Memory, visitor: Visitor, actor: Actor | None
) -> Happening:
    words, after = visitor.words, change.after
    differences = tuple(_differences(change, visitor))
    used = change.before is not None and not differences and _uses(change) > 0
    return Happening(
        number=operation.number,
        operation_id=operation.id,
        what=_what(operation, change, words),
        at=operation.moment.at,
        recorded_at=operation.moment.recorded_at,
        who=_who(operation.who, actor, words),
        why=words("memories.history.restored_as") if isinstance(operation.request, Restore) else operation.why,
        differences=differences,
        content=after.content if after is not None else None,
        uses=1 if used else 0,
        undone=operation.undone,
        restorable=_restorable(operation, after, memory) and not used,
    )


def _who(who: str, actor: Actor | None, words: Words) -> str:
    """Return who did it: a person by name, where it is known; with a rule or a pass, on whose behalf it was done."""
    name = actor.name if actor is not None else ""
    if who == "person":
        return name or words("memories.history.person")
    return f"{who} · {name}" if name else who


def _uses(change: Change) -> int:
    return (change.after.uses if change.after else 0) - (change.before.uses if change.before else 0)


def _restorable(operation: Operation, then: Memory | None, now: Memory) -> bool:
    if operation.undone or then is None or then.forgotten_at is not None:
        return False
    return any(getattr(then, name) != getattr(now, name) for name in _SAID)


def _what(operation: Operation, change: Change, words: Words) -> str:
    request = operation.request
    match request:
        case Learn():
            return _learned(operation, change, words)
        case Amend() | Restore() | Pin() | Hide():
            if request.memory_id != change.memory_id:
                return _beside(change, words)
            return words(f"shared.operations.{_edit(request)}")
    acted = [kept for kept in operation.kept if any(each.memory_id == change.memory_id for each in kept.changes)]
    if acted:
        return words.some("shared.actions").get(acted[-1].action, acted[-1].action)
    return words.some("shared.operations").get(operation.kind, operation.kind)


def _edit(request: Amend | Restore | Pin | Hide) -> str:
    match request:
        case Pin(pinned=pinned):
            return "pin" if pinned else "unpin"
        case Hide():
            return "forget"
        case Restore():
            return "restore"
        case _:
            return "correct"


def _learned(operation: Operation, change: Change, words: Words) -> str:
    for decision in operation.decisions:
        if change in decision.changes:
            if decision.changes[0].memory_id == change.memory_id:
                return words(f"shared.decisions.{decision_name(decision)}")
            return _beside(change, words)
    return words("memories.history.changed")


def _beside(change: Change, words: Words) -> str:
    """Return what became of a memory because of another."""
    before, after = change.before, change.after
    if after is None or before is None:
        return words("memories.history.changed")
    if after.retracted and not before.retracted:
        return words("shared.decisions.retract")
    if after.closed_by is not None and before.closed_by != after.closed_by:
        return words("memories.history.closed")
    if after.closed_by is None and before.closed_by is not None:
        return words("memories.history.opened")
    let_go = after.faded_at is not None and before.faded_at is None
    return words(f"memories.history.{'let_go' if let_go else 'changed'}")


def _differences(change: Change, visitor: Visitor) -> list[Difference]:
    before, after = change.before, change.after
    words = visitor.words
    if before is None or after is None:
        was, now = (before.content if before else None), (after.content if after else None)
        return [Difference(what=words("memories.fields.content"), before=was, after=now)]
    return [
        Difference(what=words(f"memories.fields.{name}"), before=_told(name, before, visitor), after=told)
        for name in _TOLD
        if (told := _told(name, after, visitor)) != _told(name, before, visitor)
    ]


def _told(name: str, memory: Memory, visitor: Visitor) -> str:
    value: Any = getattr(memory, name)
    words = visitor.words
    if value is None:
        return words("memories.fields.none")
    if name in _READ:
        return _READ[name](value, words)
    return moment_told(value, visitor) if isinstance(value, datetime) else str(value)


def _yes(value: Any, words: Words) -> str:
    return words(f"memories.fields.{'yes' if value else 'no'}")


_READ: Final[Mapping[str, Callable[[Any, Words], str]]] = {
    "pinned": _yes,
    "retracted": _yes,
    "importance": lambda value, words: str(per_cent(value)),
    "mentions": lambda value, words: words("memories.why.times", n=value),
    "kind": lambda value, words: words(f"shared.kinds.{value}"),
}


_THINNEST: Final = 1.5  #: per cent of the line that a span is drawn with at least
_MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time, and where it lies on a line that both clocks share, in per cent."""

    since: datetime
    until: datetime | None  #: None: it goes on
    left: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """When it was true, and when it was known."""

    valid: Span
    known: Span


def believed_until(history: Sequence[tuple[Operation, Change]]) -> datetime | None:
    """Return since when the memory is no longer believed to hold; None: it still is.

    A memory that ends at a moment that everybody knew of beforehand is believed all along.
    """
    until: datetime | None = None
    for operation, change in history:
        if operation.undone:
            continue
        at = operation.moment.at
        if _held(change.after, at):
            until = None
        elif until is None:
            until = at
    return until


def _held(memory: Memory | None, at: datetime) -> bool:
    if memory is None or memory.hidden:
        return False
    return memory.closed_by is None and (memory.invalid_at is None or memory.invalid_at > at)


def clocks(memory: Memory, history: Sequence[tuple[Operation, Change]], present: datetime) -> Clocks:
    """Return both clocks of `memory`, on a line from the first to the last moment of either."""
    believed = believed_until(history)
    ends = [moment for moment in (memory.invalid_at, believed, present) if moment is not None]
    start = min(memory.valid_at, memory.known_at)
    end = max(*ends, memory.valid_at, memory.known_at, start + _MOMENT)
    return Clocks(
        valid=_span(memory.valid_at, memory.invalid_at, start, end),
        known=_span(memory.known_at, believed, start, end),
    )


def _span(since: datetime, until: datetime | None, start: datetime, end: datetime) -> Span:
    whole = end - start
    left = 100 * ((since - start) / whole)
    width = max(100 * (((until or end) - since) / whole), _THINNEST)
    left = max(min(left, 100 - width), 0.0)
    return Span(since=since, until=until, left=round(left, 2), width=round(min(width, 100.0), 2))


View = Literal["table", "timeline"]
_YEARS: Final = range(2, 9_998)
_LONGEST: Final = 500  #: characters of words to look for
_DEFAULT_STATE: Final[dict[View, State]] = {"table": "current", "timeline": "all"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """What a visitor looks at; an empty field does not narrow."""

    view: View = "table"
    words: str = ""
    state: State | None = None  #: None: what the view shows unless told otherwise
    type: ContentType | None = None
    about: str | None = None  #: "user", "character", "world" or a name
    since: int | None = None  #: year
    until: int | None = None  #: year, itself included
    pinned: bool = False
    pii: bool = False
    before: int | None = None  #: the place in the table that was reached
    memory: str | None = None  #: the one that is open

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Self:
        """Return what an address asks for; what makes no sense in it is left out."""
        return cls(
            view=cast(View, _one_of(asked.get("view"), get_args(View)) or "table"),
            words=asked.get("words", "")[:_LONGEST],
            state=cast(State | None, _one_of(asked.get("state"), get_args(State))),
            type=cast(ContentType | None, _one_of(asked.get("type"), get_args(ContentType))),
            about=asked.get("about") or None,
            since=year(asked.get("from")),
            until=year(asked.get("to")),
            pinned=asked.get("pinned") == "1",
            pii=asked.get("pii") == "1",
            before=_number(asked.get("before")),
            memory=asked.get("memory") or None,
        )

    def address(self, scope: Scope | None) -> str:
        """Return the address that shows just this, of `scope`: a link that can be passed on."""
        parts: dict[str, object | None] = {
            "user": scope.user if scope else None,
            "character": scope.character if scope else None,
            "world": scope.world if scope else None,
            "view": None if self.view == "table" else self.view,
            "words": self.words.strip(),
            "state": self.state,
            "type": self.type,
            "about": self.about,
            "from": self.since,
            "to": self.until,
            "pinned": "1" if self.pinned else None,
            "pii": "1" if self.pii else None,
            "before": self.before,
            "memory": self.memory,
        }
        asked = urlencode({name: part for name, part in parts.items() if part not in (None, "")})
        return f"{PATHS['memories']}?{asked}" if asked else PATHS["memories"]

    @property
    def shown_state(self) -> State:
        return self.state or _DEFAULT_STATE[self.view]

    @property
    def narrows(self) -> bool:
        """Whether anything is left out that is shown otherwise."""
        return self.without_filters() != replace(self, before=None)

    @property
    def listed(self) -> Self:
        """The same without the one memory: what the list beside it shows."""
        return replace(self, memory=None)

    def without_filters(self) -> Self:
        return replace(type(self)(view=self.view), memory=self.memory)

    def which(self, zone: ZoneInfo) -> Narrowed:
        """Return what a mind is asked for, years by the clock of `zone`."""
        which: Narrowed = {"state": self.shown_state}
        if self.words.strip():
            which["text"] = self.words
        if self.type is not None:
            which["type"] = self.type
        if self.about is not None:
            which["about"] = self.about
        if self.since is not None:
            which["since"] = datetime(self.since, 1, 1, tzinfo=zone)
        if self.until is not None:
            which["until"] = datetime(self.until + 1, 1, 1, tzinfo=zone)
        if self.pinned:
            which["pinned"] = True
        if self.pii:
            which["pii"] = True
        return which

    def of_month(self, year: int, month: int, zone: ZoneInfo) -> Narrowed:
        """Return the same for one month."""
        following = (year + 1, 1) if month == 12 else (year, month + 1)
        which = self.which(zone)
        which["since"] = datetime(year, month, 1, tzinfo=zone)
        which["until"] = datetime(*following, 1, tzinfo=zone)
        return which


def year(text: str | None) -> int | None:
    """Return the year that `text` names, if there can be one."""
    found = _number(text)
    return found if found in _YEARS else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 9 else None


def _one_of(asked: str | None, choices: tuple[str, ...]) -> str | None:
    return asked if asked in choices else None


PAGE: Final = 50  #: memories shown at once
_MADE_FROM: Final = 20  #: that are told of a memory that was made from others
SOURCES: Final = 12  #: turns that are told of a memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Leafed:
    """Some rows, and where to go on; None: there are no more."""

    rows: tuple[Row, ...]
    following: Any  #: what is handed in to go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """Everything that is told of one memory."""

    memory: Memory
    present: datetime
    strength: float
    history: Sequence[tuple[Operation, Change]]
    actors: Mapping[int, Actor]  #: who did it, by the number of the operation
    sources: Sequence[Turn]
    more_sources: bool
    line: Sequence[Memory]
    made_from: Sequence[Memory]


def table_page(mind: Mind, looking: Looking, visitor: Visitor) -> Leafed:
    """Return a page of the table."""
    found = mind.memories(PAGE + 1, before=looking.before, **looking.which(visitor.bank.settings.zone))
    rows = _rows(mind, [leaf.memory for leaf in found[:PAGE]], visitor)
    return Leafed(rows=rows, following=found[PAGE - 1].place if len(found) > PAGE else None)


def month_page(mind: Mind, which: Narrowed, reached: Any, visitor: Visitor) -> Leafed:
    """Return some memories of a month, the latest first, below what was `reached`."""
    found = mind.story(PAGE + 1, before=reached, **which)
    rows = _rows(mind, [leaf.memory for leaf in found[:PAGE]], visitor)
    return Leafed(rows=rows, following=found[PAGE - 1] if len(found) > PAGE else None)


def months(mind: Mind, looking: Looking, visitor: Visitor) -> list[Month]:
    return mind.months(**looking.which(visitor.bank.settings.zone))


def row_of(mind: Mind, memory_id: str, visitor: Visitor) -> Row:
    return _rows(mind, [mind.memory(memory_id)], visitor)[0]


def full(mind: Mind, memory_id: str) -> Full:
    """Return all about a memory. Raises `UnknownMemory`."""
    memory = mind.memory(memory_id)
    turns = mind.sources(memory_id, SOURCES + 1)
    return Full(
        memory=memory,
        present=mind.present(),
        strength=mind.strengths([memory])[memory.id],
        history=mind.history(memory_id),
        actors={each.operation: each.actor for each in mind.versions(memory_id) if each.actor is not None},
        sources=turns[:SOURCES],
        more_sources=len(turns) > SOURCES,
        line=mind.lineage(memory_id),
        made_from=_known(mind, memory.made_from[:_MADE_FROM]),
    )


def each_of(mind: Mind, memory_ids: Sequence[str], act: Callable[[Mind, str], object]) -> int:
    """Do the same to several memories; return to how many. What was forgotten meanwhile is left as it is."""
    done = 0
    for memory_id in memory_ids:
        try:
            act(mind, memory_id)
        except UnknownMemory:
            continue
        done += 1
    return done


def _rows(mind: Mind, memories: Sequence[Memory], visitor: Visitor) -> tuple[Row, ...]:
    strengths, present = mind.strengths(memories), mind.present()
    return tuple(row(memory, strengths[memory.id], present, visitor) for memory in memories)


def _known(mind: Mind, memory_ids: Sequence[str]) -> list[Memory]:
    known = []
    for memory_id in memory_ids:
        try:
            known.append(mind.memory(memory_id))
        except UnknownMemory:
            continue
    return known
