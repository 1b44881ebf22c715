"""What the proxy knows of a sitting is what the log says, whoever writes to it meanwhile."""

from __future__ import annotations

import pytest

import gieok
from gieok.proxy.history import CHANNEL, Place, SessionCache


@pytest.fixture
def letia(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        yield bank.scope(user="minsu", character="letia")


def said(sessions: SessionCache, place: Place) -> dict[str, list[str | None]]:
    return {label: [turn.said.text for turn in turns] for label, turns in sessions.read(place).sessions.items()}


def test_sittings_come_in_the_order_of_their_last_turns(letia):
    for text, session in (("하나", "낮"), ("둘", "밤"), ("셋", "낮")):
        letia.observe(text, session=session, channel=CHANNEL)
    letia.observe("다른 길로 온 말", session="낮")
    sessions = SessionCache(letia.bank)
    assert list(said(sessions, (letia.key, None)).items()) == [("밤", ["둘"]), ("낮", ["하나", "셋"])]
    assert said(sessions, (letia.key, "낮")) == {"낮": ["하나", "셋", "다른 길로 온 말"]}


def test_nothing_is_read_twice_while_nobody_writes(letia):
    sessions, place = SessionCache(letia.bank), (letia.key, None)
    first = sessions.read(place)
    assert sessions.read(place) is first
    turn = letia.observe("하나", session="낮", channel=CHANNEL).turn
    sessions.grown(place, turn)
    grown = sessions.read(place)
    assert said(sessions, place) == {"낮": ["하나"]}
    assert sessions.read(place) is grown


def test_a_turn_that_another_request_has_read_already_is_not_counted_twice(letia):
    sessions, place = SessionCache(letia.bank), (letia.key, None)
    sessions.read(place)
    mine = letia.observe("나의 말", session="낮", channel=CHANNEL).turn
    sessions.read(place)  # another request looks, …
    letia.observe("남의 말", session="밤", channel=CHANNEL)  # … and its turn is kept before mine is noted
    sessions.grown(place, mine)
    assert said(sessions, place) == {"낮": ["나의 말"], "밤": ["남의 말"]}


def test_a_sitting_that_is_longer_than_what_is_read_goes_back_further(letia, monkeypatch):
    monkeypatch.setattr("gieok.proxy.history._TURNS", 2)
    sessions, place = SessionCache(letia.bank), (letia.key, None)
    for text, goes_back in (("하나", False), ("둘", True), ("셋", True)):
        sessions.read(place)
        sessions.grown(place, letia.observe(text, session="낮", channel=CHANNEL).turn)
        assert sessions.read(place).goes_back is goes_back
    assert said(sessions, place) == {"낮": ["둘", "셋"]}
