"""How it stands between the two: relationship."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, plain, print_json
from gieok.cli.opening import Names, known_mind, open_to_read, settings_for
from gieok.cli.options import AsJson, BankPath, Character, User, World
from gieok.domain.relationship_rules import RelationshipRules, Rule, default_rules, rules_from
from gieok.errors import InvalidQuery, InvalidSetting

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.cli.look.relationship import Speaking
    from gieok.settings import Settings

_HOW = (
    "# Change what you like, save it, and set relationship_rules to its path in gieok.toml; what is left out stays.\n\n"
)
_SHOWN_CHANGES = 5
_LOOKED_AT = 200  #: steps among which those are looked for


def rules_in_force(path: str | None) -> str:
    """Return the rules as they stand in the package, or with the changes of the file at `path`."""
    if path is None:
        return _HOW + files("gieok.domain").joinpath("relationship.toml").read_text(encoding="utf-8")
    try:
        changes = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
        raise InvalidSetting(f"relationship_rules = {path!r} cannot be read: {cause}; check the path") from cause
    return _HOW + written(rules_from(changes))


def written(rules: RelationshipRules) -> str:
    """Return `rules` as TOML from which `rules_from` makes them again."""
    blocks = ["\n".join(["[start]", *_pairs(rules.start.items())])]
    blocks += ["\n".join([f"[signs.{_key(name)}]", *_sign(name, rule)]) for name, rule in rules.signs.items()]
    for axis, absence in rules.absence.items():
        figures = [(name, getattr(absence, name)) for name in ("after_days", "half_life_days", "floor")]
        blocks.append("\n".join([f"[absence.{axis}]", *_pairs(figures)]))
    return "\n\n".join(blocks) + "\n"


def _sign(name: str, rule: Rule) -> Iterator[str]:
    if name not in default_rules().signs:
        yield "new = true"
    yield from _pairs(rule.moves.items())
    yield from _pairs([(name, getattr(rule, name)) for name in ("per_turn", "per_day")])
    if rule.up_to:
        yield f"up_to = {{ {', '.join(_pairs(rule.up_to.items()))} }}"
    yield from _pairs([("character", rule.character)])


def _pairs(figures: Iterable[tuple[str, float | None]]) -> Iterator[str]:
    """Yield a line for each figure that is set."""
    for name, value in figures:
        if value is not None:
            short = f"{value:g}"
            yield f"{name} = {short if float(short) == value else repr(value)}"


def _key(name: str) -> str:
    """Return `name` as a TOML key; what is more than plain letters stands in quotes."""
    if name.isascii() and name.replace("_", "").replace("-", "").isalnum():
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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

    from gieok.cli.relating import rules_in_force

    text = rules_in_force(settings.relationship_rules)
    if as_json:
        print_json(tomllib.loads(text))
        return
    typer.echo(plain(text), nl=False)
