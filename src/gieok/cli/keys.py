"""Who may ask a served bank: keys create, keys list, keys revoke."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import product
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.common import AsJson, BankPath, open_store_to_read, settings_for
from gieok.cli.console import answers, asides, print_json
from gieok.domain.server_state import Role
from gieok.errors import InvalidQuery

if TYPE_CHECKING:
    from gieok.domain.server_state import AccessKey, Bounds
    from gieok.ports import Desk
    from gieok.settings import Settings

_OPENS = "What it opens (default: everything; each may be repeated)"
_HOME = "Whom it means when a request names nobody"

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False)

Names = list[str] | None
Name = str | None


@app.callback()
def keys() -> None:
    """Say who may ask a bank that is served to others."""


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="By which you will know it again: whose it is.")],
    role: Annotated[Role, typer.Option("--role", help="reader: ask; writer: also teach and correct; admin: all.")],
    user: Annotated[Names, typer.Option("--user", "-u", metavar="NAME", rich_help_panel=_OPENS)] = None,
    character: Annotated[Names, typer.Option("--character", "-c", metavar="NAME", rich_help_panel=_OPENS)] = None,
    world: Annotated[Names, typer.Option("--world", "-w", metavar="NAME", rich_help_panel=_OPENS)] = None,
    home_user: Annotated[Name, typer.Option("--home-user", metavar="NAME", rich_help_panel=_HOME)] = None,
    home_character: Annotated[Name, typer.Option("--home-character", metavar="NAME", rich_help_panel=_HOME)] = None,
    home_world: Annotated[Name, typer.Option("--home-world", metavar="NAME", rich_help_panel=_HOME)] = None,
    per_minute: Annotated[
        int | None,
        typer.Option("--per-minute", min=0, help="Requests (default: serve_per_minute); 0: any.", show_default=False),
    ] = None,
    per_day: Annotated[
        int | None, typer.Option("--per-day", min=1, help="Requests (default: any).", show_default=False)
    ] = None,
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Make a key. It is shown once: only a digest of it is kept."""
    from gieok.access.keys import create_key
    from gieok.bank import open_bank
    from gieok.cli.look.admin import KEY_WORDS, kept_line

    bounds = _bounds(user, character, world)
    token, key = create_key(
        name,
        role,
        now=datetime.now(UTC),
        bounds=bounds,
        home=_home(_checked(home_user, home_character, home_world), bounds),
        per_minute=per_minute,
        per_day=per_day,
    )
    settings = settings_for(bank).without_models()
    with open_bank(settings=settings) as opened:  # who sets up a server makes its keys before anybody talks
        opened.store.desk.keep_key(key)
    if as_json:
        print_json({"token": token, **_record(key, uses=0)})
        return
    words = KEY_WORDS[settings.language]
    asides().print(kept_line(key, words), soft_wrap=True)
    answers().print(token, style="bold", soft_wrap=True)
    asides().print(words.shown_once, style="yellow", soft_wrap=True)


@app.command("list")
def list_them(bank: BankPath = None, as_json: AsJson = False) -> None:
    """List the keys, what they open, and how often they were used today (UTC)."""
    from gieok.cli.look.admin import KEY_WORDS, keys_table

    with _desk(bank) as (desk, settings):
        known, uses = desk.access_keys(), desk.uses(datetime.now(UTC).date().isoformat())
    if as_json:
        print_json([_record(key, uses.get(key.id, 0)) for key in known])
        return
    answers().print(keys_table(known, uses, KEY_WORDS[settings.language], settings))


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `gieok keys list` shows it.")],
    bank: BankPath = None,
    as_json: AsJson = False,
) -> None:
    """Take a key back, for good. Running servers turn it away within two seconds."""
    from gieok.access.keys import revoke as take_back
    from gieok.cli.look.admin import KEY_WORDS

    with _desk(bank) as (desk, settings):
        key = take_back(desk, key_id, now=datetime.now(UTC))
    if as_json:
        print_json(_record(key, uses=None))
        return
    answers().print(KEY_WORDS[settings.language].taken_back.format(id=key.id, name=key.name), soft_wrap=True)


@contextmanager
def _desk(bank: str | None) -> Iterator[tuple[Desk, Settings]]:
    """Open the desk of a bank that is there."""
    from contextlib import closing

    from gieok import embedders

    settings = settings_for(bank).without_models()
    embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    with closing(open_store_to_read(settings, embedder)) as store:
        yield store.desk, settings


def _checked(user: str | None, character: str | None, world: str | None) -> Bounds:
    """Return names as scopes spell them: a bound that is spelt otherwise would open nothing."""
    from gieok.domain.scope import Scope
    from gieok.domain.server_state import Bounds

    if user is None and character is None and world is None:
        return Bounds()
    scope = Scope(user=user, character=character, world=world)
    return Bounds(user=scope.user, character=scope.character, world=scope.world)


def _bounds(users: Names, characters: Names, worlds: Names) -> tuple[Bounds, ...]:
    if not (users or characters or worlds):
        return ()
    anybody: list[str | None] = [None]
    return tuple(_checked(*names) for names in product(users or anybody, characters or anybody, worlds or anybody))


def _home(given: Bounds, bounds: tuple[Bounds, ...]) -> Bounds:
    """Return the home of a key: as it is given, and else where the key opens, if that is one place."""
    from gieok.domain.server_state import Bounds

    if bounds and not any(_meet(given, each) for each in bounds):
        raise InvalidQuery("the key does not open its own home; name the same --user, --character or --world in both")
    only = bounds[0] if len(bounds) == 1 else Bounds()
    return Bounds(
        user=given.user or only.user, character=given.character or only.character, world=given.world or only.world
    )


def _meet(one: Bounds, other: Bounds) -> bool:
    pairs = ((one.user, other.user), (one.character, other.character), (one.world, other.world))
    return all(None in pair or pair[0] == pair[1] for pair in pairs)


def _record(key: AccessKey, uses: int | None) -> dict[str, object]:
    from gieok.cli.records import iso

    return {
        "id": key.id,
        "name": key.name,
        "role": key.role,
        "bounds": [_names(each) for each in key.bounds],
        "home": _names(key.home),
        "per_minute": key.per_minute,
        "per_day": key.per_day,
        "uses_today": uses,
        "created_at": iso(key.created_at),
        "revoked_at": iso(key.revoked_at),
    }


def _names(bounds: Bounds) -> dict[str, str | None]:
    return {"user": bounds.user, "character": bounds.character, "world": bounds.world}
