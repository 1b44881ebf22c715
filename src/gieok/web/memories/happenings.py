"""What happened to a memory, in words: each entry of the journal that touched it, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from gieok.domain.acting import Actor
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Amend, Hide, Learn, Operation, Pin, Restore
from gieok.domain.record import decision_name
from gieok.web.dates import moment_told
from gieok.web.memories.telling import per_cent
from gieok.web.visitors import Visitor
from gieok.web.wording import Words

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
