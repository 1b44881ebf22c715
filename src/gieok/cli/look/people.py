"""Whom a mind knows: a table of everybody, and the whole profile of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gieok.bank.relating import Regard
from gieok.cli.look.bars import meter
from gieok.cli.look.facts import day, facts_table
from gieok.cli.look.relationship import Speaking
from gieok.domain.entity import Entity, Note, Sentiment
from gieok.domain.memory import Memory
from gieok.domain.relationship_rules import TOP

SENTIMENT_STYLES: Final[dict[Sentiment, str]] = {"positive": "green", "neutral": "bright_black", "negative": "red"}
_BAR: Final = 6
_WIDE_BAR: Final = 20
_DIM: Final = "bright_black"


def people_table(people: Sequence[Entity], speaking: Speaking) -> RenderableType:
    living = speaking.living
    if not people:
        return Text(living.nobody, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.name, style="cyan", overflow="fold", min_width=6)
    table.add_column(living.kind, no_wrap=True)
    table.add_column(living.times, justify="right", no_wrap=True)
    table.add_column(living.last_seen, no_wrap=True)
    table.add_column(living.sentiment, no_wrap=True)
    table.add_column(living.trust, no_wrap=True)
    for entity in people:
        table.add_row(
            _called(entity),
            living.kinds[entity.kind],
            f"{entity.interactions:,}",
            day(entity.last_seen, speaking.zone),
            _sentiment(entity, _BAR, speaking),
            _trust(entity, _BAR),
        )
    return table


def profile(entity: Entity, facts: Sequence[Memory], regards: Sequence[Regard], speaking: Speaking) -> RenderableType:
    """Return all that is known of one being."""
    living = speaking.living
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    table.add_column(overflow="fold")
    for label, told in _lines(entity, speaking):
        table.add_row(label, told)
    title = Text().append(entity.display_name, "bold cyan").append(f"  {living.kinds[entity.kind]}", _DIM)
    parts: list[RenderableType] = [title, table]
    if facts:
        shown = facts_table(facts, speaking.scope, speaking.words, speaking.zone)
        parts += [Text(f"\n{living.known_facts}", style=_DIM), shown]
    if regards:
        parts += [Text(f"\n{living.moods_towards}", style=_DIM), _course(regards, speaking)]
    return Group(*parts)


def _lines(entity: Entity, speaking: Speaking) -> Iterator[tuple[str, RenderableType]]:
    living = speaking.living
    optional = {
        living.aliases: ", ".join(entity.aliases),
        living.summary: entity.summary,
        living.interests: _noted(entity.interests),
        living.personality: _noted(entity.personality),
    }
    yield from ((label, told) for label, told in optional.items() if told)
    yield living.times, f"{entity.interactions:,}"
    yield living.first_seen, day(entity.first_seen, speaking.zone)
    yield living.last_seen, day(entity.last_seen, speaking.zone)
    yield living.sentiment, _sentiment(entity, _WIDE_BAR, speaking)
    yield living.trust, _trust(entity, _WIDE_BAR)


def _course(regards: Iterable[Regard], speaking: Speaking) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    for regard in regards:
        known = regard.entity
        trust = Text(f"{speaking.living.trust} {known.trust:.0f}", style=_DIM)
        table.add_row(speaking.moment(regard.at), _sentiment(known, _BAR, speaking), trust)
    return table


def _called(entity: Entity) -> Text:
    name = Text(entity.display_name)
    return name.append(f" ({', '.join(entity.aliases)})", _DIM) if entity.aliases else name


def _sentiment(entity: Entity, width: int, speaking: Speaking) -> Text:
    label = entity.sentiment_label()
    style = SENTIMENT_STYLES[label]
    word = Text(f"{speaking.living.sentiments[label]} ", style=style)
    widest = max(Text(each).cell_len for each in speaking.living.sentiments.values())
    word.pad_right(widest + 1 - word.cell_len)
    bar = meter(abs(entity.sentiment), width, "red" if entity.sentiment < 0 else "green")
    return word.append_text(bar).append(f" {entity.sentiment:+.2f}", _DIM)


def _trust(entity: Entity, width: int) -> Text:
    return meter(entity.trust / TOP, width, "blue").append(f" {entity.trust:.0f}")


def _noted(notes: Iterable[Note]) -> str:
    return ", ".join(note.text for note in notes)
