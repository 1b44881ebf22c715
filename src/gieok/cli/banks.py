"""What is done to a bank as a whole: copy, migrate, cluster, backup, restore, rekey, export, import."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import open_bank
from gieok.bank.backups import back_up
from gieok.bank.restore import Restored
from gieok.bank.restore import rekey as encrypt_again
from gieok.bank.restore import restore as put_back
from gieok.cli import common
from gieok.cli.console import answers, progress, show, terminal_words, text, waiting
from gieok.cli.table import Column, Listing
from gieok.domain.turn import moment
from gieok.errors import InvalidQuery, in_language
from gieok.interop.exporters import export_file
from gieok.interop.importers import Report, Whose, import_file
from gieok.interop.importers.importer import READERS
from gieok.ports import TakenIn
from gieok.settings import NEW_KEY, Settings
from gieok.stores import open_store
from gieok.stores.backups import Backup
from gieok.stores.copy import Copied, copy_bank
from gieok.stores.tables.store import TableStore
from gieok.stores.workplace import temporary, workplace

_Location = Annotated[str, typer.Argument(metavar="BANK")]


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE")],
    target: Annotated[str, typer.Argument(metavar="TARGET")],
    as_json: common.AsJson = False,
) -> None:
    if source == target:
        raise InvalidQuery(text("errors.same_bank"))
    with (
        closing(_table_store(common.settings_for(source))) as there,
        closing(_store_like(there, common.settings_for(target))) as here,
        progress() as shown,
    ):
        task = shown.add_task(text("banks.copying"), total=None)
        copied = copy_bank(
            there,
            here,
            now=datetime.now(UTC),
            progress=lambda done, total, _: shown.update(task, completed=done, total=total),
        )
    show(copied, lambda: _copied_view(copied), as_json)
    raise typer.Exit(0 if copied.is_whole else 1)


def _copied_view(copied: Copied) -> RenderableType:
    styles = {"moving": "yellow", "different": "bold red", "erased": "", "outlived": "yellow", "ahead": "yellow"}
    lines = [text("banks.copied", scopes=copied.scopes, fresh=copied.fresh, rows=_counts(copied.rows))]
    told = [
        Text(f"[{scope}] {text(f'banks.{fate}')}", style=style)
        for fate, style in styles.items()
        for scope in getattr(copied, fate)
    ]
    return Group(*lines, *told)


def _counts(rows: Mapping[str, int]) -> str:
    """Return how many rows each table has, without the empty ones; a table has no name in another language."""
    return ", ".join(f"{table} {count:,}" for table, count in rows.items() if count)


def migrate(
    bank: common.BankPath = None,
    parts: Annotated[int | None, typer.Option("--parts", min=2, max=1_024)] = None,
    as_json: common.AsJson = False,
) -> None:
    with closing(_table_store(common.settings_for(bank))) as store:
        if parts is not None:
            _cut(store, parts)
        info = store.info()
    told = {"location": info.location, "engine": info.engine, "schema": info.schema}
    show(told, lambda: text("banks.schema", **told), as_json)


def _cut(store: TableStore, parts: int) -> None:
    from gieok.stores.postgres import PostgresStore
    from gieok.stores.postgres.parts import cut

    if not isinstance(store, PostgresStore):
        raise InvalidQuery(text("errors.no_parts"))
    store.on_its_own(lambda connection: cut(connection, store.schema, parts))


def cluster_plan(bank: _Location) -> None:
    _on_the_coordinator(bank, "plan")


def cluster_apply(bank: _Location) -> None:
    _on_the_coordinator(bank, "apply")


GROUPS: Final = {"cluster": {"plan": cluster_plan, "apply": cluster_apply}}


def _on_the_coordinator(bank: str, act: Literal["plan", "apply"]) -> None:
    from gieok.stores.postgres import PostgresStore, schema

    with closing(_table_store(common.settings_for(bank))) as store:
        if not isinstance(store, PostgresStore):
            raise InvalidQuery(text("errors.no_coordinator"))
        done = schema.plan if act == "plan" else schema.apply
        steps = store.on_its_own(lambda connection: done(connection, store.schema))
    columns = (
        Column("", lambda step: "✓" if step.done else "·"),
        Column("statement", lambda step: step.sql, fold=True),
        Column("why", lambda step: step.why, fold=True),
    )
    answers().print(Listing(steps, columns, terminal_words()))


def _table_store(settings: Settings) -> TableStore:
    """Open a bank whatever embedder it was built with: nothing is embedded here."""
    store = common.open_existing_store(settings, any_embedder=True)
    if not isinstance(store, TableStore):
        store.close()
        raise InvalidQuery(text("errors.foreign_store", bank=settings.bank_shown))
    return store


def _store_like(source: TableStore, settings: Settings) -> TableStore:
    """Open the target, which is made for the vectors of the source if it is new."""
    info = source.info()
    key = {} if "://" in settings.bank else settings.opened_with  # it is the source's, where a server is the target
    store = open_store(settings.bank, embedder=info.embedder, dimension=info.dimension, **key, keyword=settings.keyword)
    assert isinstance(store, TableStore)
    return store


def backup(
    target: Annotated[str | None, typer.Argument(metavar="TARGET")] = None,
    full: Annotated[bool, typer.Option("--full")] = False,
    keep: Annotated[int | None, typer.Option(min=1, metavar="N")] = None,
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    settings = common.settings_for(bank)
    place = target or settings.backup_folder
    if place is None:
        raise InvalidQuery(text("errors.backup_where"))
    settings = replace(settings, backup_folder=settings.backup_folder or place)  # a server's key is for backups then
    with waiting(text("banks.backing_up")), closing(_table_store(settings)) as store:
        made = back_up(store, settings, target, full=full, keep=keep)
    assert made is not None
    show(made, lambda: _backup_view(made), as_json, soft_wrap=True)


def _backup_view(made: Backup) -> str:
    lines = [
        text(
            "banks.backup",
            path=made.path,
            what=text("banks.all") if made.kind == "full" else text("banks.changed", n=made.fresh),
            scopes=made.scopes,
            turns=made.counts.get("turns", 0),
            size=made.size / 1024 / 1024,
            encrypted=text("banks.encrypted" if made.encrypted else "banks.not_encrypted"),
            digest=made.sha256[:12],
        )
    ]
    if made.removed:
        lines.append(text("banks.removed", n=len(made.removed)))
    return "\n".join(lines)


def restore(
    source: Annotated[str, typer.Argument(metavar="BACKUP")],
    target: Annotated[str | None, typer.Argument(metavar="TARGET")] = None,
    verify: Annotated[bool, typer.Option("--verify")] = False,
    at_turn: Annotated[str | None, typer.Option(metavar="ID", rich_help_panel="point")] = None,
    until: Annotated[str | None, typer.Option(metavar="ISO", rich_help_panel="point")] = None,
    force: Annotated[bool, typer.Option("--force")] = False,
    user: common.User = None,
    character: common.Character = None,
    world: common.World = None,
    as_json: common.AsJson = False,
) -> None:
    if target is None and not verify:
        raise InvalidQuery(text("errors.restore_where"))
    settings, where = common.settings_for(None), common.Where(None, user, character, world)
    with waiting(text("banks.checking" if target is None else "banks.restoring")):
        done = put_back(
            source,
            target,
            at_turn=at_turn,
            scope=where.scope if where.given else None,
            until=None if until is None else moment(until, settings.zone),
            force=force,
            settings=settings,
        )
    show(done, lambda: _restored_view(done), as_json, soft_wrap=True)


def _restored_view(done: Restored) -> str:
    parts = text("banks.and_parts", n=len(done.files) - 1) if len(done.files) > 1 else ""
    counts = {name: done.counts.get(name, 0) for name in ("turns", "memories")}
    lines = [text("banks.whole", backup=done.backup, scopes=done.scopes, parts=parts, **counts)]
    if done.location is not None:
        lines.append(text("banks.restored", location=done.location))
    lines += [text("banks.taken_back", scope=scope, n=turns) for scope, turns in done.taken_back.items()]
    lines += [text("banks.held_back", scope=scope, n=count) for scope, count in done.held_back.items()]
    lines += [text("banks.unasked", path=each) for each in done.unasked]
    if done.set_aside is not None:
        lines.append(text("banks.set_aside", path=done.set_aside))
    return "\n".join(lines)


def rekey(
    new_key_file: Annotated[str | None, typer.Option(metavar="FILE")] = None,
    new_key_command: Annotated[str | None, typer.Option(metavar="COMMAND")] = None,
    decrypt: Annotated[bool, typer.Option("--decrypt")] = False,
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    given = None if new_key_file or new_key_command or decrypt else os.environ.get(NEW_KEY)
    with waiting(text("banks.rekeying")):
        settings = encrypt_again(
            new_key=given,
            new_key_file=new_key_file,
            new_key_command=new_key_command,
            decrypt=decrypt,
            settings=common.settings_for(bank),
        )
    source = f'key_file = "{new_key_file}"' if new_key_file else "key_command" if new_key_command else "GIEOK_KEY"
    done = text("banks.decrypted" if decrypt else "banks.rekeyed", bank=settings.bank, source=source)
    show({"location": settings.bank, "encrypted": not decrypt}, lambda: done, as_json, soft_wrap=True)


OWN: Final = "gieok"  #: the kind of a file that `gieok export` wrote


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE")],
    user: Annotated[str | None, typer.Option("--user", "-u", metavar="NAME")] = None,
    character: common.Character = None,
    world: common.World = None,
    format: Annotated[str, typer.Option("--format", "-f", metavar="FORMAT")] = "zip",
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    with common.open_existing(bank) as opened:
        exported = export_file(opened, format, file, user=user, character=character, world=world)
    scopes = ", ".join(f"[{scope}]" for scope in exported.scopes)
    told = text("transfer.exported", path=exported.path, scopes=scopes, size=exported.size_bytes)
    show(exported, lambda: told, as_json, soft_wrap=True)


def import_(
    kind: Annotated[str, typer.Argument(metavar="KIND")],
    path: Annotated[Path, typer.Argument(metavar="PATH")],
    user: Annotated[str | None, typer.Option("--user", "-u", metavar="NAME")] = None,
    character: Annotated[str | None, typer.Option("--character", "-c", metavar="NAME")] = None,
    world: common.World = None,
    embedder: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    bank: common.BankPath = None,
    as_json: common.AsJson = False,
) -> None:
    settings = common.settings_for(bank).without_models()
    if kind == OWN:
        if (character, world, embedder) != (None, None, None):
            raise InvalidQuery(text("errors.own_file"))
        _import_own(path, user, settings, dry_run=dry_run, as_json=as_json)
    if kind not in READERS:
        raise InvalidQuery(text("errors.unknown_kind", kind=repr(kind), known=", ".join((OWN, *READERS))))
    whose = Whose(zone=settings.zone, user=user, character=character, world=world, embedder=embedder)
    with _place(settings, dry_run=dry_run) as where, open_bank(settings=where) as opened, progress() as shown:
        task = shown.add_task(text("transfer.reading"), total=None)
        importing = text("transfer.importing")

        def advance(done: int, total: int) -> None:
            shown.update(task, description=importing, completed=done, total=total)

        report = import_file(opened, kind, path, whose=whose, dry_run=dry_run, progress=advance)
    show(report, lambda: report_view(report), as_json, soft_wrap=True)


@contextmanager
def _place(settings: Settings, *, dry_run: bool) -> Iterator[Settings]:
    """Yield where the bank is; a dry run does not make one that is not there."""
    if not dry_run or "://" in settings.bank or Path(settings.bank).exists():
        yield settings
        return
    with workplace(temporary(), "import") as folder:
        yield replace(settings, bank=str(folder / "bank.db"))


def report_view(report: Report) -> RenderableType:
    words = terminal_words()
    rows: list[tuple[str, str, str, str, str]] = []
    for moved in report.scopes:
        counts = [
            (words.some("cli.counted").get(what, what), f"{tally.new:,}", f"{tally.there:,}")
            for what, tally in moved.tallies.items()
        ]
        for number, (what, new, there) in enumerate(counts or [("", "", "")]):
            first = number == 0
            rows.append((f"[{moved.scope}]" if first else "", what, new, there, f"{moved.skipped:,}" if first else ""))
    columns = (
        Column("scope", lambda row: row[0], fold=True),
        Column("what", lambda row: row[1]),
        Column("would_import" if report.dry_run else "imported", lambda row: row[2], right=True),
        Column("present", lambda row: row[3], right=True),
        Column("skipped", lambda row: row[4], right=True),
    )
    lines = []
    for why, many, where in report.reasons():
        told, first = in_language(why, words), in_language(where, words)
        place = first if many == 1 else text("transfer.and_more", where=first, n=many - 1)
        lines.append(text("transfer.skipped", why=told, where=place))
    lines += [text("transfer.faces", folder=folder) for folder in report.faces]
    if report.dry_run:
        lines.append(text("transfer.dry_run"))
    return Group(Listing(rows, columns, words), *lines)


def _import_own(path: Path, user: str | None, settings: Settings, *, dry_run: bool, as_json: bool) -> None:
    with open_bank(settings=settings) as opened:
        taken = opened.import_export(path, user=user, dry_run=dry_run)
    show(taken, lambda: "\n".join(_fate(each, dry_run=dry_run) for each in taken), as_json, soft_wrap=True)
    raise typer.Exit(1 if any(each.fate in ("differs", "erased") for each in taken) else 0)


def _fate(taken: TakenIn, *, dry_run: bool) -> str:
    names = terminal_words().some("cli.counted")
    counts = ", ".join(
        f"{names[table]} {taken.counts.get(table, 0):,}" for table in ("turns", "memories", "operations")
    )
    fate = "would_import" if dry_run and taken.fate == "new" else taken.fate
    held = {"n": taken.held_back, "certificates": " ".join(taken.certificates)}
    return text(f"transfer.fates.{fate}", scope=taken.scope, counts=counts, **held)
