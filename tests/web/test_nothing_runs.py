"""Nothing that anybody wrote is ever run: it is shown as it stands.

Whatever would run sets `window.ran`, opens a dialog, or is stopped by the page's policy, which the console tells. What
was merely taken for markup is found in the document.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gieok.web.kit import PATHS
from support.browsing import House, picture, visit

RUN = "window.ran=1"
SCRIPT = f"<script>{RUN}</script>"
PICTURE = f'<img src=x onerror="{RUN}">'
QUOTES = f"\"'`><svg onload={RUN}>"
LINK = f"[여기](javascript:{RUN}) javascript:{RUN}"
TEMPLATE = "{{7*7}} ${7*7} #{7*7} <p v-html=\"'x'\">"
CLOSING = f"</script></title></textarea>--><script>{RUN}</script>"
MARKS = "**굵게** _기울게_ `코드` # 제목 | 표 |"
TURNED = "\u202e거꾸로\u202c\u200f\u2066x\u2069"
LONG = "가" * 3_000
WRITTEN = (SCRIPT, PICTURE, QUOTES, LINK, TEMPLATE, CLOSING, MARKS, TURNED)

#: What stands in a document only if something was taken for markup.
MARKUP = """() => [...document.querySelectorAll('*')].filter((each) =>
  each.matches('img[src="x"], svg[onload], [v-html], [onerror], [onload], [onclick], [onmouseover]')
  || (each.tagName === 'SCRIPT' && each.textContent.trim() === 'window.ran=1')
  || ['href', 'src', 'action'].some((name) => /^\\s*javascript:/i.test(each.getAttribute(name) || ''))
).map((each) => each.outerHTML.slice(0, 200))"""


#: A user, a character and a world that are called so.
NAMES = {
    "user": f"{SCRIPT}{QUOTES}",
    "character": f"{PICTURE}{TEMPLATE}",
    "world": f"{CLOSING}{MARKS}{TURNED}",
}


@pytest.fixture(scope="module")
def told(house: House) -> dict[str, str]:
    """The three, after some talk."""
    for number, text in enumerate(WRITTEN):
        turn = f"{number}-{text}".replace("/", "\\")
        house.says(f"{text} 나는 고양이를 좋아해", f"{text} 그래?", scope=NAMES, session=text, turn_id=turn)
    house.says(f"우리 아빠 이름은 {PICTURE}야. 우리 집 강아지는 {SCRIPT}야", LONG, scope=NAMES)
    for text in WRITTEN:
        remembers(house, NAMES, text, about=text[:60], attribute="likes", value=text, tags=[text[:40]])
    remembers(house, NAMES, LONG[:900], attribute="note", value=LONG[:400])
    house.call("POST", "/v1/scenes", NAMES, {"place": PICTURE, "participants": [SCRIPT, QUOTES], "daytime": TEMPLATE})
    return NAMES


def remembers(house: House, scope: dict[str, str], content: str, **more: Any) -> dict[str, Any]:
    return house.call("POST", "/v1/memories", scope, {"content": content, **more})


def ran_nothing(page: Page) -> None:
    """Check that nothing ran, nothing was taken for markup, and the names stand in the header as they are."""
    assert page.evaluate("window.ran") is None
    assert page.evaluate(MARKUP) == []
    assert "49" not in page.locator("header").inner_text()


def hover_all(page: Page) -> None:
    """Point at whatever tells more when it is pointed at."""
    for each in page.locator("main [title], main canvas, main svg").all()[:12]:
        if each.is_visible():
            each.hover(force=True, trial=False, timeout=2_000)


@pytest.mark.parametrize("name", PATHS)
def test_what_was_written_is_shown_as_it_stands_on_every_page(page: Page, house: House, told, name):
    visit(page, house, PATHS[name], told)
    shown = page.locator(".g-whose").inner_text()
    for each in told.values():
        assert each in shown
    hover_all(page)
    ran_nothing(page)
    picture(page, f"hostile-{name}")

    fields = "q words text id memory of relation view state about before at to hops type from until x".split()
    asked = dict.fromkeys(fields, f"{CLOSING}{PICTURE}{QUOTES}{TEMPLATE}")
    visit(page, house, PATHS[name], {**told, **asked})
    ran_nothing(page)
    page.evaluate("(text) => { location.hash = text }", PICTURE)
    ran_nothing(page)


def test_a_memory_is_opened_and_says_what_was_said(page: Page, house: House, told):
    visit(page, house, PATHS["memories"], told)
    for text in (PICTURE, CLOSING, TEMPLATE):
        visit(page, house, PATHS["memories"], told)
        opened = page.locator("main a, main button").filter(has_text=text).first
        expect(opened).to_be_visible()
        opened.click()
        expect(page.get_by_role("heading", name=text).first).to_be_visible()
        ran_nothing(page)
    picture(page, "hostile-memory")


def test_a_question_is_asked_as_it_stands(page: Page, house: House, told):
    visit(page, house, PATHS["ask"], {**told, "q": f"{PICTURE} {TEMPLATE} 고양이"})
    expect(page.locator("main")).to_contain_text("<img src=x onerror=")
    expect(page.locator("main input").first).to_have_value(f"{PICTURE} {TEMPLATE} 고양이")
    hover_all(page)
    ran_nothing(page)
    picture(page, "hostile-question")


def test_what_is_said_in_a_talk_and_replied_is_shown_as_it_stands(page: Page, house: House):
    visit(page, house, PATHS["talk"], {**NAMES, "user": f"{PICTURE}{LINK}"})
    said = f"{PICTURE} {SCRIPT} {LINK}"
    page.locator("main").get_by_role("textbox").first.fill(said)
    page.locator("main").get_by_role("textbox").first.press("Enter")
    expect(page.locator("main").get_by_text(PICTURE).first).to_be_visible()
    ran_nothing(page)


def test_the_policy_of_a_page_stops_what_would_run_though_it_got_in(browser, house: House, scope):
    """Not a page does this; if one did by mistake, nothing would come of it."""
    context = browser.new_context()
    page = context.new_page()
    visit(page, house, PATHS["scopes"], scope)
    page.evaluate(
        """(markup) => {
          const made = (tag, given) => document.body.appendChild(Object.assign(document.createElement(tag), given));
          made('div', { innerHTML: markup });
          made('script', { textContent: 'window.ran=2' });
          made('a', { href: 'javascript:window.ran=3' }).click();
        }""",
        PICTURE + QUOTES,
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    assert page.evaluate("fetch('https://example.com').then(() => 'sent', () => 'stopped')") == "stopped"
    context.close()
