"""What the two did and felt, and what was true when: scenes, emotions, timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.opening import Names, known_mind, open_to_read
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.cli.relating import speaking_for
from gieok.domain.typed_moments import last_of, moment

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.bank.living import Feeling
    from gieok.cli.look.relationship import Speaking
    from gieok.domain.answer import Hit
    from gieok.domain.trace import Trace

Since = Annotated[
    str | None, typer.Option("--since", metavar="ISO", help="From this day or moment on.", show_default=False)
]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="ISO", help="Until then; a bare day counts whole.", show_default=False),
]


def scenes(
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the latest; 0: all.")] = 20,
    last: Annotated[bool, typer.Option("--last", help="Say in a sentence what they did last time.")] = False,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """List what the two did together, scene by scene."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        speaking = speaking_for(mind, opened.settings)
        if last:
            _print_last_time(opened, mind, speaking, as_json)
            return
        shown = mind.scenes(limit or None)
    if as_json:
        from gieok.cli.living_records import scene_record

        print_json([scene_record(scene) for scene in shown])
        return
    from gieok.cli.look.scenes import scenes_table

    answers().print(scenes_table(shown, speaking))


def emotions(
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the latest turns; 0: all.")] = 20,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show what both felt, turn by turn."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        settings = opened.settings
        felt = mind.emotions(
            since=moment(since, settings.zone, "--since"), until=last_of(until, settings.zone, "--until")
        )
        turn_ids = list(dict.fromkeys(feeling.turn_id for feeling in felt))
        shown = set(turn_ids[-limit:] if limit else turn_ids)
        felt = [feeling for feeling in felt if feeling.turn_id in shown]
        said = {} if as_json else _said(opened, mind, felt)
        speaking = speaking_for(mind, settings)
    if as_json:
        from gieok.cli.living_records import feeling_record

        print_json([feeling_record(feeling) for feeling in felt])
        return
    from gieok.cli.look.scenes import emotions_table

    answers().print(emotions_table(felt, said, speaking))


def timeline(
    since: Since = None,
    until: Until = None,
    type: Annotated[str | None, typer.Option("--type", help="fact, preference, opinion, event …")] = None,
    text: Annotated[str | None, typer.Option("--text", help="Only what has this in its words.")] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """List what was ever true, by when it began; also what has faded."""
    from gieok.cli.options import checked_type

    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        settings = opened.settings
        memories = mind.timeline(
            since=moment(since, settings.zone, "--since"),
            until=last_of(until, settings.zone, "--until"),
            type=checked_type(type),
            text=text,
        )
        speaking = speaking_for(mind, settings)
    if as_json:
        from gieok.cli.records import memory_record

        print_json([memory_record(memory) for memory in memories])
        return
    from gieok.cli.look.timeline import timeline_table

    answers().print(timeline_table(memories, speaking))


def _print_last_time(opened: MemoryBank, mind: Mind, speaking: Speaking, as_json: bool) -> None:
    scene = mind.last_time()
    if as_json:
        from gieok.cli.living_records import scene_record

        print_json(None if scene is None else scene_record(scene))
        return
    if scene is None:
        answers().print(speaking.living.no_last_time, style="bright_black")
        return
    if opened.settings.language == "en":
        from gieok.cli.look.scenes import last_time_in_english

        answers().print(last_time_in_english(scene, speaking))
        return
    from gieok.language.living_wording import last_time_words

    names = (speaking.named("user"), speaking.named("character"), "user", "character")
    latest = mind.scenes(1)[-1].last_at
    answers().print(last_time_words(scene, zone=speaking.zone, today=latest.astimezone(speaking.zone), parties=names))


def _said(opened: MemoryBank, mind: Mind, felt: list[Feeling]) -> dict[tuple[str, str], str]:
    """Return what was said in the turns of `felt`, by turn and speaker."""
    said: dict[tuple[str, str], str] = {}
    with opened.store.view(mind.key) as view:
        for turn_id in dict.fromkeys(feeling.turn_id for feeling in felt):
            turn = view.turn(turn_id)
            for line in turn.utterances if turn is not None else ():
                said[turn_id, line.speaker] = line.text
    return said


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
        from gieok.http.trace import trace_record

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
