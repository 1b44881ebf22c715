"""Putting right what is remembered, and saying it otherwise: correct, pin, forget, reroll, edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from gieok.cli.console import answers, print_json, wake
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, At, BankPath, Character, Consent, MemoryId, User, World
from gieok.cli.talking import print_observed
from gieok.domain.turn import checked_text
from gieok.domain.typed_moments import moment
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.domain.memory import Memory

_SURE: Final = 4  #: characters of an id; fewer may be the number that a list happened to show
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
    _show(opened, mind, after, as_json)


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
    _show(opened, mind, after, as_json)


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
    _show(opened, mind, after, as_json)


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


def named_memory(mind: Mind, given: str) -> Memory:
    """Return the memory with the id `given`, or the only one whose id ends so."""
    from gieok.errors import InvalidQuery, UnknownMemory

    known = mind.facts(history=True)
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


def _show(opened: MemoryBank, mind: Mind, memory: Memory, as_json: bool) -> None:
    if as_json:
        from gieok.cli.records import memory_record

        print_json(memory_record(memory))
        return
    from gieok.cli.look.facts import facts_table
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
