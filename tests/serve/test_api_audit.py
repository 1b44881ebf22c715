"""Over the wire every write names its key, reading what is somebody else's leaves a row, and operators see both."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import httpx2
import pytest

import gieok
from gieok.access.keys import create_key
from gieok.domain.actor import Actor
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds, Role
from gieok.serve.app import create_app
from gieok.testing import FixedClock
from support.api import AT, refused
from support.authorizing import behind_a_guard
from support.serving import served

MINSU = Scope(user="민수", character="레티아")
ASKED = {"user": "민수", "character": "레티아"}


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2026, 11, 16, 9, tzinfo=UTC))


@pytest.fixture
def bank(tmp_path: Path, clock: FixedClock) -> Iterator[gieok.MemoryBank]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", serve_keys="always", clock=clock) as bank:
        yield bank


Client = Callable[..., httpx2.Client]


@pytest.fixture
def as_key(bank: gieok.MemoryBank) -> Iterator[Client]:
    """Return a client with a key of that name, role and bounds."""
    opened: list[httpx2.Client] = []
    with served(behind_a_guard(create_app(bank), bank, fresh_seconds=0)) as address:

        def client(name: str, role: Role, *bounds: Bounds) -> httpx2.Client:
            token, key = create_key(name, role, bounds=bounds, now=datetime.now(UTC))
            bank.store.server.keep_key(key)
            headers = {"Authorization": f"Bearer {token}"}
            made = httpx2.Client(base_url=address, params=ASKED, headers=headers, timeout=30, trust_env=False)
            opened.append(made)
            return made

        yield client
        for each in opened:
            each.close()


def rows(bank: gieok.MemoryBank) -> list[tuple[str, str]]:
    return [(deed.act, deed.actor.name.split(" (")[0] if deed.actor else "") for deed in bank.audit(MINSU)]


def tell(client: httpx2.Client, text: str = "나 서울 살아") -> dict[str, Any]:
    response = client.post("/v1/turns", json={"text": text, "at": AT})
    assert response.status_code == 201, response.text
    told: dict[str, Any] = response.json()
    return told


def test_a_write_names_the_key_and_never_tells_it(as_key: Client, bank: gieok.MemoryBank) -> None:
    server = as_key("게임 서버", "writer")
    tell(server)
    [memory] = bank.mind(MINSU).facts()
    server.patch(f"/v1/memories/{memory.id}", json={"content": "서울 강남에 삶", "value": "서울 강남"})
    server.put(f"/v1/memories/{memory.id}/pin")

    first, *_ = deeds = bank.audit(MINSU)
    assert [deed.act for deed in deeds] == ["observe", "correct", "pin"]
    assert {deed.actor for deed in deeds} == {first.actor}
    assert first.actor is not None
    assert first.actor.kind == "key"
    assert first.actor.name.startswith("게임 서버 (")
    assert server.headers["authorization"].rsplit("_", 1)[1] not in str(deeds)
    assert bank.verify_audit().sound


def test_reading_what_is_somebody_elses_leaves_one_row_a_minute(
    as_key: Client, bank: gieok.MemoryBank, clock: FixedClock
) -> None:
    tell(as_key("게임 서버", "writer"))
    operator = as_key("운영자", "reader")
    for route in ("/v1/facts", "/v1/memories", "/v1/journal", "/v1/turns"):
        assert operator.get(route).status_code == 200
    assert rows(bank) == [("observe", "게임 서버"), ("read", "운영자")]
    assert bank.audit(MINSU)[-1].why == "GET /v1/facts"

    other = as_key("다른 운영자", "admin")
    assert other.post("/v1/recall", json={"query": "서울"}).status_code == 200
    clock.set(clock.now() + timedelta(seconds=61))
    assert operator.get("/v1/export").status_code == 200
    assert rows(bank)[2:] == [("read", "다른 운영자"), ("read", "운영자")]
    assert bank.audit(MINSU)[-1].why == "GET /v1/export"
    assert bank.verify_audit().sound


def test_who_reads_their_own_leaves_no_row(as_key: Client, bank: gieok.MemoryBank) -> None:
    own = as_key("민수", "writer", Bounds(user="민수"))
    tell(own)
    own.get("/v1/facts")
    as_key("민수의 레티아", "reader", Bounds(user="민수", character="레티아")).get("/v1/facts")
    assert [act for act, _ in rows(bank)] == ["observe"]

    as_key("세계", "reader", Bounds(character="레티아")).get("/v1/facts")
    assert [act for act, _ in rows(bank)] == ["observe", "read"]


def test_asking_about_nobody_or_about_canon_leaves_no_row(as_key: Client, bank: gieok.MemoryBank) -> None:
    operator = as_key("운영자", "reader")
    assert operator.get("/v1/facts").status_code == 200
    bank.scope(character="레티아").remember("별의 학원에 다닌다")
    operator.params = {"character": "레티아"}  # type: ignore[assignment]  # as httpx2 takes them
    assert operator.get("/v1/facts").status_code == 200
    assert len(bank.audit(gieok.Scope(character="레티아"))) == 1
    assert bank.scopes() == [each for each in bank.scopes() if each.scope.user is None]


def test_operators_list_the_rows_page_by_page(as_key: Client, bank: gieok.MemoryBank) -> None:
    server = as_key("게임 서버", "writer")
    for text in ("나 서울 살아", "나 고양이 좋아해", "나 간호사야"):
        tell(server, text)
    admin = as_key("운영자", "admin")
    page = admin.get("/v1/audit", params={"limit": 2}).json()
    assert [item["act"] for item in page["items"]] == ["read", "observe"]
    assert page["items"][0]["actor"]["kind"] == "key"
    rest = admin.get("/v1/audit", params={"limit": 9, "cursor": page["next"]}).json()
    assert [item["number"] for item in rest["items"]] == [2, 1]
    assert rest["next"] is None
    assert server.get("/v1/audit").status_code == 403


def test_operators_look_the_log_through(as_key: Client, bank: gieok.MemoryBank, tmp_path: Path) -> None:
    tell(as_key("게임 서버", "writer"))
    admin = as_key("운영자", "admin")
    sound = {"sound": True, "chains": 2, "deeds": 3, "findings": [], "root": bank.verify_audit().root, "uncovered": []}
    assert admin.get("/v1/audit/verify").json() == sound
    with apsw.Connection(str(tmp_path / "memories.db")) as connection:
        connection.execute("UPDATE audit SET who = 'nobody' WHERE act = 'observe'")
    found = admin.get("/v1/audit/verify").json()
    assert not found["sound"]
    [finding] = found["findings"]
    assert (finding["number"], finding["scope"]["user"]) == (1, "민수")
    assert "who did it, or whose" in finding["what"]
    bound = as_key("민수의 운영자", "admin", Bounds(user="민수"))
    assert bound.get("/v1/audit").status_code == 200
    assert bound.get("/v1/audit/verify").status_code == 403


def test_a_memory_goes_back_to_a_version_over_the_wire(as_key: Client, bank: gieok.MemoryBank) -> None:
    server = as_key("게임 서버", "writer")
    tell(server)
    [memory] = bank.mind(MINSU).facts()
    path = f"/v1/memories/{memory.id}"
    server.patch(path, json={"content": "부산에 삶", "value": "부산"})
    server.delete(path)

    tag = server.get(path).headers["etag"]
    back = server.post(f"{path}/restore", json={"version": 1}, headers={"If-Match": tag})
    assert (back.status_code, back.json()["value"], back.json()["state"]) == (200, "서울", "current")
    assert back.headers["etag"] == server.get(path).headers["etag"]
    refused(server.post(f"{path}/restore", json={"version": 2}, headers={"If-Match": tag}), 412, "memory-moved")

    items = server.get(f"{path}/history").json()["items"]
    assert [item["act"] for item in items] == ["observe", "correct", "forget", "restore"]
    assert [item["version"] for item in items] == [1, 2, 3, 4]
    assert all(item["actor"].startswith("key 게임 서버 (") for item in items)
    again = server.post(f"{path}/restore", json={"operation": items[1]["operation"]})
    assert again.json()["value"] == "부산"
    for body in ({}, {"version": 99}, {"version": 1, "operation": "x"}):
        assert server.post(f"{path}/restore", json=body).status_code == 422
    assert server.post("/v1/memories/nope/restore", json={"version": 1}).status_code == 404
    assert bank.verify_audit().sound


def test_without_keys_it_is_somebody_on_this_machine(tmp_path: Path) -> None:
    with (
        gieok.open(tmp_path / "memories.db", embedder="hashing") as bank,
        served(behind_a_guard(create_app(bank), bank)) as address,
        httpx2.Client(base_url=address, params=ASKED, timeout=30, trust_env=False) as client,
    ):
        tell(client)
        client.get("/v1/facts")
        [deed] = bank.audit(MINSU)
        assert deed.actor == Actor(kind="local")
