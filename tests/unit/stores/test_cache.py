"""What is kept of scopes: for whom it is true, how much of it there may be, and what it spares."""

import pytest

from gieok.domain.scope import Scope
from gieok.ports import BrowseFilter, MemoryFilter, Topic
from gieok.stores.sqlite.connection import INT16, Connection
from gieok.stores.tables import view as view_module
from gieok.stores.tables.cache import FEW_NAMEABLE, ScopeCache
from gieok.stores.tables.scopes import ScopeRow
from gieok.testing import Scribe, claim, day, entry_for, memory
from gieok_contract.base import everything

WORDS = ("라면", "김밥", "김밥천국", "Ramen", "고양이", "고", "없는말", "", " ")


def here(scope_id=1, version=1, epoch=0):
    counters = {"next_seq": 1, "turn_number": 0, "operation_number": 0, "index_epoch": epoch, "latest_at": 0}
    chain = {"mark": None, "since": 0, "length": 0, "head": ""}
    names = {"embedder": "", "dimension": 4, "hold": None, "retention": None, "connection": None, "scope": None}
    return ScopeRow(scope_id=scope_id, version=version, **counters, **chain, **names)


def test_answers_serve_every_snapshot_of_their_version_and_no_other():
    cache = ScopeCache(INT16)
    cache.answers(here(version=3)).topic("people")["who"] = "아빠"
    assert cache.answers(here(version=3)).topic("people") == {"who": "아빠"}
    assert not cache.answers(here(scope_id=2, version=3)).topic("people")
    cache.answers(here(version=2)).topic("people")["who"] = "엄마"
    assert not cache.answers(here(version=2)).topic("people"), "an older snapshot reads for itself"
    assert cache.answers(here(version=3)).topic("people") == {"who": "아빠"}
    assert not cache.answers(here(version=4)).topic("people"), "another process wrote"


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


def test_an_index_is_kept_for_its_epoch():
    cache = ScopeCache(INT16)
    index = cache.index(here(epoch=1))
    assert cache.index(here(version=2, epoch=1)) is index
    assert cache.index(here(epoch=0)) is not index
    assert cache.index(here(epoch=1)) is index
    assert cache.index(here(epoch=2)) is not index


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
    assert asked == []


@pytest.mark.parametrize("few", [FEW_NAMEABLE, 0])
def test_a_view_goes_on_seeing_the_facts_of_its_time_and_of_its_scope(scribe, letia, store, few, monkeypatch):
    monkeypatch.setattr(view_module, "FEW_NAMEABLE", few)
    Scribe(store, Scope(user="지영")).observe("말", claims=[claim("residence", "합정")])
    scribe.observe("나 합정 살아", claims=[claim("residence", "합정")])
    with scribe.store.view(letia) as earlier:
        for _ in range(2):
            assert [each.value for each in earlier.mentioned_facts("합정 말고 판교")] == ["합정"]
            scribe.observe("나 이제 판교 살아", claims=[claim("residence", "판교")])
    with scribe.store.view(letia) as later:
        assert [each.value for each in later.mentioned_facts("합정 말고 판교")] == ["판교"]
    with store.view(Scope(user="지영")) as view:
        assert [each.value for each in view.mentioned_facts("판교 합정")] == ["합정"]


def test_no_more_facts_than_a_text_may_name_are_given(scribe, letia):
    for number in range(33):
        scribe.remember(claim("likes", f"라면{number:02}", id=f"c{number}"))
    with scribe.store.view(letia) as view:
        assert len(view.mentioned_facts(" ".join(f"라면{number:02}" for number in range(33)))) == 32
        assert len(view.mentioned_facts("라면05")) == 1


def test_the_index_in_memory_grows_with_every_write_and_says_what_the_file_says(scribe, letia, opened):
    beside = opened()

    def look():
        fresh = opened()
        with fresh.view(letia) as view:
            expected = everything(view, words=WORDS)
        fresh.close()
        for store in (scribe.store, beside):
            for _ in range(4):  # asked so often, it is answered from memory
                with store.view(letia) as view:
                    found = everything(view, words=WORDS)
            assert found == expected

    for number, text in enumerate(("라면 먹고 라면 또", "김밥천국 김밥", "Ramen is ramen", "고양이 김밥")):
        scribe.observe(text, "김밥 좋죠", id=f"t{number}", session="아침" if number % 2 else None)
        look()
    scribe.remember(claim("likes", "라면", id="c1"))
    look()
    Scribe(beside, letia, name="옆").observe("김밥 싫어", "라면은요?")
    look()
    scribe.rewind("t1")
    look()
    scribe.forget("c1")
    look()


def test_what_is_kept_of_a_scope_is_what_its_file_says_after_every_write(scribe, letia, opened):
    user = {"subject": "user", "subject_id": "user"}
    filters = [
        MemoryFilter(attribute="likes"),
        MemoryFilter(attribute="job", **user),
        MemoryFilter(subject="other", subject_id="아빠"),
        MemoryFilter(pinned=True),
        MemoryFilter(content_type="event"),
    ]
    topics = [Topic(attributes=("likes", "favorite."), **user), Topic(values=("교사",), **user), Topic(**user)]
    plans = BrowseFilter(attribute="plan", present=day(9), **user)

    def answers(store):
        with store.view(letia) as view:
            return [
                [view.memories(which) for which in filters],
                [view.memories_about([topic]) for topic in topics],
                view.browse(plans, 9),
                view.subjects(),
                view.conclusions(),
                view.mentioned_facts("고양이 말고 Ramen 먹는 교사, 세라"),
                view.known_names(),
                view.last_state_records("scene", 2),
                view.people("아빠 친구 세라"),
            ]

    def look():
        fresh = opened()
        expected = answers(fresh)
        fresh.close()
        for _ in range(2):
            assert answers(scribe.store) == expected

    look()
    scribe.observe("나 고양이 좋아해", id="t1", claims=[claim("likes", "고양이", id="c1")])
    look()
    scribe.observe("아빠는 의사야", id="t2", claims=[claim("job", "의사", subject="other", subject_id="아빠", id="c2")])
    look()
    scribe.observe(
        "나 교사야", id="t3", claims=[claim("job", "교사", id="c3"), claim("favorite.food", "ramen", id="c4")]
    )
    look()
    scribe.remember(claim("plan", "부산 여행", id="c5"))
    look()
    scribe.observe("나 이제 의사야", id="t4", claims=[claim("job", "의사", id="c6")])
    look()
    scribe.observe("나 고양이 좋아한다니까", id="t5", claims=[claim("likes", "고양이", id="c7")])
    look()
    scribe.forget("c1")
    look()
    scribe.rewind("t4")
    look()


def test_a_memory_that_is_hidden_leaves_the_index_in_memory_without_a_reload(scribe, letia, opened, monkeypatch):
    for number, text in enumerate(("라면", "김밥", "고양이 김밥")):
        scribe.remember(claim("likes", text, id=f"c{number}"))
    with scribe.store.view(letia) as view:
        view.layout()
    scribe.forget("c1")
    scribe.forget("c0")
    loaded, rows = [], Connection.rows

    def counted(own, query, **values):
        found = rows(own, query, **values)
        loaded.extend(found if query == "load_index" else [])
        return found

    monkeypatch.setattr(Connection, "rows", counted)
    with scribe.store.view(letia) as view:
        refs = view.layout().refs.tolist()
    assert not loaded
    monkeypatch.undo()
    with opened().view(letia) as view:
        assert refs == view.layout().refs.tolist() != []


def test_more_items_than_are_kept_are_read_all_the_same(scribe, letia, opened):
    with scribe.store.locked(letia) as room:
        room.apply(entry_for(memories=tuple(memory(f"{number}", id=f"m{number}") for number in range(257))))
    with opened().view(letia) as view:
        refs = view.layout().refs.tolist()
        assert len(view.items(refs)) == 257
        assert view.items(refs)[refs[0]] is not view.items(refs)[refs[0]], "so many are not kept"
        assert view.items(refs[:256])[refs[0]] is view.items(refs[:256])[refs[0]]
