"""Listing and changing memories: facts, timeline, scopes, correct, pin, review, forget, rewind, history, undo."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import Mind
from gieok.cli.common import (
    AsJson,
    At,
    BankPath,
    MemoryId,
    Since,
    TurnId,
    Until,
    Where,
    checked_type,
    open_existing_store,
    scoped,
    settings_for,
)
from gieok.cli.console import DIM, Terms, show, terms_for, terms_under, text, wake
from gieok.cli.table import Column, Listing
from gieok.domain.attributes import attribute as attribute_named
from gieok.domain.memory import Memory
from gieok.domain.turn import checked_text, last_of, moment
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import ScopeSummary

ID_SHOWN: Final = 8  #: the end of an id; its beginning is the time and much the same for all
_ID_NEEDED: Final = 4  #: characters of an id; fewer may be the number that a list happened to show
_ALL: Final = 1 << 24  #: more than a scope holds
_PINNED: Final = "*"
_UNSURE: Final = "?"


@scoped
def facts(
    where: Where,
    about: str | None = None,
    said_by: str | None = None,
    type: str | None = None,
    attribute: str | None = None,
    as_of: Annotated[str | None, typer.Option(metavar="ISO")] = None,
    known_at: Annotated[str | None, typer.Option(metavar="ISO")] = None,
    history: Annotated[bool, typer.Option("--history")] = False,
) -> None:
    with where.mind() as mind:
        zone = mind.bank.settings.zone
        memories = mind.facts(
            about,
            said_by=said_by,
            type=checked_type(type),
            attribute=None if attribute is None else attribute_named(attribute).key,
            as_of=last_of(as_of, zone, "--as-of"),
            known_at=last_of(known_at, zone, "--known-at"),
            history=history,
        )
    where.show(memories, lambda: facts_table(memories, terms_for(mind), history=history))


def facts_table(memories: Sequence[Memory], terms: Terms, *, history: bool = False) -> RenderableType:
    """Return `memories` in the order given; `history` adds until when each was true and since when it is known."""

    def content(memory: Memory) -> Text:
        over = history and memory.invalid_at is not None
        shown = Text().append(memory.content, DIM if over else "")
        if memory.doubtful:
            shown.append(f" {_UNSURE}", "magenta")
        return shown.append(f" {_PINNED}", "yellow") if memory.pinned and not over else shown

    columns = [
        Column("id", lambda memory: memory.id[-ID_SHOWN:], style=DIM),
        Column("about", lambda memory: terms.named(memory.subject_id), style="cyan"),
        Column("attribute", terms.subject_matter, style="magenta", drop=3 if history else 1),
        Column("memory", content, fold=True),
        Column("true_from", lambda memory: terms.day(memory.valid_at), drop=1 if history else 2),
    ]
    if history:
        columns += [
            Column("true_until", lambda memory: _until(memory.invalid_at, terms), drop=1),
            Column("known_since", lambda memory: terms.day(memory.known_at), style=DIM, drop=2),
        ]
    table = Listing(memories, columns, terms.words, empty=terms("nothing_known"))
    notes = []
    if any(memory.pinned for memory in memories):
        notes.append(Text(f"{_PINNED} {terms('pinned')}", style="yellow"))
    if any(memory.doubtful for memory in memories):
        notes.append(Text(f"{_UNSURE} {terms('unsure')}", style="magenta"))
    return Group(table, *notes) if notes else table


def _until(at: datetime | None, terms: Terms) -> Text:
    return Text(terms("still_true"), style="green") if at is None else Text(terms.day(at))


@scoped
def timeline(
    where: Where,
    since: Since = None,
    until: Until = None,
    type: str | None = None,
    words: Annotated[str | None, typer.Option("--text")] = None,
) -> None:
    with where.mind() as mind:
        zone = mind.bank.settings.zone
        first, last = moment(since, zone, "--since"), last_of(until, zone, "--until")
        memories = mind.timeline(since=first, until=last, type=checked_type(type), text=words)
    where.show(memories, lambda: timeline_table(memories, terms_for(mind)))


def timeline_table(memories: Sequence[Memory], terms: Terms) -> RenderableType:
    """Return `memories` in the order given; what is over, or has faded, is dim."""

    def until(memory: Memory) -> Text:
        if memory.invalid_at is None and memory.faded_at is not None:
            return Text(terms.label("states", "faded"), style=DIM)
        return _until(memory.invalid_at, terms)

    def content(memory: Memory) -> Text:
        over = memory.invalid_at is not None or memory.faded_at is not None
        return Text(first_line(memory.content), style=DIM if over else "")

    columns = (
        Column("true_from", lambda memory: terms.day(memory.valid_at)),
        Column("true_until", until, drop=1),
        Column("about", lambda memory: terms.named(memory.subject_id), style="cyan", drop=1),
        Column("attribute", terms.subject_matter, style="magenta", drop=1),
        Column("memory", content, fold=True),
    )
    return Listing(memories, columns, terms.words, empty=terms("nothing_happened"))


def first_line(content: str) -> str:
    first, _, rest = content.partition("\n")
    return f"{first} …" if rest else first


def scopes(bank: BankPath = None, as_json: AsJson = False) -> None:
    settings = settings_for(bank)
    with closing(open_existing_store(settings)) as store:
        known = store.scopes()
    show(known, lambda: scopes_table(known, terms_under(settings)), as_json)


def scopes_table(summaries: Sequence[ScopeSummary], terms: Terms) -> RenderableType:
    columns = (
        Column("user", lambda each: each.scope.user or "–", style="cyan", fold=True),
        Column("character", lambda each: each.scope.character or "–", style="cyan", fold=True),
        Column("world", lambda each: each.scope.world or "–", style="cyan", fold=True),
        Column("turns", lambda each: f"{each.turns:,}", right=True, drop=1),
        Column("memories", lambda each: f"{each.memories:,}", right=True),
        Column("latest", lambda each: terms.moment(each.latest_at) if each.latest_at else "", style=DIM, drop=1),
    )
    return Listing(summaries, columns, terms.words, empty=terms("empty_bank"))


@scoped
def correct(
    where: Where,
    memory_id: MemoryId,
    content: Annotated[str, typer.Argument(metavar="TEXT")],
    value: str | None = None,
    at: At = None,
) -> None:
    with where.mind() as mind:
        found, when = named_memory(mind, memory_id), moment(at, mind.bank.settings.zone)
        checked_text(content)
        wake(mind.bank)
        after = mind.correct(found.id, content, value=value, at=when)
    where.show(after, lambda: facts_table([after], terms_for(mind)))


@scoped
def pin(
    where: Where, memory_id: MemoryId, pinned: Annotated[bool, typer.Option("--on/--off")] = True, at: At = None
) -> None:
    with where.mind() as mind:
        after = mind.pin(named_memory(mind, memory_id).id, pinned, at=moment(at, mind.bank.settings.zone))
    where.show(after, lambda: facts_table([after], terms_for(mind)))


@scoped
def review(
    where: Where,
    confirm: Annotated[list[str], typer.Option("--confirm", metavar="ID")] = [],  # noqa: B006  # Typer copies it
    reject: Annotated[list[str], typer.Option("--reject", metavar="ID")] = [],  # noqa: B006  # Typer copies it
    at: At = None,
) -> None:
    with where.mind() as mind:
        when = moment(at, mind.bank.settings.zone)
        if confirm or reject:
            right, wrong = ([named_memory(mind, each).id for each in ids] for ids in (confirm, reject))
            after = [mind.confirm(each, at=when) for each in right] + [mind.reject(each, at=when) for each in wrong]
            where.show(after, lambda: facts_table(after, terms_for(mind)))
            return
        doubtful = mind.doubtful()
        said = {memory.id: _said(mind, memory) for memory in doubtful}
        where.show(doubtful, lambda: review_table(doubtful, said, terms_for(mind)))
        if sys.stdin.isatty() and not where.as_json:
            with suppress(EOFError):  # the rest is left for later
                _ask_about(doubtful, mind, when)


def _ask_about(doubtful: Sequence[Memory], mind: Mind, at: datetime | None) -> None:
    """Ask of each memory whether it is right, and confirm or reject it; any other answer leaves it for later."""
    for memory in doubtful:
        answer = input(f"{text('review.ask', content=first_line(memory.content))} ").strip().casefold()
        if answer in text("review.yes").split():
            mind.confirm(memory.id, at=at)
        elif answer in text("review.no").split():
            mind.reject(memory.id, at=at)


def _said(mind: Mind, memory: Memory) -> str:
    spoken = (each for turn in mind.sources(memory.id) for each in turn.utterances if each.id in memory.sources)
    return "\n".join(f"“{first_line(each.text)}”" for each in spoken)


def review_table(doubtful: Sequence[Memory], said: Mapping[str, str], terms: Terms) -> RenderableType:
    """Return what waits to be confirmed with the words it was read from, by memory id in `said`."""
    if not doubtful:
        return Text(text("review.nothing"), style=DIM)
    columns = (
        Column("id", lambda memory: memory.id[-ID_SHOWN:], style=DIM),
        Column("about", lambda memory: terms.named(memory.subject_id), style="cyan"),
        Column("attribute", terms.subject_matter, style="magenta", drop=1),
        Column("memory", lambda memory: memory.content, fold=True),
        Column("said", lambda memory: said[memory.id], fold=True),
    )
    return Group(Listing(doubtful, columns, terms.words), Text(text("review.how"), style=DIM))


@scoped
def forget(where: Where, memory_id: MemoryId, at: At = None) -> None:
    with where.mind() as mind:
        after = mind.forget(named_memory(mind, memory_id).id, at=moment(at, mind.bank.settings.zone))
    where.show(after, lambda: facts_table([after], terms_for(mind)))


@scoped
def rewind(
    where: Where, turn_id: TurnId, following: Annotated[bool, typer.Option("--following")] = False, at: At = None
) -> None:
    with where.mind() as mind:
        turn, when = mind.turn(turn_id), moment(at, mind.bank.settings.zone)
        wake(mind.bank)
        gone = mind.rewind(turn.id, following=following, at=when)
    where.show({"rewound": gone}, lambda: Text("\n".join(f"↶ {each}" for each in gone), style="magenta"))


@scoped
def history(where: Where, memory_id: MemoryId) -> None:
    from gieok.cli.privacy import versions_table

    with where.mind() as mind:
        versions = mind.versions(named_memory(mind, memory_id, hidden_too=True).id)
    where.show(versions, lambda: versions_table(versions, terms_for(mind)))


@scoped
def undo(
    where: Where, memory_id: MemoryId, to: Annotated[int, typer.Option(metavar="VERSION", min=1)], at: At = None
) -> None:
    with where.mind() as mind:
        found, when = named_memory(mind, memory_id, hidden_too=True), moment(at, mind.bank.settings.zone)
        wake(mind.bank)
        after = mind.restore(found.id, version=to, at=when)
    where.show(after, lambda: facts_table([after], terms_for(mind)))


def named_memory(mind: Mind, given: str, *, hidden_too: bool = False) -> Memory:
    """Return the memory with the id `given`, or the only one whose id ends so; `hidden_too`: also a forgotten one."""
    known = mind.facts(history=True, doubtful=True)
    if hidden_too and not any(memory.id.endswith(given) for memory in known):
        known = [leaf.memory for leaf in mind.memories(_ALL, state="all")]
    exact = [memory for memory in known if memory.id == given]
    found = exact or [memory for memory in known if given and memory.id.endswith(given)]
    if not found:
        raise UnknownMemory(given)
    if len(found) > 1:
        raise InvalidQuery(text("errors.several_ids", n=len(found), id=repr(given)))
    if not exact and len(given) < _ID_NEEDED:
        raise InvalidQuery(text("errors.short_id", id=repr(given), n=_ID_NEEDED))
    return found[0]
