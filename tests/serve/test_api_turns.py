"""/v1/turns: what is said is kept, told back, changed and taken back."""

import httpx2

from support.api import AT, refused, tell


def texts(client: httpx2.Client) -> list[str]:
    pages = client.get("/v1/turns").json()["items"]
    return [utterance["text"] for turn in pages for utterance in turn["utterances"]]


def test_a_turn_tells_what_was_learned_felt_and_moved(client: httpx2.Client) -> None:
    response = client.post("/v1/turns", json={"text": "나 고양이 좋아해", "reply": "저도 좋아해요!", "at": AT})

    assert response.status_code == 201
    observed = response.json()
    assert response.headers["location"] == f"/v1/turns/{observed['turn']['id']}"
    assert observed["turn"]["at"] == AT
    assert [each["speaker"] for each in observed["turn"]["utterances"]] == ["user", "character"]
    [decision] = observed["decisions"]
    assert (decision["decision"], decision["why"]) == ("remember", None)
    assert (decision["memory"]["content"], decision["memory"]["value"]) == ("고양이를 좋아함", "고양이")
    assert 0 <= decision["memory"]["importance"] <= 1
    assert [sum(felt["one_hot"].values()) for felt in observed["emotions"]] == [1, 1]
    assert {move["kind"] for move in observed["moves"]} >= {"relationship", "scene"}
    assert client.get(response.headers["location"]).json() == {
        **observed["turn"],
        "recorded_at": client.get(response.headers["location"]).json()["recorded_at"],  # told on the story's clock
    }


def test_what_is_ignored_says_why_and_what_is_replaced_is_named(client: httpx2.Client) -> None:
    tell(client, "나 서울 살아")
    [moved] = tell(client, "나 부산으로 이사했어")["decisions"]

    assert moved["decision"] == "supersede"
    assert [(each["value"], each["state"]) for each in moved["closed"]] == [("서울", "past")]


def test_turns_come_newest_first_page_by_page(client: httpx2.Client) -> None:
    for number in range(5):
        tell(client, f"오늘은 {number}번 버스를 탔어")
    first = client.get("/v1/turns", params={"limit": 3}).json()
    second = client.get("/v1/turns", params={"limit": 3, "cursor": first["next"]}).json()

    assert [turn["number"] for turn in first["items"] + second["items"]] == [5, 4, 3, 2, 1]
    assert second["next"] is None


def test_the_same_turn_id_with_other_words_is_refused_and_with_the_same_is_one_turn(client: httpx2.Client) -> None:
    tell(client, "안녕!", turn_id="t-1")
    again = client.post("/v1/turns", json={"text": "안녕!", "turn_id": "t-1"})
    assert (again.status_code, again.json()["again"]) == (200, True)

    other = client.post("/v1/turns", json={"text": "잘 가!", "turn_id": "t-1"})
    assert "PATCH /v1/turns/{id}" in refused(other, 409, "turn-changed")
    assert texts(client) == ["안녕!"]


def test_an_edit_a_reroll_and_a_rewind_take_back_what_came_after(client: httpx2.Client) -> None:
    first = tell(client, "나 고양이 좋아해", reply="저도요!")["turn"]["id"]
    tell(client, "내일 봐")

    edited = client.patch(f"/v1/turns/{first}", json={"text": "나 강아지 좋아해"})
    assert edited.status_code == 200
    assert texts(client) == ["나 강아지 좋아해", "저도요!"]
    assert [memory["value"] for memory in client.get("/v1/facts").json()["items"]] == ["강아지"]

    client.post(f"/v1/turns/{first}/reroll", json={"reply": "강아지는 산책이 좋죠."})
    assert texts(client) == ["나 강아지 좋아해", "강아지는 산책이 좋죠."]

    second = tell(client, "그럼 갈게")["turn"]["id"]
    rewound = client.post(f"/v1/turns/{first}/rewind")
    assert set(rewound.json()["turns"]) == {first, second}
    assert texts(client) == []
    refused(client.get(f"/v1/turns/{first}"), 404, "unknown-turn")


def test_one_turn_alone_can_be_taken_back(client: httpx2.Client) -> None:
    first = tell(client, "나 고양이 좋아해")["turn"]["id"]
    tell(client, "나 서울 살아")
    client.post(f"/v1/turns/{first}/rewind", json={"following": False})
    assert texts(client) == ["나 서울 살아"]
