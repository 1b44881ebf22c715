"""Who did what, erasing, retention and what a user may see: audit, erase, scrub, erasures, hold, retain, about-me."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import MemoryBank
from gieok.bank.history import Version
from gieok.bank.privacy import chain_record
from gieok.cli import common
from gieok.cli.console import DIM, Terms, asides, show, terminal_language, terminal_words, terms_under, text
from gieok.cli.memories import ID_SHOWN
from gieok.cli.table import Column, Listing, grid
from gieok.domain.actor import Actor
from gieok.domain.audit import Deed, Finding, Verified, deed_record
from gieok.domain.erasure import Certificate, Erasure
from gieok.domain.scope import Scope
from gieok.domain.turn import end_of, moment
from gieok.errors import InvalidQuery, in_language
from gieok.settings import Settings

_TARGETS: Final = 3  #: ids that a row shows


@common.scoped
def show_deeds(
    where: common.Where, limit: common.Limit = 50, of_bank: Annotated[bool, typer.Option("--of-bank")] = False
) -> None:
    with where.open() as opened:
        if of_bank and where.given:
            raise InvalidQuery(text("errors.of_bank"))
        deeds = opened.audit(None if of_bank else common.known_mind(opened, where), limit or None)
    where.show([deed_record(deed) for deed in deeds], lambda: deeds_table(deeds, terms_under(opened.settings)))


def deeds_table(deeds: Sequence[Deed], terms: Terms) -> RenderableType:
    def who(deed: Deed) -> str:
        return terms("audit.erased") if deed.actor is None else _by(deed.actor, deed.who or "", terms)

    columns = (
        Column(Text("#"), lambda deed: str(deed.number), style=DIM, right=True),
        Column("when", lambda deed: terms.moment(deed.at, seconds=True)),
        Column("who", who, style="cyan", fold=True),
        Column("what", lambda deed: _what(deed, terms), style="magenta", fold=True),
        Column("why", lambda deed: terms("audit.erased") if deed.is_bare else deed.why or "", fold=True, drop=1),
    )
    return Listing(deeds, columns, terms.words, empty=terms("audit.nothing"))


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


@common.scoped
def verify(where: common.Where, against: Annotated[Path | None, typer.Option(metavar="FILE")] = None) -> None:
    with where.open() as opened:
        scope = _scope(opened, where)
        verified = opened.verify_audit(scope)
        if against is not None:
            findings = tuple(_differences(opened, against, scope))
            verified = replace(verified, findings=(*verified.findings, *findings))
    where.show(verified, lambda: verified_view(verified, terms_under(opened.settings)), soft_wrap=True)
    raise typer.Exit(0 if verified.sound else 1)


def verified_view(verified: Verified, terms: Terms) -> RenderableType:
    lines = [_finding(each, terms) for each in verified.findings]
    if verified.sound:
        head = Text(terms("audit.sound", chains=verified.chains, rows=verified.deeds), style="green")
    else:
        head = Text(terms("audit.broken", n=len(lines)), style="bold red")
    beside = [terms("audit.uncovered", what=in_language(each, terms.words)) for each in verified.uncovered]
    if verified.root:
        beside.append(terms("audit.root", root=verified.root))
    return Group(head, *lines, *(Text(each, style=DIM) for each in beside))


def _finding(finding: Finding, terms: Terms) -> Text:
    chain = finding.chain
    whose = "" if chain is None else f"[{terms('audit.bank') if chain.of_bank else chain.scope or chain.mark}] "
    since = ""
    if finding.since is not None:
        since = f" ({terms('audit.unreliable_since', at=terms.moment(finding.since, seconds=True))})"
    return Text(f"✗ {whose}{in_language(finding.what, terms.words)}{since}", style="red")


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    bank: common.BankPath = None,
    user: common.User = None,
    character: common.Character = None,
    world: common.World = None,
    heads: Annotated[bool, typer.Option("--heads")] = False,
) -> None:
    written, where = 0, common.Where(bank, user, character, world)
    with where.open() as opened, _opened(file) as out:
        scope = _scope(opened, where)
        chains = map(chain_record, opened.store.audit.chains(scope)) if heads else opened.audit_records(scope)
        for record in chains:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
            written += heads or record["kind"] == "deed"
    asides().print(text("audit.written", n=written, file=file), soft_wrap=True)


GROUPS: Final = {"audit": {"show": show_deeds, "verify": verify, "export": export}}


def _scope(opened: MemoryBank, where: common.Where) -> Scope | None:
    return common.known_mind(opened, where).key if where.given else None


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


def _differences(opened: MemoryBank, file: Path, scope: Scope | None) -> Iterator[Finding]:
    """Yield the rows of an export that differ in the bank, or are no longer there; of each chain the first one."""
    chains = {chain.mark: chain for chain in opened.store.audit.chains()}
    exported: dict[str, dict[int, str]] = {}
    for record in _records(file):
        links = exported.setdefault(record["chain"], {})
        if record["kind"] == "deed":
            links[record["number"]] = record["link"]
        elif record["length"]:
            links[record["length"]] = record["head"]
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


_Yes = Annotated[bool, typer.Option("--yes")]
_COUNTED: Final = (
    "turns", "utterances", "memories", "rebuilt", "operations", "people", "scenes", "traces", "documents", "answers",
    "letters",
)  # fmt: skip


@common.scoped
def erase(
    where: common.Where,
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
            first, last = common.known_mind(opened, where).period(when)
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


def scrub(yes: _Yes = False, bank: common.BankPath = None, as_json: common.AsJson = False) -> None:
    with common.open_existing(bank) as opened:
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
    left = {name for each in erased.certificates for name in each.left}
    told = [Text(text("erasures.left", files=", ".join(sorted(left))), style="yellow")] if left else []
    return Group(text("erasures.did"), grid(rows), certificates, *told, *held)


def _counts(counts: Mapping[str, int]) -> str:
    names = terminal_words().some("cli.counted")
    return " · ".join(f"{names[name]} {counts[name]:,}" for name in _COUNTED if counts.get(name)) or "–"


def erasures(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 20,
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    with common.open_existing(bank) as opened:
        found = opened.certificates(limit)
    show(found, lambda: certificates_table(found, opened.settings), as_json)


def certificates_table(certificates: Sequence[Certificate], settings: Settings) -> RenderableType:
    def proven(each: Certificate) -> Text:
        return Text(text("erasures.proven"), style="green") if each.intact else Text(text("erasures.unproven"), "red")

    columns = (
        Column("when", lambda each: f"{each.at.astimezone(settings.zone):%Y-%m-%d %H:%M}"),
        Column("who", lambda each: each.by, fold=True),
        Column("erased", lambda each: _counts(each.counts), fold=True),
        Column("proven", proven, fold=True),
        Column("certificate", lambda each: each.id, style=DIM, fold=True, drop=1),
    )
    return Listing(certificates, columns, terminal_words(), empty=text("erasures.none"))


def lift(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE")],
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    with common.open_existing(bank) as opened:
        lifted = opened.lift(certificate)
    told = text("erasures.lifted" if lifted else "erasures.not_held", n=lifted, certificate=certificate)
    show({"certificate": certificate, "lifted": lifted}, lambda: told, as_json)


@common.scoped
def hold(
    where: common.Where,
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


@common.scoped
def retain(
    where: common.Where, days: Annotated[list[str] | None, typer.Argument(metavar="[TYPE=DAYS]...")] = None
) -> None:
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


@common.scoped
def about_me(where: common.Where) -> None:
    settings = replace(common.settings_for(where.bank).without_models(), language=terminal_language())
    with common.open_with(settings) as opened:
        answer = common.known_mind(opened, where).about_me()
    where.show(asdict(answer), lambda: answer.text, soft_wrap=True)
