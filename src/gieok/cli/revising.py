"""Saying it otherwise: reroll, edit. What came after the turn is taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from gieok.cli.console import wake
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.cli.talking import print_observed
from gieok.domain.turn import checked_text
from gieok.errors import InvalidQuery

TurnId = Annotated[str, typer.Argument(metavar="TURN_ID", help="The turn, as `gieok observe` names it.")]


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
        observed = mind.edit(turn.id, text=text, reply=reply)
    print_observed(observed, mind, opened.settings, as_json, silence=text or "")
