"""How it stands between the two: relationship."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.common import AsJson, At, BankPath, Character, Names, User, World, known_mind, open_to_read, settings_for
from gieok.cli.console import answers, plain, print_json
from gieok.domain.relationship import RelationshipRules, Rule, default_rules, rules_from
from gieok.domain.turn import last_of, moment
from gieok.errors import InvalidQuery, InvalidSetting, UnknownPerson

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.bank.history import Feeling
    from gieok.cli.look.memories import Speaking
    from gieok.domain.answer import Hit, Trace
    from gieok.domain.entity import Entity
    from gieok.domain.memory import Memory
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
    from gieok.cli.look.memories import Speaking
    from gieok.cli.look.words import LIVING_WORDS, WORDS

    language = settings.language
    return Speaking(scope=mind.key, words=WORDS[language], living=LIVING_WORDS[language], zone=settings.zone)


def _print_state(mind: Mind, speaking: Speaking, as_json: bool) -> None:
    from gieok.cli.look.memories import relationship_view, worth_telling

    state, manners = mind.relationship(), mind.manners()
    steps = worth_telling(mind.trajectory(_LOOKED_AT))[-_SHOWN_CHANGES:]
    if as_json:
        from gieok.cli.records import manners_record, relationship_record, step_record

        changes = [step_record(step) for step in steps]
        print_json({**relationship_record(state), "manners": manners_record(manners), "changes": changes})
        return
    answers().print(relationship_view(state, manners, steps, mind.scenes(), speaking))


def _print_history(mind: Mind, limit: int, speaking: Speaking, as_json: bool) -> None:
    steps = mind.trajectory()
    shown = steps[-limit:] if limit else steps
    if as_json:
        from gieok.cli.records import step_record

        print_json([step_record(step) for step in shown])
        return
    from gieok.cli.look.memories import history_table

    answers().print(history_table(shown, len(steps) - len(shown), speaking))


def _draw(mind: Mind, path: Path, speaking: Speaking) -> None:
    from gieok.cli.look.memories import chart

    steps = mind.trajectory()
    if not steps:
        raise InvalidQuery('there is nothing to draw yet; talk first: gieok observe "안녕"')
    title = f"{speaking.named('user')} ↔ {speaking.named('character')}"
    path.write_text(chart(steps, title, speaking.living, speaking.zone), encoding="utf-8")
    answers().print(speaking.living.charted.format(path=path))


def _print_rules(settings: Settings, as_json: bool) -> None:
    import tomllib

    text = rules_in_force(settings.relationship_rules)
    if as_json:
        print_json(tomllib.loads(text))
        return
    typer.echo(plain(text), nl=False)


_COURSE = 12  #: how many turns of a sentiment are shown


def people(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show all about one of them.", show_default=False)
    ] = None,
    same_as: Annotated[
        str | None,
        typer.Option("--same-as", metavar="OTHER", help="NAME and OTHER are one person.", show_default=False),
    ] = None,
    apart_from: Annotated[
        str | None,
        typer.Option("--apart-from", metavar="OTHER", help="NAME and OTHER are two after all.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the most frequent; 0: all.")] = 30,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """List the people that were spoken of, or show one of them."""
    _check(name, same_as, apart_from)
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        if name is None:
            _print_all(opened, mind, limit, as_json)
            return
        if same_as is not None:
            _join(mind, name, same_as, moment(at, opened.settings.zone))
        if apart_from is not None:
            _part(mind, name, apart_from, moment(at, opened.settings.zone))
        _print_one(opened, mind, _known(mind, name), as_json)


def _check(name: str | None, same_as: str | None, apart_from: str | None) -> None:
    if same_as is not None and apart_from is not None:
        raise InvalidQuery("--same-as and --apart-from take each other back; give one of them")
    if name is None and (same_as is not None or apart_from is not None):
        raise InvalidQuery("whom? name both: gieok people 지훈 --same-as 지훈쌤")


def _print_all(opened: MemoryBank, mind: Mind, limit: int, as_json: bool) -> None:
    everybody = mind.frequent_contacts(limit or len(mind.entities()))
    if as_json:
        from gieok.cli.records import entity_record

        print_json([entity_record(entity) for entity in everybody])
        return
    from gieok.cli.look.memories import people_table

    answers().print(people_table(everybody, speaking_for(mind, opened.settings)))


def _print_one(opened: MemoryBank, mind: Mind, entity: Entity, as_json: bool) -> None:
    facts, regards = _facts(mind, entity), mind.regards(entity.id)[-_COURSE:]
    if as_json:
        from gieok.cli.records import profile_record

        print_json(profile_record(entity, facts, regards))
        return
    from gieok.cli.look.memories import profile

    answers().print(profile(entity, facts, regards, speaking_for(mind, opened.settings)))


def _join(mind: Mind, name: str, other: str, at: datetime | None) -> None:
    one, another = _known(mind, name), _known(mind, other)
    if one.id == another.id:
        raise InvalidQuery(f"{name!r} and {other!r} are one person already; --apart-from tells them apart")
    mind.same_person(one.name, another.name, at=at)


def _part(mind: Mind, name: str, other: str, at: datetime | None) -> None:
    if name == other or _known(mind, name).id != _known(mind, other).id:
        raise InvalidQuery(f"{name!r} and {other!r} are not one person; `gieok people` lists whom it knows")
    mind.different_people(name, other, at=at)


def _known(mind: Mind, name: str) -> Entity:
    """Return the one who goes by `name`, with or without the 이 that is said after a name: 지훈이."""
    try:
        return mind.entity(name)
    except UnknownPerson:
        bare = name.removesuffix("이")
        if bare == name or not bare:
            raise
        try:
            return mind.entity(bare)
        except UnknownPerson:
            raise UnknownPerson(name) from None


def _facts(mind: Mind, entity: Entity) -> list[Memory]:
    """Return what is true of somebody, by whatever name it was told."""
    names = dict.fromkeys((entity.name, entity.display_name, *entity.aliases))
    found = [memory for name in names for each in (name, f"{name}이") for memory in mind.facts(about=each)]
    return list({memory.id: memory for memory in found if memory.subject == "other"}.values())


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
        from gieok.cli.records import scene_record

        print_json([scene_record(scene) for scene in shown])
        return
    from gieok.cli.look.memories import scenes_table

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
        from gieok.cli.records import feeling_record

        print_json([feeling_record(feeling) for feeling in felt])
        return
    from gieok.cli.look.memories import emotions_table

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
    from gieok.cli.common import checked_type

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
    from gieok.cli.look.memories import timeline_table

    answers().print(timeline_table(memories, speaking))


def _print_last_time(opened: MemoryBank, mind: Mind, speaking: Speaking, as_json: bool) -> None:
    scene = mind.last_time()
    if as_json:
        from gieok.cli.records import scene_record

        print_json(None if scene is None else scene_record(scene))
        return
    if scene is None:
        answers().print(speaking.living.no_last_time, style="bright_black")
        return
    if opened.settings.language == "en":
        from gieok.cli.look.memories import last_time_in_english

        answers().print(last_time_in_english(scene, speaking))
        return
    from gieok.language.wording import last_time_words

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
        from gieok.records import trace_record

        print_json(trace_record(named, kept))
        return
    from gieok.cli.look.memories import TracedTurn

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
