"""The chat over real HTTP: a real server, a real endpoint that misbehaves, and who may talk to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

import gieok
from gieok.serve.app import create_app
from support.chat_place import Place, guarded
from support.chatting import ALL, SAID, Chatter, Heard, deltas, first_deltas, names, of, replies_asked, until
from support.misbehaving import (
    Act,
    Misbehaving,
    bits,
    empty,
    gated,
    reset,
    reset_midway,
    saying,
    status,
)
from support.serving import served


def test_a_reply_comes_bit_by_bit_with_what_it_moved(model, place, chatter):
    model.will(bits("저도 ", "너무 ", "기뻐요!"))
    events = chatter.say(persona="너는 마법 학원의 학생 레티아다.")
    assert names(events) == ALL
    assert [each.data["text"] for each in events if each.name == "delta"] == ["저도 ", "너무 ", "기뻐요!"]
    assert of(events, "done") == {"turn_id": "t1", "reply": "저도 너무 기뻐요!", "cut_off": False}
    emotion = of(events, "emotion")
    assert (emotion["emotion"], emotion["one_hot"]["happy"], sum(emotion["one_hot"].values())) == ("happy", 1, 1)
    assert 0 < emotion["intensity"] <= 1
    assert emotion["label"] in ("approval", "joy", "excitement")
    learned = of(events, "memory_update")["decisions"]
    assert ("remembered", "고양이를 좋아함") in [(each["decision"], each["content"]) for each in learned]
    assert of(events, "relationship")["moves"][0]["after"]["level"] == "stranger"
    assert "레티아" in model.asked[0].text
    assert place.lines() == [SAID, "저도 너무 기뻐요!"]


def test_every_event_has_an_id_of_its_turn_and_its_place(chatter):
    ids = [each.id for each in chatter.say("말-1")]
    assert [each.rpartition(".")[2] for each in ids] == [str(place + 1) for place in range(len(ids))]
    assert len({each.rpartition(".")[0] for each in ids}) == 1
    assert all(each.isascii() for each in ids)


def test_a_turn_without_an_id_is_given_one(place, chatter):
    with chatter.hearing("POST", "/v1/chat", json={"text": SAID}) as events:
        heard = list(events)
    assert of(heard, "context")["turn_id"] == of(heard, "done")["turn_id"] == place.letia.turns()[0].id


def test_without_a_model_nothing_is_streamed(tmp_path):
    with (
        gieok.open(tmp_path / "dumb.db", embedder="hashing") as bank,
        served(guarded(create_app(bank))) as url,
        Chatter(url) as chatter,
    ):
        answer = chatter.http.post("/v1/chat", json={"text": SAID})
    assert answer.status_code == 503
    assert answer.headers["content-type"] == "application/problem+json"
    assert "llm" in answer.json()["detail"]


def test_a_turn_id_with_other_words_is_refused(model, chatter):
    gate = Event()
    model.will(gated(gate, ["하나"], []))
    with chatter.saying("t1") as events:
        until(events, first_deltas(1))
        assert chatter.http.post("/v1/chat", json={"text": "다른 말", "turn_id": "t1"}).status_code == 409
        gate.set()
        list(events)
    assert chatter.http.post("/v1/chat", json={"text": "다른 말", "turn_id": "t1"}).status_code == 409
    assert replies_asked(model) == 1


def test_others_who_are_present_hear_it(place, chatter):
    chatter.say(present=["노아"])
    [turn] = place.bank.scope(user="minsu", character="노아").turns()
    assert turn.utterances[0].text == SAID


def test_a_turn_that_others_heard_is_told_anew_only_by_a_key_that_opens_their_scopes(place, chatter, model):
    chatter.say(present=["노아"])
    noa = place.bank.scope(user="minsu", character="노아")
    before = noa.journal()
    asked = replies_asked(model)

    def status_of(key: str, what: str, body: dict[str, str] | None) -> int:
        with chatter.http.stream("POST", f"/v1/chat/t1/{what}", headers={"X-Key": key}, json=body) as answer:
            answer.read()
            return answer.status_code

    assert status_of("letia-only", "regenerate", None) == 403
    assert status_of("letia-only", "edit", {"text": "나 강아지 좋아해"}) == 403
    assert (noa.journal(), replies_asked(model)) == (before, asked)
    assert status_of("mine", "edit", {"text": "나 강아지 좋아해"}) == 200
    assert [turn.utterances[0].text for turn in noa.turns()] == ["나 강아지 좋아해"]


@pytest.mark.parametrize(
    ("act", "failure", "kept"),
    [
        (reset, "unreachable", ""),
        (reset_midway, "unreachable", "좋아"),
        (status(500), "server_error", ""),
        (status(401), "refused", ""),
        (empty, "empty", ""),
    ],
    ids=["reset", "reset midway", "500", "401", "empty"],
)
def test_a_model_in_trouble_is_told_with_the_way_out(
    model: Misbehaving, place: Place, chatter: Chatter, act: Act, failure: str, kept: str
) -> None:
    model.will(act)
    events = chatter.say()
    told = of(events, "failed")
    assert told["failure"] == failure
    assert "주세요" in told["message"]
    assert of(events, "done") == {"turn_id": "t1", "reply": kept, "cut_off": True}
    assert place.lines() == [SAID, *([kept] if kept else [])]


def test_silence_is_bridged_by_comments(model, place):
    chatter = place.serve(silence=0.02)
    gate, comments = Event(), []
    model.will(gated(gate, ["하나"], ["둘"]))
    with chatter.http.stream("POST", "/v1/chat", json={"text": SAID}) as answer:
        lines = answer.iter_lines()
        for line in lines:
            if line.startswith(":"):
                comments.append(line)
                gate.set()
        assert comments


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/chat/t9/regenerate", None),
        ("POST", "/v1/chat/t9/edit", {"text": "말"}),
        ("GET", "/v1/chat/t9/events", None),
    ],
)
def test_an_unknown_turn_is_a_problem_before_the_stream(chatter, method, path, body):
    answer = chatter.http.request(method, path, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "말", "turn_id": "a/b"},
        {"text": "말", "typo": 1},
        {"text": "말", "at": "2026-11-15T20:00"},
    ],
)
def test_a_request_that_makes_no_sense_is_refused(model, chatter, body):
    assert chatter.http.post("/v1/chat", json=body).status_code == 422
    assert replies_asked(model) == 0


def test_too_many_at_once_are_turned_away(model, place):
    gate = Event()
    model.will(gated(gate, ["하나"], []))
    chatter = place.serve(most_running=1)
    with chatter.saying() as events:
        until(events, first_deltas(1))
        answer = chatter.http.post("/v1/chat", json={"text": SAID}, params={"user": "jiho"})
        gate.set()
        list(events)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def test_sixty_scopes_chat_at_once_and_each_hears_its_own(model, place, chatter):
    users = [f"user{number:02}" for number in range(60)]
    for user in users:
        model.will(bits(f"{user}님, ", "안녕하세요!", pause=0.01), when=saying(f"저는 {user}예요"))

    def chat(user: str) -> list[Heard]:
        with Chatter(str(chatter.http.base_url), user=user, character="letia") as own:
            return own.say("t1", f"저는 {user}예요")

    with ThreadPoolExecutor(len(users)) as crowd:
        heard = dict(zip(users, crowd.map(chat, users), strict=True))
    for user, events in heard.items():
        assert deltas(events) == of(events, "done")["reply"] == f"{user}님, 안녕하세요!"
        kept = place.bank.scope(user=user, character="letia").turns()
        assert [said.text for turn in kept for said in turn.utterances][1] == f"{user}님, 안녕하세요!"
    assert replies_asked(model) == len(users)
