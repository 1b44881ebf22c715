"""Who is connected with what, as somebody sees it in a browser."""

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


def test_somebody_unknown_is_told_and_the_two_are_shown(page: Page, house: House, told):
    visit(page, house, "/graph", {**told, "of": "<script>alert(1)</script>"})

    expect(page.get_by_text("찾으시는 사람이나 기억이 여기에 없어요.", exact=False)).to_be_visible()
    expect(links(page).filter(has_text="부산에 삶").first).to_be_visible()
