"""Who did what: audit show, audit verify, audit export."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from gieok.cli.common import AsJson, BankPath, Character, Names, User, World, known_mind, open_to_read
from gieok.cli.console import answers, asides, print_json
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.bank import MemoryBank
    from gieok.domain.audit import Finding, Verified
    from gieok.domain.scope import Scope


app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False)


@app.callback()
def audit() -> None:
    """See who did what, when and why, and whether that is as it was written."""


@app.command()
def show(
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many of the latest; 0: all.")] = 50,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    of_bank: Annotated[
        bool, typer.Option("--of-bank", help="Of no scope: what was done to keys, webhooks, documents, the embedder.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List who did what in a scope, the latest last."""
    from gieok.domain.audit import deed_record

    with open_to_read(bank) as opened:
        names = Names(user, character, world)
        if of_bank and names.given:
            raise InvalidQuery("--of-bank lists what belongs to no scope; leave out --user, --character and --world")
        deeds = opened.audit(None if of_bank else known_mind(opened, names), limit or None)
    if as_json:
        print_json([deed_record(deed) for deed in deeds])
        return
    from gieok.cli.look.admin import AUDIT_WORDS, deeds_table

    settings = opened.settings
    answers().print(deeds_table(deeds, AUDIT_WORDS[settings.language], settings.zone))


@app.command()
def verify(
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help="Also compare with an earlier export, kept where nobody can change it.",
            show_default=False,
        ),
    ] = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Look the audit log through: exit code 1 if a row was changed, moved, added or is missing."""
    with open_to_read(bank) as opened:
        scope = _scope(opened, Names(user, character, world))
        verified = opened.verify_audit(scope)
        if against is not None:
            verified = _compared(opened, verified, against, scope)
    if as_json:
        print_json(_record(verified))
    else:
        from gieok.cli.look.admin import AUDIT_WORDS, verified_lines

        settings = opened.settings
        answers().print(verified_lines(verified, AUDIT_WORDS[settings.language], settings.zone), soft_wrap=True)
    raise typer.Exit(0 if verified.sound else 1)


@app.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to, as JSON lines; - for stdout.")],
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
) -> None:
    """Write the audit log to a file, with what was before and after; keep it where nobody can change it."""
    written = 0
    with open_to_read(bank) as opened, _opened(file) as out:
        for record in opened.audit_records(_scope(opened, Names(user, character, world))):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            written += record["kind"] == "deed"
    asides().print(f"{written:,} rows → {file}", soft_wrap=True)


def _scope(opened: MemoryBank, names: Names) -> Scope | None:
    return known_mind(opened, names).key if names.given else None


@contextmanager
def _opened(file: Path) -> Iterator[IO[str]]:
    if str(file) == "-":
        yield sys.stdout
        return
    with file.open("w", encoding="utf-8") as out:
        yield out


def _compared(opened: MemoryBank, verified: Verified, file: Path, scope: Scope | None) -> Verified:
    from dataclasses import replace

    findings = tuple(_differences(opened, _records(file), file, scope))
    return replace(verified, findings=(*verified.findings, *findings))


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield json.loads(line)
            except ValueError as cause:
                raise InvalidQuery(
                    f"{file}: line {number} is not JSON; give a file that `gieok audit export` wrote"
                ) from cause


def _differences(
    opened: MemoryBank, records: Iterable[dict[str, Any]], file: Path, scope: Scope | None
) -> Iterator[Finding]:
    """Yield the rows of an export that the bank has otherwise, or no longer; of each chain the first one."""
    from gieok.domain.audit import Finding

    chains = {chain.mark: chain for chain in opened.store.trail.chains()}
    exported: dict[str, dict[int, str]] = {}
    for record in records:
        links = exported.setdefault(record["chain"], {})
        if record["kind"] == "deed":
            links[record["number"]] = record["link"]
    for mark, links in exported.items():
        chain = chains.get(mark)
        if chain is None and scope is None:
            yield Finding(chain=None, what=f"{file} has a chain {mark} of {len(links)} rows, which is gone")
        if chain is None or scope not in (None, chain.scope):
            continue
        here = {deed.number: deed.link for deed, _ in opened.store.trail.told(chain)}
        differing = [number for number, link in sorted(links.items()) if here.get(number) != link]
        if differing:
            what = f"row {differing[0]} is not the one in {file} ({len(differing)} differ)"
            yield Finding(chain=chain, number=differing[0], what=what)


def _record(verified: Verified) -> dict[str, Any]:
    from gieok.cli.records import iso, scope_record

    return {
        "sound": verified.sound,
        "chains": verified.chains,
        "deeds": verified.deeds,
        "findings": [
            {
                "scope": scope_record(each.chain.scope) if each.chain and each.chain.scope else None,
                "chain": each.chain.mark if each.chain else None,
                "number": each.number,
                "since": iso(each.since),
                "what": each.what,
            }
            for each in verified.findings
        ],
    }
