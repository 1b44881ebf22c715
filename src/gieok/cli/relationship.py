"""The two and those around them: relationship, people, scenes, emotions."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Final
from xml.sax.saxutils import escape

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import Mind
from gieok.bank.history import Feeling, Regard, Step, effects, reached
from gieok.cli.common import At, Limit, Since, Until, Where, scoped, settings_for
from gieok.cli.console import DIM, Terms, answers, plain, print_json, terms_for, text
from gieok.cli.memories import facts_table
from gieok.cli.records import record
from gieok.cli.table import Column, Listing, grid, meter
from gieok.cli.talk import EMOTION_STYLES, level_line
from gieok.domain import relationship as relationships
from gieok.domain.emotion import Emotion
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.scene import Scene
from gieok.domain.turn import last_of, moment
from gieok.errors import InvalidQuery, InvalidSetting, UnknownPerson
from gieok.language.wording import last_time_words

_SHOWN_CHANGES: Final = 5
_LOOKED_AT: Final = 200  #: steps among which those are looked for
_BAR: Final = 30
_HISTORY_BAR: Final = 8
_LEAST_SHOWN: Final = 0.05  #: of a change, to one decimal
_AXIS_STYLES: Final[Mapping[relationships.Axis, str]] = {
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
        toml = rules_in_force(settings_for(where.bank).relationship_rules)
        if where.as_json:
            print_json(tomllib.loads(toml))
        else:
            typer.echo(plain(f"# {text('relationship.rules')}\n\n{toml}"), nl=False)
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
    state: relationships.Relationship,
    manners: relationships.Manners,
    steps: Sequence[Step],
    scenes: Iterable[Scene],
    terms: Terms,
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


def _figures(state: relationships.Relationship, terms: Terms) -> RenderableType:
    closeness = relationships.score(state)
    bar = meter(closeness / relationships.TOP, _BAR, "yellow").append(f" {closeness:.1f}", "bold").append(" / 100  ")
    rows: list[Sequence[RenderableType]] = [
        (terms("relationship.closeness"), bar.append(_ahead(state, terms), DIM)),
        (),
    ]
    for axis in relationships.AXES:
        value, style = state.axis(axis), _AXIS_STYLES[axis]
        rows.append(
            (
                Text(terms.label("axes", axis), style=style),
                meter(value / relationships.TOP, _BAR, style).append(f" {value:.1f}"),
            )
        )
    return Group(grid(rows), "")


def _ahead(state: relationships.Relationship, terms: Terms) -> str:
    following = relationships.to_next_level(state)
    if following is None:
        return terms("relationship.top_level")
    level, points = following
    return terms("relationship.next_level", level=terms.label("levels", level), points=points)


def _acquainted(state: relationships.Relationship, terms: Terms) -> str:
    if state.met_at is None or state.last_at is None:
        return terms("relationship.not_met")
    met, last = (at.astimezone(terms.zone).date() for at in (state.met_at, state.last_at))
    if last <= met:
        return terms("relationship.met_today", since=met, turns=state.turns)
    return terms("relationship.met", since=met, until=last, days=(last - met).days + 1, turns=state.turns)


def _speech(speech: relationships.Speech, other: str, terms: Terms) -> RenderableType:
    told = Text(terms("relationship.style_unknown"), style=DIM)
    if speech.style is not None:
        told = Text(terms.label("styles", speech.style.value)).append_text(_since(speech.style, terms))
    if speech.address is None:
        return told
    called = terms("relationship.calls", other=other, name=f"“{speech.address.value}”")
    return Group(told, Text(called).append_text(_since(speech.address, terms)))


def _since(habit: relationships.Habit, terms: Terms) -> Text:
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
        if step.before is not None and reached(step) is not None:
            lines.insert(0, Text(level_line(step.before, step.relationship, terms), style="bold yellow"))
        scene = scenes.get(step.scene or "")
        if scene is not None and scene.title and scene.id != named:
            lines.insert(0, Text(terms("relationship.scene", title=scene.title), style=DIM))
        named = step.scene
        rows.append((terms.moment(step.at), Group(*lines)))
    return grid(rows, DIM)


def worth_telling(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that something said or a silence caused, not the mere passing of turns."""
    return [
        step
        for step in steps
        if reached(step) is not None or any(cause.name != relationships.TIME_TOGETHER for cause in step.causes)
    ]


def _caused(step: Step, terms: Terms) -> Iterator[Text]:
    """Yield a line per cause: what it was, who said it in which words, and by how much it moved which axis."""
    for first, *others in effects(step):
        if first.name == relationships.TIME_TOGETHER:
            continue
        line = Text(terms.label("causes", first.name))
        if first.speaker:
            line.append(" · ").append(terms.named(first.speaker), "cyan")
        if first.words:
            line.append(f" “{first.words}”")
        for cause in (first, *others):
            if abs(cause.amount) >= _LEAST_SHOWN and cause.axis in relationships.AXES:
                style = "green" if cause.amount > 0 else "red"
                line.append(f"  {terms.label('axes', cause.axis)} {cause.amount:+.1f}", style)
        yield line


def history_table(steps: Sequence[Step], left_out: int, terms: Terms) -> RenderableType:
    def closeness(step: Step) -> Text:
        now = relationships.score(step.relationship)
        return Text(f"{now:5.1f} ").append_text(meter(now / relationships.TOP, _HISTORY_BAR, "yellow"))

    def axis_column(axis: relationships.Axis) -> Column:
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
        *map(axis_column, relationships.AXES),
        Column("why", lambda step: _in_short(step, terms), fold=True),
    )
    table = Listing(steps, columns, terms.words, gap=1, empty=terms("relationship.no_changes"))
    return Group(table, Text(terms("relationship.more", n=left_out), style=DIM)) if left_out else table


def _in_short(step: Step, terms: Terms) -> Text:
    names = dict.fromkeys(cause.name for cause in step.causes)
    line = Text(
        ", ".join(
            terms.label("causes", name) for name in names if name != relationships.TIME_TOGETHER or len(names) == 1
        )
    )
    if (level := reached(step)) is not None:
        line.append(f" → {terms.label('levels', level)}", "bold yellow")
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
    for level, threshold in zip(relationships.LEVELS, relationships.THRESHOLDS, strict=True):
        y = _y(threshold)
        lines.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#cbd5e0" stroke-dasharray="4 4"/>')
        lines.append(_svg_text(_LEFT - 8, y + 4, f"{threshold:g}", end=True))
        lines.append(_svg_text(_WIDTH - _RIGHT + 10, y + 4, terms.label("levels", level)))
    days = {terms.day(begin + (end - begin) * at / (_DATES - 1)): at for at in reversed(range(_DATES))}
    for day, at in days.items():
        lines.append(_svg_text(_LEFT - 32 + inner * at / (_DATES - 1), _HEIGHT - _BELOW + 22, day))
    for number, name in enumerate((*relationships.AXES, "closeness")):
        values = [relationships.score(now) if name == "closeness" else getattr(now, name) for now in states]
        xs = [_LEFT + inner * (each.at - begin).total_seconds() / whole for each in steps]
        points = " ".join(f"{x:.1f},{_y(value):.1f}" for x, value in zip(xs, values, strict=True))
        label = terms("relationship.closeness") if name == "closeness" else terms.label("axes", name)
        colour, width, x = _COLOURS[name], 3.0 if name == "closeness" else 1.3, _LEFT + number * 120
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        lines.append(f'<path d="M{x} {_HEIGHT - 20}h18" stroke="{colour}" stroke-width="{width}"/>')
        lines.append(_svg_text(x + 24, _HEIGHT - 16, label, colour=colour))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _y(value: float) -> float:
    return _ABOVE + (_HEIGHT - _ABOVE - _BELOW) * (1 - value / relationships.TOP)


def _svg_text(x: float, y: float, label: str, *, size: int = 12, colour: str = "#718096", end: bool = False) -> str:
    anchor = ' text-anchor="end"' if end else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}>{escape(plain(label))}</text>'


def rules_in_force(path: str | None) -> str:
    """Return the rules of the package as TOML, or with the changes of the file at `path`."""
    if path is None:
        return files("gieok.domain").joinpath("relationship.toml").read_text(encoding="utf-8")
    try:
        changes = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as cause:
        raise InvalidSetting(text("errors.rules_unreadable", path=repr(path), cause=cause)) from cause
    return written(relationships.rules_from(changes))


def written(rules: relationships.RelationshipRules) -> str:
    """Return `rules` as TOML from which `rules_from` makes them again."""
    tables: dict[str, dict[Any, Any]] = {"start": dict(rules.start)}
    for name, rule in rules.signs.items():
        new = None if name in relationships.default_rules().signs else True
        caps = {"per_turn": rule.per_turn, "per_day": rule.per_day, "up_to": rule.up_to or None}
        plain_key = re.fullmatch(r"[\w-]+", name, re.ASCII)
        key = name if plain_key else json.dumps(name, ensure_ascii=False)
        tables[f"signs.{key}"] = {"new": new, **rule.moves, **caps, "character": rule.character}
    tables |= {f"absence.{axis}": asdict(absence) for axis, absence in rules.absence.items()}
    return "\n".join("\n".join([f"[{name}]", *_pairs(table), ""]) for name, table in tables.items())


def _pairs(table: Mapping[Any, Any]) -> Iterator[str]:
    for name, value in table.items():
        match value:
            case None:
                continue
            case bool():
                shown = "true" if value else "false"
            case Mapping():
                shown = f"{{ {', '.join(_pairs(value))} }}"
            case _:
                shown = f"{value:g}" if float(f"{value:g}") == value else repr(value)
        yield f"{name} = {shown}"


_REGARDS: Final = 12  #: changes of a sentiment that are shown
_SHORT_BAR: Final = 6
_WIDE_BAR: Final = 20
_TOPICS: Final = 5
_SENTIMENT_STYLES: Final = {"positive": "green", "neutral": DIM, "negative": "red"}


@scoped
def people(
    where: Where,
    name: Annotated[str | None, typer.Argument(metavar="NAME")] = None,
    same_as: Annotated[str | None, typer.Option(metavar="OTHER")] = None,
    apart_from: Annotated[str | None, typer.Option(metavar="OTHER")] = None,
    limit: Limit = 30,
    at: At = None,
) -> None:
    if same_as is not None and apart_from is not None:
        raise InvalidQuery(text("errors.same_and_apart"))
    if name is None and (same_as is not None or apart_from is not None):
        raise InvalidQuery(text("errors.which_person"))
    with where.mind() as mind:
        terms, when = terms_for(mind), moment(at, mind.bank.settings.zone)
        if name is None:
            everybody = mind.frequent_contacts(limit or len(mind.entities()))
            where.show(everybody, lambda: people_table(everybody, terms))
            return
        if same_as is not None:
            one, another = _known(mind, name), _known(mind, same_as)
            if one.id == another.id:
                raise InvalidQuery(text("errors.same_already", name=repr(name), other=repr(same_as)))
            mind.same_person(one.name, another.name, at=when)
        if apart_from is not None:
            if name == apart_from or _known(mind, name).id != _known(mind, apart_from).id:
                raise InvalidQuery(text("errors.apart_already", name=repr(name), other=repr(apart_from)))
            mind.different_people(name, apart_from, at=when)
        entity = _known(mind, name)
        facts, regards = _facts(mind, entity), mind.regards(entity.id)[-_REGARDS:]
        value = {**record(entity), "facts": facts, "trajectory": regards}
        where.show(value, lambda: profile(entity, facts, regards, terms))


def people_table(people: Sequence[Entity], terms: Terms) -> RenderableType:
    def name(entity: Entity) -> Text:
        aliases = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
        return Text(entity.display_name).append(aliases, DIM)

    columns = (
        Column("name", name, style="cyan", fold=True, min_width=6),
        Column("kind", lambda entity: terms.label("beings", entity.kind)),
        Column("times", lambda entity: f"{entity.interactions:,}", right=True),
        Column("last_seen", lambda entity: terms.day(entity.last_seen)),
        Column("sentiment", lambda entity: _sentiment(entity, _SHORT_BAR, terms), drop=1),
        Column("trust", lambda entity: _trust(entity, _SHORT_BAR), drop=1),
    )
    return Listing(people, columns, terms.words, empty=terms("people.nobody"))


def profile(entity: Entity, facts: Sequence[Memory], regards: Sequence[Regard], terms: Terms) -> RenderableType:
    title = Text().append(entity.display_name, "bold cyan").append(f"  {terms.label('beings', entity.kind)}", DIM)
    parts: list[RenderableType] = [title, grid(_profile_lines(entity, terms), DIM)]
    if facts:
        parts += [Text(f"\n{terms('people.facts')}", style=DIM), facts_table(facts, terms)]
    if regards:
        rows = [
            (
                terms.moment(each.at),
                _sentiment(each.entity, _SHORT_BAR, terms),
                Text(f"{terms('columns.trust')} {each.entity.trust:.0f}", style=DIM),
            )
            for each in regards
        ]
        parts += [Text(f"\n{terms('people.regards')}", style=DIM), grid(rows, DIM)]
    return Group(*parts)


def _profile_lines(entity: Entity, terms: Terms) -> Iterator[tuple[str, RenderableType]]:
    optional = {
        "aliases": ", ".join(entity.aliases),
        "summary": entity.summary,
        "interests": ", ".join(note.text for note in entity.interests),
        "personality": ", ".join(note.text for note in entity.personality),
    }
    yield from ((terms(f"people.{key}"), told) for key, told in optional.items() if told)
    yield terms("columns.times"), f"{entity.interactions:,}"
    yield terms("people.first_seen"), terms.day(entity.first_seen)
    yield terms("columns.last_seen"), terms.day(entity.last_seen)
    yield terms("columns.sentiment"), _sentiment(entity, _WIDE_BAR, terms)
    yield terms("columns.trust"), _trust(entity, _WIDE_BAR)


def _sentiment(entity: Entity, width: int, terms: Terms) -> Text:
    label = entity.sentiment_label()
    word = _labelled("sentiments", label, _SENTIMENT_STYLES[label], terms)
    bar = meter(abs(entity.sentiment), width, "red" if entity.sentiment < 0 else "green")
    return word.append_text(bar).append(f" {entity.sentiment:+.2f}", DIM)


def _labelled(table: str, name: str, style: str, terms: Terms) -> Text:
    """Return the label of `name`, as wide as the widest of its table, and a space."""
    word = Text(terms.label(table, name), style=style)
    word.pad_right(
        max(Text(each).cell_len for each in terms.words.some(f"shared.{table}").values()) - word.cell_len + 1
    )
    return word


def _trust(entity: Entity, width: int) -> Text:
    return meter(entity.trust / relationships.TOP, width, "blue").append(f" {entity.trust:.0f}")


def _known(mind: Mind, name: str) -> Entity:
    """Return the one who goes by `name`, with or without the 이 that is said after a name: 지훈이."""
    for each in filter(None, (name, name.removesuffix("이"))):
        with suppress(UnknownPerson):
            return mind.entity(each)
    raise UnknownPerson(name)


def _facts(mind: Mind, entity: Entity) -> list[Memory]:
    """Return what is true of somebody, by whatever name it was told."""
    names = dict.fromkeys((entity.name, entity.display_name, *entity.aliases))
    found = [memory for name in names for each in (name, f"{name}이") for memory in mind.facts(about=each)]
    return list({memory.id: memory for memory in found if memory.subject == "other"}.values())


@scoped
def scenes(where: Where, limit: Limit = 20, last: Annotated[bool, typer.Option("--last")] = False) -> None:
    with where.mind() as mind:
        terms = terms_for(mind)
        if last:
            latest, known = mind.last_time(), mind.scenes(1)
            where.show(
                latest,
                lambda: Text(
                    _last_time(latest, known[-1].last_at, terms) if latest else terms("scenes.no_last"),
                    style="" if latest else DIM,
                ),
                soft_wrap=True,
            )
            return
        shown = mind.scenes(limit or None)
    where.show(shown, lambda: scenes_table(shown, terms))


def scenes_table(scenes: Sequence[Scene], terms: Terms) -> RenderableType:
    def when(scene: Scene) -> Text:
        begun = Text(f"{terms.moment(scene.started_at)}–")
        if scene.ended_at is None:
            return begun.append(terms("still_true"), "green")
        begin, end = (at.astimezone(terms.zone) for at in (scene.started_at, scene.ended_at))
        return begun.append(f"{end:%H:%M}" if begin.date() == end.date() else f"{end:%m-%d %H:%M}")

    columns = (
        Column("when", when),
        Column("place", lambda scene: scene.place or "", style="cyan", fold=True, drop=1),
        Column("tone", lambda scene: _emotion(scene.tone, terms), drop=1),
        Column("topics", lambda scene: ", ".join(scene.topics[:_TOPICS]), fold=True),
        Column("turns", lambda scene: f"{scene.turns:,}", right=True, drop=1),
    )
    return Listing(scenes, columns, terms.words, empty=terms("scenes.none"))


def _last_time(scene: Scene, latest: datetime, terms: Terms) -> str:
    """Return what was done in `scene` as one sentence, nothing that is not in it."""
    if terms.words.language == "ko":
        parties = (terms.named("user"), terms.named("character"), "user", "character")
        return last_time_words(scene, zone=terms.zone, today=latest.astimezone(terms.zone), parties=parties)
    place = terms("scenes.at_place", place=scene.place) if scene.place else ""
    topics = terms("scenes.about", topics=", ".join(scene.topics[:3])) if scene.topics else ""
    mood = "" if scene.tone == "neutral" else terms("scenes.mood", mood=terms.label("emotions", scene.tone))
    return terms("scenes.last", at=scene.started_at.astimezone(terms.zone), place=place, topics=topics, mood=mood)


@scoped
def emotions(where: Where, since: Since = None, until: Until = None, limit: Limit = 20) -> None:
    with where.mind() as mind:
        zone = mind.bank.settings.zone
        felt = mind.emotions(since=moment(since, zone, "--since"), until=last_of(until, zone, "--until"))
        turn_ids = list(dict.fromkeys(feeling.turn_id for feeling in felt))
        shown = set(turn_ids[-limit:] if limit else turn_ids)
        felt = [feeling for feeling in felt if feeling.turn_id in shown]
        said = {} if where.as_json else _said(mind, felt)
    where.show(felt, lambda: emotions_table(felt, said, terms_for(mind)))


def emotions_table(felt: Sequence[Feeling], said: Mapping[tuple[str, str], str], terms: Terms) -> RenderableType:
    """Return a row per feeling; `said` are the words by (turn id, speaker)."""
    first = {feeling.turn_id: feeling for feeling in reversed(felt)}  #: of a turn, whose moment is shown once

    def feeling_bar(feeling: Feeling) -> Text:
        emotion = feeling.felt.emotion
        if emotion == "neutral":
            return _emotion(emotion, terms)
        word = _labelled("emotions", emotion, EMOTION_STYLES[emotion], terms)
        return word.append_text(meter(feeling.felt.intensity, _SHORT_BAR, EMOTION_STYLES[emotion]))

    def words(feeling: Feeling) -> Text:
        return Text(" ".join(said.get((feeling.turn_id, feeling.felt.speaker), "").split()))

    columns = (
        Column("when", lambda each: terms.moment(each.at) if first[each.turn_id] is each else "", width=16, drop=1),
        Column("who", lambda each: terms.named(each.felt.speaker), style="cyan"),
        Column("feeling", feeling_bar, min_width=_SHORT_BAR + 5),
        Column("words", words, ratio=1, overflow="ellipsis"),
    )
    return Listing(felt, columns, terms.words, empty=terms("emotions.none"))


def _emotion(emotion: Emotion, terms: Terms) -> Text:
    return Text(terms.label("emotions", emotion), style=EMOTION_STYLES[emotion])


def _said(mind: Mind, felt: Sequence[Feeling]) -> dict[tuple[str, str], str]:
    said: dict[tuple[str, str], str] = {}
    with mind.bank.store.view(mind.key) as view:
        for turn_id in dict.fromkeys(feeling.turn_id for feeling in felt):
            turn = view.turn(turn_id)
            for line in turn.utterances if turn is not None else ():
                said[turn_id, line.speaker] = line.text
    return said
