"""What a memory was, version by version, and going back to one: history, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gieok.cli.console import answers, print_json, wake
from gieok.cli.editing import named_memory, show_memory
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, At, BankPath, Character, MemoryId, User, World
from gieok.domain.typed_moments import moment

if TYPE_CHECKING:
    from gieok.bank.versions import Version


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
    from gieok.cli.look.audit import AUDIT_WORDS, versions_table

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
