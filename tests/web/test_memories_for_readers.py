"""Whose key only reads looks at memories, and changes none; and what others do and see is written down."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

import gieok
from gieok.access.keys import issued
from support.browsing import House, own_house, visit


@pytest.fixture
def guarded(page: Page, tmp_path) -> Iterator[tuple[House, str]]:
    """A server that asks for keys, and one that reads."""
    token, key = issued("손님", "reader", now=datetime.now(UTC))
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        bank.scope(user="민수", character="레티아").remember("고양이를 좋아함", attribute="likes", value="고양이")
        bank.store.desk.keep_key(key)
    with own_house(page, tmp_path, GIEOK_SERVE_KEYS="always") as house:
        yield house, token


def test_who_may_only_read_is_offered_no_change(guarded: tuple[House, str], page: Page):
    house, token = guarded
    page.context.request.post(house.address("/login"), form={"key": token})
    visit(page, house, "/memories", {"user": "민수", "character": "레티아"})

    page.get_by_role("link", name="고양이를 좋아함", exact=True).click()
    told = page.locator(".m-one")
    expect(told.locator(".m-history > li")).to_have_count(1)
    for name in ("고치기", "고정", "잊기", "이때로 되돌리기"):
        expect(told.get_by_role("button", name=name)).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_label("고르기: 고양이를 좋아함").check()
    expect(page.get_by_role("button", name="다음 문맥에 넣기")).to_be_visible()
    expect(page.locator(".m-chosen").get_by_role("button", name="잊기")).to_have_count(0)


def test_who_looks_at_somebody_elses_memories_and_mends_one_is_named(tmp_path, page: Page):
    token, key = issued("운영자 김", "writer", now=datetime.now(UTC))
    scope = gieok.Scope(user="민수", character="레티아")
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        bank.mind(scope).remember("고양이를 좋아함", attribute="likes", value="고양이")
        bank.store.desk.keep_key(key)
    with own_house(page, tmp_path, GIEOK_SERVE_KEYS="always") as house:
        page.context.request.post(house.address("/login"), form={"key": token})
        visit(page, house, "/memories", {"user": "민수", "character": "레티아"})
        page.get_by_role("link", name="고양이를 좋아함", exact=True).click()
        told = page.locator(".m-one")
        told.get_by_role("button", name="고치기").click()
        told.get_by_label("바로잡은 말").fill("고슴도치를 좋아함")
        told.get_by_role("button", name="저장").click()
        expect(told.get_by_role("heading", level=2)).to_have_text("고슴도치를 좋아함")
        expect(told.locator(".m-history > li").last).to_contain_text(f"운영자 김 ({key.id})")
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        first, *reads, last = bank.audit(scope)
        assert (first.act, last.act) == ("remember", "correct")
        assert 1 <= len(reads) <= 3, "one a minute, however much a page reads"
        assert {(deed.act, deed.why) for deed in reads} == {("read", "pages")}
        assert {str(deed.actor) for deed in (*reads, last)} == {f"key 운영자 김 ({key.id})"}
        assert bank.verify_audit().sound
