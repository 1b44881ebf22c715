"""Browser sessions, and the language of a page."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

import gieok
from gieok.web import viewer as viewer_module
from gieok.web.viewer import BrowserSession, SessionRegistry, Viewer
from gieok.words import accepted_language

LETIA, JIYOUNG = (gieok.Scope(user=user, character="레티아") for user in ("민수", "지영"))


@pytest.fixture
def sessions() -> SessionRegistry:
    return SessionRegistry()


def test_a_browser_finds_its_session_again(sessions):
    cookie, session = sessions.get(None, "key")
    session.switch_to(LETIA)
    session.pick(["a", "b", "a"])
    assert sessions.get(cookie, "key") == (cookie, session)
    assert session.picked == ["a", "b"]
    made_up, _ = sessions.get("made up", "key")
    assert (made_up != "made up", len(made_up)) == (True, 43)


def test_another_key_a_stranger_and_a_logout_leave_nothing_but_language_and_theme(sessions):
    cookie, session = sessions.get(None, "mine")
    session.language, session.theme = "en", "dark"
    session.switch_to(LETIA)
    session.pick(["a"])
    seen = sessions.peek(cookie)
    _, theirs = sessions.get(cookie, "theirs")
    theirs.switch_to(LETIA)
    sessions.clear(cookie)
    for each in (seen, sessions.get(cookie, "theirs")[1]):
        assert (each.language, each.theme, each.scope, each.picked) == ("en", "dark", None, [])
        assert each.talk != session.talk
    sessions.peek("made up")
    sessions.clear("made up")
    assert len(sessions) == 1


def test_of_too_many_sessions_the_least_recently_used_is_dropped(sessions, monkeypatch):
    monkeypatch.setattr(viewer_module, "_MOST_SESSIONS", 2)
    first, second = (sessions.get(None, "key") for _ in range(2))
    sessions.get(first[0], "key")
    sessions.get(None, "key")
    assert sessions.get(first[0], "key")[1] is first[1]
    assert sessions.get(second[0], "key")[1] is not second[1]


def test_switching_the_profile_clears_the_talk_and_what_was_picked():
    session = BrowserSession(scope=LETIA, picked=["a", "b", "c"], persona="x")
    session.drop(["b", "x"])
    assert session.picked == ["a", "c"]
    talk = session.talk
    session.switch_to(JIYOUNG)
    assert (session.scope, session.picked, session.persona) == (JIYOUNG, [], "")
    assert session.talk != talk


def test_a_page_keeps_to_its_profile_when_another_tab_switches():
    session = BrowserSession(scope=LETIA)
    viewer = Viewer(bank=cast(Any, None), session=session, guard=cast(Any, None))
    page = replace(viewer, page_scope=LETIA)
    page.own_session.pick(["고양이"])
    assert session.picked == ["고양이"]

    session.switch_to(JIYOUNG)
    page.own_session.pick(["강아지"])
    assert (page.scope, viewer.scope) == (LETIA, JIYOUNG)
    assert (session.picked, page.own_session.picked) == ([], [])


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", None),
        ("*", None),
        ("ko", "ko"),
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
        ("en-US,en;q=0.9", "en"),
        ("en;q=0.5, ko;q=0.9", "ko"),
        ("ja-JP, ko;q=0.8, en;q=0.5", "ko"),
        ("fr", "en"),
        ("ko;q=0, fr", "en"),
        ("ko;q=x, nonsense;;, \xff", "en"),
    ],
)
def test_the_browser_asks_for_a_language(header, language):
    assert accepted_language(header) == language


@pytest.mark.parametrize(
    ("chosen", "accepts", "language"),
    [("ko", "en", "ko"), (None, "en", "en"), (None, None, "ko")],
)
def test_the_choice_comes_before_the_browser_and_the_browser_before_the_bank(chosen, accepts, language):
    bank = SimpleNamespace(settings=SimpleNamespace(language="ko"))
    session = BrowserSession(language=chosen)
    viewer = Viewer(bank=cast(Any, bank), session=session, guard=cast(Any, None), accepts=accepts)
    assert viewer.language == viewer.words.language == language
