"""The API over real HTTP, for the time of a test: a server, and a client that speaks for one scope."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2

import gieok
from gieok.access.caller import Caller, let_in
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.serve.app import create_app
from support.serving import served

LETIA = {"user": "민수", "character": "레티아"}
AT = "2026-11-15T21:30:00+09:00"


def let_in_as(app: Any, caller: Caller) -> Any:
    """Return `app` behind a door that takes everybody for `caller`."""

    async def door(scope: Any, receive: Any, send: Any) -> None:
        let_in(scope, caller)
        await app(scope, receive, send)

    return door


def caller_with(role: Role, *bounds: Bounds, name: str = "k1", home: Bounds | None = None) -> Caller:
    """Return the holder of a key."""
    made_at = datetime(2026, 11, 15, tzinfo=UTC)
    key = AccessKey(
        id=name, name=name, role=role, digest="", bounds=bounds, home=home or Bounds(), created_at=made_at
    )  # fmt: skip
    return Caller(key=key)


@contextmanager
def asking(
    bank: gieok.MemoryBank, caller: Caller | None = None, scope: dict[str, str] = LETIA
) -> Iterator[httpx2.Client]:
    """Serve `bank`; yield a client whose requests are about `scope`."""
    with (
        served(let_in_as(create_app(bank), caller or Caller())) as address,
        httpx2.Client(base_url=address, params=scope, timeout=30, trust_env=False) as client,
    ):
        yield client


@contextmanager
def talking(folder: Path, **settings: Any) -> Iterator[httpx2.Client]:
    """Serve a new bank in `folder`; yield a client as `asking` does."""
    with gieok.open(folder / "memories.db", embedder="hashing", **settings) as bank, asking(bank) as client:
        yield client


def tell(client: httpx2.Client, text: str, **more: Any) -> dict[str, Any]:
    """Have a turn observed; return what became of it."""
    response = client.post("/v1/turns", json={"text": text, "at": AT, **more})
    assert response.status_code == 201, response.text
    observed: dict[str, Any] = response.json()
    return observed


def refused(response: httpx2.Response, status: int, word: str) -> str:
    """Check that a response is a problem of that name; return what it tells to do."""
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert (response.status_code, problem["status"], problem["type"]) == (status, status, f"/problems/{word}")
    assert problem["title"]
    return str(problem["detail"])
