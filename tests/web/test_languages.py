"""Every page is wholly in one language: that of the viewer's choice, else of the browser, else of the bank."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from gieok.web.kit import PATHS
from support.browsing import SECONDS, House, Locked, own_house, visit, watch

ENGLISH = {"user": "Minsu", "character": "Letia", "world": "Star Academy"}
KOREAN = {"user": "민수", "character": "레티아", "world": "한빛 학교"}
#: names and units that a Korean page shows as they are
SAME = set("gieok MBTI Enter Shift llm retain ms KB MB hashing SQLite English WebSocket".split())

#: All texts of a page and what screen readers say; not user data, icons, nor what is marked as of another language.
TEXTS = """() => {
  const own = document.documentElement.lang, texts = [];
  const data = '.a-lines, .t-words, .t-text, .g-whose, .q-icon, script, style';
  const foreign = (each) => each.closest('[lang]') && each.closest('[lang]').lang !== own;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const each = walk.currentNode.parentElement;
    if (each && !each.closest(data) && !foreign(each)) texts.push(walk.currentNode.textContent.trim());
  }
  for (const name of ['aria-label', 'placeholder', 'alt']) {
    for (const each of document.querySelectorAll(`[${name}]`)) {
      if (!each.closest(data) && !foreign(each)) texts.push(each.getAttribute(name));
    }
  }
  return [document.title, ...texts].filter(Boolean);
}"""


@pytest.fixture(scope="module")
def told(house: House) -> House:
    """A house with an English talk and a Korean one."""
    korean = ("나는 스물다섯 살이고 서울에 살아", "땅콩 알레르기가 있어", "나 부산으로 이사했어", "고마워!")
    english = ("I live in Seoul and I like cats", "I am allergic to peanuts", "I moved to Busan", "Thank you!")
    talks = {"ko": (KOREAN, korean), "en": (ENGLISH, english)}
    for language, (scope, lines) in talks.items():
        for number, text in enumerate(lines):
            reply = "응, 기억할게." if language == "ko" else "I see."
            house.says(text, reply, scope=scope, at=f"2026-03-0{number + 1}T20:00:00+09:00")
        condition = {"content": "천식이 있음" if language == "ko" else "has asthma", "attribute": "medical_condition"}
        house.call("POST", "/v1/memories", scope, {**condition, "value": condition["content"]})
    return house


@pytest.fixture
def window(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a browser that asks for a language."""
    context = browser.new_context(locale=request.param, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    troubles = watch(page)
    yield page
    context.close()
    assert not troubles, troubles


def foreign(page: Page, language: str) -> list[str]:
    """Return the texts of a page that are of the other language."""
    texts = page.evaluate(TEXTS)
    assert len(texts) > 20
    if language == "en":
        return [text for text in texts if re.search("[ㄱ-ㅎㅏ-ㅣ가-힣]", text)]
    return [text for text in texts if set(re.findall("[A-Za-z]{2,}", text)) - SAME]


@pytest.mark.parametrize(
    ("window", "language", "scope"),
    [("ko-KR", "ko", KOREAN), ("en-US", "en", ENGLISH), ("fr-FR", "en", ENGLISH)],
    indirect=["window"],
)
def test_every_page_is_wholly_in_the_language_of_the_browser(window: Page, told: House, language, scope):
    paths = [(path, {}) for path in PATHS.values()]
    [memory, *_] = told.call("GET", "/v1/memories", scope)["items"]
    question = "어디 살지?" if language == "ko" else "Where do I live?"
    opened = [("/memories", {"view": "timeline"}), ("/memories", {"memory": memory["id"]}), ("/ask", {"q": question})]
    if window.evaluate("navigator.language") == "fr-FR":
        opened = []
    for path, more in (*paths, *opened):
        visit(window, told, path, {**scope, **more})
        expect(window.locator("html")).to_have_attribute("lang", language)
        if "memory" in more:
            expect(window.locator(".m-one h2")).to_be_visible()
        if path == "/upkeep":
            expect(window.locator(".u-entry").first).to_be_visible()
            expect(window.locator(".u-numbers").first).to_be_visible()
        if path == "/scopes":  # without the profiles of other tests
            window.locator(".s-search input").fill(scope["world"])
            expect(window.locator(".s-profile")).to_have_count(1)
        assert foreign(window, language) == [], path


@pytest.mark.parametrize("window", ["en-US"], indirect=True)
def test_a_character_without_a_model_answers_in_the_language_of_the_page(window: Page, told: House):
    visit(window, told, "/", ENGLISH)
    window.get_by_label("Your message").fill("안녕!")
    window.keyboard.press("Enter")
    expect(window.locator(".t-turn.t-chosen.t-last")).to_contain_text("안녕!")
    reply = window.locator(".t-last .t-theirs .t-words").inner_text()
    assert re.fullmatch("[ -~…]+", reply), reply


@pytest.mark.parametrize("window", ["en-US"], indirect=True)
def test_the_choice_of_the_viewer_comes_first_and_the_login_follows_it(window: Page, locked: Locked):
    window.goto(locked.address("/login"))
    expect(window.locator("html")).to_have_attribute("lang", "en")
    assert not re.search("[가-힣]", window.locator("body").inner_text())
    window.get_by_label("Key").fill(locked.master)
    window.keyboard.press("Enter")
    window.wait_for_function("window.socket && window.socket.connected")
    window.get_by_role("button", name="한국어").click()
    expect(window.locator("html")).to_have_attribute("lang", "ko")
    window.get_by_role("button", name="나가기").click()
    expect(window.locator("html")).to_have_attribute("lang", "ko")
    expect(window.get_by_label("키", exact=True)).to_be_visible()


@pytest.mark.parametrize("window", ["en-US"], indirect=True)
def test_an_empty_bank_welcomes_in_the_language_of_the_browser(window: Page, tmp_path):
    with own_house(window, tmp_path) as empty:
        visit(window, empty, "/")
        texts = [text for text in foreign(window, "en") if "민수" not in text]  # the people of the Korean story
        assert texts == []
