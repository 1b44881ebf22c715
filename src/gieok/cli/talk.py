"""Talking to a mind and asking it: observe, reroll, edit, recall, context, trace."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import Mind
from gieok.cli.common import (
    AsJson,
    At,
    BankPath,
    Character,
    Consent,
    Names,
    Preset,
    TurnId,
    User,
    World,
    mind_in,
    mind_to_teach,
    settings_for,
)
from gieok.cli.console import DIM, plain, print_json, show, text, wake
from gieok.cli.talk_view import ExplainedHits, Hits, context_view, moved_line, outcome_table, outcomes, traced_turn
from gieok.cli.terms import Terms, terms_for
from gieok.domain.answer import Hit, Observed, Trace
from gieok.domain.turn import checked_text, moment
from gieok.errors import InvalidQuery
from gieok.observe.said import said as checked_lines

Query = Annotated[str, typer.Argument(metavar="QUERY")]
Reply = Annotated[str | None, typer.Option("--reply", "-r")]


def observe(
    said: Annotated[str | None, typer.Argument(metavar="TEXT")] = None,
    reply: Reply = None,
    at: At = None,
    session: str | None = None,
    turn_id: str | None = None,
    consent: Consent = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    settings = settings_for(bank)
    when = moment(at, settings.zone)
    checked_lines(said, reply, None)  # bad words are refused before a bank is made for them
    with mind_to_teach(settings, Names(user, character, world)) as mind:
        wake(mind.bank)
        observed = mind.observe(said, reply=reply, at=when, session=session, turn_id=turn_id, consent=consent or ())
        _show_observed(observed, mind, as_json)


def reroll(
    turn_id: TurnId,
    reply: Annotated[str, typer.Argument(metavar="REPLY")],
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    with mind_in(bank, Names(user, character, world), models=True) as mind:
        turn = mind.turn(turn_id)
        checked_text(reply, "reply")
        wake(mind.bank)
        _show_observed(mind.reroll(turn.id, reply), mind, as_json)


def edit(
    turn_id: TurnId,
    said: Annotated[str | None, typer.Option("--text", "-t")] = None,
    reply: Reply = None,
    consent: Consent = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    if said is None and reply is None:
        raise InvalidQuery(text("errors.nothing_to_edit"))
    with mind_in(bank, Names(user, character, world), models=True) as mind:
        turn = mind.turn(turn_id)
        wake(mind.bank)
        _show_observed(mind.edit(turn.id, text=said, reply=reply, consent=consent or ()), mind, as_json)


def _show_observed(observed: Observed, mind: Mind, as_json: bool) -> None:
    show(observed, lambda: _observed_view(observed, mind, terms_for(mind)), as_json)


def _observed_view(observed: Observed, mind: Mind, terms: Terms) -> RenderableType:
    silence = () if observed.decisions else mind.silence(observed.turn.id)
    lines: list[RenderableType] = [outcome_table(outcomes(observed, terms, silence=silence), terms)]
    moved = moved_line(observed, terms)
    if moved is not None:
        lines.append(moved)
    if observed.pii:
        kinds = ", ".join(terms(f"personal_kinds.{kind}") for kind in observed.pii)
        lines.append(Text(terms("personal_data", kinds=kinds), style="yellow"))
    if observed.ask:
        options = " ".join(f"--consent {kind}" for kind in observed.ask)
        lines.append(Text(terms("personal_data_masked", options=options), style="yellow"))
    lines.append(Text(terms("turn", id=observed.turn.id), style=DIM))
    return Group(*lines)


def recall(
    query: Query,
    k: Annotated[int | None, typer.Option("-k", min=1)] = None,
    explain: Annotated[bool, typer.Option("--explain")] = False,
    weights: Annotated[str | None, typer.Option("--weights", metavar="PART=W,…")] = None,
    preset: Preset = None,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    weighed = _weights(weights)
    checked_text(query, "query")
    with mind_in(bank, Names(user, character, world), preset=preset, models=True) as found:
        mind, settings = found.bank.mind(found.key, weights=weighed), found.bank.settings
        when = moment(at, settings.zone)
        wake(mind.bank)
        hits = mind.recall(query, k=k, at=when, explain=explain)
    terms = terms_for(mind)
    if explain:
        show(hits, lambda: ExplainedHits(hits, mind.weights, settings.combine, terms), as_json)
    else:
        show(hits, lambda: Hits(hits, mind.weights, terms), as_json)


def _weights(given: str | None) -> dict[str, float] | None:
    """Return the weights by the names of their parts, which are not checked here."""
    if given is None:
        return None
    weights: dict[str, float] = {}
    for pair in given.split(","):
        name, equals, weight = (piece.strip() for piece in pair.partition("="))
        try:
            if not name or not equals:
                raise ValueError("no name, or no number")
            weights[name] = float(weight)
        except ValueError as cause:
            raise InvalidQuery(text("errors.bad_weights", given=repr(pair.strip()))) from cause
    return weights


def context(
    query: Query,
    budget: Annotated[int | None, typer.Option("--budget", min=1)] = None,
    as_text: Annotated[bool, typer.Option("--text")] = False,
    preset: Preset = None,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    checked_text(query, "query")
    with mind_in(bank, Names(user, character, world), preset=preset, models=True) as mind:
        when = moment(at, mind.bank.settings.zone)
        wake(mind.bank)
        assembled = mind.context(query, budget=budget, at=when)
    if as_text and not as_json:
        typer.echo(plain(assembled.text))
        return
    troubles = [Text(trouble, style="red") for trouble in assembled.degraded]
    show(assembled, lambda: Group(context_view(assembled, terms_for(mind)), *troubles), as_json)


def trace(
    turn_id: Annotated[str | None, typer.Argument(metavar="[TURN_ID]")] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    with mind_in(bank, Names(user, character, world)) as mind:
        named = turn_id or next((turn.id for turn in mind.turns(1)), "")
        kept = mind.trace(named)
        turn = mind.turn(named)
        hits = _traced_hits(mind, kept)
    if as_json:
        from gieok.records import trace_record

        print_json(trace_record(named, kept))
    else:
        show(kept, lambda: traced_turn(turn, kept, hits, mind.weights, terms_for(mind)), False)


def _traced_hits(mind: Mind, trace: Trace) -> list[Hit]:
    """Return what came to mind as it is now, best first; what is gone since, or is another scope's, is left out."""
    with mind.bank.store.view(mind.key) as view:
        refs = view.refs([scored.item_id for scored in trace.scored])
        items = view.items(refs.values())
    best = {each.item_id: each for each in sorted(trace.scored, key=lambda each: each.score)}  # some are found twice
    return [
        Hit(item=items[refs[each.item_id]], scope=mind.key, score=each.score, parts=each.parts, why=each.why)
        for each in sorted(best.values(), key=lambda each: -each.score)
        if refs.get(each.item_id) in items
    ]
