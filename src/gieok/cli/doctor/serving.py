"""What it takes to serve the bank to others: packages, an address, keys."""

from __future__ import annotations

import shlex
import socket
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from gieok.cli.doctor.findings import Check
from gieok.errors import GieokError

if TYPE_CHECKING:
    from gieok.ports import Embedder
    from gieok.settings import Settings

#: The extras, and the packages that each brings.
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "llm": ("openai",),
    "local": ("openai", "xllamacpp"),
    "serve": ("fastapi", "uvicorn", "httptools", "httpx2", "prometheus_client"),
    "web": ("nicegui",),
    "postgres": ("psycopg", "psycopg_pool"),
    "mcp": ("mcp", "uvicorn"),
    "langgraph": ("langgraph.store.base",),
}
_PATIENCE: Final = 0.5  #: seconds that a server on this machine has to take a call


def extras() -> Check:
    """Tell which optional packages are there."""
    there = [name for name, packages in EXTRAS.items() if all(_is_there(each) for each in packages)]
    missing = [name for name in EXTRAS if name not in there]
    detail = ", ".join(there) or "none"
    if not missing:
        return Check(name="extras", detail=detail)
    remedy = f'whoever wants them: pip install "gieok[{",".join(missing)}]"'
    return Check(name="extras", state="note", detail=f"{detail}; not installed: {', '.join(missing)}", remedy=remedy)


def server(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Tell where `gieok serve` would listen, who would be let in, and whether somebody listens there already."""
    from gieok.access.rules import rules_of

    place = f"{settings.serve_host}:{settings.serve_port}"
    try:
        keys_required = rules_of(settings, settings.serve_host).keys_required
    except GieokError as trouble:
        yield Check(name="server", state="bad", detail=str(trouble), remedy="put the setting right")
        return
    who = "keys are asked for" if keys_required else "for this machine alone, no key is asked for"
    listens = "something listens there" if _listens(settings) else "nothing listens there now"
    yield Check(name="server", detail=f"gieok serve: {place}, {who}; {listens}")
    yield _keys(settings, embedder, required=keys_required)


def _keys(settings: Settings, embedder: Embedder, *, required: bool) -> Check:
    count = _keys_in_force(settings, embedder)
    if required and not count:
        remedy = f"gieok keys create me --role admin --bank {shlex.quote(settings.bank_shown)}"
        return Check(name="keys", state="note", detail="none; gieok serve does not start without one", remedy=remedy)
    return Check(name="keys", detail=f"{count} in force" if count else "none, and none is needed")


def _keys_in_force(settings: Settings, embedder: Embedder) -> int:
    """Count the keys; 0 also where the bank cannot be opened, which was found out before."""
    from contextlib import closing

    from gieok.cli.doctor.banks import is_a_new_file
    from gieok.stores import open_store

    if is_a_new_file(settings.bank):
        return 0
    try:
        store = open_store(
            settings.bank,
            embedder=embedder.name,
            dimension=embedder.dimension,
            **settings.opened_with,
            keyword=settings.keyword,
            create=False,
        )
    except GieokError:
        return 0
    with closing(store):
        return sum(key.revoked_at is None for key in store.desk.access_keys())


def _listens(settings: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.serve_host, settings.serve_host).strip("[]")
    try:
        with socket.create_connection((host, settings.serve_port), timeout=_PATIENCE):
            return True
    except OSError:
        return False


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even what it would be in
        return False
