"""The store that LangGraph sees: to the letter of its documentation, with its own in-memory store as the oracle.

LangGraph's conformance kit knows checkpointers and no stores, so the same random operations go to both.
"""

import asyncio
import json
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

import gieok
from gieok.domain.scope import Scope
from gieok.errors import InvalidText
from gieok.interop.langgraph import GieokStore, own_scope
from gieok.testing import FixedClock, day

ROOT = Path(__file__).parents[3]
MINSU = ("users", "민수")
MANY = 1_000


@pytest.fixture
def clock():
    return FixedClock(day(1))


@pytest.fixture
def bank(tmp_path, clock):
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=clock) as opened:
        yield opened


@pytest.fixture
def store(bank):
    return GieokStore(bank)


def keys(items):
    return [item.key for item in items]


# The same operations on both.

labels = st.sampled_from(["민수", "a", "b", "c"])
namespaces = st.lists(labels, min_size=1, max_size=3).map(tuple)
names = st.sampled_from(["k1", "k2", "열쇠"])
numbers = st.integers(-3, 3) | st.sampled_from([0.5, 2.5])
scalars = numbers | st.sampled_from(["x", "고양이"]) | st.booleans() | st.none()
values = st.fixed_dictionaries(
    {"n": numbers},
    optional={"s": scalars, "nested": st.fixed_dictionaries({"m": scalars}), "list": st.lists(scalars, max_size=2)},
)
comparisons = st.dictionaries(st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), numbers, min_size=1)
filters = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "n": numbers | comparisons,
        "s": scalars,
        "nested": st.fixed_dictionaries({"m": scalars}),
        "list": st.lists(scalars, max_size=2),
    },
)
patterns = st.lists(labels | st.just("*"), min_size=1, max_size=3).map(tuple)
conditions = st.builds(MatchCondition, match_type=st.sampled_from(["prefix", "suffix"]), path=patterns)
operations = st.one_of(
    st.builds(PutOp, namespace=namespaces, key=names, value=st.none() | values, index=st.just(False), ttl=st.none()),
    st.builds(GetOp, namespace=namespaces, key=names),
    st.builds(
        SearchOp,
        namespace_prefix=st.lists(labels, max_size=2).map(tuple),
        filter=filters,
        limit=st.integers(0, 4) | st.just(MANY),
        offset=st.integers(0, 3),
    ),
    st.builds(
        ListNamespacesOp,
        match_conditions=st.none() | st.lists(conditions, max_size=2).map(tuple),
        max_depth=st.none() | st.integers(1, 3),
        limit=st.integers(0, 3) | st.just(MANY),
        offset=st.integers(0, 2),
    ),
)


def told(op, result):
    """What both must agree on: everything but the times, and the order of a search, which each may choose."""
    if isinstance(op, GetOp):
        return result and (result.namespace, result.key, result.value)
    if isinstance(op, SearchOp):
        found = {(item.namespace, item.key): json.dumps(item.value, sort_keys=True) for item in result}
        assert len(found) == len(result), "nothing stands there twice"
        return found if (op.limit, op.offset) == (MANY, 0) else len(found)
    return result


@given(batches=st.lists(st.lists(operations, max_size=4), max_size=8))
def test_random_operations_are_answered_as_langgraphs_own_store_answers_them(tmp_path_factory, batches):
    oracle = InMemoryStore()
    with gieok.open(tmp_path_factory.mktemp("bank") / "b.db", embedder="hashing") as bank:
        store = GieokStore(bank)
        for operations_of_it in batches:
            batch = sorted(operations_of_it, key=lambda op: not isinstance(op, ListNamespacesOp))
            expected, given_back = oracle.batch(batch), store.batch(batch)
            assert [told(*pair) for pair in zip(batch, given_back, strict=True)] == [
                told(*pair) for pair in zip(batch, expected, strict=True)
            ]
            # asking it for what is not there leaves an empty namespace behind, which is why listing comes first
            for namespace in [each for each, items in oracle._data.items() if not items]:
                del oracle._data[namespace]


# Records.


def test_a_value_comes_back_as_it_was_put(store):
    value = {
        "text": "고양이",
        "n": 1.5,
        "all": math.inf,
        "none": None,
        "list": [1, {"깊이": ["끝"]}],
        "odd": "\ud800\x00",
    }
    store.put(MINSU, "a", value)
    store.get(MINSU, "a").value["list"].append(2)  # the caller's own
    assert store.get(MINSU, "a").value == value


def test_a_replaced_record_stays_as_old_as_it_is(store, clock):
    store.put(MINSU, "a", {"n": 1})
    began = clock.now()
    clock.advance(hours=1)
    store.put(MINSU, "a", {"n": 2})
    item = store.get(MINSU, "a")
    assert (item.created_at, item.updated_at) == (began, began + timedelta(hours=1))


def test_in_a_batch_all_questions_see_what_was_there_before_and_the_last_put_counts(store):
    store.put(MINSU, "a", {"n": 0})
    before, *_, missing = store.batch(
        [
            GetOp(MINSU, "a"),
            PutOp(MINSU, "a", {"n": 1}),
            PutOp(MINSU, "b", {"n": 1}),
            PutOp(MINSU, "b", None),
            PutOp(MINSU, "a", {"n": 2}),
            GetOp(MINSU, "b"),
        ]
    )
    assert (before.value, missing) == ({"n": 0}, None)
    assert store.get(MINSU, "a").value == {"n": 2}
    assert store.get(MINSU, "b") is None


def test_nothing_of_a_batch_is_written_if_one_value_cannot_be_kept(store):
    with pytest.raises(TypeError):
        store.batch([PutOp(MINSU, "a", {"n": 1}), PutOp(MINSU, "b", {"set": {1}})])
    assert store.search(()) == []


@pytest.mark.parametrize(("namespace", "key"), [((*MINSU, "\ud83d"), "a"), (MINSU, "a\0b")])
def test_a_name_that_cannot_be_stored_leaves_no_memory_behind(store, bank, namespace, key):
    with pytest.raises(InvalidText):
        store.put(namespace, key, {"text": "라면을 좋아함"})
    assert bank.scopes() == []


def test_a_label_with_a_period_cannot_pass_for_two(store):
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("users.민수",), "a", {})])
    with pytest.raises(InvalidNamespaceError):
        store.put(("langgraph", "x"), "a", {})


def test_an_unknown_operator_is_named(store):
    store.put(MINSU, "a", {"n": 1})
    with pytest.raises(ValueError, match=r"\$in.*\$gte"):
        store.search(MINSU, filter={"n": {"$in": [1]}})


def test_dates_are_compared_as_text_and_what_cannot_be_compared_does_not_pass(store):
    store.put(MINSU, "old", {"day": "2025-01-01"})
    store.put(MINSU, "new", {"day": "2026-01-01"})
    store.put(MINSU, "none", {})
    assert keys(store.search(MINSU, filter={"day": {"$gt": "2025-06-01"}})) == ["new"]


def test_without_a_query_the_latest_come_first_and_pages_join_up(store, clock):
    for name in "abcde":
        store.put(MINSU, name, {"text": name}, index=False)
        clock.advance(minutes=1)
    store.put(MINSU, "a", {"text": "again"}, index=False)
    assert keys(store.search(MINSU)) == list("aedcb")
    assert keys(store.search(MINSU, limit=2, offset=1)) == list("ed")


def test_records_are_there_after_the_bank_was_closed(tmp_path):
    with gieok.open(tmp_path / "m.db", embedder="hashing") as bank:
        GieokStore(bank).put(MINSU, "a", {"text": "고양이를 키운다"})
    with gieok.open(tmp_path / "m.db", embedder="hashing") as bank:
        assert keys(GieokStore(bank).search(MINSU, query="고양이")) == ["a"]


# Searching by what is meant.


def test_a_query_ranks_by_what_recall_finds(store):
    store.put(MINSU, "cat", {"text": "고양이 코코를 키운다"})
    store.put(MINSU, "nuts", {"text": "땅콩 알레르기가 있다"})
    store.put(MINSU, "secret", {"text": "고양이 사료 창고"}, index=False)
    found = store.search(MINSU, query="고양이")
    assert keys(found) == ["cat", "nuts", "secret"]
    assert found[0].score > found[1].score
    assert found[2].score is None
    assert keys(store.search(MINSU, query="고양이", limit=1, offset=1)) == ["nuts"]


def test_only_the_named_fields_are_searched(bank):
    store = GieokStore(bank, fields=["title"])
    value = {"title": "여름 휴가", "body": "고양이 카페", "parts": [{"t": "바다"}, {"t": "수영"}]}
    store.put(MINSU, "by default", value)
    store.put(MINSU, "by path", value, index=["parts[*].t", "missing"])
    store.put(MINSU, "by nothing", value, index=["missing"])
    memories = {memory.content for memory in bank.mind(own_scope(MINSU)).facts()}
    assert memories == {"여름 휴가", "바다\n수영"}
    assert next(item.key for item in store.search(MINSU, query="수영") if item.score) == "by path"


def test_two_records_of_the_same_words_are_two_and_found_alike(store, bank):
    for name in ("one", "two", "three"):
        store.put(MINSU, name, {"text": "고양이를 정말 좋아한다"})
    scores = {item.key: item.score for item in store.search(MINSU, query="고양이")}
    assert len(scores) == 3
    assert len(set(scores.values())) == 1
    store.delete(MINSU, "one")
    assert {item.key for item in store.search(MINSU, query="고양이") if item.score} == {"two", "three"}
    assert len(bank.mind(own_scope(MINSU)).facts()) == 2


def test_versions_of_a_long_text_are_all_found(store):
    text = " ".join(f"{n}번째 날에는 바다를 따라 걷다가 등대 아래에서 쉬었다." for n in range(60))
    for name in ("바람", "구름", "소나기"):
        store.put(MINSU, name, {"text": f"{text} 그날은 {name}이 좋았다."})
    store.put(MINSU, "other", {"text": "고양이를 키운다"})
    found = store.search(MINSU, query="등대 아래에서 쉰 날")
    assert found[-1].key == "other"
    assert all(item.score is not None for item in found)


def test_upkeep_leaves_the_memories_of_records_alone(store, bank, clock):
    for number in range(4):
        store.put(MINSU, str(number), {"text": "오늘 공원에서 산책했다"})
    clock.advance(days=400)
    kept = bank.mind(own_scope(MINSU)).maintain(["merge", "prune", "promote", "reflect", "weekly"])
    assert kept.kept == () or all(each.action not in ("merge", "prune") for each in kept.kept)
    assert all(item.score for item in store.search(MINSU, query="산책"))


def test_a_changed_record_is_found_by_its_new_words_alone(store, bank):
    store.put(MINSU, "pet", {"text": "고양이를 키운다"})
    store.put(MINSU, "pet", {"text": "강아지를 키운다"})
    mind = bank.mind(own_scope(MINSU))
    assert [memory.content for memory in mind.facts()] == ["text: 강아지를 키운다"]
    before = len(mind.journal())
    store.put(MINSU, "pet", {"text": "강아지를 키운다"})
    assert len(mind.journal()) == before, "the same text makes no second memory"


def test_a_record_whose_memory_was_forgotten_stays_and_is_found_again_once_it_is_put(store, bank):
    store.put(MINSU, "pet", {"text": "고양이를 키운다"})
    mind = bank.mind(own_scope(MINSU))
    mind.forget(mind.facts()[0].id)
    (item,) = store.search(MINSU, query="고양이")
    assert (item.key, item.score) == ("pet", None)
    store.put(MINSU, "pet", {"text": "고양이를 키운다"})
    assert store.search(MINSU, query="고양이")[0].score is not None


def test_records_can_live_in_a_characters_own_memory_beside_what_was_said(bank):
    store = GieokStore(bank, scope_of=lambda namespace: Scope(user=namespace[-1], character="letia"))
    letia = bank.scope(user="민수", character="letia")
    bank.scope(character="letia").remember("고양이 카페에서 일한다", about="character")
    letia.observe("나 고양이 좋아해")
    store.put(MINSU, "pet", {"text": "고양이 코코를 키운다"})
    assert keys(store.search(MINSU, query="고양이")) == ["pet"]
    assert any("코코" in hit.text for hit in letia.recall("고양이"))
    store.delete(MINSU, "pet")
    assert not any("코코" in hit.text for hit in letia.recall("고양이"))
    assert letia.facts(attribute="likes")


def test_a_long_text_is_kept_whole_and_found_by_its_beginning(store):
    text = "고양이 " * 5_000
    store.put(MINSU, "long", {"text": text})
    (item,) = store.search(MINSU, query=text)
    assert item.value == {"text": text}
    assert item.score is not None


def test_a_prefix_searches_every_namespace_below_it(store):
    store.put(("users", "민수"), "a", {"text": "고양이를 키운다"})
    store.put(("users", "지영", "더"), "b", {"text": "고양이를 싫어한다"})
    store.put(("others",), "c", {"text": "고양이 동영상"})
    assert sorted(keys(store.search(("users",), query="고양이"))) == ["a", "b"]


@pytest.mark.parametrize("namespace", [("가" * 150, "나" * 150), (" ",), ("a\nb",)])
def test_a_namespace_that_no_scope_can_be_called_by_has_one_all_the_same(store, namespace):
    store.put(namespace, "a", {"text": "고양이"})
    assert keys(store.search(namespace, query="고양이")) == ["a"]


# Records that go by themselves.


def test_a_record_goes_when_its_time_is_over_and_every_use_prolongs_it(store, clock, bank):
    store.put(MINSU, "a", {"text": "고양이"}, ttl=10)
    clock.advance(minutes=9)
    assert store.get(MINSU, "a", refresh_ttl=False)
    assert store.search(MINSU, query="고양이")  # from here on ten more
    clock.advance(minutes=9)
    assert store.get(MINSU, "a", refresh_ttl=False)
    clock.advance(minutes=2)
    assert store.get(MINSU, "a") is None
    assert store.list_namespaces() == []
    assert bank.mind(own_scope(MINSU)).facts() == []


def test_the_stores_own_ttl_holds_for_puts_that_name_none(bank, clock):
    store = GieokStore(bank, ttl={"default_ttl": 5, "refresh_on_read": False})
    store.put(MINSU, "a", {})
    store.put(MINSU, "b", {}, ttl=None)
    store.put(MINSU, "c", {}, ttl=1e300)  # beyond the calendar
    clock.advance(minutes=4)
    assert store.get(MINSU, "a")
    clock.advance(minutes=2)
    assert store.sweep_ttl() == 1
    assert sorted(keys(store.search(MINSU))) == ["b", "c"]


def test_a_record_put_after_its_time_is_a_new_one(store, clock):
    store.put(MINSU, "a", {"n": 1}, ttl=1)
    clock.advance(minutes=5)
    store.put(MINSU, "a", {"n": 2})
    assert store.get(MINSU, "a").created_at == clock.now()


# Many at once.


def test_the_asynchronous_half_does_the_same(store):
    async def talk():
        await asyncio.gather(*(store.aput(MINSU, str(n), {"text": f"고양이 {n}", "n": n}) for n in range(10)))
        found = await store.asearch(MINSU, query="고양이", filter={"n": {"$gte": 5}})
        await store.adelete(MINSU, "0")
        return found, await store.aget(MINSU, "0"), await store.alist_namespaces()

    found, gone, names = asyncio.run(talk())
    assert sorted(keys(found)) == list("56789")
    assert (gone, names) == (None, [MINSU])


def test_writers_of_one_key_leave_one_record_and_one_memory(store, bank):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.put(MINSU, "a", {"text": f"고양이 {n}마리"}), range(24)))
    (item,) = store.search(MINSU)
    assert [memory.content for memory in bank.mind(own_scope(MINSU)).facts()] == [f"text: {item.value['text']}"]


# Around it.


@pytest.mark.check
def test_the_example_of_the_documentation_runs(tmp_path):
    example = ROOT / "examples" / "langgraph_memory.py"
    done = subprocess.run(
        [sys.executable, example],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "food 땅콩 알레르기가 있다",
        "plan 내년에 제주도로 이사할 생각이다",
        "pet 고양이 코코를 키운다",
        "[('users', '민수')] None",
    ]
    program = example.read_text(encoding="utf-8").partition("import gieok\n")[2]
    assert program in (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
    assert len(program.splitlines()) <= 20


def test_without_langgraph_the_way_out_is_named():
    program = "import sys; sys.modules['langgraph.store.base'] = None; import gieok.interop.langgraph"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'pip install "gieok[langgraph]"' in done.stderr


# Erasing a user.


@pytest.mark.parametrize(
    "namespace",
    [MINSU, ("민수", "memories"), ("memories", "민수", "plans"), ("users", "민수", "긴" * 200)],
    ids=["users", "first", "in between", "hashed"],
)
def test_what_is_kept_in_a_users_namespaces_is_erased_with_the_user(bank, store, tmp_path, namespace):
    store.put(namespace, "secret", {"text": "보라색우산을 잃어버렸다"})
    store.put(("users", "지훈"), "plan", {"text": "부산에 간다"})
    bank.scope(user="민수", character="letia").observe("나 고양이 좋아해")

    assert {each.scope for each in bank.erase(user="민수", dry_run=True).scopes} >= {own_scope(namespace)}
    bank.erase(user="민수")

    assert store.get(namespace, "secret") is None
    assert "보라색우산".encode() not in (tmp_path / "memories.db").read_bytes()
    assert store.get(("users", "지훈"), "plan") is not None


@pytest.mark.parametrize("user", ["users", "지", "memories", "지훈.notes"])
def test_a_user_whose_name_is_a_word_of_namespaces_takes_nobody_elses(bank, store, user):
    store.put(("users", "지훈"), "plan", {"text": "부산에 간다"})
    store.put(("memories", "민수"), "plan", {"text": "서울에 간다"})
    assert bank.erase(user=user).scopes == ()
    assert bank.erase(user="민수", character="letia").scopes == ()
    assert store.get(("users", "지훈"), "plan") is not None
    assert store.get(("memories", "민수"), "plan") is not None
