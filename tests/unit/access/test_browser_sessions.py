import re

import pytest

from gieok.access import guard
from gieok.access.guard import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    BrowserSessions,
    cookie_in,
    cookie_name,
    is_page_asset,
    needs_no_key,
)


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def known(clock) -> BrowserSessions:
    return BrowserSessions(ticks=clock)


def sent(*cookies: bytes, port: int | None = 8420) -> dict:
    return {"headers": [(b"Cookie", each) for each in cookies], "server": ("127.0.0.1", port)}


def test_a_visitor_is_known_again_by_what_they_were_given_and_nobody_else_is(known):
    secret, other = known.begin("key-1"), known.begin("key-2")
    assert re.fullmatch(r"[\w-]{43}", secret)
    assert (known.key_id(secret), known.key_id(other)) == ("key-1", "key-2")
    assert known.key_id(secret[:-1]) is None
    assert known.key_id("") is None
    assert secret not in repr(vars(known))


def test_a_visit_ends_by_itself_after_its_last_sign_of_life(known, clock):
    secret = known.begin("key")
    clock.seconds = IDLE_SECONDS
    assert known.key_id(secret, lives=True) == "key"
    clock.seconds += IDLE_SECONDS
    assert known.key_id(secret) == "key"
    clock.seconds += 1
    assert known.key_id(secret) is None
    assert len(known) == 0


def test_a_look_of_ours_is_no_sign_of_life(known, clock):
    secret = known.begin("key")
    for _ in range(3):
        clock.seconds += IDLE_SECONDS / 2
        known.key_id(secret)
    assert known.key_id(secret, lives=True) is None


def test_no_visit_lasts_for_ever(known, clock):
    secret = known.begin("key")
    while clock.seconds < LONGEST_SECONDS:
        assert known.key_id(secret, lives=True) == "key"
        clock.seconds += IDLE_SECONDS / 2
    clock.seconds += 1
    assert known.key_id(secret, lives=True) is None


def test_whoever_shows_their_key_again_and_again_drives_out_nobody_else(known):
    other = known.begin("other")
    mine = [known.begin("mine") for _ in range(guard._MOST_OF_A_KEY + 3)]
    assert [known.key_id(secret) for secret in mine[:4]] == [None, None, None, "mine"]
    assert known.key_id(other) == "other"


def test_of_too_many_visits_the_one_that_was_idle_the_longest_goes(known, monkeypatch):
    monkeypatch.setattr(guard, "_MOST", 3)
    first, second, third = (known.begin(str(number)) for number in range(3))
    known.key_id(first, lives=True)
    known.begin("3")
    assert [known.key_id(secret) for secret in (first, second, third)] == ["0", None, "2"]


def test_servers_on_one_machine_do_not_take_each_others_cookies():
    both = sent(b"gieok_visit_8420=mine; gieok_visit_8421=theirs")
    assert cookie_in(both) == "mine"
    assert cookie_in({**both, "server": ("127.0.0.1", 8421)}) == "theirs"
    assert cookie_name("desk", both) == "gieok_desk_8420"
    assert cookie_name("desk", {}) == cookie_name("desk", {"server": ("/socket", None)}) == "gieok_desk"


@pytest.mark.parametrize(
    ("cookies", "found"),
    [
        ([], None),
        ([b""], None),
        ([b";;=;"], None),
        ([b"gieok_visit_8420"], None),
        ([b"gieok_visit_8420="], None),
        ([b"gieok_visit=x"], None),
        ([b"xgieok_visit_8420=x"], None),
        ([b"a=1;gieok_visit_8420=x;b=2"], "x"),
        ([b"a=1", b"gieok_visit_8420=x"], "x"),
        ([b"gieok_visit_8420=x=y"], "x=y"),
        ([b"gieok_visit_8420=\xff"], "ÿ"),
    ],
)
def test_a_cookie_is_found_among_others_or_not_at_all(cookies, found):
    assert cookie_in(sent(*cookies)) == found


def test_without_a_key_one_gets_to_the_login_and_to_what_it_looks_like():
    assert all(map(needs_no_key, ["/login", "/logout", "/look/gieok.css"]))
    assert not any(map(needs_no_key, ["/", "/login/", "/login/x", "/look", "/looks", "/memories", "/favicon.ico"]))
    assert all(
        map(is_page_asset, ["/_nicegui/3.18.0/static/x.js", "/_nicegui_ws/socket.io/", "/look/x", "/favicon.ico"])
    )
    assert not any(map(is_page_asset, ["/", "/memories", "/login", "/_nicegui"]))
