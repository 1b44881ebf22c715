"""Options that many commands take, and how a command opens its bank and finds the memory that is meant."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Final, ParamSpec, cast, get_args, get_type_hints

import typer

from gieok.cli.console import show, text
from gieok.domain.attributes import ContentType
from gieok.errors import InvalidQuery, InvalidScope, UnknownScope

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gieok.bank import MemoryBank, Mind
    from gieok.domain.scope import Scope
    from gieok.ports import Embedder, Store
    from gieok.settings import Settings

_LISTED: Final = 50  #: scopes that a message names

BankPath = Annotated[str | None, typer.Option("--bank", "-b", metavar="PATH")]
User = Annotated[str | None, typer.Option("--user", "-u", metavar="NAME", rich_help_panel="scope")]
Character = Annotated[str | None, typer.Option("--character", "-c", metavar="NAME", rich_help_panel="scope")]
World = Annotated[str | None, typer.Option("--world", "-w", metavar="NAME", rich_help_panel="scope")]
AsJson = Annotated[bool, typer.Option("--json")]
At = Annotated[str | None, typer.Option("--at", metavar="ISO")]
Since = Annotated[str | None, typer.Option("--since", metavar="ISO")]
Until = Annotated[str | None, typer.Option("--until", metavar="ISO")]
Limit = Annotated[int, typer.Option("--limit", min=0)]
Consent = Annotated[list[str] | None, typer.Option("--consent", metavar="KIND")]
Preset = Annotated[str | None, typer.Option("--preset", metavar="NAME")]
MemoryId = Annotated[str, typer.Argument(metavar="ID")]
TurnId = Annotated[str, typer.Argument(metavar="TURN_ID")]


@dataclass(frozen=True, slots=True)
class Where:
    """The options that name a bank and a scope in it, and say how to answer."""

    bank: BankPath = None
    user: User = None
    character: Character = None
    world: World = None
    as_json: AsJson = False

    @property
    def given(self) -> bool:
        return any(name is not None for name in (self.user, self.character, self.world))

    @property
    def scope(self) -> Scope:
        from gieok.domain.scope import Scope

        return Scope(user=self.user, character=self.character, world=self.world)

    def open(self, preset: str | None = None, *, models: bool = False) -> MemoryBank:
        return open_existing(self.bank, preset, models=models)

    @contextmanager
    def mind(self, *, preset: str | None = None, models: bool = False) -> Iterator[Mind]:
        with self.open(preset, models=models) as bank:
            yield known_mind(bank, self)

    def show(self, value: Any, view: Callable[[], RenderableType], *, soft_wrap: bool = False) -> None:
        show(value, view, self.as_json, soft_wrap=soft_wrap)


P = ParamSpec("P")


def scoped(command: Callable[Concatenate[Where, P], None]) -> Callable[..., None]:
    """Give `command` the options of `Where`, after its own."""
    names = [each.name for each in fields(Where)]

    @wraps(command)
    def run(**given: Any) -> None:
        where = Where(**{name: given.pop(name) for name in names})
        command(where, **given)  # type: ignore[call-arg]  # Typer passes what the signature lists

    own = list(signature(command, eval_str=True).parameters.values())[1:]
    hints = get_type_hints(Where, include_extras=True)
    options = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(Where)
    ]
    listed = Signature([*(each.replace(kind=Parameter.KEYWORD_ONLY) for each in own), *options])
    run.__signature__ = listed  # type: ignore[attr-defined]  # Typer reads the options from there
    return run


def acting_as_person(name: str | None) -> AbstractContextManager[None]:
    """Record what a command writes as done by the person of that name, else by whoever is logged in."""
    from gieok.domain.actor import acting_as, person

    if name is None:
        try:
            name = getpass.getuser()
        except (KeyError, OSError):  # a container may have numbers and no names
            name = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return acting_as(person(name))


def settings_for(location: str | None, preset: str | None = None, llm: str | None = None) -> Settings:
    """Return the settings of file and environment, with bank, `preset` and `llm` as they are given."""
    from gieok.settings import load

    return load(given={"bank": location, "preset": preset, "llm": llm})


def embedder_of(settings: Settings) -> Embedder:
    from gieok import embedders

    return embedders.create(
        settings.embedder, url=settings.embedder_url, key=settings.embedder_key, cache=settings.model_cache
    )


def open_existing_store(settings: Settings, embedder: Embedder | None = None, *, any_embedder: bool = False) -> Store:
    """Open the store of a bank that exists. With `any_embedder` also one whose vectors another embedder made."""
    from gieok.stores import open_store

    embedder = embedder or embedder_of(settings)
    return open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        **settings.opened_with,
        keyword=settings.keyword,
        create=False,
        for_reindex=any_embedder,
        cache_bytes=settings.index_cache_mb * 1024 * 1024,
    )


def open_existing(location: str | None, preset: str | None = None, *, models: bool = False) -> MemoryBank:
    """Open a bank that exists; without `models`, also where one is misnamed or lacks its key."""
    settings = settings_for(location, preset)
    return open_with(settings if models else settings.without_models())


def open_with(settings: Settings) -> MemoryBank:
    from gieok.bank import MemoryBank

    embedder = embedder_of(settings)
    return MemoryBank(settings, embedder=embedder, store=open_existing_store(settings, embedder))


def minds_in(opened: MemoryBank, where: Where, everywhere: bool) -> list[Mind]:
    """Return the mind that is named, or all of a bank."""
    if everywhere:
        from gieok.bank import iter_scopes

        return [opened.mind(scope) for scope in iter_scopes(opened.store)]
    try:
        return [known_mind(opened, where)]
    except InvalidScope as trouble:
        raise InvalidScope(text("errors.or_all", trouble=trouble)) from None


def known_mind(bank: MemoryBank, where: Where) -> Mind:
    """Return the mind that `where` mean; without any name the only one there is.

    Raises `UnknownScope` where nothing was ever observed, and `InvalidScope` where the name is missing.
    """
    from gieok.bank import is_begun

    if where.given and is_begun(bank.store, where.scope):
        return bank.mind(where.scope)
    known = bank.store.scope_names(_LISTED + 1)
    more = (text("errors.more_scopes"),) if len(known) > _LISTED else ()
    listed = (*(f"[{scope}]" for scope in known[:_LISTED]), *more)
    if where.given:
        raise UnknownScope(f"[{where.scope}]", listed)
    if not known:
        raise InvalidScope(text("errors.empty_bank"))
    if len(known) > 1:
        raise InvalidScope(text("errors.which_scope", known=", ".join(listed)))
    return bank.mind(known[0])


@contextmanager
def mind_to_teach(settings: Settings, where: Where, newcomer: Scope | None = None) -> Iterator[Mind]:
    """Open the bank, which is made if need be, and yield the mind that `where` mean, which may be new.

    Without any name it is the only mind there is, and `newcomer` in an empty bank. Raises `InvalidScope` where the
    name is missing; no file is made then.
    """
    from gieok.bank import open_bank

    scope = where.scope if where.given else None
    is_new = "://" not in settings.bank and not Path(settings.bank).exists()
    if scope is None and newcomer is None and is_new:
        raise InvalidScope(text("errors.new_bank"))
    with open_bank(settings=settings) as bank:
        if scope is None and newcomer is not None and bank.latest_scope() is None:
            scope = newcomer
        yield known_mind(bank, where) if scope is None else bank.mind(scope)


def checked_type(name: str | None) -> ContentType | None:
    known = get_args(ContentType)
    if name is not None and name not in known:
        raise InvalidQuery(text("errors.unknown_type", name=repr(name), known=", ".join(known)))
    return cast("ContentType | None", name)
