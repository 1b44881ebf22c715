"""What is known, and whose minds there are: facts, scopes."""

from __future__ import annotations

from typing import Annotated

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_store_to_read, open_to_read, settings_for
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.domain.typed_moments import last_of


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
    from gieok.cli.options import checked_attribute, checked_type

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
    from gieok.cli.look.facts import facts_table
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
    from gieok.cli.look.facts import scopes_table

    answers().print(scopes_table(known, settings.zone))
