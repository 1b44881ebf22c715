"""Talking to a mind and asking it: observe, reroll, edit, recall, context, trace."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import Mind
from gieok.cli.common import At, Consent, Preset, TurnId, Where, mind_to_teach, scoped, settings_for
from gieok.cli.console import DIM, answers, plain, print_json, text, wake
from gieok.cli.talk_view import ExplainedHits, Hits, context_view, moved_line, outcome_table, outcomes, traced_turn
from gieok.cli.terms import Terms, terms_for
from gieok.domain.answer import Hit, Observed
from gieok.domain.turn import checked_text, moment
from gieok.errors import InvalidQuery
from gieok.observe.said import said as checked_lines

Query = Annotated[str, typer.Argument(metavar="QUERY")]
Reply = Annotated[str | None, typer.Option("--reply", "-r")]


@scoped
def observe(
    where: Where,
    said: Annotated[str | None, typer.Argument(metavar="TEXT")] = None,
    reply: Reply = None,
    at: At = None,
    session: str | None = None,
    turn_id: str | None = None,
    consent: Consent = None,
) -> None:
    settings = settings_for(where.bank)
    when = moment(at, settings.zone)
    checked_lines(said, reply, None)  # bad words are refused before a bank is made for them
    with mind_to_teach(settings, where) as mind:
        wake(mind.bank)
        observed = mind.observe(said, reply=reply, at=when, session=session, turn_id=turn_id, consent=consent or ())
        _show_observed(observed, mind, where)


@scoped
def reroll(where: Where, turn_id: TurnId, reply: Annotated[str, typer.Argument(metavar="REPLY")]) -> None:
    with where.mind(models=True) as mind:
        turn = mind.turn(turn_id)
        checked_text(reply, "reply")
        wake(mind.bank)
        _show_observed(mind.reroll(turn.id, reply), mind, where)


@scoped
def edit(
    where: Where,
    turn_id: TurnId,
    said: Annotated[str | None, typer.Option("--text", "-t")] = None,
    reply: Reply = None,
    consent: Consent = None,
) -> None:
    if said is None and reply is None:
        raise InvalidQuery(text("errors.nothing_to_edit"))
    with where.mind(models=True) as mind:
        turn = mind.turn(turn_id)
        wake(mind.bank)
        _show_observed(mind.edit(turn.id, text=said, reply=reply, consent=consent or ()), mind, where)


def _show_observed(observed: Observed, mind: Mind, where: Where) -> None:
    where.show(observed, lambda: _observed_view(observed, mind, terms_for(mind)))


def _observed_view(observed: Observed, mind: Mind, terms: Terms) -> RenderableType:
    silence = () if observed.decisions else mind.silence(observed.turn.id)
    lines: list[RenderableType] = [outcome_table(outcomes(observed, terms, silence=silence), terms)]
    moved = moved_line(observed, terms)
    if moved is not None:
        lines.append(moved)
    lines += (Text(terms("could_ask", question=each), style="magenta") for each in observed.questions)
    if observed.pii:
        kinds = ", ".join(terms(f"personal_kinds.{kind}") for kind in observed.pii)
        lines.append(Text(terms("personal_data", kinds=kinds), style="yellow"))
    if observed.ask:
        options = " ".join(f"--consent {kind}" for kind in observed.ask)
        lines.append(Text(terms("personal_data_masked", options=options), style="yellow"))
    lines.append(Text(terms("turn", id=observed.turn.id), style=DIM))
    return Group(*lines)


@scoped
def recall(
    where: Where,
    query: Query,
    k: Annotated[int | None, typer.Option("-k", min=1)] = None,
    explain: Annotated[bool, typer.Option("--explain")] = False,
    weights: Annotated[str | None, typer.Option("--weights", metavar="PART=W,…")] = None,
    preset: Preset = None,
    at: At = None,
) -> None:
    weighed = _weights(weights)
    checked_text(query, "query")
    with where.mind(preset=preset, models=True) as found:
        mind, settings = found.bank.mind(found.key, weights=weighed), found.bank.settings
        when = moment(at, settings.zone)
        wake(mind.bank)
        hits = mind.recall(query, k=k, at=when, explain=explain)
    terms = terms_for(mind)
    if explain:
        where.show(hits, lambda: ExplainedHits(hits, mind.weights, settings.combine, terms))
    else:
        where.show(hits, lambda: Hits(hits, mind.weights, terms))


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


@scoped
def context(
    where: Where,
    query: Query,
    budget: Annotated[int | None, typer.Option("--budget", min=1)] = None,
    as_text: Annotated[bool, typer.Option("--text")] = False,
    preset: Preset = None,
    at: At = None,
) -> None:
    checked_text(query, "query")
    with where.mind(preset=preset, models=True) as mind:
        when = moment(at, mind.bank.settings.zone)
        wake(mind.bank)
        assembled = mind.context(query, budget=budget, at=when)
    if as_text and not where.as_json:
        typer.echo(plain(assembled.text))
        return
    troubles = [Text(trouble, style="red") for trouble in assembled.degraded]
    where.show(assembled, lambda: Group(context_view(assembled, terms_for(mind)), *troubles))


@scoped
def trace(where: Where, turn_id: Annotated[str | None, typer.Argument(metavar="[TURN_ID]")] = None) -> None:
    with where.mind() as mind:
        named = turn_id or next((turn.id for turn in mind.turns(1)), "")
        kept = mind.trace(named)
        turn = mind.turn(named)
        with mind.bank.store.view(mind.key) as view:
            refs = view.refs([scored.item_id for scored in kept.scored])
            items = view.items(refs.values())
        best = {each.item_id: each for each in sorted(kept.scored, key=lambda each: each.score)}  # some are found twice
        hits = [
            Hit(item=items[refs[each.item_id]], scope=mind.key, score=each.score, parts=each.parts, why=each.why)
            for each in sorted(best.values(), key=lambda each: -each.score)
            if refs.get(each.item_id) in items
        ]
    if where.as_json:
        from gieok.records import trace_record

        print_json(trace_record(named, kept))
    else:
        answers().print(traced_turn(turn, kept, hits, mind.weights, terms_for(mind)))
