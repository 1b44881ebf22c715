"""Who is connected with what, as somebody sees it in a browser."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from support.browsing import House, picture, visit

MARKUP = "<b onmouseover=alert(1)>지훈</b>"


@pytest.fixture
def told(house: House, scope: dict[str, str]) -> dict[str, str]:
    """A user with a friend: what is known of each, and what has changed."""
    house.says("친구 지훈이랑 바다에 갔어", "좋았겠다!", scope=scope)
    for memory in (
        {"content": "의사임", "about": "지훈", "attribute": "job", "value": "의사"},
        {"content": "서울에 삶", "attribute": "residence", "value": "서울"},
        {"content": "부산에 삶", "attribute": "residence", "value": "부산"},
        {"content": "떡볶이를 아주 매콤하게 만들어 먹는 것을 좋아함", "attribute": "likes", "value": "떡볶이"},
    ):
        house.call("POST", "/v1/memories", scope, memory)
    return scope


def links(page: Page):
    return page.locator(".n-link")


def test_two_hops_lead_further_than_one(page: Page, house: House, told):
    visit(page, house, "/graph", told)

    expect(links(page).filter(has_text="부산에 삶").first).to_be_visible()
    expect(links(page).filter(has_text="의사임")).to_have_count(0)
    picture(page, "graph-light")

    page.get_by_role("radio", name="2단계").click()
    expect(links(page).filter(has_text="의사임").first).to_be_visible()
    expect(page.get_by_text("지난 기억").last).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text("기억")
    expect(page.locator(".n-graph svg").get_by_text("의사임")).to_be_attached()


def test_a_person_in_the_middle_has_their_memories_one_hop_away(page: Page, house: House, told):
    visit(page, house, "/graph", told)

    page.get_by_role("link", name="지훈, 가운데에 두기").click()
    expect(page.locator(".n-who h3").first).to_have_text("지훈")
    expect(links(page).filter(has_text="의사임")).to_have_count(1)
    expect(links(page).filter(has_text="부산에 삶")).to_have_count(0)


def test_a_relation_that_is_chosen_hides_the_others(page: Page, house: House, told):
    visit(page, house, "/graph", told)
    expect(links(page).filter(has_text="떡볶이").first).to_be_visible()

    page.get_by_label("이런 관계만 보기").click()
    page.get_by_role("option", name="사는 곳 (1)").click()
    expect(links(page).filter(has_text="떡볶이")).to_have_count(0)
    expect(links(page).filter(has_text="부산에 삶")).to_have_count(1)
    expect(page).to_have_url(house.url + "/graph?of=both&hops=1&relation=residence")


def test_a_memory_leads_to_its_own_page(page: Page, house: House, told):
    visit(page, house, "/graph", told)

    links(page).filter(has_text="떡볶이").first.click()
    page.wait_for_url("**/memories?memory=*")
    expect(page.locator("h1")).to_have_text("기억")
    expect(page.get_by_text("떡볶이를 아주 매콤하게 만들어 먹는 것을 좋아함").first).to_be_visible()

    visit(page, house, "/graph")
    label = page.locator(".n-graph svg").get_by_text("떡볶이를 아주", exact=False)
    expect(label).to_have_text("떡볶이를 아주 매콤하게 만들…")


def test_a_point_that_is_clicked_is_gone_to(page: Page, house: House, told):
    visit(page, house, "/graph", {**told, "of": "지훈"})

    page.locator(".n-graph svg").get_by_text("의사임").click(force=True)
    page.wait_for_url("**/memories?memory=*")


def test_the_graph_fits_a_telephone(page: Page, house: House, told):
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, house, "/graph", {**told, "hops": "2"})

    expect(page.locator(".n-graph svg")).to_be_visible()
    expect(links(page).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, "graph-390")


def test_markup_in_names_and_memories_stays_text(page: Page, house: House, scope):
    house.says("안녕", scope=scope)
    memory = {"content": f"{MARKUP} 왔다 감", "about": MARKUP, "attribute": "job", "value": MARKUP}
    house.call("POST", "/v1/memories", scope, memory)
    visit(page, house, f"/graph?of={quote('name:' + MARKUP)}&{'&'.join(f'{k}={quote(v)}' for k, v in scope.items())}")

    expect(page.locator(".n-who h3").first).to_have_text(MARKUP)
    expect(links(page).filter(has_text=f"{MARKUP} 왔다 감")).to_have_count(1)
    drawn = page.locator(".n-graph svg")
    expect(drawn.get_by_text("<b onmouseover=", exact=False).first).to_be_attached()
    point = drawn.get_by_text("<b onmouseover=", exact=False).first
    point.hover(force=True)
    assert page.locator("main b").count() == 0


def test_somebody_unknown_is_told_and_the_two_are_shown(page: Page, house: House, told):
    visit(page, house, "/graph", {**told, "of": "<script>alert(1)</script>"})

    expect(page.get_by_text("찾으시는 사람이나 기억이 여기에 없어요.", exact=False)).to_be_visible()
    expect(links(page).filter(has_text="부산에 삶").first).to_be_visible()
