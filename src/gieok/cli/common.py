"""Opening the bank that a command is about, and finding the mind in it."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, get_args

import typer

from gieok.domain.attributes import ContentType, attribute
from gieok.errors import InvalidQuery, InvalidScope, UnknownScope

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.domain.scope import Scope
    from gieok.ports import Embedder, Store
    from gieok.settings import Settings


_SHOWN: Final = 50  #: scopes that a message names


@dataclass(frozen=True, slots=True)
class Names:
    """What the command line says of the scope."""

    user: str | None = None
    character: str | None = None
    world: str | None = None

    @property
    def given(self) -> bool:
        return any(name is not None for name in (self.user, self.character, self.world))

    @property
    def scope(self) -> Scope:
        from gieok.domain.scope import Scope

        return Scope(user=self.user, character=self.character, world=self.world)


def in_the_name_of(name: str | None) -> AbstractContextManager[None]:
    """Have what a command writes be done by the person of that name, else by whoever is logged in."""
    from gieok.domain.actor import acting_as, person

    return acting_as(person(_logged_in() if name is None else name))


def _logged_in() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have numbers and no names
        return str(os.getuid()) if hasattr(os, "getuid") else "unknown"


def settings_for(location: str | None, preset: str | None = None, llm: str | None = None) -> Settings:
    """Return the settings of file and environment, with bank, `preset` and `llm` as they are given."""
    from gieok.settings import load

    return load(given={"bank": location, "preset": preset, "llm": llm})


def open_store_to_read(settings: Settings, embedder: Embedder) -> Store:
    """Open the store of a bank that is there; asking never makes one."""
    from gieok.stores import open_store

    return open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        **settings.opened_with,
        keyword=settings.keyword,
        create=False,
        cache_bytes=settings.index_cache_mb * 1024 * 1024,
    )


def open_to_read(location: str | None, preset: str | None = None, *, models: bool = False) -> MemoryBank:
    """Open a bank that is there; without `models`, also where one is misnamed or lacks its key."""
    from gieok import embedders
    from gieok.bank import MemoryBank

    settings = settings_for(location, preset)
    if not models:
        settings = settings.without_models()
    embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    return MemoryBank(settings, embedder=embedder, store=open_store_to_read(settings, embedder))


def known_mind(bank: MemoryBank, names: Names) -> Mind:
    """Return the mind that `names` mean; without any name the only one there is.

    Raises `UnknownScope` where nothing was ever observed, and `InvalidScope` where the name is missing.
    """
    from gieok.bank import is_begun

    if names.given and is_begun(bank.store, names.scope):
        return bank.mind(names.scope)
    known = bank.store.scope_names(_SHOWN + 1)
    more = ("… (gieok scopes lists them all)",) if len(known) > _SHOWN else ()
    shown = (*(f"[{scope}]" for scope in known[:_SHOWN]), *more)
    if names.given:
        raise UnknownScope(f"[{names.scope}]", shown)
    if not known:
        raise InvalidScope(
            "whose memory? this bank is still empty; tell it something first: "
            'gieok observe "나 고양이 좋아해" -u minsu -c letia, or gieok chat'
        )
    if len(known) > 1:
        raise InvalidScope(
            f"whose memory? name it by --user, --character and --world; known scopes: {', '.join(shown)}"
        )
    return bank.mind(known[0])


@contextmanager
def mind_to_teach(settings: Settings, names: Names, newcomer: Scope | None = None) -> Iterator[tuple[MemoryBank, Mind]]:
    """Open the bank, which is made if need be, and give the mind that `names` mean, which may be new.

    Without any name it is the only mind there is, and `newcomer` in an empty bank. Raises `InvalidScope` where the
    name is missing; no file is made then.
    """
    from gieok.bank import open_bank

    scope = names.scope if names.given else None
    is_new = "://" not in settings.bank and not Path(settings.bank).exists()
    if scope is None and newcomer is None and is_new:
        raise InvalidScope("whose memory? this bank is new; name who talks and who remembers: -u minsu -c letia")
    with open_bank(settings=settings) as bank:
        if scope is None and newcomer is not None and bank.latest_scope() is None:
            scope = newcomer
        yield bank, known_mind(bank, names) if scope is None else bank.mind(scope)


_SCOPE = "Whose memory"
BankPath = Annotated[
    str | None,
    typer.Option(
        "--bank", "-b", metavar="PATH", help="The bank file (default: GIEOK_BANK, else gieok.db).", show_default=False
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", metavar="NAME", help="Who talks.", rich_help_panel=_SCOPE, show_default=False),
]
Consent = Annotated[
    list[str] | None,
    typer.Option("--consent", metavar="KIND", help="Keep this kind of personal data, where the settings say to ask."),
]
Character = Annotated[
    str | None,
    typer.Option(
        "--character", "-c", metavar="NAME", help="Who remembers.", rich_help_panel=_SCOPE, show_default=False
    ),
]
World = Annotated[
    str | None,
    typer.Option("--world", "-w", metavar="NAME", help="In which story.", rich_help_panel=_SCOPE, show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="ISO", help="When it happens in the story (default: now).", show_default=False),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, or an unmistakable end of it.")]
Preset = Annotated[
    str | None,
    typer.Option("--preset", metavar="NAME", help="Rank and assemble as heroine, social, … do.", show_default=False),
]


def checked_attribute(key: str | None) -> str | None:
    return None if key is None else attribute(key).key


def checked_type(name: str | None) -> ContentType | None:
    if name is None:
        return None
    known: tuple[ContentType, ...] = get_args(ContentType)
    for each in known:
        if each == name:
            return each
    raise InvalidQuery(f"unknown type {name!r}; known: {', '.join(known)}")


def weights_named(text: str | None) -> dict[str, float] | None:
    """Return the weights in `text`, by the names of their parts, which are not checked here."""
    if text is None:
        return None
    weights: dict[str, float] = {}
    for pair in text.split(","):
        name, given, weight = (piece.strip() for piece in pair.partition("="))
        try:
            if not name or not given:
                raise ValueError("no name, or no number")
            weights[name] = float(weight)
        except ValueError as cause:
            raise InvalidQuery(
                f"--weights: {pair.strip()!r} is not PART=NUMBER, e.g. relevance=0.7,keyword=0"
            ) from cause
    return weights
