"""The rest of the API: people and scenes, the journal, upkeep as it goes on, scopes, exports."""

import json
from pathlib import Path
from typing import Any

import httpx2

import gieok
from gieok.domain.server_state import Bounds
from support.api import AT, LETIA, asking, caller_with, refused, tell


def events(response: httpx2.Response) -> list[tuple[str, Any]]:
    assert response.headers["content-type"].startswith("text/event-stream")
    blocks = response.text.strip().split("\n\n")
    pairs = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(each["event"], json.loads(each["data"])) for each in pairs]


def items(client: httpx2.Client, path: str, **asked: Any) -> list[Any]:
    """Return a whole list, read two things at a time."""
    found: list[Any] = []
    page = client.get(f"/v1/{path}", params={"limit": 2, **asked}).json()
    while True:
        assert len(page["items"]) <= 2
        found += page["items"]
        if page["next"] is None:
            return found
        page = client.get(f"/v1/{path}", params={"limit": 2, "cursor": page["next"], **asked}).json()


def test_the_relationship_now_and_then_and_how_it_came_to_be(client: httpx2.Client) -> None:
    for day in (1, 2, 3):
        tell(client, "고마워, 네 덕분이야", at=f"2026-11-0{day}T12:00:00+09:00")
    now = client.get("/v1/relationship").json()
    then = client.get("/v1/relationship", params={"at": "2026-11-01T13:00:00+09:00"}).json()
    steps = items(client, "relationship/trajectory")

    assert now["score"] > then["score"]
    assert [step["at"][:10] for step in steps] == ["2026-11-03", "2026-11-02", "2026-11-01"]
    assert steps[0]["after"] == now
    assert steps[1]["before"] == then == steps[2]["after"]
    assert steps[0]["causes"]


def test_manners_feelings_people_and_scenes_are_told(client: httpx2.Client) -> None:
    client.post("/v1/scenes", json={"place": "옥상", "daytime": "저녁", "at": AT})
    for _ in range(3):
        tell(client, "지훈이는 진짜 좋은 친구야. 너무 행복해!", reply="다행이네요, 오빠.")
    ended = client.post("/v1/scenes/end", json={"at": "2026-11-15T23:00:00+09:00"}).json()

    assert client.get("/v1/manners").json()["user"]["style"]["value"] == "casual"
    feelings = items(client, "emotions")
    assert {(each["speaker"], each["emotion"]) for each in feelings} >= {("user", "happy")}
    assert len(feelings) == 6
    [person] = [each for each in items(client, "entities") if each["name"].startswith("지훈")]
    known = client.get(f"/v1/entities/{person['name']}").json()
    assert (known["id"], known["sentiment"] > 0, known["facts"]) == (person["id"], True, known["facts"])
    assert (ended["place"], ended["ended_by"], ended["turns"]) == ("옥상", "call", 3)
    assert items(client, "scenes")[0] == ended
    assert client.post("/v1/scenes/end").json() is None


def test_the_timeline_goes_by_the_story(client: httpx2.Client) -> None:
    for content, when in (("셋째 일", "03"), ("첫째 일", "01"), ("둘째 일", "02")):
        told = {"content": content, "type": "event", "valid_at": f"2026-{when}-01T00:00:00+09:00"}
        client.post("/v1/memories", json=told)
    assert [memory["content"] for memory in items(client, "timeline")] == ["첫째 일", "둘째 일", "셋째 일"]
    late = items(client, "timeline", since="2026-02-01T00:00:00+09:00", text="째", type="event")
    assert [memory["content"] for memory in late] == ["둘째 일", "셋째 일"]


def test_the_journal_comes_newest_first_with_what_was_undone(client: httpx2.Client) -> None:
    turn = tell(client, "나 고양이 좋아해")["turn"]["id"]
    client.post("/v1/memories", json={"content": "커피를 자주 마심"})
    client.post(f"/v1/turns/{turn}/rewind")

    written = items(client, "journal")
    assert [(each["kind"], each["undone"]) for each in written[-3:]] == [
        ("rewind", False), ("remember", False), ("observe", True),
    ]  # fmt: skip
    assert [each["number"] for each in written] == [3, 2, 1]
    assert written[-1]["decisions"][0]["content"] == "고양이를 좋아함"
    assert written[0]["request"]["kind"] == "undo"


def test_upkeep_is_told_at_once_or_as_it_goes_on(client: httpx2.Client) -> None:
    for number in range(6):
        tell(client, f"오늘은 {number}번 버스를 타고 학교에 갔어")
    would = client.post("/v1/maintain", json={"passes": ["summarise"], "dry_run": True}).json()
    assert (would["dry_run"], [each["action"] for each in would["kept"]]) == (True, ["summarise"])
    assert client.get("/v1/summaries").json()["items"] == []

    accept = {"Accept": "text/event-stream"}
    told = events(client.post("/v1/maintain", json={"passes": ["summarise", "promote"]}, headers=accept))
    assert [name for name, _ in told] == ["started", "pass", "pass", "done"]
    assert told[0][1]["passes"] == [told[1][1]["passes"][0], told[2][1]["passes"][0]] == ["promote", "summarise"]
    assert told[-1][1] == {"passes": ["promote", "summarise"], "kept": 1}

    [summary] = client.get("/v1/summaries").json()["items"]
    assert summary["kind"] == "rolling"
    assert "버스" in summary["content"]
    assert summary["sources"] or summary["made_from"]

    everywhere = events(client.post("/v1/maintain/all", json={"dry_run": True}))
    assert [name for name, _ in everywhere] == ["started", "scope", "done"]
    assert everywhere[1][1]["scope"] == {**LETIA, "world": None}


def test_an_export_holds_everything_and_says_that_it_does(client: httpx2.Client) -> None:
    tell(client, "나 고양이 좋아해", reply="저도요!")
    memory = tell(client, "나 서울 살아")["decisions"][0]["memory"]["id"]
    client.delete(f"/v1/memories/{memory}")

    response = client.get("/v1/export")
    assert response.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in response.text.splitlines()]
    of_kind = {line["kind"]: [each["data"] for each in lines if each["kind"] == line["kind"]] for line in lines}
    assert of_kind["scope"] == [{**LETIA, "world": None}]
    assert [turn["number"] for turn in of_kind["turn"]] == [1, 2]
    assert {each["state"] for each in of_kind["memory"]} == {"current", "forgotten"}
    assert [each["number"] for each in of_kind["operation"]] == [1, 2, 3]
    assert lines[-1]["kind"] == "end"
    assert lines[-1]["data"]["counts"]["turn"] == 2


def test_a_key_sees_its_own_scopes_and_its_home_when_it_names_none(tmp_path: Path) -> None:
    with gieok.open(tmp_path / "memories.db", embedder="hashing") as bank:
        for user in ("민수", "지영"):
            bank.scope(user=user, character="레티아").observe("안녕!")
        with asking(bank, caller_with("admin", Bounds(user="민수"), home=Bounds(**LETIA)), scope={}) as client:
            assert [each["user"] for each in client.get("/v1/scopes").json()["items"]] == ["민수"]
            assert client.get("/v1/turns").json()["items"][0]["utterances"][0]["text"] == "안녕!"
            refused(client.post("/v1/maintain/all"), 403, "forbidden")
            refused(client.get("/v1/export", params={"user": "지영", "character": "레티아"}), 403, "forbidden")
            assert client.get("/v1/bank").json()["counts"] is None
        with asking(bank, caller_with("admin")) as client:
            assert len(items(client, "scopes")) == 2
            told = client.get("/v1/bank")
            assert told.json()["counts"]["turns"] == 2
            assert "memories.db" not in told.text
