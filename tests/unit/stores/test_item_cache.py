"""What was read stays true as long as nobody touches it."""

from __future__ import annotations

from datetime import UTC, datetime

from gieok.domain.turn import Utterance
from gieok.stores.tables.cache import LISTS, NAMEABLE, ItemCache, Nameable

SCOPE, OTHER = 1, 2


def said(text: str) -> Utterance:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Utterance(id=text, turn_id="t", speaker="user", text=text, at=at, position=0, session=None)


def test_what_was_read_serves_every_snapshot_of_its_version() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).items[7] = said("고양이")
    assert cache.known(SCOPE, 3).items[7].id == "고양이"
    assert not cache.known(OTHER, 3).items


def test_a_write_of_our_own_keeps_what_it_did_not_touch() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).items.update({7: said("고양이"), 8: said("강아지")})
    cache.written(SCOPE, 4, {8: None, 9: None})
    assert cache.known(SCOPE, 4).items.keys() == {7}


def test_what_a_write_of_our_own_made_of_an_item_is_known() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).items[7] = said("고양이")
    cache.written(SCOPE, 4, {7: said("강아지"), 8: said("토끼")})
    assert [item.id for item in cache.known(SCOPE, 4).items.values()] == ["강아지", "토끼"]


def test_a_write_of_another_process_leaves_nothing() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).items[7] = said("고양이")
    assert not cache.known(SCOPE, 4).items
    cache.known(SCOPE, 4).items[7] = said("고양이")
    cache.written(SCOPE, 6, {8: None})  # version 5 was theirs
    assert not cache.known(SCOPE, 6).items


def test_what_an_older_snapshot_reads_later_stays_with_it() -> None:
    cache = ItemCache()
    older = cache.known(SCOPE, 3).items
    cache.written(SCOPE, 4, {7: None})
    older[7] = said("what it was before")
    assert not cache.known(SCOPE, 4).items
    assert not cache.known(SCOPE, 3).items


def test_a_write_that_is_noted_late_changes_nothing() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 4).items[7] = said("as it is now")
    cache.written(SCOPE, 4, {7: None})
    assert cache.known(SCOPE, 4).items.keys() == {7}


def test_the_scope_that_was_read_longest_ago_goes_first() -> None:
    cache = ItemCache(most=3)
    cache.known(SCOPE, 1).items.update({1: said("하나"), 2: said("둘")})
    cache.known(OTHER, 1).items.update({3: said("셋"), 4: said("넷")})
    assert len(cache.known(OTHER, 1).items) == 2
    assert not cache.known(SCOPE, 1).items


def test_a_scope_that_holds_too_much_begins_anew() -> None:
    cache = ItemCache(most=1)
    cache.known(SCOPE, 1).items.update({1: said("하나"), 2: said("둘")})
    assert not cache.known(SCOPE, 1).items


def test_items_of_a_few_scopes_alone_are_kept() -> None:
    cache = ItemCache()
    for scope_id in range(100):
        cache.known(scope_id, 1).items[1] = said("라면")
    assert cache.known(99, 1).items
    assert not cache.known(0, 1).items


def test_an_answer_lasts_until_a_write_upsets_it() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).lasting.update({"people": 1, "forgotten": 2})
    cache.written(SCOPE, 4, {}, {"people"})
    assert cache.known(SCOPE, 4).lasting == {"forgotten": 2}
    cache.written(SCOPE, 5, {}, None)
    assert not cache.known(SCOPE, 5).lasting


def test_other_answers_are_of_their_version_alone() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).answers["latest"] = 1
    assert cache.known(SCOPE, 3).answers == {"latest": 1}
    cache.written(SCOPE, 4, {}, ())
    assert not cache.known(SCOPE, 4).answers


def test_no_answer_outlives_a_write_of_another_process() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).lasting["people"] = 1
    assert not cache.known(SCOPE, 4).lasting


def test_as_much_as_may_be_kept_is_kept_to_the_last() -> None:
    cache = ItemCache(most=3)
    cache.known(SCOPE, 1).items.update({1: said("하나"), 2: said("둘")})
    cache.known(OTHER, 1).answers["latest"] = 1
    assert cache.known(SCOPE, 1).items
    assert cache.known(OTHER, 1).answers
    cache.known(SCOPE, 1).lasting["people"] = 1
    assert cache.known(SCOPE, 1).items
    assert not cache.known(OTHER, 1).answers

    alone = ItemCache(most=2)
    alone.known(SCOPE, 1).lists.update({"하나": [1], "둘": [2]})
    assert alone.known(SCOPE, 1).lists


def test_thirty_two_scopes_are_kept_and_the_one_that_was_read_again_is_not_the_first_to_go() -> None:
    cache = ItemCache()
    for scope_id in range(32):
        cache.known(scope_id, 1).items[1] = said("라면")
    assert cache.known(0, 1).items
    cache.known(32, 1).items[1] = said("라면")
    assert cache.known(0, 1).items
    assert not cache.known(1, 1).items


def test_an_older_snapshot_reads_for_itself_and_disturbs_nobody() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 4).items[7] = said("고양이")
    older = cache.known(SCOPE, 3)
    older.items[8] = said("강아지")
    assert older.version == 3
    assert cache.known(SCOPE, 4).items.keys() == {7}
    assert cache.known(SCOPE, 3).items == {}


def test_lists_last_until_a_write_upsets_them_all() -> None:
    cache = ItemCache()
    cache.known(SCOPE, 3).lists["pinned"] = [1]
    cache.written(SCOPE, 4, {1: said("고양이")}, {"people"})
    assert cache.known(SCOPE, 4).lists == {"pinned": [1]}
    cache.written(SCOPE, 5, {}, {LISTS})
    assert not cache.known(SCOPE, 5).lists
    cache.known(SCOPE, 5).lists["pinned"] = [1]
    cache.written(SCOPE, 6, {}, None)
    assert not cache.known(SCOPE, 6).lists


def test_facts_by_name_are_brought_up_to_date_by_what_was_touched() -> None:
    cache = ItemCache()
    facts = Nameable.of([(1, "판교", None), (2, "합정", None)])
    cache.known(SCOPE, 3).lasting[NAMEABLE] = facts
    cache.written(SCOPE, 4, {}, ())
    assert cache.known(SCOPE, 4).lasting[NAMEABLE] is facts
    cache.written(SCOPE, 5, {1: None}, ())
    assert cache.known(SCOPE, 5).lasting[NAMEABLE].named_in("판교 합정") == [2]
