"""Talking to a mind and asking it: observe, recall, context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.common import (
    AsJson,
    At,
    BankPath,
    Character,
    Consent,
    Names,
    Preset,
    User,
    World,
    known_mind,
    mind_to_teach,
    open_to_read,
    settings_for,
)
from gieok.cli.console import answers, plain, print_json, wake
from gieok.domain.turn import checked_text, moment

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.domain.answer import Observed
    from gieok.settings import Settings


Query = Annotated[str, typer.Argument(metavar="QUERY", help="The question, or the message to be answered, in quotes.")]


def observe(
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="What the user says, in quotes.", show_default=False)
    ] = None,
    reply: Annotated[str | None, typer.Option("--reply", "-r", help="What the character answers.")] = None,
    at: At = None,
    session: Annotated[str | None, typer.Option("--session", help="A label for this sitting.")] = None,
    turn_id: Annotated[str | None, typer.Option("--turn-id", help="Your own id; saying it twice is harmless.")] = None,
    consent: Consent = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Let a character hear a turn, and show what it made of it."""
    from gieok.observe.said import said

    settings = settings_for(bank)
    when = moment(at, settings.zone)
    said(text, reply, None)  # bad words are refused before a bank is made for them
    with mind_to_teach(settings, Names(user, character, world)) as (opened, mind):
        wake(opened)
        observed = mind.observe(text, reply=reply, at=when, session=session, turn_id=turn_id, consent=consent or ())
    print_observed(observed, mind, settings, as_json, silence=text or "")


def print_observed(observed: Observed, mind: Mind, settings: Settings, as_json: bool, *, silence: str) -> None:
    """Show what became of a turn; where that is nothing, how the words `silence` were meant."""
    if as_json:
        from gieok.cli.records import observed_record

        print_json(observed_record(observed))
        return
    from gieok.cli.look.memories import moods, moved_line, outcome_table, outcomes
    from gieok.cli.look.words import LIVING_WORDS, WORDS

    words = WORDS[settings.language]
    console = answers()
    rows = outcomes(observed, words, silence=moods(silence))
    console.print(outcome_table(rows, mind.key, words))
    moved = moved_line(observed, mind.key, words, LIVING_WORDS[settings.language])
    if moved is not None:
        console.print(moved)
    if observed.pii:
        console.print(words.personal.format(kinds=", ".join(observed.pii)), style="yellow")
    if observed.ask:
        console.print(words.ask.format(how=" ".join(f"--consent {kind}" for kind in observed.ask)), style="yellow")
    console.print(f"turn {observed.turn.id}", style="bright_black")


def recall(
    query: Query,
    k: Annotated[int | None, typer.Option("-k", min=1, help="How many (default: from the settings).")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="PART=W,…", help="Weigh parts otherwise: relevance=0.7,keyword=0")
    ] = None,
    preset: Preset = None,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show what comes to mind, with every part of its score."""
    from gieok.cli.common import weights_named

    weighed = weights_named(weights)
    checked_text(query, "query")
    with open_to_read(bank, preset, models=True) as opened:
        mind = opened.mind(known_mind(opened, Names(user, character, world)).key, weights=weighed)
        when = moment(at, opened.settings.zone)
        wake(opened)
        hits = mind.recall(query, k=k, at=when, explain=explain)
    if as_json:
        from gieok.cli.records import hit_record

        print_json([hit_record(hit) for hit in hits])
        return
    from gieok.cli.look.memories import ExplainedHits, HitsTable
    from gieok.cli.look.words import WORDS

    words, zone = WORDS[opened.settings.language], opened.settings.zone
    if explain:
        combine = opened.settings.combine
        shown = ExplainedHits(hits=hits, scope=mind.key, words=words, weights=mind.weights, combine=combine, zone=zone)
        answers().print(shown)
        return
    answers().print(HitsTable(hits=hits, scope=mind.key, words=words, weights=mind.weights, zone=zone))


def context(
    query: Query,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help="Tokens (default: from the settings).")] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the context's text alone, as a model gets it.")] = False,
    preset: Preset = None,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Show what a model should see before it answers, and what it costs."""
    checked_text(query, "query")
    with open_to_read(bank, preset, models=True) as opened:
        mind = known_mind(opened, Names(user, character, world))
        when = moment(at, opened.settings.zone)
        wake(opened)
        assembled = mind.context(query, budget=budget, at=when)
    if as_json:
        from gieok.cli.records import context_record

        print_json(context_record(assembled))
        return
    if text:
        typer.echo(plain(assembled.text))
        return
    from gieok.cli.look.memories import context_blocks, token_meter
    from gieok.cli.look.words import WORDS

    console = answers()
    words = WORDS[opened.settings.language]
    console.print(context_blocks(assembled))
    console.print()
    console.print(token_meter(assembled, words))
    for trouble in assembled.degraded:
        console.print(trouble, style="red")
