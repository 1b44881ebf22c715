"""Pages for everyone: read aloud, worked by keys alone, seen with weak eyes, held in one hand.

Contrast is that of WCAG 2: 4.5 : 1 for text, 3 : 1 for large text, against what is really behind it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from gieok.web.kit import PATHS
from support.browsing import SECONDS, House, Locked, picture, visit, watch

SCOPE = {"user": "민수", "character": "레티아", "world": "별의 학원"}
LOOKS = [("light", "ko"), ("dark", "en")]

#: Texts whose contrast is too weak, with what they are; what is switched off may be dim.
WEAK = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => sum + share * linear(c[i] / 255), 0);
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(rgba(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const opacity = (element) => {
    let all = 1;
    for (let each = element; each; each = each.parentElement) all *= parseFloat(getComputedStyle(each).opacity);
    return all;
  };
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest('[aria-hidden=true], [disabled], .disabled, .q-field--disabled, [inert], .g-skip, svg');
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const check = (element, text, colour) => {
    const style = getComputedStyle(element), size = parseFloat(style.fontSize);
    const large = size >= 24 || (parseInt(style.fontWeight) >= 700 && size >= 18.66);
    const below = behind(element), ink = rgba(colour);
    ink[3] *= opacity(element);
    const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < (large ? 3 : 4.5)) {
      weak.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className} "${text.trim().slice(0, 40)}"`);
    }
  };
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent, element = walk.currentNode.parentElement;
    if (!text.trim() || !element || element.matches('script, style, noscript, option') || !seen(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    check(element, text, getComputedStyle(element).color);
  }
  const wordless = ':is([type=range], [type=checkbox], [type=radio], [type=hidden])';
  for (const field of document.querySelectorAll(`input:not(${wordless}), textarea, select`)) {
    if (!seen(field)) continue;
    if (field.value) check(field, field.value, getComputedStyle(field).color);
    if (field.placeholder) check(field, field.placeholder, getComputedStyle(field, '::placeholder').color);
  }
  return [...new Set(weak)];
}"""

#: What can be worked, but says not what it is; and texts of pictures that are missing.
NAMELESS = """() => [...document.querySelectorAll(
    'input:not([type=hidden]), select, textarea, button, a[href], [role=button], [role=slider], [role=combobox], '
    + '[role=switch], [role=checkbox], [role=tab], [role=listbox], [role=spinbutton], dialog, [role=dialog], '
    + '[role=alertdialog], [role=img], img, [role=progressbar], [role=meter], canvas')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('[aria-hidden=true]'))
  .filter((each) => {
    const by = (each.getAttribute('aria-labelledby') || '').split(/\\s+/).map((id) => document.getElementById(id));
    const named = [each.getAttribute('aria-label'), each.getAttribute('title'),
      ...by.map((label) => label && label.textContent),
      ...[...(each.labels || [])].map((label) => label.textContent)];
    if (each.tagName === 'IMG') { if (each.hasAttribute('alt')) return false; }
    else if (each.tagName === 'CANVAS') { if (each.closest('[aria-label], [role=img]')) return false; }
    else if (!['INPUT', 'SELECT', 'TEXTAREA', 'DIALOG'].includes(each.tagName)) named.push(each.innerText);
    if (each.querySelector && [...each.querySelectorAll('img[alt], [aria-label]')]
      .some((inner) => inner.getAttribute('alt') || inner.getAttribute('aria-label'))) return false;
    return !named.some((name) => name && name.trim());
  }).map((each) => each.outerHTML.slice(0, 160))"""

HEADINGS = """() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter((each) => each.checkVisibility() && !each.closest('[aria-hidden=true]'))
  .map((each) => Number(each.tagName[1]))"""

TWICE = """() => { const ids = [...document.querySelectorAll('[id]')].map((each) => each.id);
  return ids.filter((id, i) => id && ids.indexOf(id) !== i) }"""

#: Where the focus is: what it is on, where that stands, and whether one sees it.
FOCUS = """() => {
  const on = document.activeElement;
  if (!on || on === document.body) return null;
  const drawn = (element) => {
    if (!element) return false;
    const style = getComputedStyle(element);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== 'none';
  };
  const around = on.closest('.q-field, .q-slider, .q-toggle, .q-checkbox, .q-radio, .q-btn, label');
  const field = around && around.querySelector('.q-field__control');
  const lit = around && around.querySelector('.q-focus-helper, .q-slider__focus-ring');
  const box = (around || on).getBoundingClientRect(), order = [];
  for (let each = on; each.parentElement; each = each.parentElement) {
    order.unshift([...each.parentElement.children].indexOf(each));
  }
  return {
    what: `${on.tagName}.${on.className} ${(on.innerText || on.getAttribute('aria-label') || '').slice(0, 40)}`,
    width: box.width, height: box.height, order, inside: on.closest('main') !== null,
    seen: drawn(on) || drawn(around) || drawn(field)
      || Boolean(lit && parseFloat(getComputedStyle(lit).opacity) > 0),
  };
}"""


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
    assert page.evaluate(WEAK) == []
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(TWICE) == []
    headings = page.evaluate(HEADINGS)
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
    assert page.evaluate(WEAK) == []
    picture(page, f"everyone-{name}-{scheme}-narrow")


@pytest.mark.parametrize("name", PATHS)
def test_a_page_is_walked_through_by_keys_in_the_order_in_which_it_is_read(page: Page, told: House, name):
    settled(page, told, name)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_class(re.compile("g-skip"))
    expect(page.locator(".g-skip")).to_be_in_viewport()
    stops = [page.evaluate(FOCUS)]
    for _ in range(60):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
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
        assert page.evaluate(FOCUS)["inside"]


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
    assert page.evaluate(WEAK) == []
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(HEADINGS) == [1]
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
    weak = page.evaluate(WEAK)
    assert [told for told in weak if "weak" in told]
    assert [told for told in weak if "faint" in told]
    assert len(page.evaluate(NAMELESS)) == 2
    assert page.evaluate(TWICE) == ["twice"]
    assert page.evaluate(HEADINGS)[-1] == 4
    with pytest.raises(AssertionError):
        fits(page)
