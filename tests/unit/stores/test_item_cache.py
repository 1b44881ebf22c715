"""What was read stays true as long as nobody touches it."""

from __future__ import annotations

from datetime import UTC, datetime

from gieok.domain.turn import Utterance
from gieok.stores.sqlite.item_cache import ItemCache

SCOPE, OTHER = 1, 2


def said(text: str) -> Utterance:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Utterance(id=text, turn_id="t", speaker="user", text=text, at=at, position=0, session=None)


def test_what_was_read_serves_every_snapshot_of_its_version() -> None:
    cache = ItemCache()
    cache.items(SCOPE, 3)[7] = said("고양이")
    assert cache.items(SCOPE, 3)[7].id == "고양이"
    assert not cache.items(OTHER, 3)


def test_a_write_of_our_own_keeps_what_it_did_not_touch() -> None:
    cache = ItemCache()
    cache.items(SCOPE, 3).update({7: said("고양이"), 8: said("강아지")})
    cache.written(SCOPE, 4, {8, 9})
    assert cache.items(SCOPE, 4).keys() == {7}


def test_a_write_of_another_process_leaves_nothing() -> None:
    cache = ItemCache()
    cache.items(SCOPE, 3)[7] = said("고양이")
    assert not cache.items(SCOPE, 4)
    cache.items(SCOPE, 4)[7] = said("고양이")
    cache.written(SCOPE, 6, {8})  # version 5 was theirs
    assert not cache.items(SCOPE, 6)


def test_what_an_older_snapshot_reads_later_stays_with_it() -> None:
    cache = ItemCache()
    older = cache.items(SCOPE, 3)
    cache.written(SCOPE, 4, {7})
    older[7] = said("what it was before")
    assert not cache.items(SCOPE, 4)
    assert not cache.items(SCOPE, 3)


def test_a_write_that_is_noted_late_changes_nothing() -> None:
    cache = ItemCache()
    cache.items(SCOPE, 4)[7] = said("as it is now")
    cache.written(SCOPE, 4, {7})
    assert cache.items(SCOPE, 4).keys() == {7}


def test_the_scope_that_was_read_longest_ago_goes_first() -> None:
    cache = ItemCache(most=3)
    cache.items(SCOPE, 1).update({1: said("하나"), 2: said("둘")})
    cache.items(OTHER, 1).update({3: said("셋"), 4: said("넷")})
    assert len(cache.items(OTHER, 1)) == 2
    assert not cache.items(SCOPE, 1)


def test_a_scope_that_holds_too_much_begins_anew() -> None:
    cache = ItemCache(most=1)
    cache.items(SCOPE, 1).update({1: said("하나"), 2: said("둘")})
    assert not cache.items(SCOPE, 1)


def test_items_of_a_few_scopes_alone_are_kept() -> None:
    cache = ItemCache()
    for scope_id in range(100):
        cache.items(scope_id, 1)[1] = said("라면")
    assert cache.items(99, 1)
    assert not cache.items(0, 1)
