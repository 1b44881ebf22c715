"""`gieok copy`, `migrate` and `cluster`: a bank goes to another place, to today's schema, or to many machines."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.common import AsJson, BankPath, settings_for
from gieok.cli.console import answers, asides, print_json, waiting
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.settings import Settings
    from gieok.stores.copy import Copied
    from gieok.stores.postgres.connection import Connection
    from gieok.stores.postgres.schema import Step
    from gieok.stores.tables.store import TableStore


_Location = Annotated[str, typer.Argument(metavar="BANK", help="A file, or postgresql://user@host/database.")]

cluster = typer.Typer(no_args_is_help=True)


def copy(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="The bank to copy: a file, or postgresql://…")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="Where to; a new bank is made.")],
    as_json: AsJson = False,
) -> None:
    """Copy a bank to another place, scope by scope, and check it; can be stopped and begun again."""
    from datetime import UTC, datetime

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gieok.stores.copy import copy_bank

    if source == target:
        raise InvalidQuery("source and target are the same bank; name another place for the copy")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        closing(opened_store(settings_for(source), create=False)) as there,
        closing(_like(there, settings_for(target))) as here,
        Progress(*columns, console=asides(), transient=True) as shown,
    ):
        task = shown.add_task("copying", total=None)
        copied = copy_bank(
            there,
            here,
            now=datetime.now(UTC),
            progress=lambda done, total, _: shown.update(task, completed=done, total=total),
        )
    _tell(copied, as_json=as_json)
    raise typer.Exit(0 if copied.is_whole else 1)


def migrate(bank: BankPath = None, as_json: AsJson = False) -> None:
    """Bring a bank to today's schema; every command does so by itself, this one does nothing else."""
    with closing(opened_store(settings_for(bank), create=False)) as store:
        info = store.info()
    if as_json:
        print_json({"location": info.location, "engine": info.engine, "schema": info.schema})
    else:
        answers().print(f"{info.location}: {info.engine}, schema {info.schema}")


@cluster.command("plan")
def cluster_plan(bank: _Location) -> None:
    """Show what spreads a bank over the nodes of a Citus cluster, by user; nothing is done."""
    from gieok.stores.postgres.schema import plan

    _show(_on_the_coordinator(bank, plan))


@cluster.command("apply")
def cluster_apply(bank: _Location) -> None:
    """Spread a bank over the nodes of a Citus cluster; what is spread already stays."""
    from gieok.stores.postgres.schema import apply

    _show(_on_the_coordinator(bank, apply))


def _on_the_coordinator(bank: str, act: Callable[[Connection], list[Step]]) -> list[Step]:
    from gieok.stores.postgres import PostgresStore

    with closing(opened_store(settings_for(bank), create=False)) as store:
        if not isinstance(store, PostgresStore):
            raise InvalidQuery("a cluster is named by the address of its coordinator: postgresql://user@host/database")
        return store.on_its_own(act)


def _show(steps: list[Step]) -> None:
    from rich.table import Table

    table = Table("", "statement", "why", box=None, pad_edge=False)
    for step in steps:
        table.add_row("✓" if step.done else "·", step.sql, step.why)
    answers().print(table)


def opened_store(settings: Settings, *, create: bool) -> TableStore:
    """Open a bank whatever embedder it was built with: nothing is embedded here."""
    from gieok import embedders
    from gieok.stores import open_store
    from gieok.stores.tables.store import TableStore

    embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    store = open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        **settings.opened_with,
        keyword=settings.keyword,
        create=create,
        for_reindex=True,
    )
    if not isinstance(store, TableStore):
        store.close()
        raise InvalidQuery(f"{settings.bank} is kept by a store of its own kind, which cannot be copied row by row")
    return store


def _like(source: TableStore, settings: Settings) -> TableStore:
    """Open the target, which is made for the vectors of the source if it is new."""
    from gieok.stores import open_store
    from gieok.stores.tables.store import TableStore

    info = source.info()
    key = {} if "://" in settings.bank else settings.opened_with  # it is the source's, where a server is the target
    store = open_store(
        settings.bank,
        embedder=info.embedder,
        dimension=info.dimension,
        **key,
        keyword=settings.keyword,
    )
    assert isinstance(store, TableStore)
    return store


def _tell(copied: Copied, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "scopes": copied.scopes,
                "fresh": copied.fresh,
                "rows": copied.rows,
                "moving": [str(scope) for scope in copied.moving],
                "different": [str(scope) for scope in copied.different],
                "erased": [str(scope) for scope in copied.erased],
                "outlived": [str(scope) for scope in copied.outlived],
                "ahead": [str(scope) for scope in copied.ahead],
            }
        )
        return
    console = answers()
    rows = ", ".join(f"{count:,} {table}" for table, count in copied.rows.items() if count)
    console.print(f"{copied.scopes:,} scopes are the same in both, {copied.fresh:,} of them copied just now: {rows}")
    for scope in copied.moving:
        console.print(f"[{scope}] is written to all the time; copy again when it rests", style="yellow", markup=False)
    for scope in copied.different:
        console.print(f"[{scope}] is NOT the same in both; do not use the copy", style="bold red", markup=False)
    for scope in copied.erased:
        console.print(f"[{scope}] was erased in the source, and now in the target, too", markup=False)
    for scope in copied.outlived:
        told = "was erased in the source, but written to in the target since; erase it there, too, if it has to go"
        console.print(f"[{scope}] {told}", style="yellow", markup=False)
    for scope in copied.ahead:
        told = "was written to or erased in the target since, and is left as it is there"
        console.print(f"[{scope}] {told}", style="yellow", markup=False)


def rekey(
    new_key_file: Annotated[
        str | None, typer.Option("--new-key-file", metavar="FILE", help="Holds the new key.", show_default=False)
    ] = None,
    new_key_command: Annotated[
        str | None, typer.Option("--new-key-command", metavar="COMMAND", help="Prints the new key.", show_default=False)
    ] = None,
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Keep it without encryption from now on.")] = False,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Encrypt a bank's file with another key (also GIEOK_NEW_KEY), for the first time, or no more."""
    from gieok.bank.restore import rekey as rekeyed
    from gieok.settings import NEW_KEY

    given = None if new_key_file or new_key_command or decrypt else os.environ.get(NEW_KEY)
    with waiting("writing the file anew …"):
        settings = rekeyed(
            new_key=given,
            new_key_file=new_key_file,
            new_key_command=new_key_command,
            decrypt=decrypt,
            settings=settings_for(bank),
        )
    if as_json:
        print_json({"location": settings.bank, "encrypted": not decrypt})
        return
    answers().print(f"{settings.bank}: {'not encrypted any more' if decrypt else 'encrypted with the new key'}")
    answers().print(_what_now(decrypt=decrypt, file=new_key_file, command=new_key_command))


def _what_now(*, decrypt: bool, file: str | None, command: str | None) -> str:
    old = "Backups that were made before still open with the old key alone."
    if decrypt:
        return f"Leave key, key_file and key_command (GIEOK_KEY …) out from now on. {old}"
    source = f'key_file = "{file}"' if file else "key_command" if command else "GIEOK_KEY"
    return f"From now on it opens with the new key: set {source} to it. {old}"
