"""`gieok relationship`: how close the two are, how they speak to each other, why, as a table or as a picture."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final
from xml.sax.saxutils import escape

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank.history import Step
from gieok.cli.common import Limit, Where, scoped, settings_for
from gieok.cli.console import DIM, answers, plain, print_json, text
from gieok.cli.records import record
from gieok.cli.table import Column, Listing, grid, meter
from gieok.cli.talk_view import level_line
from gieok.cli.terms import Terms, terms_for
from gieok.domain.relationship import (
    AXES,
    LEVELS,
    THRESHOLDS,
    TIME_TOGETHER,
    TOP,
    Axis,
    Habit,
    Manners,
    Relationship,
    RelationshipRules,
    Rule,
    Speech,
    default_rules,
    rules_from,
    score,
)
from gieok.domain.scene import Scene
from gieok.domain.state import Cause
from gieok.errors import InvalidQuery, InvalidSetting

_SHOWN_CHANGES: Final = 5
_LOOKED_AT: Final = 200  #: steps among which those are looked for
_BAR: Final = 30
_HISTORY_BAR: Final = 8
_LEAST_SHOWN: Final = 0.05  #: of a change, to one decimal
_AXIS_STYLES: Final[Mapping[Axis, str]] = {
    "trust": "blue",
    "affection": "magenta",
    "respect": "cyan",
    "rivalry": "red",
    "familiarity": "green",
}
_COLOURS: Final[Mapping[str, str]] = {
    "trust": "#2b6cb0",
    "affection": "#b83280",
    "respect": "#0987a0",
    "rivalry": "#c53030",
    "familiarity": "#2f855a",
    "closeness": "#b7791f",
}
_WIDTH, _HEIGHT = 960, 480  #: of the picture, and its margins
_LEFT, _RIGHT, _ABOVE, _BELOW = 48, 150, 48, 64
_DATES: Final = 6


@scoped
def relationship(
    where: Where,
    history: Annotated[bool, typer.Option("--history")] = False,
    limit: Limit = 30,
    chart: Annotated[Path | None, typer.Option("--chart", metavar="FILE.svg")] = None,
    rules: Annotated[bool, typer.Option("--rules")] = False,
) -> None:
    if rules:
        _print_rules(settings_for(where.bank).relationship_rules, where.as_json)
        return
    if chart is not None and chart.suffix.lower() != ".svg":
        raise InvalidQuery(text("errors.not_svg", path=repr(str(chart))))
    with where.mind() as mind:
        terms = terms_for(mind)
        if chart is not None:
            steps = mind.trajectory()
            if not steps:
                raise InvalidQuery(text("errors.nothing_to_draw"))
            chart.write_text(drawn(steps, terms), encoding="utf-8")
            answers().print(terms("relationship.drawn", path=chart))
        elif history:
            steps = mind.trajectory()
            shown = steps[-limit:] if limit else steps
            where.show(shown, lambda: history_table(shown, len(steps) - len(shown), terms))
        else:
            state, manners = mind.relationship(), mind.manners()
            changes = worth_telling(mind.trajectory(_LOOKED_AT))[-_SHOWN_CHANGES:]
            value = {**record(state), "manners": manners, "changes": changes}
            where.show(value, lambda: relationship_view(state, manners, changes, mind.scenes(), terms))


def relationship_view(
    state: Relationship, manners: Manners, steps: Sequence[Step], scenes: Iterable[Scene], terms: Terms
) -> RenderableType:
    """Return level and score, the axes, how long they know each other, manners, and the last of the changes."""
    title = Text().append(f"{terms.named('user')} ↔ {terms.named('character')}  ", "cyan")
    spoken = [
        (terms.named(who), _speech(manners.of(who), terms.named(other), terms))
        for who, other in (("user", "character"), ("character", "user"))
    ]
    return Group(
        title.append(terms.label("levels", state.level), "bold"),
        _figures(state, terms),
        Text(_acquainted(state, terms)),
        Text(f"\n{terms('relationship.manners')}", style=DIM),
        grid(spoken, "cyan"),
        Text(f"\n{terms('relationship.changes')}", style=DIM),
        _changes(steps, {scene.id: scene for scene in scenes}, terms),
    )


def _figures(state: Relationship, terms: Terms) -> RenderableType:
    closeness = score(state)
    bar = meter(closeness / TOP, _BAR, "yellow").append(f" {closeness:.1f}", "bold").append(" / 100  ")
    rows: list[Sequence[RenderableType]] = [
        (terms("relationship.closeness"), bar.append(_ahead(state, terms), DIM)),
        (),
    ]
    for axis in AXES:
        value, style = state.axis(axis), _AXIS_STYLES[axis]
        rows.append(
            (Text(terms.label("axes", axis), style=style), meter(value / TOP, _BAR, style).append(f" {value:.1f}"))
        )
    return Group(grid(rows), "")


def _ahead(state: Relationship, terms: Terms) -> str:
    higher = LEVELS.index(state.level) + 1
    if higher == len(LEVELS):
        return terms("relationship.top_level")
    points = THRESHOLDS[higher] - score(state)
    return terms("relationship.next_level", level=terms.label("levels", LEVELS[higher]), points=points)


def _acquainted(state: Relationship, terms: Terms) -> str:
    if state.met_at is None or state.last_at is None:
        return terms("relationship.not_met")
    met, last = (at.astimezone(terms.zone).date() for at in (state.met_at, state.last_at))
    if last <= met:
        return terms("relationship.met_today", since=met, turns=state.turns)
    return terms("relationship.met", since=met, until=last, days=(last - met).days + 1, turns=state.turns)


def _speech(speech: Speech, other: str, terms: Terms) -> RenderableType:
    told = Text(terms("relationship.style_unknown"), style=DIM)
    if speech.style is not None:
        told = Text(terms.label("styles", speech.style.value)).append_text(_since(speech.style, terms))
    if speech.address is None:
        return told
    called = terms("relationship.calls", other=other, name=f"“{speech.address.value}”")
    return Group(told, Text(called).append_text(_since(speech.address, terms)))


def _since(habit: Habit, terms: Terms) -> Text:
    told = [terms("relationship.since", day=terms.day(habit.at))]
    if habit.asked_by:
        told.append(terms("relationship.asked_by", who=terms.named(habit.asked_by)))
    return Text(f"  {' · '.join(told)}", style=DIM)


def _changes(steps: Sequence[Step], scenes: Mapping[str, Scene], terms: Terms) -> RenderableType:
    if not steps:
        return Text(terms("relationship.no_changes"), style=DIM)
    rows = []
    named = None  #: a scene is named once, where it begins
    for step in steps:
        lines = [*_caused(step, terms)]
        if step.before is not None and _turned(step):
            lines.insert(0, Text(level_line(step.before, step.relationship, terms), style="bold yellow"))
        scene = scenes.get(step.scene or "")
        if scene is not None and scene.title and scene.id != named:
            lines.insert(0, Text(terms("relationship.scene", title=scene.title), style=DIM))
        named = step.scene
        rows.append((terms.moment(step.at), Group(*lines)))
    return grid(rows, DIM)


def worth_telling(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that something said or a silence caused, not the mere passing of turns."""
    return [step for step in steps if _turned(step) or any(cause.name != TIME_TOGETHER for cause in step.causes)]


def _turned(step: Step) -> bool:
    return step.before is not None and step.before.level != step.relationship.level


def _caused(step: Step, terms: Terms) -> Iterator[Text]:
    """Yield a line per cause: what it was, who said it in which words, and by how much it moved which axis."""
    groups: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in step.causes:
        groups.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    for (name, speaker, words), causes in groups.items():
        if name == TIME_TOGETHER:
            continue
        line = Text(terms.label("causes", name))
        if speaker:
            line.append(" · ").append(terms.named(speaker), "cyan")
        if words:
            line.append(f" “{words}”")
        for cause in causes:
            if abs(cause.amount) >= _LEAST_SHOWN and cause.axis in AXES:
                style = "green" if cause.amount > 0 else "red"
                line.append(f"  {terms.label('axes', cause.axis)} {cause.amount:+.1f}", style)
        yield line


def history_table(steps: Sequence[Step], left_out: int, terms: Terms) -> RenderableType:
    if not steps:
        return Text(terms("relationship.no_changes"), style=DIM)

    def closeness(step: Step) -> Text:
        now = score(step.relationship)
        return Text(f"{now:5.1f} ").append_text(meter(now / TOP, _HISTORY_BAR, "yellow"))

    def axis_column(axis: Axis) -> Column:
        return Column(
            Text(terms(f"short_axes.{axis}")),
            lambda step: f"{step.relationship.axis(axis):.1f}",
            style=_AXIS_STYLES[axis],
            right=True,
            drop=1,
        )

    columns = (
        Column("when", lambda step: terms.moment(step.at), style=DIM),
        Column("closeness", closeness),
        *map(axis_column, AXES),
        Column("why", lambda step: _in_short(step, terms), fold=True),
    )
    table = Listing(steps, columns, terms.words, gap=1)
    return Group(table, Text(terms("relationship.more", n=left_out), style=DIM)) if left_out else table


def _in_short(step: Step, terms: Terms) -> Text:
    names = dict.fromkeys(cause.name for cause in step.causes)
    line = Text(", ".join(terms.label("causes", name) for name in names if name != TIME_TOGETHER or len(names) == 1))
    if _turned(step):
        line.append(f" → {terms.label('levels', step.relationship.level)}", "bold yellow")
    return line


def drawn(steps: Sequence[Step], terms: Terms) -> str:
    """Return `steps`, oldest first, as an SVG picture; there must be at least one."""
    begin, end = min(step.at for step in steps), max(step.at for step in steps)
    whole = (end - begin).total_seconds() or 1.0
    inner, states = _WIDTH - _LEFT - _RIGHT, [step.relationship for step in steps]
    title = f"{terms.named('user')} ↔ {terms.named('character')}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf8"/>',
        _svg_text(_LEFT, 28, title, size=17, colour="#1a202c"),
    ]
    for level, threshold in zip(LEVELS, THRESHOLDS, strict=True):
        y = _y(threshold)
        lines.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#cbd5e0" stroke-dasharray="4 4"/>')
        lines.append(_svg_text(_LEFT - 8, y + 4, f"{threshold:g}", end=True))
        lines.append(_svg_text(_WIDTH - _RIGHT + 10, y + 4, terms.label("levels", level)))
    days = {terms.day(begin + (end - begin) * at / (_DATES - 1)): at for at in reversed(range(_DATES))}
    for day, at in days.items():
        lines.append(_svg_text(_LEFT - 32 + inner * at / (_DATES - 1), _HEIGHT - _BELOW + 22, day))
    for number, name in enumerate((*AXES, "closeness")):
        values = [score(now) if name == "closeness" else getattr(now, name) for now in states]
        xs = [_LEFT + inner * (each.at - begin).total_seconds() / whole for each in steps]
        points = " ".join(f"{x:.1f},{_y(value):.1f}" for x, value in zip(xs, values, strict=True))
        label = terms("relationship.closeness") if name == "closeness" else terms.label("axes", name)
        colour, width, x = _COLOURS[name], 3.0 if name == "closeness" else 1.3, _LEFT + number * 120
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        lines.append(f'<path d="M{x} {_HEIGHT - 20}h18" stroke="{colour}" stroke-width="{width}"/>')
        lines.append(_svg_text(x + 24, _HEIGHT - 16, label, colour=colour))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _y(value: float) -> float:
    return _ABOVE + (_HEIGHT - _ABOVE - _BELOW) * (1 - value / TOP)


def _svg_text(x: float, y: float, label: str, *, size: int = 12, colour: str = "#718096", end: bool = False) -> str:
    anchor = ' text-anchor="end"' if end else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}>{escape(plain(label))}</text>'


def _print_rules(path: str | None, as_json: bool) -> None:
    rules = rules_in_force(path)
    if as_json:
        print_json(tomllib.loads(rules))
    else:
        typer.echo(plain(f"# {text('relationship.rules')}\n\n{rules}"), nl=False)


def rules_in_force(path: str | None) -> str:
    """Return the rules of the package as TOML, or with the changes of the file at `path`."""
    if path is None:
        return files("gieok.domain").joinpath("relationship.toml").read_text(encoding="utf-8")
    try:
        changes = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
        raise InvalidSetting(text("errors.rules_unreadable", path=repr(path), cause=cause)) from cause
    return written(rules_from(changes))


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
