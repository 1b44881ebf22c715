"""/v1/recall, /v1/context and /v1/facts."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from support.api import refused, talking, tell


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx2.Client]:
    with talking(tmp_path) as client:
        tell(client, "나 고양이 좋아해", reply="저도 좋아해요!")
        tell(client, "나 서울 살아", at="2026-01-10T12:00:00+09:00")
        tell(client, "나 부산으로 이사했어", at="2026-11-16T12:00:00+09:00")
        yield client


def test_a_question_finds_a_memory_and_tells_how(client: httpx2.Client) -> None:
    hits = client.post("/v1/recall", json={"query": "고양이", "k": 2, "explain": True}).json()["hits"]
    assert "고양이" in hits[0]["text"]
    assert hits[0]["score"] == pytest.approx(sum(hits[0]["contributions"].values()))
    assert (hits[0]["memory"] is None) != (hits[0]["utterance"] is None)
    assert len(hits) == 2


def test_a_recall_can_be_limited_and_weighed(client: httpx2.Client) -> None:
    asked = {"query": "어디 살아?", "where": {"kind": "memory", "attribute": "residence", "history": True}}
    assert {hit["memory"]["value"] for hit in client.post("/v1/recall", json=asked).json()["hits"]} == {"서울", "부산"}

    weightless = {"query": "고양이", "weights": dict.fromkeys(("relevance", "keyword", "graph", "recency"), 0)}
    [*hits] = client.post("/v1/recall", json={**weightless, "explain": True}).json()["hits"]
    assert all(hit["contributions"]["keyword"] == 0 for hit in hits)


def test_facts_are_what_is_true_or_was(client: httpx2.Client) -> None:
    def where(**asked: str) -> list[str]:
        found = client.get("/v1/facts", params={"attribute": "residence", **asked}).json()
        return [memory["value"] for memory in found["items"]]

    assert where() == ["부산"]
    assert where(as_of="2026-03-01T00:00:00+09:00") == ["서울"]
    assert where(history="true") == ["서울", "부산"]
    assert where(about="user", learned_since="2026-11-16T00:00:00+09:00") == ["부산"]
    written = f"{client.base_url}/v1/facts?{client.params}&attribute=residence&as_of=2026-03-01T00:00:00+09:00"
    bare = httpx2.get(written, trust_env=False)
    assert [memory["value"] for memory in bare.json()["items"]] == ["서울"], "a plus need not be escaped"
    first = client.get("/v1/facts", params={"history": "true", "limit": 2}).json()
    second = client.get("/v1/facts", params={"history": "true", "limit": 2, "cursor": first["next"]}).json()
    assert [len(page["items"]) for page in (first, second)] == [2, 1]


def test_a_context_is_put_together_and_what_was_used_is_recorded(client: httpx2.Client) -> None:
    context = client.post("/v1/context", json={"query": "고양이 얘기 해 줘", "budget": 600, "system": "너는 레티아다."})
    told = context.json()
    assert told["text"].startswith("너는 레티아다.")
    assert told["tokens"] <= told["budget"] == 600
    assert {"name", "text", "tokens", "items", "shortened", "left_out"} == set(told["blocks"][0])
    assert told["messages"][-1]["content"].endswith("고양이 얘기 해 줘")
    assert told["degraded"] == []

    [cat] = client.get("/v1/memories", params={"attribute": "likes"}).json()["items"]
    assert cat["id"] in told["items"]
    assert cat["uses"] == 0
    tell(
        client, "고양이 얘기 해 줘", reply="고양이는요…", at="2026-11-17T12:00:00+09:00", context_id=told["context_id"]
    )
    assert client.get(f"/v1/memories/{cat['id']}").json()["uses"] == 1


def test_a_context_of_another_scope_or_of_nobody_is_unknown(client: httpx2.Client) -> None:
    context_id = client.post("/v1/context", json={"query": "안녕"}).json()["context_id"]
    told = {"text": "안녕", "context_id": context_id}
    refused(client.post("/v1/turns", json=told, params={"user": "지영"}), 404, "unknown-context")
    told["context_id"] = "made-up"
    assert "POST /v1/context" in refused(client.post("/v1/turns", json=told), 404, "unknown-context")


@pytest.mark.parametrize(
    ("path", "asked", "words"),
    [
        ("recall", {"query": "고양이", "k": 0}, "at least 1"),
        ("recall", {"query": "고양이", "k": 201}, "at most 200"),
        ("recall", {"query": "   "}, "at least one visible character"),
        ("recall", {"query": "가" * 8_001}, "at most 8000"),
        ("recall", {"query": "고양이", "weights": {"keyword": -1}}, "at least 0"),
        ("recall", {"query": "고양이", "where": {"attribute": "likse"}}, "favorite.<anything>"),
        ("context", {"query": "고양이", "budget": 200_001}, "at most 200000"),
        ("context", {"query": "고양이", "include": ["x"] * 501}, "at most 500"),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_the_bound(
    client: httpx2.Client, path: str, asked: dict[str, object], words: str
) -> None:
    assert words in refused(client.post(f"/v1/{path}", json=asked), 422, "invalid-request")
