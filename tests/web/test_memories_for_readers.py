"""Whose key only reads looks at memories, and changes none; and what others do and see is written down."""

from playwright.sync_api import Page, expect

import gieok
from support.browsing import Locked, visit


def arrives(page: Page, locked: Locked, token: str, scope: dict[str, str]) -> None:
    """Come in with a key, to a page of one memory."""
    memory = {"content": "고양이를 좋아함", "attribute": "likes", "value": "고양이"}
    locked.call("POST", "/v1/memories", scope, memory)
    page.context.request.post(locked.address("/login"), form={"key": token})
    visit(page, locked, "/memories", scope)
    page.get_by_role("link", name="고양이를 좋아함", exact=True).click()


def test_who_may_only_read_is_offered_no_change(locked: Locked, page: Page, scope):
    arrives(page, locked, locked.key("손님", "reader"), scope)
    told = page.locator(".m-one")
    expect(told.locator(".m-history > li")).to_have_count(1)
    for name in ("고치기", "고정", "잊기", "이때로 되돌리기"):
        expect(told.get_by_role("button", name=name)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    page.get_by_label("고르기: 고양이를 좋아함").check()
    chosen = page.locator(".m-chosen")
    expect(chosen.get_by_role("button", name="다음 문맥에 넣기")).to_be_visible()
    expect(chosen.get_by_role("button", name="잊기")).to_have_count(0)


def test_who_looks_at_somebody_elses_memories_and_mends_one_is_named(locked: Locked, page: Page, scope):
    token = locked.key("운영자 김", "writer")
    arrives(page, locked, token, scope)
    told = page.locator(".m-one")
    told.get_by_role("button", name="고치기").click()
    told.get_by_label("바로잡은 말").fill("고슴도치를 좋아함")
    told.get_by_role("button", name="저장").click()
    expect(told.get_by_role("heading", level=2)).to_have_text("고슴도치를 좋아함")
    name = f"운영자 김 ({token.split('_')[1]})"
    expect(told.locator(".m-history > li").last).to_contain_text(name)
    with gieok.open(locked.bank, embedder="hashing") as bank:
        first, *reads, last = bank.audit(gieok.Scope(**scope))
        assert (first.act, last.act) == ("remember", "correct")
        assert 1 <= len(reads) <= 3, "one a minute, however much a page reads"
        assert {(deed.act, deed.why) for deed in reads} == {("read", "pages")}
        assert {str(deed.actor) for deed in (*reads, last)} == {f"key {name}"}
        assert bank.verify_audit().sound
