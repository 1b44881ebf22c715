import pytest

from gieok.domain.scope import Scope
from gieok.web import visitors
from gieok.web.visitors import Desk, Desks

LETIA = Scope(user="minsu", character="letia")


@pytest.fixture
def room() -> Desks:
    return Desks()


def test_a_browser_finds_its_desk_as_it_left_it(room):
    cookie, desk = room.at(None, "key")
    desk.turn_to(LETIA)
    desk.pick(["a", "b", "a"])
    assert room.at(cookie, "key") == (cookie, desk)
    assert room.at(cookie, "key")[1].picked == ["a", "b"]


def test_a_cookie_that_nobody_gave_is_replaced(room):
    cookie, _ = room.at("made up", "key")
    assert cookie != "made up"
    assert len(cookie) == 43


def test_whoever_comes_with_another_key_finds_nothing_but_how_pages_are_liked(room):
    cookie, desk = room.at(None, "mine")
    desk.language, desk.theme = "en", "dark"
    desk.turn_to(LETIA)
    desk.pick(["a"])
    same, theirs = room.at(cookie, "theirs")
    assert same == cookie
    assert (theirs.language, theirs.theme, theirs.scope, theirs.picked) == ("en", "dark", None, [])
    assert theirs.session != desk.session
    assert room.at(cookie, "mine")[1] is not desk


def test_a_stranger_sees_nothing_of_a_desk_and_sets_up_none(room):
    cookie, desk = room.at(None, "key")
    desk.turn_to(LETIA)
    desk.language = "en"
    seen = room.glance(cookie)
    assert (seen.scope, seen.language) == (None, "en")
    room.glance("made up")
    assert len(room) == 1


def test_a_desk_that_is_left_is_cleared(room):
    cookie, desk = room.at(None, "key")
    desk.turn_to(LETIA)
    desk.language = "en"
    room.clear(cookie)
    room.clear(None)
    room.clear("made up")
    again = room.at(cookie, "key")[1]
    assert (again.scope, again.language) == (None, "en")


def test_of_too_many_desks_the_one_left_alone_the_longest_is_cleared_away(room, monkeypatch):
    monkeypatch.setattr(visitors, "_MOST", 2)
    first, second = (room.at(None, "key") for _ in range(2))
    room.at(first[0], "key")
    room.at(None, "key")
    assert room.at(first[0], "key")[1] is first[1]
    assert room.at(second[0], "key")[1] is not second[1]
    assert len(room) == 2


def test_turning_to_another_mind_begins_another_talk_with_nothing_picked():
    desk = Desk()
    desk.pick(["a", "b", "c"])
    desk.drop(["b", "x"])
    assert desk.picked == ["a", "c"]
    before = desk.session
    desk.turn_to(LETIA)
    assert (desk.scope, desk.picked) == (LETIA, [])
    assert desk.session != before
