"""Putting right what is remembered, and saying it otherwise: correct, pin, forget, reroll, edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gieok.cli.common import (
    AsJson,
    At,
    BankPath,
    Character,
    Consent,
    MemoryId,
    Names,
    User,
    World,
    known_mind,
    open_store_to_read,
    open_to_read,
    settings_for,
)
from gieok.cli.console import answers, print_json, wake
from gieok.cli.talk import print_observed
from gieok.domain.turn import checked_text, last_of, moment
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.bank.history import Version
    from gieok.domain.memory import Memory


_SURE: Final = 4  #: characters of an id; fewer may be the number that a list happened to show
_ALL: Final = 1 << 24  #: more than a scope holds
TurnId = Annotated[str, typer.Argument(metavar="TURN_ID", help="The turn, as `gieok observe` names it.")]


def correct(
    memory_id: MemoryId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it should say.")],
    value: Annotated[
        str | None, typer.Option("--value", help="The attribute's value, if TEXT does not show it.")
    ] = None,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Put a memory's words right; it was always so."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        found, when = named_memory(mind, memory_id), moment(at, opened.settings.zone)
        checked_text(text)
        wake(opened)
        after = mind.correct(found.id, text, value=value, at=when)
    show_memory(opened, mind, after, as_json)


def pin(
    memory_id: MemoryId,
    pinned: Annotated[bool, typer.Option("--on/--off", help="Keep it in every context, or no longer.")] = True,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Keep a memory in every context."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        after = mind.pin(named_memory(mind, memory_id).id, pinned, at=moment(at, opened.settings.zone))
    show_memory(opened, mind, after, as_json)


def forget(
    memory_id: MemoryId,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Hide a memory from every answer; it leaves the disk with the next `gieok scrub` or upkeep."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        after = mind.forget(named_memory(mind, memory_id).id, at=moment(at, opened.settings.zone))
    show_memory(opened, mind, after, as_json)


def rewind(
    turn_id: Annotated[str, typer.Argument(metavar="TURN_ID", help="The turn to take back.")],
    following: Annotated[bool, typer.Option("--following", help="Take back every later turn as well.")] = False,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Take a turn back with all it caused."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        turn, when = mind.turn(turn_id), moment(at, opened.settings.zone)
        wake(opened)
        gone = mind.rewind(turn.id, following=following, at=when)
    if as_json:
        print_json({"rewound": list(gone)})
        return
    for each in gone:
        answers().print(f"↶ {each}", style="magenta")


def named_memory(mind: Mind, given: str, *, hidden_too: bool = False) -> Memory:
    """Return the memory with the id `given`, or the only one whose id ends so; `hidden_too`: also a forgotten one."""
    from gieok.errors import InvalidQuery, UnknownMemory

    known = mind.facts(history=True)
    if hidden_too and not any(memory.id.endswith(given) for memory in known):
        known = [leaf.memory for leaf in mind.memories(_ALL, state="all")]
    exact = [memory for memory in known if memory.id == given]
    found = exact or [memory for memory in known if given and memory.id.endswith(given)]
    if not found:
        raise UnknownMemory(given)
    if len(found) > 1:
        raise InvalidQuery(f"{len(found)} memories have an id that ends in {given!r}; write more of it")
    if not exact and len(given) < _SURE:
        raise InvalidQuery(
            f"{given!r} is too little of an id to be sure which memory is meant; "
            f"write at least its last {_SURE} characters, as `gieok facts` shows them"
        )
    return found[0]


def show_memory(opened: MemoryBank, mind: Mind, memory: Memory, as_json: bool) -> None:
    if as_json:
        from gieok.cli.records import memory_record

        print_json(memory_record(memory))
        return
    from gieok.cli.look.memories import facts_table
    from gieok.cli.look.words import WORDS

    settings = opened.settings
    answers().print(facts_table([memory], mind.key, WORDS[settings.language], settings.zone))


def reroll(
    turn_id: TurnId,
    reply: Annotated[str, typer.Argument(metavar="REPLY", help="What the character answers instead.")],
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Give the character another reply; later turns are taken back."""
    with open_to_read(bank, models=True) as opened:
        mind = known_mind(opened, Names(user, character, world))
        turn = mind.turn(turn_id)
        checked_text(reply, "reply")
        wake(opened)
        observed = mind.reroll(turn.id, reply)
    print_observed(observed, mind, opened.settings, as_json, silence=reply)


def edit(
    turn_id: TurnId,
    text: Annotated[str | None, typer.Option("--text", "-t", help="What the user said instead.")] = None,
    reply: Annotated[str | None, typer.Option("--reply", "-r", help="What the character answered instead.")] = None,
    consent: Consent = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Put other words into an earlier turn; later turns are taken back."""
    if text is None and reply is None:
        raise InvalidQuery('what was said instead? give --text "…" or --reply "…", or both')
    with open_to_read(bank, models=True) as opened:
        mind = known_mind(opened, Names(user, character, world))
        turn = mind.turn(turn_id)
        wake(opened)
        observed = mind.edit(turn.id, text=text, reply=reply, consent=consent or ())
    print_observed(observed, mind, opened.settings, as_json, silence=text or "")


def history(
    memory_id: MemoryId,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show what a memory was, version by version: who changed it, when and why."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        versions = mind.versions(named_memory(mind, memory_id, hidden_too=True).id)
    if as_json:
        print_json([_record(each) for each in versions])
        return
    from gieok.cli.look.admin import AUDIT_WORDS, versions_table

    settings = opened.settings
    answers().print(versions_table(versions, AUDIT_WORDS[settings.language], settings.zone))


def undo(
    memory_id: MemoryId,
    to: Annotated[int, typer.Option("--to", metavar="VERSION", min=1, help="As `gieok history ID` numbers them.")],
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Let a memory be again what it was in a version, also a forgotten one; nothing leaves its history."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        found, when = named_memory(mind, memory_id, hidden_too=True), moment(at, opened.settings.zone)
        wake(opened)
        after = mind.restore(found.id, version=to, at=when)
    show_memory(opened, mind, after, as_json)


def _record(version: Version) -> dict[str, Any]:
    from gieok.cli.records import iso, memory_record

    actor = version.actor
    return {
        "version": version.number,
        "operation": version.operation_id,
        "number": version.operation,
        "act": version.act,
        "at": iso(version.at),
        "recorded_at": iso(version.recorded_at),
        "actor": None if actor is None else {"kind": actor.kind, "name": actor.name},
        "who": version.who,
        "why": version.why,
        "turn_id": version.turn_id,
        "before": None if version.before is None else memory_record(version.before),
        "after": None if version.after is None else memory_record(version.after),
    }


def facts(
    about: Annotated[str | None, typer.Option("--about", help="user, character, world, or a name.")] = None,
    said_by: Annotated[str | None, typer.Option("--said-by", help="user, character, or a name.")] = None,
    type: Annotated[str | None, typer.Option("--type", help="fact, preference, opinion, event …")] = None,
    attribute: Annotated[str | None, typer.Option("--attribute", help="name, likes, allergy …")] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="ISO", help="What was true then; a bare day counts whole.")
    ] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", metavar="ISO", help="What was believed then; a bare day counts whole.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Also what is no longer true, with both clocks.")] = False,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """List what is true, now or then."""
    from gieok.cli.common import checked_attribute, checked_type

    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        settings = opened.settings
        memories = mind.facts(
            about,
            said_by=said_by,
            type=checked_type(type),
            attribute=checked_attribute(attribute),
            as_of=last_of(as_of, settings.zone, "--as-of"),
            known_at=last_of(known_at, settings.zone, "--known-at"),
            history=history,
        )
    if as_json:
        from gieok.cli.records import memory_record

        print_json([memory_record(memory) for memory in memories])
        return
    from gieok.cli.look.memories import facts_table
    from gieok.cli.look.words import WORDS

    answers().print(facts_table(memories, mind.key, WORDS[settings.language], settings.zone, history=history))


def scopes(bank: BankPath = None, as_json: AsJson = False) -> None:
    """List whose memories the bank holds."""
    from contextlib import closing

    from gieok import embedders

    settings = settings_for(bank)
    with closing(
        open_store_to_read(
            settings, embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
        )
    ) as store:
        known = store.scopes()
    if as_json:
        from gieok.cli.records import summary_record

        print_json([summary_record(summary) for summary in known])
        return
    from gieok.cli.look.memories import scopes_table

    answers().print(scopes_table(known, settings.zone))
