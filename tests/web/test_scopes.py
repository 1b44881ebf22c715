"""Profiles: chosen, begun, exported and deleted, each by whoever may."""

import json

import httpx2
from playwright.sync_api import Page, expect

from gieok.domain.server_state import Bounds
from support.browsing import House, Locked, picture, visit


def row(page: Page, user: str):
    return page.locator(".s-profile").filter(has=page.get_by_text(user, exact=True))


def found(page: Page, user: str):
    """Look for a profile by its user's name, and return its row."""
    page.get_by_label("이름으로 찾기").fill(user)
    expect(page.locator(".s-profile")).to_have_count(1)
    return row(page, user)


def test_another_profile_is_found_by_its_name_and_turning_to_it_clears_what_was_picked(page: Page, house: House, scope):
    other = {**scope, "user": f"{scope['user'][:60]}-지영"}
    house.says("나 고양이 좋아해", scope=scope, at="2026-03-01T20:00:00+09:00")
    house.says("나 강아지 좋아해", scope=other)
    visit(page, house, "/ask", {"q": "고양이", **scope})
    page.get_by_role("button", name="다음 문맥에 넣기").first.click()
    expect(page.locator(".a-picked-line").first).to_be_visible()
    visit(page, house, "/scopes")
    picture(page, "scopes-light")
    expect(found(page, scope["user"])).to_contain_text("보고 있어요")

    mine = found(page, other["user"])
    expect(mine).to_contain_text("대화 1번")
    mine.get_by_role("button").first.click()

    expect(page).to_have_url(house.address("/"))
    expect(page.locator(".g-whose")).to_contain_text(other["user"])
    visit(page, house, "/ask", {"q": "고양이", **scope})
    expect(page.locator(".a-hit").first).to_be_visible()
    expect(page.locator(".a-picked-line")).to_have_count(0)


def test_a_new_profile_leads_to_the_talk_and_keeps_nothing_before_something_is_said(page: Page, house: House, scope):
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, house, "/scopes")
    create = page.locator(".s-create")
    create.get_by_role("button", name="만들고 이야기하기").click()
    expect(create.get_by_role("alert")).to_have_text("이름을 하나는 적어 주세요.")

    create.get_by_label("캐릭터 이름").fill("세라")
    expect(create).to_contain_text("설정집이 돼요")
    create.get_by_label("상대 이름 (나)").fill(scope["user"])
    expect(create.get_by_text("설정집이 돼요")).to_be_hidden()
    expect(create).to_contain_text("아무것도 저장되지 않아요")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    create.get_by_role("button", name="만들고 이야기하기").click()

    expect(page).to_have_url(house.address("/"))
    expect(page.locator(".g-whose")).to_contain_text(f"세라 · {scope['user']}")
    known = house.call("GET", "/v1/turns", {"user": scope["user"], "character": "세라"})
    assert known["items"] == []


def test_an_export_is_a_file_of_lines_that_ends_with_end(page: Page, house: House, scope):
    house.says("나 땅콩 알레르기 있어", scope=scope)
    visit(page, house, "/scopes", scope)
    mine = found(page, scope["user"])

    with page.expect_download() as begun:
        mine.get_by_role("link").click()

    lines = [json.loads(line) for line in begun.value.path().read_text(encoding="utf-8").splitlines()]
    assert begun.value.suggested_filename.endswith(".jsonl")
    assert lines[0]["data"]["user"] == scope["user"]
    assert lines[-1]["kind"] == "end"
    assert lines[-1]["data"]["counts"]["turn"] == 1


def test_a_profile_is_deleted_only_after_its_name_was_typed_and_another_users_stays(page: Page, house: House, scope):
    other = {**scope, "user": f"{scope['user'][:60]}-다른"}
    for each in (scope, other):
        house.says("나 부산에 살아", scope=each)
    visit(page, house, "/scopes", scope)
    found(page, scope["user"]).get_by_role("button", name="지우기").click()
    dialog = page.get_by_role("alertdialog")
    yes = dialog.get_by_role("button", name="영영 지우기")
    expect(dialog).to_contain_text("대화 1번")
    expect(dialog).to_contain_text("기억 1개")
    expect(yes).to_be_disabled()
    typed = dialog.get_by_label("지울 프로필의 이름")
    typed.fill(scope["user"])
    expect(yes).to_be_disabled()
    assert house.call("GET", "/v1/facts", scope)["items"]

    typed.fill(f"레티아 {scope['user']} 별의 학원")
    yes.click()

    expect(page.get_by_text("기억을 지웠어요")).to_be_visible()
    expect(row(page, scope["user"])).to_have_count(0)
    assert house.call("GET", "/v1/turns", scope)["items"] == []
    assert [each["content"] for each in house.call("GET", "/v1/facts", other)["items"]] == ["부산에 삶"]


def test_a_key_with_bounds_shows_its_own_profiles_and_what_its_role_may_do(page: Page, locked: Locked, scope):
    other = scope | {"user": "지영"}
    for each in (scope, other):
        locked.says("나 고양이 좋아해", scope=each)
    token = locked.key("보기만", "reader", bounds=[Bounds(user=scope["user"])])
    page.context.request.post(locked.address("/login"), form={"key": token})
    visit(page, locked, "/scopes")

    expect(page.locator(".s-profile")).to_have_count(1)
    expect(row(page, scope["user"])).to_have_count(1)
    expect(page.get_by_role("button", name="지우기")).to_have_count(0)
    expect(page.locator(".s-create")).to_contain_text("writer 키가 필요해요")
    page.get_by_label("이름으로 찾기").fill("지영")
    expect(page.locator(".s-list-card")).to_contain_text("찾는 이름이 없어요")
    cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    answers = [
        httpx2.get(locked.address("/scopes/export", **each), cookies=cookies, timeout=60) for each in (scope, other)
    ]
    assert [each.status_code for each in answers] == [200, 403]
    assert "고양이" not in answers[1].text

    visit(page, locked, "/upkeep")
    expect(page.locator(".u-passes-card")).to_contain_text("미리 보기만 할 수 있어요")
    expect(page.get_by_role("button", name="실행", exact=True)).to_have_count(0)
    expect(page.locator(".u-figures")).to_contain_text("전체 크기는 볼 수 없어요")
