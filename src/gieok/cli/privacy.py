"""Erasing, retention and what a user may see: erase, scrub, erasures, hold, retain, about-me."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.cli.common import AsJson, BankPath, Where, known_mind, open_existing, open_with, scoped, settings_for
from gieok.cli.console import DIM, show, terminal_language, terminal_words, text
from gieok.cli.table import Column, Listing, grid
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.turn import end_of, moment
from gieok.errors import InvalidQuery
from gieok.settings import Settings

_Yes = Annotated[bool, typer.Option("--yes")]
_COUNTED: Final = (
    "turns", "utterances", "memories", "rebuilt", "operations", "people", "scenes", "traces", "documents", "answers",
    "letters",
)  # fmt: skip


@scoped
def erase(
    where: Where,
    session: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    turn: Annotated[str | None, typer.Option(metavar="TURN_ID")] = None,
    matching: Annotated[str | None, typer.Option(metavar="TEXT")] = None,
    when: Annotated[str | None, typer.Option(metavar="WHEN")] = None,
    since: Annotated[str | None, typer.Option(metavar="ISO")] = None,
    until: Annotated[str | None, typer.Option(metavar="ISO")] = None,
    everything: Annotated[bool, typer.Option("--everything")] = False,
    yes: _Yes = False,
    by: Annotated[str, typer.Option(metavar="NAME")] = "gieok erase",
) -> None:
    if everything == any((session, turn, matching, when, since, until)):
        raise InvalidQuery(text("errors.erase_what"))
    with where.open() as opened:
        zone = opened.settings.zone
        first, last = moment(since, zone, "--since"), end_of(until, zone, "--until")
        if when is not None:
            if first is not None or last is not None:
                raise InvalidQuery(text("errors.erase_when"))
            first, last = known_mind(opened, where).period(when)
        erased = opened.erase(
            user=where.user,
            character=where.character,
            world=where.world,
            session=session,
            turn=turn,
            matching=matching,
            since=first,
            until=last,
            by=by,
            dry_run=not yes,
        )
    where.show(erased, lambda: erasure_view(erased))


def scrub(yes: _Yes = False, bank: BankPath = None, as_json: AsJson = False) -> None:
    with open_existing(bank) as opened:
        erased = opened.scrub(by="gieok scrub", dry_run=not yes)
    show(erased, lambda: erasure_view(erased), as_json)


def erasure_view(erased: Erasure) -> RenderableType:
    held = [Text(text("erasures.held", scope=each), style="yellow") for each in erased.held]
    if not erased.scopes:
        return Group(Text(text("erasures.nothing"), style=DIM), *held)
    rows = [(Text(f"[{each.scope}]"), _counts(each.counts)) for each in erased.scopes]
    if erased.dry_run:
        return Group(text("erasures.would"), grid(rows), Text(text("erasures.add_yes"), style=DIM), *held)
    certificates = Text(" ".join(each.id for each in erased.certificates), style=DIM)
    return Group(text("erasures.did"), grid(rows), certificates, *held)


def _counts(counts: Mapping[str, int]) -> str:
    names = terminal_words().some("cli.counted")
    return " · ".join(f"{names[name]} {counts[name]:,}" for name in _COUNTED if counts.get(name)) or "–"


def erasures(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 20, bank: BankPath = None, as_json: AsJson = False
) -> None:
    with open_existing(bank) as opened:
        found = opened.certificates(limit)
    show(found, lambda: certificates_table(found, opened.settings), as_json)


def certificates_table(certificates: Sequence[Certificate], settings: Settings) -> RenderableType:
    if not certificates:
        return Text(text("erasures.none"), style=DIM)

    def proven(each: Certificate) -> Text:
        return Text(text("erasures.proven"), style="green") if each.intact else Text(text("erasures.unproven"), "red")

    columns = (
        Column("when", lambda each: f"{each.at.astimezone(settings.zone):%Y-%m-%d %H:%M}"),
        Column("who", lambda each: each.by, fold=True),
        Column("erased", lambda each: _counts(each.counts), fold=True),
        Column("proven", proven, fold=True),
        Column("certificate", lambda each: each.id, style=DIM, fold=True, drop=1),
    )
    return Listing(certificates, columns, terminal_words())


@scoped
def hold(
    where: Where,
    why: Annotated[str, typer.Option(metavar="TEXT")] = "",
    by: Annotated[str, typer.Option(metavar="NAME")] = "gieok hold",
    release: Annotated[bool, typer.Option("--release")] = False,
) -> None:
    with where.mind() as mind:
        if release:
            mind.bank.release(mind.key)
        else:
            mind.bank.hold(mind.key, by=by, why=why)
    told = text("erasures.released" if release else "erasures.on_hold", scope=mind.key)
    where.show({"scope": str(mind.key), "held": not release}, lambda: told)


@scoped
def retain(where: Where, days: Annotated[list[str] | None, typer.Argument(metavar="[TYPE=DAYS]...")] = None) -> None:
    wanted = _days(days)
    with where.mind() as mind:
        opened = mind.bank
        opened.keep_for(mind.key, wanted)
        kept = opened.provisions(mind.key).days(opened.services.upkeep.keep_days)
    told = ", ".join(f"{name}={each:g}" for name, each in kept.items()) or text("erasures.kept_for_good")
    where.show({"scope": str(mind.key), "days": kept}, lambda: f"[{mind.key}] {told}")


def _days(given: list[str] | None) -> dict[str, float | None] | None:
    if not given:
        return None
    days: dict[str, float | None] = {}
    for each in given:
        name, _, number = each.partition("=")
        try:
            days[name] = float(number) or None
        except ValueError as cause:
            raise InvalidQuery(text("errors.bad_days", given=repr(each))) from cause
    return days


@scoped
def about_me(where: Where) -> None:
    settings = replace(settings_for(where.bank).without_models(), language=terminal_language())
    with open_with(settings) as opened:
        answer = known_mind(opened, where).about_me()
    where.show(asdict(answer), lambda: answer.text, soft_wrap=True)
