"""A write that is sent twice under one Idempotency-Key is done once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import httpx2
import pytest

import gieok
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.testing import FixedClock
from support.api import AT, asking, caller_with, refused, tell

ONE = {"Idempotency-Key": "0c8f5b6e-2f7e-4f1e-9d35-5b1a7a3a9a11"}
TOLD = {"text": "나 고양이 좋아해", "reply": "저도요!", "at": AT}


def test_a_turn_sent_again_gets_the_same_answer_and_is_one_turn(client: httpx2.Client) -> None:
    first = client.post("/v1/turns", json=TOLD, headers=ONE)
    second = client.post("/v1/turns", json=TOLD, headers=ONE)

    assert "idempotent-replayed" not in first.headers
    assert second.headers["idempotent-replayed"] == "true"
    assert (second.status_code, second.content) == (201, first.content)
    assert second.headers["location"] == first.headers["location"]
    assert len(client.get("/v1/turns").json()["items"]) == 1


def test_every_kind_of_write_is_done_once(client: httpx2.Client) -> None:
    observed = tell(client, "나 고양이 좋아해", reply="저도요!")
    turn, memory = observed["turn"]["id"], observed["decisions"][0]["memory"]["id"]
    for number, (method, path, body) in enumerate(
        (
            ("PUT", f"/v1/memories/{memory}/pin", None),
            ("DELETE", f"/v1/memories/{memory}/pin", None),
            ("PATCH", f"/v1/memories/{memory}", {"content": "길고양이를 좋아함"}),
            ("POST", "/v1/memories", {"content": "커피를 자주 마심"}),
            ("POST", "/v1/scenes", {"place": "옥상"}),
            ("POST", "/v1/scenes/end", None),
            ("POST", "/v1/maintain", {"passes": ["promote"]}),
            ("DELETE", f"/v1/memories/{memory}", None),
            ("POST", f"/v1/turns/{turn}/reroll", {"reply": "정말요?"}),
            ("PATCH", f"/v1/turns/{turn}", {"text": "나 강아지 좋아해"}),
            ("POST", f"/v1/turns/{turn}/rewind", None),
        )
    ):
        word = {"Idempotency-Key": f"write-{number}"}
        first = client.request(method, path, json=body, headers=word)
        before = client.get("/v1/journal").json()
        second = client.request(method, path, json=body, headers=word)
        assert first.status_code in (200, 201), first.text
        assert (second.status_code, second.content) == (first.status_code, first.content)
        assert second.headers.get("etag") == first.headers.get("etag")
        assert second.headers["idempotent-replayed"] == "true"
        assert client.get("/v1/journal").json() == before, path


def test_the_same_word_for_another_request_is_refused(client: httpx2.Client) -> None:
    client.post("/v1/turns", json=TOLD, headers=ONE)
    other = client.post("/v1/turns", json={**TOLD, "text": "나 강아지 좋아해"}, headers=ONE)
    assert "key of its own" in refused(other, 422, "idempotency-key-reused")
    refused(client.post("/v1/scenes", json={"place": "옥상"}, headers=ONE), 422, "idempotency-key-reused")


def test_of_two_at_once_one_is_done_and_both_are_answered_alike(client: httpx2.Client) -> None:
    together = Barrier(4)

    def send(_: int) -> bytes:
        together.wait()
        response = client.post("/v1/memories", json={"content": "커피를 자주 마심"}, headers=ONE)
        assert response.status_code == 201
        return response.content

    with ThreadPoolExecutor(4) as senders:
        assert len(set(senders.map(send, range(4)))) == 1
    assert client.get("/v1/memories").json()["items"][0]["mentions"] == 0


def test_a_word_is_its_callers_own_and_its_scopes(tmp_path: Path) -> None:
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        for name in ("k1", "k2"):
            with asking(bank, caller_with("writer", name=name)) as client:
                for user in ("민수", "지영"):
                    response = client.post("/v1/turns", json=TOLD, headers=ONE, params={"user": user})
                    assert "idempotent-replayed" not in response.headers
                    assert response.status_code == 201
        assert [each.turns for each in bank.scopes()] == [2, 2]


@pytest.mark.parametrize("named", [{}, {"user": "민수", "character": "레티아"}])
def test_an_answer_is_erased_with_its_scope_whether_the_query_or_the_key_names_it(
    tmp_path: Path, named: dict[str, str]
) -> None:
    home = Bounds(user="민수", character="레티아")
    with (
        gieok.open(tmp_path / "memories.db", embedder="hashing") as bank,
        asking(bank, caller_with("writer", home, home=home), named) as client,
    ):
        first = client.post("/v1/scenes", json={"place": "서울대병원 정신과"}, headers=ONE)
        again = client.post("/v1/scenes", json={"place": "서울대병원 정신과"}, headers=ONE)
        assert (first.status_code, again.headers["idempotent-replayed"]) == (201, "true")

        bank.erase(Scope(user="민수", character="레티아"))

        after = client.post("/v1/scenes", json={"place": "서울대병원 정신과"}, headers=ONE)
        assert "idempotent-replayed" not in after.headers


def test_a_turn_that_was_kept_before_the_answer_was_is_not_doubled(tmp_path: Path) -> None:
    clock = FixedClock(datetime(2026, 11, 15, tzinfo=UTC))
    with (
        gieok.open(tmp_path / "memories.db", embedder="hashing", clock=clock) as bank,
        asking(bank) as client,
    ):
        client.post("/v1/turns", json=TOLD, headers=ONE)
        clock.set(clock.now() + timedelta(hours=25))  # the answer is gone, as after a crash; the turn is there
        again = client.post("/v1/turns", json=TOLD, headers=ONE)

        assert (again.status_code, again.json()["again"]) == (200, True)
        assert "idempotent-replayed" not in again.headers
        assert len(client.get("/v1/turns").json()["items"]) == 1


def test_what_was_refused_may_be_sent_again_put_right(client: httpx2.Client) -> None:
    refused(client.post("/v1/turns", json={"text": " "}, headers=ONE), 422, "invalid-request")
    assert client.post("/v1/turns", json=TOLD, headers=ONE).status_code == 201


@pytest.mark.parametrize("word", ["", "두 낱말", "x" * 256])
def test_a_word_that_is_none_is_refused(client: httpx2.Client, word: str) -> None:
    response = client.post("/v1/turns", json=TOLD, headers={"Idempotency-Key": word.encode()})
    refused(response, 422, "invalid-request")
    assert client.get("/v1/turns").json()["items"] == []
