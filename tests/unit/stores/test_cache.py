"""What is kept of scopes: for whom it is true, how much of it there may be, and what it spares."""

from dataclasses import replace

import pytest

from gieok.domain.scope import Scope
from gieok.ports import MemoryFilter, Topic
from gieok.stores.sqlite.connection import INT16, Connection
from gieok.stores.tables.cache import Nameable, ScopeCache
from gieok.stores.tables.scopes import ScopeRow
from gieok.stores.tables.write import Written
from gieok.testing import Scribe, claim, day, entry_for, memory, turn


def here(scope_id=1, version=1, epoch=0):
    counters = {"next_seq": 1, "turn_number": 0, "operation_number": 0, "index_epoch": epoch, "latest_at": 0}
    chain = {"mark": None, "since": 0, "length": 0, "head": ""}
    names = {"embedder": "", "dimension": 4, "hold": None, "retention": None, "connection": None}
    return ScopeRow(scope_id=scope_id, version=version, **counters, **chain, **names)


def written(version, **items):
    entry = entry_for()
    refs = {name: ref for ref, name in enumerate(items)}
    return Written(entry=entry, operation=entry.operation, turn=None, scope_id=1, version=version, items={}, refs=refs)


@pytest.fixture
def cache():
    return ScopeCache(INT16)


def test_answers_serve_every_snapshot_of_their_version_and_no_other(cache):
    cache.answers(here(version=3)).topic("people")["who"] = "아빠"
    assert cache.answers(here(version=3)).topic("people") == {"who": "아빠"}
    assert not cache.answers(here(scope_id=2, version=3)).topic("people")
    older = cache.answers(here(version=2)).topic("people")
    older["who"] = "엄마"
    assert not cache.answers(here(version=2)).topic("people"), "an older snapshot reads for itself"
    assert cache.answers(here(version=3)).topic("people") == {"who": "아빠"}
    assert not cache.answers(here(version=4)).topic("people"), "another process wrote"


def test_a_write_of_this_process_keeps_what_it_does_not_touch_and_what_older_snapshots_read_later_stays_with_them(
    cache,
):
    older = cache.answers(here(version=3))
    older.topic("people")["who"] = "아빠"
    older.topic("version")["count"] = 1
    cache.written(written(4))
    older.topic("version")["count"] = 2
    assert cache.answers(here(version=4)).topic("people") == {"who": "아빠"}
    assert not cache.answers(here(version=4)).topic("version")


@pytest.mark.parametrize("version", [3, 5])
def test_a_write_that_is_noted_late_or_behind_another_changes_nothing(cache, version):
    cache.answers(here(version=3)).topic("version")["count"] = 1
    cache.written(written(version))
    assert cache.answers(here(version=3)).topic("version") == {"count": 1}


def test_the_scope_that_was_used_longest_ago_goes_first_and_the_one_in_use_stays():
    cache = ScopeCache(INT16, limit=5 * 2_048)
    for scope_id, count in ((1, 2), (2, 2), (1, 0), (3, 2)):
        cache.answers(here(scope_id)).topic("people").update({f"{scope_id} {number}": 1 for number in range(count)})
        cache.settle(here(scope_id))
    assert [bool(cache.answers(here(scope_id)).topic("people")) for scope_id in (1, 2)] == [True, False]
    cache.answers(here(3)).topic("people").update(dict.fromkeys(range(9), 1))
    cache.settle(here(3))
    assert cache.answers(here(3)).topic("people"), "also where it takes more than all may"
    cache.answers(here(3)).topic("people").update(dict.fromkeys(range(20_000), 1))
    assert not cache.answers(here(3)).topic("people"), "but not endlessly"


def test_an_index_is_kept_for_its_epoch(cache):
    index = cache.index(here(epoch=1))
    assert cache.index(here(version=2, epoch=1)) is index
    assert cache.index(here(epoch=0)) is not index
    assert cache.index(here(epoch=1)) is index
    assert cache.index(here(epoch=2)) is not index
    cache.drop(1)
    assert cache.index(here(epoch=2)).size > 0


def test_an_index_counts_against_the_limit():
    size = ScopeCache(INT16).index(here()).size
    cache = ScopeCache(INT16, limit=2 * size)
    kept = {scope_id: cache.index(here(scope_id)) for scope_id in (1, 2, 3) if cache.settle(here(scope_id)) is None}
    for scope_id in (1, 2, 3):
        cache.settle(here(scope_id))
    assert [cache.index(here(scope_id)) is kept[scope_id] for scope_id in (2, 3)] == [True, True]


def test_a_turn_that_changes_nothing_else_leaves_nothing_to_be_read_again(scribe, letia, monkeypatch):
    def ask():
        with scribe.store.view(letia) as view:
            view.turns(8), view.unread_turns(1), view.open_turns(1), view.vectorless(9), view.latest_at
            view.memories(MemoryFilter(pinned=True, current_at=day(9)))
            view.memories_about([Topic(subject="user", subject_id="user", attributes=("likes",))])
            view.mentioned_facts("고양이"), view.people("아빠"), view.conclusions(), view.forgotten_words()
            view.state_records("entity"), view.state_records_by_key([("relationship", "pair")]), view.known_names()
            view.times_heard([claim("likes", "고양이").saying])

    scribe.observe("나 고양이 좋아해", claims=[claim("likes", "고양이")])
    ask()
    scribe.observe("오늘 뭐 먹지?")
    asked, rows = [], Connection.rows
    monkeypatch.setattr(
        Connection, "rows", lambda own, query, **values: asked.append(query) or rows(own, query, **values)
    )
    ask()
    assert asked == ["find_scope"]


FACT = memory(attribute="residence", value="판교", surface="판교역")


@pytest.mark.parametrize(
    ("touched", "named"),
    [
        (FACT, True),
        (replace(FACT, subject="character"), False),
        (replace(FACT, subject_id="민지"), False),
        (replace(FACT, attribute=None), False),
        (replace(FACT, polarity="-"), False),
        (replace(FACT, invalid_at=day(3)), False),
        (replace(FACT, retracted=True), False),
        (replace(FACT, forgotten_at=day(3)), False),
        (turn("판교 살아").utterances[0], False),
        (None, False),
    ],
)
def test_only_a_current_fact_of_the_user_is_named(touched, named):
    for before in (Nameable.of([]), Nameable.of([(1, "판교", None)])):
        assert before.after({1: touched}).named_in("판교역") == ([1] if named else [])
        assert before.after({2: touched, 1: None}).named_in("판교") == ([2] if named else [])


def test_a_fact_is_named_by_its_value_or_its_words_in_either_case():
    facts = Nameable.of([(1, "INFP", "인프피"), (2, "25", None), (3, None, "판교"), (4, None, None)])
    assert facts.named_in("난 infp고 판교 살아") == [1, 3]
    assert facts.named_in("인프피, 25살") == [1, 2]
    assert facts.named_in("아무것도 None \xff") == []


def test_a_view_goes_on_seeing_the_facts_of_its_time(scribe, letia):
    scribe.observe("나 합정 살아", claims=[claim("residence", "합정")])
    with scribe.store.view(letia) as earlier:
        assert [each.value for each in earlier.mentioned_facts("합정 말고 판교")] == ["합정"]
        scribe.observe("나 이제 판교 살아", claims=[claim("residence", "판교")])
        assert [each.value for each in earlier.mentioned_facts("합정 말고 판교")] == ["합정"]
    with scribe.store.view(letia) as later:
        assert [each.value for each in later.mentioned_facts("합정 말고 판교")] == ["판교"]


def test_no_scope_is_told_what_was_kept_of_another(store, letia):
    for scope, value in ((letia, "판교"), (Scope(user="지영"), "합정")):
        Scribe(store, scope).observe("말", claims=[claim("residence", value)])
    for scope, value in ((letia, "판교"), (Scope(user="지영"), "합정")) * 2:
        with store.view(scope) as view:
            assert [each.value for each in view.mentioned_facts("판교 합정")] == [value]
