"""API keys of a bank that is served: keys create, keys list, keys revoke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import product
from typing import Annotated, Final

import typer
from rich.console import RenderableType
from rich.text import Text

from gieok.access.keys import create_key
from gieok.access.keys import revoke as take_back
from gieok.bank import open_bank
from gieok.cli.common import AsJson, BankPath, open_existing_store, settings_for
from gieok.cli.console import DIM, answers, asides, print_json, show, terminal_words, text
from gieok.cli.records import record
from gieok.cli.table import Column, Listing
from gieok.domain.scope import Scope
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.errors import InvalidQuery
from gieok.ports import ServerStore
from gieok.settings import Settings

_STYLES: Final[Mapping[Role, str]] = {"reader": "green", "writer": "yellow", "admin": "red"}
_Names = list[str] | None


def create(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    role: Annotated[Role, typer.Option("--role")],
    user: Annotated[_Names, typer.Option("--user", "-u", metavar="NAME", rich_help_panel="opens")] = None,
    character: Annotated[_Names, typer.Option("--character", "-c", metavar="NAME", rich_help_panel="opens")] = None,
    world: Annotated[_Names, typer.Option("--world", "-w", metavar="NAME", rich_help_panel="opens")] = None,
    home_user: Annotated[str | None, typer.Option(metavar="NAME", rich_help_panel="home")] = None,
    home_character: Annotated[str | None, typer.Option(metavar="NAME", rich_help_panel="home")] = None,
    home_world: Annotated[str | None, typer.Option(metavar="NAME", rich_help_panel="home")] = None,
    per_minute: Annotated[int | None, typer.Option(min=0)] = None,
    per_day: Annotated[int | None, typer.Option(min=1)] = None,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    bounds = _bounds(user, character, world)
    given = _checked(home_user, home_character, home_world)
    if bounds and not any(_meet(given, each) for each in bounds):
        raise InvalidQuery(text("errors.homeless_key"))
    only = bounds[0] if len(bounds) == 1 else Bounds()
    token, key = create_key(
        name,
        role,
        now=datetime.now(UTC),
        bounds=bounds,
        home=Bounds(
            user=given.user or only.user, character=given.character or only.character, world=given.world or only.world
        ),
        per_minute=per_minute,
        per_day=per_day,
    )
    with open_bank(settings=settings_for(bank).without_models()) as opened:  # keys are made before anybody talks
        opened.store.server.keep_key(key)
    if as_json:
        print_json({"token": token, **record(key), "uses_today": 0})
        return
    made = text("keys.made", id=key.id, name=key.name, role=key.role, opens="; ".join(_opens(key)))
    asides().print(made, soft_wrap=True)
    answers().print(token, style="bold", soft_wrap=True)
    asides().print(text("keys.shown_once"), style="yellow", soft_wrap=True)


def list_keys(bank: BankPath = None, as_json: AsJson = False) -> None:
    with _desk(bank) as (desk, settings):
        known, uses = desk.access_keys(), desk.uses(datetime.now(UTC).date().isoformat())
    records = [{**record(key), "uses_today": uses.get(key.id, 0)} for key in known]
    show(records, lambda: keys_table(known, uses, settings), as_json)


def keys_table(keys: Sequence[AccessKey], uses: Mapping[str, int], settings: Settings) -> RenderableType:
    """Return the keys, oldest first; `uses` are those of today."""

    def day(at: datetime) -> str:
        return f"{at.astimezone(settings.zone):%Y-%m-%d}"

    def created(key: AccessKey) -> Text:
        if key.revoked_at is None:
            return Text(day(key.created_at), style=DIM)
        return Text(text("keys.revoked_on", day=day(key.revoked_at)), style="red")

    columns = (
        Column("id", lambda key: key.id, style=DIM),
        Column("name", lambda key: key.name, style="cyan", fold=True, min_width=6),
        Column("role", lambda key: Text(key.role, style=DIM if key.revoked_at else _STYLES[key.role])),
        Column("opens", lambda key: "\n".join(_opens(key)), fold=True, min_width=10),
        Column("limits", lambda key: _limits(key, settings.serve_per_minute), fold=True, drop=2),
        Column("today", lambda key: f"{uses.get(key.id, 0):,}", right=True, drop=3),
        Column("created", created, drop=1),
    )
    return Listing(keys, columns, terminal_words(), empty=text("keys.none"))


def _opens(key: AccessKey) -> list[str]:
    names = terminal_words().some("cli.columns")

    def place(bounds: Bounds) -> str:
        pairs = ((names[what], getattr(bounds, what)) for what in ("user", "character", "world"))
        return ", ".join(f"{what} {name}" for what, name in pairs if name is not None)

    return [place(each) for each in key.bounds] or [text("keys.everything")]


def _limits(key: AccessKey, usual: int) -> str:
    per_minute = usual if key.per_minute is None else key.per_minute
    limits = [text("keys.per_minute", n=per_minute)] if per_minute else []
    limits += [text("keys.per_day", n=key.per_day)] if key.per_day is not None else []
    return "\n".join(limits) or text("keys.no_limit")


def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID")], bank: BankPath = None, as_json: AsJson = False
) -> None:
    with _desk(bank) as (desk, _):
        key = take_back(desk, key_id, now=datetime.now(UTC))
    revoked = text("keys.revoked", id=key.id, name=key.name)
    show({**record(key), "uses_today": None}, lambda: revoked, as_json, soft_wrap=True)


GROUPS: Final = {"keys": {"create": create, "list": list_keys, "revoke": revoke}}


@contextmanager
def _desk(bank: str | None) -> Iterator[tuple[ServerStore, Settings]]:
    settings = settings_for(bank).without_models()
    with closing(open_existing_store(settings)) as store:
        yield store.server, settings


def _checked(user: str | None, character: str | None, world: str | None) -> Bounds:
    """Return names as scopes spell them: a bound that is spelt otherwise would open nothing."""
    if user is None and character is None and world is None:
        return Bounds()
    scope = Scope(user=user, character=character, world=world)
    return Bounds(user=scope.user, character=scope.character, world=scope.world)


def _bounds(users: _Names, characters: _Names, worlds: _Names) -> tuple[Bounds, ...]:
    if not (users or characters or worlds):
        return ()
    anybody: list[str | None] = [None]
    return tuple(_checked(*names) for names in product(users or anybody, characters or anybody, worlds or anybody))


def _meet(one: Bounds, other: Bounds) -> bool:
    pairs = ((one.user, other.user), (one.character, other.character), (one.world, other.world))
    return all(None in pair or pair[0] == pair[1] for pair in pairs)
