"""Who did what: audit show, audit verify, audit export, and the versions of a memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import MemoryBank
from gieok.bank.history import Version
from gieok.cli.common import BankPath, Character, Limit, User, Where, World, known_mind, scoped
from gieok.cli.console import DIM, Terms, asides, terms_under, text
from gieok.cli.memories import ID_SHOWN
from gieok.cli.table import Column, Listing
from gieok.domain.actor import Actor
from gieok.domain.audit import Deed, Finding, Verified, deed_record
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery

_TARGETS: Final = 3  #: ids that a row shows


@scoped
def show_deeds(where: Where, limit: Limit = 50, of_bank: Annotated[bool, typer.Option("--of-bank")] = False) -> None:
    with where.open() as opened:
        if of_bank and where.given:
            raise InvalidQuery(text("errors.of_bank"))
        deeds = opened.audit(None if of_bank else known_mind(opened, where), limit or None)
    where.show([deed_record(deed) for deed in deeds], lambda: deeds_table(deeds, terms_under(opened.settings)))


def deeds_table(deeds: Sequence[Deed], terms: Terms) -> RenderableType:
    if not deeds:
        return Text(terms("audit.nothing"), style=DIM)

    def who(deed: Deed) -> str:
        return terms("audit.erased") if deed.actor is None else _by(deed.actor, deed.who or "", terms)

    columns = (
        Column(Text("#"), lambda deed: str(deed.number), style=DIM, right=True),
        Column("when", lambda deed: terms.moment(deed.at, seconds=True)),
        Column("who", who, style="cyan", fold=True),
        Column("what", lambda deed: _what(deed, terms), style="magenta", fold=True),
        Column("why", lambda deed: terms("audit.erased") if deed.is_bare else deed.why or "", fold=True, drop=1),
    )
    return Listing(deeds, columns, terms.words)


def _what(deed: Deed, terms: Terms) -> str:
    shown = [each if len(each) <= ID_SHOWN else f"…{each[-ID_SHOWN:]}" for each in deed.touched]
    more = [f"+{len(shown) - _TARGETS}"] if len(shown) > _TARGETS else []
    return " ".join([_act(deed.act, terms), *shown[:_TARGETS], *more])


def _act(act: str, terms: Terms) -> str:
    return terms.words.some("cli.acts").get(act, act)


def _by(actor: Actor, who: str, terms: Terms) -> str:
    kind = "" if actor.kind == "person" else terms(f"actors.{actor.kind}")
    named = " ".join(filter(None, (kind, actor.name)))
    return named if who in ("", "person") else f"{named} · {who}"


def versions_table(versions: Sequence[Version], terms: Terms) -> RenderableType:

    def who(each: Version) -> str:
        return f"{terms('audit.nobody')} {each.who}" if each.actor is None else _by(each.actor, each.who, terms)

    columns = (
        Column("version", lambda each: "–" if each.number is None else str(each.number), right=True),
        Column("when", lambda each: terms.moment(each.recorded_at, seconds=True)),
        Column("who", who, style="cyan", fold=True),
        Column("what", lambda each: _act(each.act, terms), style="magenta", drop=1),
        Column("memory", lambda each: terms("audit.removed") if each.after is None else each.after.content, fold=True),
        Column("why", lambda each: each.why, style=DIM, fold=True, drop=1),
    )
    return Listing(versions, columns, terms.words)


@scoped
def verify(where: Where, against: Annotated[Path | None, typer.Option(metavar="FILE")] = None) -> None:
    with where.open() as opened:
        scope = _scope(opened, where)
        verified = opened.verify_audit(scope)
        if against is not None:
            findings = tuple(_differences(opened, _records(against), against, scope))
            verified = replace(verified, findings=(*verified.findings, *findings))
    where.show(verified, lambda: verified_view(verified, terms_under(opened.settings)), soft_wrap=True)
    raise typer.Exit(0 if verified.sound else 1)


def verified_view(verified: Verified, terms: Terms) -> RenderableType:
    if verified.sound:
        return Text(terms("audit.sound", chains=verified.chains, rows=verified.deeds), style="green")
    lines = [_finding(each, terms) for each in verified.findings]
    return Group(Text(terms("audit.broken", n=len(lines)), style="bold red"), *lines)


def _finding(finding: Finding, terms: Terms) -> Text:
    chain = finding.chain
    whose = "" if chain is None else f"[{terms('audit.bank') if chain.of_bank else chain.scope or chain.mark}] "
    since = ""
    if finding.since is not None:
        since = f" ({terms('audit.unreliable_since', at=terms.moment(finding.since, seconds=True))})"
    return Text(f"✗ {whose}{finding.what}{since}", style="red")


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
) -> None:
    written, where = 0, Where(bank, user, character, world)
    with where.open() as opened, _opened(file) as out:
        for record in opened.audit_records(_scope(opened, where)):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            written += record["kind"] == "deed"
    asides().print(text("audit.written", n=written, file=file), soft_wrap=True)


GROUPS: Final = {"audit": {"show": show_deeds, "verify": verify, "export": export}}


def _scope(opened: MemoryBank, where: Where) -> Scope | None:
    return known_mind(opened, where).key if where.given else None


@contextmanager
def _opened(file: Path) -> Iterator[IO[str]]:
    if str(file) == "-":
        yield sys.stdout
        return
    with file.open("w", encoding="utf-8") as out:
        yield out


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                yield json.loads(line)
            except ValueError as cause:
                raise InvalidQuery(text("errors.not_an_export", file=file, line=number)) from cause


def _differences(
    opened: MemoryBank, records: Iterable[dict[str, Any]], file: Path, scope: Scope | None
) -> Iterator[Finding]:
    """Yield the rows of an export that differ in the bank, or are no longer there; of each chain the first one."""
    chains = {chain.mark: chain for chain in opened.store.audit.chains()}
    exported: dict[str, dict[int, str]] = {}
    for record in records:
        links = exported.setdefault(record["chain"], {})
        if record["kind"] == "deed":
            links[record["number"]] = record["link"]
    for mark, links in exported.items():
        chain = chains.get(mark)
        if chain is None and scope is None:
            yield Finding(chain=None, what=text("audit.chain_gone", file=file, chain=mark, n=len(links)))
        if chain is None or scope not in (None, chain.scope):
            continue
        here = {deed.number: deed.link for deed, _ in opened.store.audit.lines(chain)}
        differing = [number for number, link in sorted(links.items()) if here.get(number) != link]
        if differing:
            what = text("audit.row_differs", row=differing[0], file=file, n=len(differing))
            yield Finding(chain=chain, number=differing[0], what=what)
