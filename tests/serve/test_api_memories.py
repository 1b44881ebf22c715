"""/v1/memories: leafing, reading, putting right, and two editors who do not overwrite each other."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.api import AT, refused, talking, tell
from support.doubts import DoubtfulReader


def remember(client: httpx2.Client, content: str, **more: Any) -> str:
    response = client.post("/v1/memories", json={"content": content, "at": AT, **more})
    assert response.status_code == 201, response.text
    return str(response.json()["memory"]["id"])


def listed(client: httpx2.Client, **filters: Any) -> list[str]:
    response = client.get("/v1/memories", params=filters)
    assert response.status_code == 200, response.text
    return [memory["content"] for memory in response.json()["items"]]


def test_what_is_said_outright_is_remembered_and_said_again_only_counted(client: httpx2.Client) -> None:
    told = {"content": "땅콩을 먹으면 안 됨", "attribute": "allergy", "value": "땅콩"}
    first, second = (client.post("/v1/memories", json=told) for _ in range(2))

    assert (first.status_code, first.json()["decision"]) == (201, "remember")
    assert (second.status_code, second.json()["decision"]) == (200, "reinforce")
    assert second.json()["memory"]["mentions"] == 1
    assert first.json()["memory"]["origin"] == "person"


def test_filters_narrow_down_what_is_listed(client: httpx2.Client) -> None:
    remember(client, "고양이를 좋아함", attribute="likes", value="고양이", valid_at="2026-01-01T00:00:00+09:00")
    allergy = remember(client, "땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩", origin="import")
    remember(client, "지훈은 의사", about="지훈", attribute="job", value="의사")

    assert listed(client) == ["지훈은 의사", "땅콩을 먹으면 안 됨", "고양이를 좋아함"]
    assert listed(client, text="고양이 좋아") == ["고양이를 좋아함"]
    assert listed(client, attribute="allergy") == ["땅콩을 먹으면 안 됨"]
    assert listed(client, about="지훈") == ["지훈은 의사"]
    assert listed(client, origin="import") == ["땅콩을 먹으면 안 됨"]
    assert listed(client, until="2026-06-01T00:00:00+09:00") == ["고양이를 좋아함"]
    assert listed(client, pinned="true", type="fact") == listed(client, pinned=True, type="fact")

    client.delete(f"/v1/memories/{allergy}")
    assert listed(client) == ["지훈은 의사", "고양이를 좋아함"]
    assert listed(client, state="forgotten") == ["땅콩을 먹으면 안 됨"]
    assert len(listed(client, state="all")) == 3


def test_what_was_replaced_is_past(client: httpx2.Client) -> None:
    tell(client, "나 서울 살아")
    tell(client, "나 부산으로 이사했어")
    [past] = client.get("/v1/memories", params={"state": "past"}).json()["items"]
    assert (past["value"], past["state"]) == ("서울", "past")
    assert past["invalid_at"] is not None


def test_a_cursor_stays_good_while_others_write(client: httpx2.Client) -> None:
    for number in range(7):
        remember(client, f"{number}번 버스를 자주 탐")
    seen: list[str] = []
    page = client.get("/v1/memories", params={"limit": 3}).json()
    while True:
        seen += [memory["content"] for memory in page["items"]]
        if page["next"] is None:
            break
        remember(client, f"{len(seen)}번째로 끼어든 기억")
        page = client.get("/v1/memories", params={"limit": 3, "cursor": page["next"]}).json()

    assert seen == [f"{number}번 버스를 자주 탐" for number in range(6, -1, -1)]


def test_a_page_is_no_longer_than_the_server_allows(tmp_path: Path) -> None:
    with talking(tmp_path, serve_page=2) as client:
        for number in range(3):
            remember(client, f"{number}번 버스를 자주 탐")
        page = client.get("/v1/memories", params={"limit": 1000}).json()
        assert len(page["items"]) == 2
        assert page["next"] is not None
        refused(client.get("/v1/memories", params={"limit": 1001}), 422, "invalid-request")


def test_two_editors_do_not_overwrite_each_other(client: httpx2.Client) -> None:
    memory = f"/v1/memories/{remember(client, '나이는 25살임', attribute='age', value='25')}"
    read = client.get(memory)
    mine = {"If-Match": read.headers["etag"]}

    first = client.patch(memory, json={"content": "나이는 26살임", "value": "26"}, headers=mine)
    assert (first.status_code, first.json()["version"]) == (200, 2)
    assert first.headers["etag"] == client.get(memory).headers["etag"] != read.headers["etag"]

    for late in (
        client.patch(memory, json={"content": "나이는 27살임"}, headers=mine),
        client.put(f"{memory}/pin", headers=mine),
        client.delete(f"{memory}/pin", headers=mine),
        client.delete(memory, headers=mine),
    ):
        assert "GET it again" in refused(late, 412, "memory-moved")
        assert late.headers["etag"] == first.headers["etag"]
    assert client.get(memory).json()["content"] == "나이는 26살임"

    assert client.put(f"{memory}/pin", headers={"If-Match": first.headers["etag"]}).json()["pinned"] is True
    assert client.delete(f"{memory}/pin", headers={"If-Match": "*"}).json()["pinned"] is False


def test_of_many_editors_at_once_one_wins(client: httpx2.Client) -> None:
    memory = f"/v1/memories/{remember(client, '커피를 자주 마심')}"
    mine = {"If-Match": client.get(memory).headers["etag"]}

    def edit(number: int) -> int:
        return client.patch(memory, json={"content": f"커피를 {number}잔 마심"}, headers=mine).status_code

    with ThreadPoolExecutor(6) as editors:
        assert sorted(editors.map(edit, range(6))) == [200, 412, 412, 412, 412, 412]


def test_a_weak_or_a_foreign_tag_changes_nothing(client: httpx2.Client) -> None:
    memory = f"/v1/memories/{remember(client, '커피를 자주 마심')}"
    tag = client.get(memory).headers["etag"]
    for wrong in (f"W/{tag}", '"99-000000000000"', "무엇", ""):
        headers = {"If-Match": wrong.encode()}
        refused(client.put(f"{memory}/pin", headers=headers), 412, "memory-moved")
    assert client.put(f"{memory}/pin", headers={"If-Match": f'"1-x", {tag}'}).status_code == 200


def test_a_version_that_comes_again_after_a_rewind_has_another_tag(client: httpx2.Client) -> None:
    memory = f"/v1/memories/{tell(client, '나 고양이 좋아해')['decisions'][0]['memory']['id']}"
    again = tell(client, "나 고양이 좋아한다니까")["turn"]["id"]
    then = client.get(memory)
    client.post(f"/v1/turns/{again}/rewind")
    client.put(f"{memory}/pin")
    now = client.get(memory)

    assert now.json()["version"] == then.json()["version"] == 2
    assert now.headers["etag"] != then.headers["etag"]


def test_what_one_holds_already_is_not_sent_again(client: httpx2.Client) -> None:
    memory = f"/v1/memories/{remember(client, '커피를 자주 마심')}"
    tag = client.get(memory).headers["etag"]
    held = client.get(memory, headers={"If-None-Match": f'"1-x", W/{tag}'})
    assert (held.status_code, held.content, held.headers["etag"]) == (304, b"", tag)
    client.put(f"{memory}/pin")
    assert client.get(memory, headers={"If-None-Match": tag}).status_code == 200


def test_history_tells_who_did_what(client: httpx2.Client) -> None:
    memory = remember(client, "나이는 25살임", attribute="age", value="25")
    client.patch(f"/v1/memories/{memory}", json={"content": "나이는 26살임", "value": "26"})
    client.delete(f"/v1/memories/{memory}")

    happened = client.get(f"/v1/memories/{memory}/history").json()["items"]
    assert [each["kind"] for each in happened] == ["remember", "correct", "forget"]
    assert happened[1]["before"]["value"] == "25"
    assert client.get(f"/v1/memories/{memory}").json()["state"] == "forgotten"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", ""), ("GET", "/history"), ("PATCH", ""), ("PUT", "/pin"), ("DELETE", "/pin"), ("DELETE", "")],
)
def test_a_memory_of_another_scope_is_unknown(client: httpx2.Client, method: str, path: str) -> None:
    memory = remember(client, "비밀이 있음")
    body = {"content": "x"} if method == "PATCH" else None
    for headers in ({}, {"If-Match": "*"}):
        response = client.request(
            method, f"/v1/memories/{memory}{path}", params={"user": "지영"}, json=body, headers=headers
        )
        assert "/v1/memories?state=all" in refused(response, 404, "unknown-memory")


def test_doubtful_memories_are_listed_confirmed_and_rejected(tmp_path: Path) -> None:
    with talking(tmp_path, extractor=DoubtfulReader()) as client:
        assert tell(client, "residence 서울")["questions"] == []
        assert tell(client, "residence 부산?")["questions"] == ["혹시 지금 부산에 사세요?"]
        tell(client, "likes 고양이?")
        busan, cat = client.get("/v1/doubtful").json()["items"]
        assert [(each["value"], each["doubtful"], each["pinned"]) for each in (busan, cat)] == [
            ("부산", True, False),
            ("고양이", True, False),
        ]
        assert [each["value"] for each in client.get("/v1/facts").json()["items"]] == ["서울"]
        assert len(client.get("/v1/facts", params={"doubtful": True}).json()["items"]) == 3
        assert len(listed(client, doubtful=True)) == 2

        refused(client.put(f"/v1/memories/{busan['id']}/pin"), 422, "invalid-query")
        held = client.get(f"/v1/memories/{busan['id']}").headers["ETag"]
        confirmed = client.post(f"/v1/memories/{busan['id']}/confirm", headers={"If-Match": held})
        assert (confirmed.json()["doubtful"], confirmed.json()["pinned"]) == (False, True)
        assert client.post(f"/v1/memories/{cat['id']}/reject").json()["state"] == "retracted"
        assert client.get("/v1/doubtful").json()["items"] == []
        assert [each["value"] for each in client.get("/v1/facts").json()["items"]] == ["부산"]
        refused(client.post(f"/v1/memories/{busan['id']}/reject"), 422, "invalid-query")
