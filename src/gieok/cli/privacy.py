"""Erasing for good on the command line, and what is kept for how long: erase, scrub, erasures, hold, retain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gieok.cli.common import AsJson, BankPath, Character, Names, User, World, known_mind, open_to_read
from gieok.cli.console import answers, print_json
from gieok.domain.turn import end_of, moment
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import MemoryBank
    from gieok.domain.erasure import Certificate, Erasure


_BY = "gieok erase"
_Yes = Annotated[bool, typer.Option("--yes", help="Do it; without, it is only told what would go.")]


def erase(
    session: Annotated[str | None, typer.Option("--session", metavar="NAME", help="What was said in it.")] = None,
    turn: Annotated[str | None, typer.Option("--turn", metavar="TURN_ID", help="This turn.")] = None,
    matching: Annotated[
        str | None, typer.Option("--matching", metavar="TEXT", help="Turns and memories with these words.")
    ] = None,
    when: Annotated[
        str | None, typer.Option("--when", metavar="WHEN", help='Said then: "지난주 화요일", yesterday.')
    ] = None,
    since: Annotated[str | None, typer.Option("--since", metavar="ISO", help="Said from then on …")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="ISO", help="… and until then; a day counts.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that is kept of whom you name.")] = False,
    yes: _Yes = False,
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who asks for it: the certificate tells.")] = _BY,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Erase for good, from the file too: of one scope, or of all of a user or character. A dry run unless --yes."""
    if everything == any((session, turn, matching, when, since, until)):
        raise InvalidQuery(
            "what is to go? either --everything, or some of --session, --turn, --matching, --when, --since, --until; "
            "nothing was erased"
        )
    with open_to_read(bank) as opened:
        zone = opened.settings.zone
        first, last = moment(since, zone, "--since"), end_of(until, zone, "--until")
        if when is not None:
            if first is not None or last is not None:
                raise InvalidQuery("--when names the time; leave out --since and --until; nothing was erased")
            first, last = known_mind(opened, Names(user, character, world)).period(when)
        erased = opened.erase(
            user=user,
            character=character,
            world=world,
            session=session,
            turn=turn,
            matching=matching,
            since=first,
            until=last,
            by=by,
            dry_run=not yes,
        )
    _tell(opened, erased, as_json=as_json)


def scrub(yes: _Yes = False, bank: BankPath = None, as_json: AsJson = False) -> None:
    """Erase what was forgotten or is past its time, in every scope. A dry run unless --yes."""
    with open_to_read(bank) as opened:
        erased = opened.scrub(by="gieok scrub", dry_run=not yes)
    _tell(opened, erased, as_json=as_json)


def erasures(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, the latest first.")] = 20,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """List the certificates of what was erased: when, by whom, how much."""
    with open_to_read(bank) as opened:
        found = opened.certificates(limit)
    if as_json:
        print_json([certificate_record(each) for each in found])
        return
    from gieok.cli.look.admin import certificates_table

    answers().print(certificates_table(found, opened.settings))


def hold(
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="What for.")] = "",
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="Who puts it on.")] = "gieok hold",
    release: Annotated[bool, typer.Option("--release", help="Take it off.")] = False,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Let nothing of a scope be erased or expire, until it is released."""
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        if release:
            opened.release(mind.key)
        else:
            opened.hold(mind.key, by=by, why=why)
    if as_json:
        print_json({"scope": str(mind.key), "held": not release})
        return
    answers().print(f"{'released' if release else 'held'}: [{mind.key}]", markup=False)


def retain(
    days: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TYPE=DAYS]...", help="note=30 event=365; 0: for good. None: as the settings say."),
    ] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Say for how many days a scope keeps each type of memory, whatever the settings say."""
    wanted = _days(days)
    with open_to_read(bank) as opened:
        mind = known_mind(opened, Names(user, character, world))
        opened.keep_for(mind.key, wanted)
        kept = opened.provisions(mind.key).days(opened.services.upkeep.keep_days)
    if as_json:
        print_json({"scope": str(mind.key), "days": dict(kept)})
        return
    told = ", ".join(f"{name}={each:g}" for name, each in kept.items()) or "everything for good"
    answers().print(f"[{mind.key}] {told}", markup=False)


def _days(given: list[str] | None) -> dict[str, float | None] | None:
    if not given:
        return None
    days: dict[str, float | None] = {}
    for each in given:
        name, _, number = each.partition("=")
        try:
            days[name] = float(number) or None
        except ValueError as cause:
            raise InvalidQuery(f"{each!r} is not like note=30; nothing was changed") from cause
    return days


def certificate_record(certificate: Certificate) -> dict[str, Any]:
    from gieok.domain.record import to_record

    record: dict[str, Any] = to_record(certificate)
    return record | {"proven": certificate.proven, "intact": certificate.intact}


def _tell(opened: MemoryBank, erased: Erasure, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "dry_run": erased.dry_run,
                "counts": erased.counts,
                "scopes": [{"scope": str(each.scope), "counts": dict(each.counts)} for each in erased.scopes],
                "held": [str(each) for each in erased.held],
                "certificates": [certificate_record(each) for each in erased.certificates],
            }
        )
        return
    from gieok.cli.look.admin import erasure_table

    answers().print(erasure_table(erased, opened.settings))


def about_me(
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Tell a user what is remembered of them, in plain words."""
    with open_to_read(bank) as opened:
        answer = known_mind(opened, Names(user, character, world)).about_me()
    if as_json:
        from dataclasses import asdict

        print_json(asdict(answer))
    else:
        answers().print(answer.text, markup=False, highlight=False, soft_wrap=True)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to. A file that is there is replaced.")],
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="NAME", help="Whose memories; else canon.", show_default=False),
    ] = None,
    character: Character = None,
    world: World = None,
    format: Annotated[
        str, typer.Option("--format", "-f", metavar="FORMAT", help="zip, jsonl, lorebook, worldinfo or mem0.")
    ] = "zip",
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Write what is kept of a user into one file: all of it in a zip, or memories as other systems read them."""
    from gieok.interop.exporters import export_file

    with open_to_read(bank) as opened:
        exported = export_file(opened, format, file, user=user, character=character, world=world)
    if as_json:
        told: dict[str, Any] = {"path": str(exported.path), "size_bytes": exported.size_bytes}
        print_json({**told, "scopes": [_scope_record(scope) for scope in exported.scopes]})
        return
    names = ", ".join(f"[{scope}]" for scope in exported.scopes)
    answers().print(f"{exported.path}: {names}, {exported.size_bytes:,} bytes", markup=False, soft_wrap=True)


def _scope_record(scope: Any) -> dict[str, str | None]:
    return {"user": scope.user, "character": scope.character, "world": scope.world}
