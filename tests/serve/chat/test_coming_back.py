"""Clients of the chat that go, come back, break off, or ask again: a model is asked once, and nothing is lost."""

from __future__ import annotations

from threading import Event

import pytest

from support.chatting import ALL, LONGEST, SAID, Chatter, deltas, first_deltas, names, of, replies_asked, until
from support.misbehaving import (
    bits,
    gated,
    slow,
    stall,
)


@pytest.mark.parametrize("way", ["the same request", "by its turn"])
def test_who_loses_the_connection_hears_the_rest_and_nothing_twice(model, place, chatter, way):
    gate = Event()
    model.will(gated(gate, ["하나 ", "둘 "], ["셋 ", "넷"]))
    with chatter.saying() as events:
        before = until(events, first_deltas(2))
    gate.set()
    again = chatter.say if way == "the same request" else chatter.hear
    rest = again(last=before[-1].id)
    assert deltas(before) + deltas(rest) == of(rest, "done")["reply"] == "하나 둘 셋 넷"
    ids = [each.id for each in (*before, *rest)]
    assert len(ids) == len(set(ids))
    assert names(before + rest) == ALL
    assert replies_asked(model) == 1
    assert place.lines() == [SAID, "하나 둘 셋 넷"]


def test_who_comes_back_before_the_next_bit_hears_it_live(model, chatter):
    gate = Event()
    model.will(gated(gate, ["하나 "], ["둘"]))
    with chatter.saying() as events:
        before = until(events, first_deltas(1))
    with chatter.hearing("GET", "/v1/chat/t1/events", before[-1].id) as events:
        gate.set()
        rest = list(events)
    assert deltas(rest) == "둘"


def test_two_listeners_hear_the_same(model, chatter):
    gate = Event()
    model.will(gated(gate, ["하나 "], ["둘"]))
    with chatter.saying() as first, chatter.saying() as second:
        begun = until(first, first_deltas(1))
        gate.set()
        assert [*begun, *first] == list(second)
    assert replies_asked(model) == 1


def test_after_the_end_the_rest_is_still_to_be_had(model, chatter):
    model.will(bits("하나 ", "둘"))
    events = chatter.say()
    for place in range(len(events)):
        assert chatter.hear(last=events[place].id) == events[place + 1 :]
    assert chatter.say(last=events[2].id) == events[3:]
    assert replies_asked(model) == 1


def test_after_the_end_and_without_an_event_to_go_on_from_the_log_answers(model, chatter):
    model.will(bits("하나 ", "둘"))
    chatter.say()
    for again in (chatter.say(), chatter.hear(), chatter.hear(last="t1:strange"), chatter.say(last="what?")):
        assert names(again) == ALL[1:]
        assert [each.data for each in again if each.name == "delta"] == [{"text": "하나 둘", "whole": True}]
        assert of(again, "memory_update")["again"]
    assert replies_asked(model) == 1


@pytest.mark.parametrize("way", ["the same request", "by its turn"])
def test_after_a_restart_the_log_answers(model, place, way):
    model.will(bits("하나 ", "둘"))
    with place.serve().saying() as events:
        heard = until(events, first_deltas(2))
        list(events)
    restarted = place.serve()
    again = restarted.say if way == "the same request" else restarted.hear
    events = again(last=heard[-1].id)
    assert of(events, "delta") == {"text": "하나 둘", "whole": True}
    assert of(events, "done") == {"turn_id": "t1", "reply": "하나 둘", "cut_off": False}
    assert replies_asked(model) == 1


def test_a_turn_that_was_taken_back_is_answered_anew(model, place, chatter):
    model.will(bits("하나"), bits("둘"))
    chatter.say()
    place.letia.rewind("t1")
    assert of(chatter.say(), "done")["reply"] == "둘"


def test_a_reply_is_broken_off_on_purpose_without_waiting_for_the_model(model, place, chatter):
    model.will(stall("저도 ", "고양"))
    with chatter.saying() as events:
        begun = until(events, first_deltas(2))
        assert chatter.http.delete("/v1/chat/t1").json() == {"turn_id": "t1", "kept": True}
        rest = list(events)
    assert names(rest) == ["failed", *ALL[2:]]
    assert of(rest, "failed")["failure"] == "cancelled"
    assert of(rest, "done") == {"turn_id": "t1", "reply": "저도 고양", "cut_off": True}
    assert deltas(begun) == "저도 고양"
    assert place.letia.turns()[0].cut_off
    assert of(chatter.hear(), "done")["cut_off"]


def test_a_reply_that_has_not_begun_is_broken_off_as_well(model, place, chatter):
    model.will(slow())
    with chatter.saying() as events:
        until(events, lambda heard: heard[-1].name == "context")
        assert chatter.http.delete("/v1/chat/t1").json()["kept"]
        assert of(list(events), "done")["reply"] == ""
    assert place.lines() == [SAID]


def test_what_has_ended_or_never_was_is_not_broken_off(model, chatter):
    chatter.say()
    assert chatter.http.delete("/v1/chat/t1").json() == {"turn_id": "t1", "kept": True}
    assert not of(chatter.hear(), "done")["cut_off"]
    assert chatter.http.delete("/v1/chat/t2").status_code == 404


def test_a_reply_that_nobody_comes_back_to_is_broken_off(model, place):
    kept = place.when_kept()
    chatter = place.serve(unheard_seconds=0.05)
    model.will(stall("저도 "))
    with chatter.saying() as events:
        until(events, first_deltas(1))
    assert kept.wait(LONGEST)
    assert place.letia.turns()[0].cut_off
    assert place.lines() == [SAID, "저도"]


def test_a_server_that_stops_keeps_what_was_said(model, place, chatter):
    model.will(stall("저도 "))
    with chatter.saying() as events:
        until(events, first_deltas(1))
        assert chatter.http.post("/stop").status_code == 200
        assert place.lines() == [SAID, "저도"]
        assert of(list(events), "done")["cut_off"]
    answer = chatter.http.post("/v1/chat", json={"text": SAID})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")


def test_a_second_turn_in_a_scope_is_refused_while_one_is_under_way(model, place):
    gate = Event()
    model.will(gated(gate, ["하나"], []))
    chatter = place.serve(turn_seconds=0.05)
    with chatter.saying("t1") as events:
        until(events, first_deltas(1))
        refused = chatter.http.post("/v1/chat", json={"text": "또 있어", "turn_id": "t2"})
        again = chatter.http.post("/v1/chat/t1/regenerate")
        elsewhere = Chatter(str(chatter.http.base_url), user="jiho", character="letia")
        with elsewhere:
            assert of(elsewhere.say(), "done")["reply"] == "좋아요."
        gate.set()
        assert list(events)[-1].name == "done"
    for answer in (refused, again):
        assert answer.status_code == 409
        assert "still in progress" in answer.json()["detail"]
    assert of(chatter.say("t2", "또 있어"), "done")["reply"] == "좋아요."


def test_nobody_hears_the_reply_of_another_by_guessing_its_turn(model, place, chatter):
    gate = Event()
    model.will(gated(gate, ["비밀"], ["이에요"]))
    mine, other = {"X-Key": "mine"}, {"X-Key": "other"}
    with chatter.hearing("POST", "/v1/chat", headers=mine, json={"text": SAID, "turn_id": "t1"}) as events:
        heard = until(events, first_deltas(1))
        guess = {**other, "Last-Event-ID": heard[0].id}
        assert chatter.http.get("/v1/chat/t1/events", headers=guess).status_code == 404
        assert chatter.http.delete("/v1/chat/t1", headers=other).status_code == 404
        foreign = {"user": "jiho", "character": "letia"}
        assert chatter.http.get("/v1/chat/t1/events", headers=mine, params=foreign).status_code == 404
        gate.set()
        assert of(list(events), "done")["reply"] == "비밀이에요"


def test_another_reply_takes_the_place_of_the_first(model, place, chatter):
    model.will(bits("하나"), bits("둘 ", "셋"), bits("넷"))
    chatter.say()
    with chatter.hearing("POST", "/v1/chat/t1/regenerate", json={"persona": "너는 레티아다."}) as events:
        again = list(events)
    assert (names(again), of(again, "done")["reply"]) == (ALL, "둘 셋")
    with chatter.hearing("POST", "/v1/chat/t1/regenerate", again[1].id) as events:
        assert list(events) == again[2:]
    assert replies_asked(model) == 2
    with chatter.hearing("POST", "/v1/chat/t1/regenerate") as events:
        assert of(list(events), "done")["reply"] == "넷"
    assert place.lines() == [SAID, "넷"]


def test_a_swipe_that_is_asked_for_twice_at_once_is_one(model, chatter):
    gate = Event()
    model.will(bits("하나"), gated(gate, ["둘"], []))
    chatter.say()
    with (
        chatter.hearing("POST", "/v1/chat/t1/regenerate") as first,
        chatter.hearing("POST", "/v1/chat/t1/regenerate") as second,
    ):
        gate.set()
        assert list(first) == list(second)
    assert replies_asked(model) == 2


def test_an_event_of_the_first_reply_does_not_cut_the_second_short(model, chatter):
    model.will(bits("하나 ", "둘 ", "셋"), bits("넷 ", "다섯"))
    heard = chatter.say()
    with chatter.hearing("POST", "/v1/chat/t1/regenerate") as events:
        list(events)
    assert deltas(chatter.hear(last=heard[-2].id)) == "넷 다섯"


def test_other_words_are_answered_anew(model, place, chatter):
    model.will(bits("하나"), bits("둘"))
    chatter.say()
    with chatter.hearing("POST", "/v1/chat/t1/edit", json={"text": "나 강아지 좋아해"}) as events:
        assert of(list(events), "done")["reply"] == "둘"
    assert place.lines() == ["나 강아지 좋아해", "둘"]
