"""Who was spoken of, what the two did together and what they felt: people, scenes, emotions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import Mind
from gieok.bank.history import Feeling, Regard
from gieok.cli.common import At, Limit, Since, Until, Where, scoped
from gieok.cli.console import DIM, text
from gieok.cli.memories import facts_table
from gieok.cli.records import record
from gieok.cli.table import Column, Listing, grid, meter
from gieok.cli.talk_view import EMOTION_STYLES
from gieok.cli.terms import Terms, terms_for
from gieok.domain.emotion import Emotion
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.relationship import TOP
from gieok.domain.scene import Scene
from gieok.domain.turn import last_of, moment
from gieok.errors import InvalidQuery, UnknownPerson
from gieok.language.wording import last_time_words

_REGARDS: Final = 12  #: changes of a sentiment that are shown
_BAR: Final = 6
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
    if not people:
        return Text(terms("people.nobody"), style=DIM)

    def name(entity: Entity) -> Text:
        aliases = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
        return Text(entity.display_name).append(aliases, DIM)

    columns = (
        Column("name", name, style="cyan", fold=True, min_width=6),
        Column("kind", lambda entity: terms.label("beings", entity.kind)),
        Column("times", lambda entity: f"{entity.interactions:,}", right=True),
        Column("last_seen", lambda entity: terms.day(entity.last_seen)),
        Column("sentiment", lambda entity: _sentiment(entity, _BAR, terms), drop=1),
        Column("trust", lambda entity: _trust(entity, _BAR), drop=1),
    )
    return Listing(people, columns, terms.words)


def profile(entity: Entity, facts: Sequence[Memory], regards: Sequence[Regard], terms: Terms) -> RenderableType:
    title = Text().append(entity.display_name, "bold cyan").append(f"  {terms.label('beings', entity.kind)}", DIM)
    parts: list[RenderableType] = [title, grid(_profile_lines(entity, terms), DIM)]
    if facts:
        parts += [Text(f"\n{terms('people.facts')}", style=DIM), facts_table(facts, terms)]
    if regards:
        rows = [
            (
                terms.moment(each.at),
                _sentiment(each.entity, _BAR, terms),
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
    return meter(entity.trust / TOP, width, "blue").append(f" {entity.trust:.0f}")


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
    if not scenes:
        return Text(terms("scenes.none"), style=DIM)

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
    return Listing(scenes, columns, terms.words)


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
    if not felt:
        return Text(terms("emotions.none"), style=DIM)
    first = {feeling.turn_id: feeling for feeling in reversed(felt)}  #: of a turn, whose moment is shown once

    def feeling_bar(feeling: Feeling) -> Text:
        emotion = feeling.felt.emotion
        if emotion == "neutral":
            return _emotion(emotion, terms)
        word = _labelled("emotions", emotion, EMOTION_STYLES[emotion], terms)
        return word.append_text(meter(feeling.felt.intensity, _BAR, EMOTION_STYLES[emotion]))

    def words(feeling: Feeling) -> Text:
        return Text(" ".join(said.get((feeling.turn_id, feeling.felt.speaker), "").split()))

    columns = (
        Column("when", lambda each: terms.moment(each.at) if first[each.turn_id] is each else "", width=16, drop=1),
        Column("who", lambda each: terms.named(each.felt.speaker), style="cyan"),
        Column("feeling", feeling_bar, min_width=_BAR + 5),
        Column("words", words, ratio=1, overflow="ellipsis"),
    )
    return Listing(felt, columns, terms.words)


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
