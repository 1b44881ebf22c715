"""A request in a bank of many reads what it answers with, and nobody else's; a key sees all of its own."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError

import gieok
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.http.router import make_cursor
from gieok.mcp.server import mcp_server, uri_of
from gieok.mcp.tools import Place
from gieok.stores.sqlite.connection import Connection
from gieok.testing import HashVectors, Scribe, day
from support.api import asking, caller_with, refused

PAGE = 5
VECTORS = HashVectors(256)
USERS = [f"u{number:02}" for number in range(30)]
COUNTING = ("list_scopes", "sum_up_scopes")  #: queries that look into every scope they list

Read = list[tuple[str, int]]


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[gieok.MemoryBank]:
    """Thirty users, of whom the first was there last; each has a character of their own, and all know letia's lore."""
    with gieok.open(tmp_path / "memories.db", embedder="hashing", serve_page=PAGE) as bank:
        for number, user in enumerate(USERS):
            for character in ("letia", f"secret-{user}"):
                Scribe(bank.store, Scope(user=user, character=character), vectors=VECTORS).observe(
                    "안녕", at=day(40 - number)
                )
        for lore in (Scope(character="letia"), Scope(character="sera", world="academy"), Scope(world="academy")):
            Scribe(bank.store, lore, vectors=VECTORS).observe("옛날 옛적에", at=day(1))
        yield bank


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """What was asked of the file, and how many rows came."""
    asked: Read = []
    rows = Connection.rows

    def noted(self: Connection, query: str, /, **values: Any) -> list[Any]:
        found = rows(self, query, **values)
        asked.append((query, len(found)))
        return found

    monkeypatch.setattr(Connection, "rows", noted)
    return asked


def counted(read: Read) -> int:
    return sum(many for query, many in read if query in COUNTING)


def listed(client: httpx2.Client, size: int = PAGE) -> list[Scope]:
    """Return the scopes of all pages."""
    found: list[Scope] = []
    cursor: dict[str, Any] = {}
    while True:
        page = client.get("/v1/scopes", params={"limit": size, **cursor}).json()
        assert len(page["items"]) <= size
        found += [Scope(**{name: each[name] for name in ("user", "character", "world")}) for each in page["items"]]
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


def models(client: httpx2.Client) -> list[str]:
    return [each["id"] for each in client.get("/v1/models").json()["data"]]


def test_a_page_of_scopes_counts_what_is_in_those_it_shows(bank: gieok.MemoryBank, read: Read) -> None:
    with asking(bank, scope={}) as client:
        first = client.get("/v1/scopes", params={"limit": 100}).json()
        assert len(first["items"]) == PAGE
        assert [each["turns"] for each in first["items"]] == [1] * PAGE
        assert counted(read) <= PAGE + 1
        assert listed(client) == listed(client, 2) == [each.scope for each in bank.scopes()]


def test_a_page_of_scopes_goes_on_by_name_whoever_is_talked_to_or_erased_meanwhile(bank: gieok.MemoryBank) -> None:
    whole = [each.scope for each in bank.scopes()]
    with asking(bank, scope={}) as client:
        page = client.get("/v1/scopes").json()
        Scribe(bank.store, whole[PAGE + 1], name="b", vectors=VECTORS).observe("또 왔어", at=day(99))
        bank.erase(whole[PAGE - 1], prove=False)
        following = client.get("/v1/scopes", params={"cursor": page["next"]}).json()["items"]
    assert [(each["user"], each["character"]) for each in following] == [
        (each.user, each.character) for each in whole[PAGE : 2 * PAGE]
    ]


@pytest.mark.parametrize("place", [["", "", ""], ["a\n", "", ""], ["a", "b"], [1, 2, 3]])
def test_a_cursor_that_names_no_scope_is_refused(bank: gieok.MemoryBank, place: list[Any]) -> None:

    with asking(bank, scope={}) as client:
        refused(client.get("/v1/scopes", params={"cursor": make_cursor("scopes", *place)}), 422, "unknown-cursor")


@pytest.mark.parametrize(
    "bounds",
    [
        [Bounds(user="u29")],
        [Bounds(user="u29"), Bounds(user="u07"), Bounds(user="u07", character="letia")],
        [Bounds(character="letia")],
        [Bounds(user="u17"), Bounds(character="secret-u03")],
        [Bounds(user="nobody")],
    ],
)
def test_a_key_sees_all_of_its_own_scopes_and_counts_no_others(
    bank: gieok.MemoryBank, read: Read, bounds: list[Bounds]
) -> None:
    caller = caller_with("admin", *bounds)
    own = [each.scope for each in bank.scopes() if caller.opens(each.scope)]
    read.clear()
    with asking(bank, caller, scope={}) as client:
        assert listed(client) == own
    assert counted(read) <= len(own) + len(own) // PAGE


def test_all_characters_are_models_and_no_scope_is_looked_into_for_that(bank: gieok.MemoryBank, read: Read) -> None:
    with asking(bank, scope={}) as client:
        secrets = [f"gieok/secret-{user}" for user in USERS]
        assert models(client) == ["gieok/academy/sera", "gieok/letia", *secrets]
    assert counted(read) == 0


def test_the_models_of_a_key_are_its_own_characters_and_those_of_whom_all_may_know(bank: gieok.MemoryBank) -> None:
    home = Bounds(user="u07")
    for bounds, names in (
        ([home], ["academy/sera", "letia", "secret-u07"]),
        ([home, Bounds(user="u29")], ["academy/sera", "letia", "secret-u07", "secret-u29"]),
        ([home, Bounds(character="secret-u03")], ["academy/sera", "letia", "secret-u03", "secret-u07"]),
        ([Bounds(user="u07", world="academy")], ["academy/sera"]),
        ([Bounds(character="letia")], ["letia"]),
        ([Bounds(world="academy")], ["academy/sera"]),
        ([Bounds(user="u29")], ["letia", "secret-u29"]),
    ):
        with asking(bank, caller_with("admin", *bounds, home=home), scope={}) as client:
            assert models(client) == [f"gieok/{name}" for name in names], bounds


def test_what_mcp_lists_is_counted_and_what_it_is_asked_for_by_name_is_not_looked_for(
    bank: gieok.MemoryBank, read: Read
) -> None:
    async def talk() -> None:
        async with Client(mcp_server(bank)) as client:
            (scopes,) = (await client.read_resource("gieok://scopes")).contents
            shown = [each["scope"]["user"] for each in json.loads(scopes.text)]
            assert (len(shown), set(shown)) == (PAGE, set(USERS[:3]))
            assert counted(read) <= PAGE
            read.clear()
            await client.read_resource(uri_of(Scope(user="u29", character="letia")))
            with pytest.raises(MCPError, match="gieok://scopes lists"):
                await client.read_resource(uri_of(Scope(user="u29", character="nobody")))
            assert counted(read) == 0

    asyncio.run(talk())


@pytest.mark.parametrize("names", [{"character": "letia"}, {"user": "u29", "character": "letia"}, {"user": "u29"}])
def test_a_fixed_scope_is_listed_if_there_is_one_of_just_its_names(
    bank: gieok.MemoryBank, names: dict[str, str]
) -> None:
    place = Place(default=Bounds(**names), fixed=True)

    async def talk() -> list[dict[str, str]]:
        async with Client(mcp_server(bank, place)) as client:
            (scopes,) = (await client.read_resource("gieok://scopes")).contents
            return [{name: given for name, given in each["scope"].items() if given} for each in json.loads(scopes.text)]

    assert asyncio.run(talk()) == ([names] if "character" in names else [])


def test_upkeep_of_all_and_a_users_export_look_into_nobody_they_do_not_mean(bank: gieok.MemoryBank, read: Read) -> None:
    with asking(bank, scope={}) as client:
        told = client.post("/v1/maintain/all", json={"dry_run": True, "passes": ["prune"]}).text
        assert '"scopes":63' in told.replace(" ", "")
        assert client.get("/v1/export.zip", params={"user": "u29"}).status_code == 200
    assert counted(read) == 0
