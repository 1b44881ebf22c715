"""Pages for everyone: read aloud, worked by keys alone, seen with weak eyes, held in one hand.

Contrast is that of WCAG 2: 4.5 : 1 for text, 3 : 1 for large text, against what is really behind it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gieok.web.kit import PATHS
from support.browsing import SECONDS, House, Locked, picture, visit, watch

SCOPE = {"user": "민수", "character": "레티아", "world": "별의 학원"}
LOOKS = [("light", "ko"), ("dark", "en")]
CHECKS = (Path(__file__).parent / "checks.js").read_text(encoding="utf-8")


def check(page: Page, name: str) -> Any:
    """Run one of the checks in the page; return what it found."""
    return page.evaluate(f"() => {{ {CHECKS} return {name}() }}")


@pytest.fixture(scope="module")
def told(house: House) -> House:
    """A house where there is something to see on every page."""
    for number, text in enumerate(
        (
            "안녕! 나는 민수야, 스물다섯 살이고 서울에 살아",
            "나 고양이 좋아해. 우리 집 고양이 이름은 코코야",
            "땅콩 알레르기가 있어서 조심해야 해",
            "오늘 회사에서 팀장님한테 혼나서 너무 속상해",
            "요즘은 강아지가 더 좋아. 내일 엄마랑 공원에 가기로 했어",
            "레티아, 네가 있어서 정말 행복해. 고마워!",
        )
    ):
        at = f"2026-0{number + 1}-03T20:00:00+09:00"
        house.says(text, "그랬구나, 정말 기뻐요! 꼭 기억할게요.", scope=SCOPE, at=at)
    return house


@pytest.fixture(scope="module", params=LOOKS, ids=lambda look: "-".join(look))
def window(request: pytest.FixtureRequest, browser: Browser, told: House) -> Iterator[tuple[Page, str, str]]:
    """A window with its theme and its language."""
    scheme, language = request.param
    context: BrowserContext = browser.new_context(
        locale="ko-KR", viewport={"width": 1280, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    troubles = watch(page)
    if language == "en":
        visit(page, told, "/scopes", SCOPE)
        page.get_by_role("button", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
    yield page, scheme, language
    context.close()
    assert not troubles, troubles


def settled(page: Page, house: House, name: str) -> None:
    """Open a page, with something asked where nothing is shown before, and wait until it stands still."""
    asked = {"q": "고양이 좋아해?"} if name == "ask" else {}
    visit(page, house, PATHS[name], {**SCOPE, **asked})
    page.wait_for_function("document.readyState === 'complete' && !document.querySelector('main [aria-busy=true]')")


def fits(page: Page) -> None:
    wide = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('main *')]
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest('.g-scroll'))
        .map((each) => each.outerHTML.slice(0, 120)).slice(0, 5)"""
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), wide


@pytest.mark.parametrize("name", PATHS)
def test_a_page_is_read_by_everyone_and_fits_into_one_hand(window: tuple[Page, str, str], told: House, name):
    page, scheme, language = window
    page.set_viewport_size({"width": 1280, "height": 900})
    settled(page, told, name)
    assert check(page, "weak") == []
    assert check(page, "nameless") == []
    assert check(page, "twice") == []
    headings = check(page, "headings")
    assert (headings[0], headings.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in pairwise(headings)), headings
    assert page.locator("html").get_attribute("lang") == language
    for landmark in ("banner", "navigation"):
        expect(page.get_by_role(landmark).first).to_be_visible()  # type: ignore[arg-type]  # a role by its name
    expect(page.locator("main")).to_have_count(1)
    assert len(page.title().split(" · ")) == 2
    picture(page, f"everyone-{name}-{scheme}")

    page.set_viewport_size({"width": 390, "height": 844})
    fits(page)
    assert check(page, "weak") == []
    picture(page, f"everyone-{name}-{scheme}-narrow")


@pytest.mark.parametrize("name", PATHS)
def test_a_page_is_walked_through_by_keys_in_the_order_in_which_it_is_read(page: Page, told: House, name):
    settled(page, told, name)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_class(re.compile("g-skip"))
    expect(page.locator(".g-skip")).to_be_in_viewport()
    stops = [check(page, "focus")]
    for _ in range(60):
        page.keyboard.press("Tab")
        stop = check(page, "focus")
        if stop is None or stop["order"] == stops[0]["order"]:
            break
        stops.append(stop)
    assert len(stops) > len(PATHS)
    for stop in stops:
        assert stop["seen"], f"nobody sees that the focus is here: {stop['what']}"
        assert min(stop["width"], stop["height"]) > 1, stop
    orders = [stop["order"] for stop in stops]
    assert orders == sorted(orders), [stop["what"] for stop in stops]

    page.locator(".g-skip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_be_focused()
    if any(stop["inside"] for stop in stops):
        page.keyboard.press("Tab")
        assert check(page, "focus")["inside"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_the_login_is_for_everyone_too(browser: Browser, locked: Locked, scheme, width):
    context = browser.new_context(
        locale="ko-KR",
        viewport={"width": width, "height": 844},
        color_scheme=scheme,
    )
    page = context.new_page()
    page.goto(locked.address("/login"))
    page.get_by_label("키", exact=True).fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.wait_for_load_state()  # with its colours
    assert check(page, "weak") == []
    assert check(page, "nameless") == []
    assert check(page, "headings") == [1]
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.get_by_role("main")).to_have_count(1)
    fits(page)
    picture(page, f"login-{scheme}-{width}")
    context.close()


def test_the_checks_see_what_is_wrong(page: Page, told: House):
    """A check that sees nothing would pass everything."""
    settled(page, told, "scopes")
    page.evaluate(
        """() => { const bad = document.createElement('div');
        bad.innerHTML = `<p style="color: #999; background: #aaa">weak</p>
        <p style="opacity: .3">faint</p><h4>too deep</h4><input><button></button><i id="twice"></i><i id="twice"></i>
        <div style="width: 3000px">wide</div>`; document.querySelector('main').append(bad) }"""
    )
    weak = check(page, "weak")
    assert [told for told in weak if "weak" in told]
    assert [told for told in weak if "faint" in told]
    assert len(check(page, "nameless")) == 2
    assert check(page, "twice") == ["twice"]
    assert check(page, "headings")[-1] == 4
    with pytest.raises(AssertionError):
        fits(page)
