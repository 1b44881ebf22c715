"""/v1/erase and /v1/erasures: nothing goes by accident, and what went is certified."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

import gieok
from gieok.domain.scope import Scope
from support.api import LETIA, asking, refused, tell


@pytest.fixture
def client(bank: gieok.MemoryBank) -> Iterator[httpx2.Client]:
    with asking(bank) as client:
        tell(client, "나 보라색우산 좋아해", turn_id="t1", session="밤")
        tell(client, "나 고양이 좋아해", turn_id="t2")
        yield client


def test_it_is_told_first_and_done_when_that_is_said(client: httpx2.Client, tmp_path: Path) -> None:
    would = client.post("/v1/erase", json={"session": "밤"}).json()
    assert (would["dry_run"], would["counts"]["turns"], would["certificates"]) == (True, 1, [])
    assert len(client.get("/v1/turns").json()["items"]) == 2

    did = client.post("/v1/erase", json={"session": "밤", "dry_run": False}).json()

    [certificate] = did["certificates"]
    assert (certificate["by"], certificate["counts"]["turns"]) == ("local", 1)
    assert certificate["proven_at"] is not None
    assert client.get("/v1/erasures").json() == {"items": [certificate]}
    assert [turn["id"] for turn in client.get("/v1/turns").json()["items"]] == ["t2"]
    assert "보라색우산".encode() not in (tmp_path / "bank.db").read_bytes()


def test_all_of_a_scope_goes_only_when_everything_is_said(client: httpx2.Client, bank: gieok.MemoryBank) -> None:
    for body in ({}, {"everything": True, "turn": "t1"}, {"when": "어제", "since": "2026-11-15T00:00:00+09:00"}):
        assert "nothing was erased" in refused(client.post("/v1/erase", json=body), 422, "invalid-query")
    assert client.post("/v1/erase", json={"everything": True, "dry_run": False}).json()["counts"]["turns"] == 2
    assert bank.scopes() == []


def test_a_hold_is_told(client: httpx2.Client, bank: gieok.MemoryBank) -> None:
    bank.hold(Scope(**LETIA), by="법무팀")
    answer = client.post("/v1/erase", json={"turn": "t1", "dry_run": False})
    assert "법무팀" in refused(answer, 409, "under-hold")


def test_an_erasure_is_lifted_once_and_only_if_there_is_one(client: httpx2.Client, bank: gieok.MemoryBank) -> None:
    [certificate] = client.post("/v1/erase", json={"turn": "t1", "dry_run": False}).json()["certificates"]
    path = f"/v1/erasures/{certificate['id']}/lift"
    lifted = client.post(path).json()
    assert lifted["certificate"] == certificate["id"]
    assert lifted["lifted"] > 0
    assert client.post(path).json()["lifted"] == 0
    assert "no certificate" in refused(client.post("/v1/erasures/nothing/lift"), 404, "unknown-certificate")
    assert bank.audit()[-1].act == "lift"
