"""How it stands between the two: relationship."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, plain, print_json
from gieok.cli.opening import Names, known_mind, open_to_read, settings_for
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.cli.look.relationship import Speaking
    from gieok.settings import Settings

_SHOWN_CHANGES = 5
_LOOKED_AT = 200  #: steps among which those are looked for


def relationship(
    history: Annotated[bool, typer.Option("--history", help="Every step of the way, oldest first.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many steps of --history; 0: all.")] = 30,
    chart: Annotated[
        Path | None, typer.Option("--chart", metavar="FILE.svg", help="Draw the way as a picture.", show_default=False)
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the rules in force as TOML, to copy and change.")
    ] = False,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show how close the two are, how they speak to each other, and why."""
    if rules:
        _print_rules(settings_for(bank), as_json)
        return
    if chart is not None and chart.suffix.lower() != ".svg":
        raise InvalidQuery(f"--chart {str(chart)!r} must end in .svg; the picture is drawn as SVG")
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        speaking = speaking_for(mind, opened.settings)
        if chart is not None:
            _draw(mind, chart, speaking)
        elif history:
            _print_history(mind, limit, speaking, as_json)
        else:
            _print_state(mind, speaking, as_json)


def speaking_for(mind: Mind, settings: Settings) -> Speaking:
    """Return in which words and for whom to tell of `mind`."""
    from gieok.cli.look.living_words import LIVING_WORDS
    from gieok.cli.look.relationship import Speaking
    from gieok.cli.look.words import WORDS

    language = settings.language
    return Speaking(scope=mind.key, words=WORDS[language], living=LIVING_WORDS[language], zone=settings.zone)


def _print_state(mind: Mind, speaking: Speaking, as_json: bool) -> None:
    from gieok.cli.look.relationship import relationship_view, worth_telling

    state, manners = mind.relationship(), mind.manners()
    steps = worth_telling(mind.trajectory(_LOOKED_AT))[-_SHOWN_CHANGES:]
    if as_json:
        from gieok.cli.living_records import manners_record, relationship_record, step_record

        changes = [step_record(step) for step in steps]
        print_json({**relationship_record(state), "manners": manners_record(manners), "changes": changes})
        return
    answers().print(relationship_view(state, manners, steps, mind.scenes(), speaking))


def _print_history(mind: Mind, limit: int, speaking: Speaking, as_json: bool) -> None:
    steps = mind.trajectory()
    shown = steps[-limit:] if limit else steps
    if as_json:
        from gieok.cli.living_records import step_record

        print_json([step_record(step) for step in shown])
        return
    from gieok.cli.look.relationship import history_table

    answers().print(history_table(shown, len(steps) - len(shown), speaking))


def _draw(mind: Mind, path: Path, speaking: Speaking) -> None:
    from gieok.cli.look.relationship_chart import chart

    steps = mind.trajectory()
    if not steps:
        raise InvalidQuery('there is nothing to draw yet; talk first: gieok observe "안녕"')
    title = f"{speaking.named('user')} ↔ {speaking.named('character')}"
    path.write_text(chart(steps, title, speaking.living, speaking.zone), encoding="utf-8")
    answers().print(speaking.living.charted.format(path=path))


def _print_rules(settings: Settings, as_json: bool) -> None:
    import tomllib

    from gieok.cli.rules_text import rules_in_force

    text = rules_in_force(settings.relationship_rules)
    if as_json:
        print_json(tomllib.loads(text))
        return
    typer.echo(plain(text), nl=False)
