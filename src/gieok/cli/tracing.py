"""How a turn came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, BankPath, Character, User, World

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.domain.answer import Hit
    from gieok.domain.trace import Trace


def trace(
    turn_id: Annotated[
        str | None, typer.Argument(metavar="[TURN_ID]", help="The turn (default: the last one).", show_default=False)
    ] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show how a turn came about: what was found and shown to the model, who read feelings, what it cost."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        named = turn_id or next((turn.id for turn in mind.turns(1)), "")
        kept = mind.trace(named)
        turn = mind.turn(named)
        hits = [] if as_json else _hits(mind, kept)
    if as_json:
        from gieok.http.trace_page import trace_record

        print_json(trace_record(named, kept))
        return
    from gieok.cli.look.traced import TracedTurn

    settings = opened.settings
    answers().print(
        TracedTurn(
            turn=turn,
            trace=kept,
            hits=hits,
            scope=mind.key,
            weights=mind.weights,
            language=settings.language,
            zone=settings.zone,
        )
    )


def _hits(mind: Mind, trace: Trace) -> list[Hit]:
    """Return what came to mind as it is now, best first; what is gone since, or is another scope's, is left out."""
    from gieok.domain.answer import Hit

    with mind.bank.store.view(mind.key) as view:
        refs = view.refs([scored.item_id for scored in trace.scored])
        items = view.items(refs.values())
    best = {each.item_id: each for each in sorted(trace.scored, key=lambda each: each.score)}  # some are found twice
    return [
        Hit(item=items[refs[each.item_id]], scope=mind.key, score=each.score, parts=each.parts, why=each.why)
        for each in sorted(best.values(), key=lambda each: -each.score)
        if refs.get(each.item_id) in items
    ]
