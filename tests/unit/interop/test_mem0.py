"""What mem0's documentation shows, with one import changed; told in our own words."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok import Scope
from gieok.errors import InvalidInput, InvalidQuery, InvalidSetting, MissingIdentity, UnderHold
from gieok.interop.mem0 import AsyncMemory, Memory, MemoryClient
from gieok.testing import FixedClock, ScriptedModel, day
from support.doubts import DoubtfulReader
from support.proposals import answer, fact

MOVIES = [
    {"role": "user", "content": "I'm planning to watch a movie tonight. Any recommendations?"},
    {"role": "assistant", "content": "How about a thriller movies? They can be quite engaging."},
    {"role": "user", "content": "I'm not a big fan of thriller movies but I love sci-fi movies."},
    {"role": "assistant", "content": "Got it! I'll avoid thrillers and suggest sci-fi movies in the future."},
]
ALEX = [
    {"role": "user", "content": "Hi, I'm Alex. I'm a vegetarian and I'm allergic to nuts."},
    {"role": "assistant", "content": "Hello Alex! I'll keep this in mind."},
]
CATEGORY = {"category": "movie_recommendations"}


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(day(1))


@pytest.fixture
def m(tmp_path: Path, clock: FixedClock) -> Iterator[Memory]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=clock) as bank, Memory(bank=bank) as memory:
        yield memory


def utc(number: int) -> str:
    return day(number).astimezone(UTC).isoformat()


def told(answer: dict[str, Any]) -> list[str]:
    return [each["memory"] for each in answer["results"]]


def kept(m: Memory, text: str, **whose: Any) -> str:
    [added] = m.add(text, infer=False, **{"user_id": "alice", **whose})["results"]
    return str(added["id"])


# The quick start, call by call.


def test_messages_are_learned_from_and_every_new_memory_is_told_with_its_event(m: Memory) -> None:
    result = m.add(MOVIES, user_id="alice", metadata=CATEGORY)

    assert [(each["memory"], each["event"], each["metadata"]) for each in result["results"]] == [
        ("I'm planning to watch a movie tonight (March 1, 2026)", "ADD", CATEGORY),
        ("dislikes thriller movies", "ADD", CATEGORY),
        ("likes sci-fi movies", "ADD", CATEGORY),
    ]
    assert sorted(told(m.get_all(user_id="alice"))) == sorted(told(result))
    json.dumps(m.get_all(user_id="alice"))  # as the documentation exports it


def test_a_memory_is_shown_with_its_hash_its_times_its_metadata_and_whose_it_is(m: Memory) -> None:
    added = m.add(MOVIES, user_id="alice", agent_id="movie-assistant", run_id="session-001", metadata=CATEGORY)
    liked = next(each["id"] for each in added["results"] if each["memory"] == "likes sci-fi movies")

    assert m.get(liked) == {
        "id": liked,
        "memory": "likes sci-fi movies",
        "hash": "574fe2cf40028839a94f0d73a8c3b8ba",
        "metadata": CATEGORY,
        "created_at": utc(1),
        "updated_at": utc(1),
        "user_id": "alice",
        "agent_id": "movie-assistant",
        "run_id": "session-001",
    }


def test_a_search_gives_the_best_first_with_scores_between_0_and_1(m: Memory) -> None:
    m.add(MOVIES, user_id="alice", metadata=CATEGORY)
    found = m.search(query="Which movies do I like?", user_id="alice")["results"]

    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert "sci-fi" in found[0]["memory"] or "thriller" in found[0]["memory"]
    assert set(found[0]) == {
        "id", "memory", "hash", "metadata", "score", "created_at", "updated_at", "user_id",
    }  # fmt: skip
    assert len(m.search("movies", user_id="alice", limit=1)["results"]) == 1
    assert m.search("movies", user_id="alice", top_k=0) == {"results": []}
    assert told(m.search("Which movies do I like?", user_id="alice", threshold=scores[0])) == [found[0]["memory"]]
    assert m.search("movies", user_id="alice", threshold=1.0) == {"results": []}
    assert set(m.search("movies", user_id="alice", explain=True)["results"][0]["score_details"]) >= {"relevance"}


@pytest.mark.parametrize(
    "then", ["2026-03-05", date(2026, 3, 5), "2026-03-05T12:00:00+09:00", datetime(2026, 3, 5, 12, tzinfo=UTC)]
)
def test_a_search_as_of_a_day_finds_what_was_true_then(m: Memory, then: object) -> None:
    m.add("I live in Berlin.", user_id="alice", timestamp=datetime(2026, 3, 1, 12, tzinfo=UTC))
    m.add("I moved to Busan.", user_id="alice", timestamp=datetime(2026, 3, 9, 12, tzinfo=UTC))
    found = told(m.search("Where do I live?", user_id="alice", reference_date=then))
    assert "lives in Berlin" in found
    assert "lives in Busan" not in found
    assert "lives in Busan" in told(m.search("Where do I live?", user_id="alice"))


def test_options_that_mean_nothing_here_are_named_and_others_refused(m: Memory) -> None:
    with pytest.warns(UserWarning, match=r"does not use version, output_format in search\(\)"):
        m.search("cats", user_id="alice", version="v2", output_format="v1.1")
    with pytest.warns(UserWarning, match=r"async_mode in add\(\)"):
        m.add("I like cats.", user_id="alice", async_mode=True)
    for call in (m.add, m.search):
        with pytest.raises(InvalidQuery, match="has no option 'colour'"):
            call("I like dogs.", user_id="alice", colour="red")
    assert told(m.get_all(user_id="alice")) == ["likes cats"]


def test_the_client_of_the_platform_works_over_a_bank(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="does not use api_key: memories are in a bank of your own"):
        client = MemoryClient(api_key="m0-key", bank=tmp_path / "bank.db", config={"gieok": {"embedder": "hashing"}})
    with client:
        (added,) = client.add("I like cats.", user_id="alice", agent_id="bot")["results"]
        assert client.users() == {"results": [{"name": "bot", "type": "agent"}, {"name": "alice", "type": "user"}]}
        client.batch_update([{"memory_id": added["id"], "text": "likes black cats"}])
        assert told(client.get_all(user_id="alice")) == ["likes black cats"]
        client.batch_delete([{"memory_id": added["id"]}])
        client.add("I like tea.", user_id="alice")
        client.delete_users(user_id="alice")
        assert client.get_all(user_id="alice") == {"results": []}


def test_the_whole_configuration_of_mem0s_readme_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    config = {
        "llm": {"provider": "openai", "config": {"model": "gpt-4.1-nano", "temperature": 0.1, "max_tokens": 2000}},
        "embedder": {"provider": "openai", "config": {"model": "text-embedding-3-small", "embedding_dims": 1536}},
        "vector_store": {"provider": "qdrant", "config": {"host": "localhost", "port": 6333}},
        "graph_store": {"provider": "neo4j", "config": {"url": "neo4j://localhost", "username": "neo4j"}},
        "history_db_path": "/tmp/history.db",
        "version": "v1.1",
        "custom_fact_extraction_prompt": "Extract facts.",
        "reranker": {"provider": "cohere"},
        "gieok": {"bank": str(tmp_path / "bank.db")},
    }
    with pytest.warns(UserWarning, match="vector_store, graph_store, history_db_path"):
        configured = Memory.from_config(config)
    with configured as m:
        assert m.bank.settings.llm == "openai:gpt-4.1-nano"
        assert m.bank.settings.embedder == "openai:text-embedding-3-small@1536"


def test_an_update_stands_and_the_history_tells_both_wordings(m: Memory, clock: FixedClock) -> None:
    [memory_id] = [each["id"] for each in m.add(ALEX, user_id="alice")["results"] if "nuts" in each["memory"]]
    clock.advance(days=1)
    assert m.update(memory_id=memory_id, data="I love India, it is my favorite country.") == {
        "message": "Memory updated successfully!"
    }

    shown = m.get(memory_id)
    assert shown is not None
    assert shown["memory"] == "I love India, it is my favorite country."
    assert (shown["created_at"], shown["updated_at"]) == (utc(1), utc(2))
    assert [(each["event"], each["old_memory"], each["new_memory"]) for each in m.history(memory_id)] == [
        ("ADD", None, "is allergic to nuts"),
        ("UPDATE", "is allergic to nuts", "I love India, it is my favorite country."),
    ]


def test_what_is_deleted_is_gone_from_every_answer_but_its_history(m: Memory) -> None:
    memory_id = kept(m, "I drink tea", metadata={"secret": "oolong"})
    assert m.delete(memory_id=memory_id) == {"message": "Memory deleted successfully!"}

    assert m.get(memory_id) is m.get("unknown") is None
    assert m.history("unknown") == []
    assert m.get_all(user_id="alice") == m.search("tea", user_id="alice") == {"results": []}
    last = m.history(memory_id)[-1]
    assert (last["event"], last["old_memory"], last["new_memory"], last["is_deleted"]) == (
        "DELETE", "I drink tea", None, True,
    )  # fmt: skip
    assert "oolong" not in str(m.bank.store.server.documents())
    for again in (m.delete, lambda gone: m.update(gone, "I drink coffee")):
        with pytest.raises(ValueError, match="no memory with the id"):
            again(memory_id)


def test_everything_of_a_user_goes_and_nothing_of_another(m: Memory) -> None:
    kept(m, "I drink tea")
    kept(m, "I drink tea too", agent_id="bot")
    kept(m, "I drink coffee", user_id="bob")
    assert m.delete_all(user_id="alice") == {"message": "Memories deleted successfully!"}

    assert m.get_all(user_id="alice") == {"results": []}
    assert told(m.get_all(user_id="bob")) == ["I drink coffee"]


def test_a_reset_leaves_nothing_and_stops_before_a_hold(m: Memory) -> None:
    kept(m, "I drink tea")
    m.bank.hold(Scope(user="alice"), why="a dispute")
    with pytest.raises(UnderHold):
        m.reset()
    assert told(m.get_all(user_id="alice")) == ["I drink tea"]

    m.bank.release(Scope(user="alice"))
    m.reset()
    assert m.bank.scopes() == []
    assert m.bank.store.server.documents() == []


def test_without_any_id_nothing_is_done_and_the_error_is_a_value_error_as_mem0_shapes_it(m: Memory) -> None:
    calls = (
        lambda: m.add("x"),
        lambda: m.search("x"),
        m.get_all,
        m.delete_all,
        lambda: m.search("x", filters={"a": 1}),
    )
    for call in calls:
        with pytest.raises(ValueError, match="at least one of user_id, agent_id and run_id") as raised:
            call()
        assert isinstance(raised.value, MissingIdentity)
        assert raised.value.error_code == "VALIDATION_001"
        assert raised.value.message == str(raised.value)
        assert set(raised.value.details["provided_ids"]) <= {"user_id", "agent_id", "run_id"}
    assert m.bank.scopes() == []


# What is added.


def test_raw_messages_are_kept_word_by_word_with_their_roles_however_alike(m: Memory) -> None:
    added = m.add([*MOVIES[:2], {"role": "system", "content": "Be kind."}, MOVIES[0]], user_id="alice", infer=False)

    assert [(each["memory"], each["role"], each["event"]) for each in added["results"]] == [
        (message["content"], message["role"], "ADD") for message in (*MOVIES[:2], MOVIES[0])
    ]
    assert len(m.get_all(user_id="alice")["results"]) == 3


def test_what_no_rule_reads_is_kept_in_its_own_words_and_small_talk_is_not(m: Memory) -> None:
    travelling = [{"role": "user", "content": "I'm travelling to SF"}, {"role": "assistant", "content": "Great!"}]

    assert told(m.add(travelling, user_id="alice")) == ["I'm travelling to SF"]
    assert told(m.search("Where am I travelling?", user_id="alice")) == ["I'm travelling to SF"]
    assert m.add("Hello there", user_id="alice") == m.add("What's the weather?", user_id="alice") == {"results": []}
    assert told(m.add("나 땅콩 알레르기 있어", user_id="alice")) == ["땅콩 알레르기가 있음"]


@pytest.mark.parametrize("behind_the_scenes", ["auto", "off"])
def test_with_a_model_what_it_reads_is_waited_for_and_told(tmp_path: Path, behind_the_scenes: str) -> None:
    pottery = "주말엔 흙 만지러 다니느라 바빠"
    model = ScriptedModel({"extract": answer(fact("hobby", "흙", pottery))})
    with gieok.open(
        tmp_path / "memories.db", embedder="hashing", model=model, behind_the_scenes=behind_the_scenes
    ) as bank:
        m = Memory(bank=bank)
        results = m.add(pottery, user_id="alice", metadata=CATEGORY)["results"]
        [added] = [each for each in results if each["memory"] == "취미는 흙임"]
        assert added["event"] == "ADD"
        shown = m.get(added["id"])
    assert shown is not None
    assert shown["metadata"] == CATEGORY


def test_a_change_of_fact_adds_the_new_one_and_deletes_the_old_which_stays_in_history(m: Memory) -> None:
    [berlin] = m.add("I live in Berlin", user_id="alice")["results"]
    changed = m.add("I moved to Busan", user_id="alice")["results"]

    assert [(each["event"], each["memory"]) for each in changed] == [
        ("ADD", "lives in Busan"),
        ("DELETE", "lives in Berlin"),
    ]
    assert changed[1]["id"] == berlin["id"]
    assert m.get(berlin["id"]) is None
    assert [each["event"] for each in m.history(berlin["id"])] == ["ADD", "DELETE"]
    assert m.add("I live in Busan", user_id="alice") == {"results": []}  # known, and only stronger now


def test_a_message_may_be_a_dict_have_parts_or_be_longer_than_an_utterance(m: Memory) -> None:
    parts = [{"type": "text", "text": "I live in Berlin"}, {"type": "image_url", "image_url": {"url": "https://x"}}]
    assert told(m.add({"role": "user", "content": parts}, user_id="alice")) == ["lives in Berlin"]
    pieces = told(m.add("word " * 2_000, user_id="alice", infer=False))
    assert len(pieces) == 2
    assert " ".join(pieces).split() == ["word"] * 2_000
    assert m.add([{"role": "assistant", "content": None}], user_id="alice") == {"results": []}
    for wrong in (3, [3], [{"content": "no role"}]):
        with pytest.raises(InvalidInput, match="nothing was kept"):
            m.add(wrong, user_id="alice")  # type: ignore[arg-type]  # a str each, or the fault under test


def test_in_a_group_everybody_s_words_are_their_own_and_a_single_name_is_the_user_s(m: Memory) -> None:
    group = [
        {"role": "user", "name": "민지", "content": "나 서울에 살아"},
        {"role": "user", "name": "지훈", "content": "나는 부산에 살아"},
    ]
    m.add(group, run_id="group-1")
    m.add([{**group[0], "name": "Alice"}], user_id="alice")

    mind = m.bank.scope(world="group-1")
    assert [(each.subject_id, each.content) for each in mind.facts()] == [("민지", "서울에 삶"), ("지훈", "부산에 삶")]
    assert [fact.subject for fact in m.bank.scope(user="alice").facts()] == ["user"]
    [raw] = m.add([group[0]], run_id="group-1", infer=False)["results"]
    assert (raw["actor_id"], raw["role"]) == ("민지", "user")


def test_steps_of_an_agent_are_kept_as_they_are(m: Memory) -> None:
    steps = [
        {"role": "user", "content": "How do I make cold brew?"},
        {"role": "assistant", "content": "1. Grind. 2. Steep."},
    ]
    added = m.add(steps, user_id="coffee-lover", agent_id="coffee-expert", memory_type="procedural_memory")
    assert told(added) == [step["content"] for step in steps]
    assert added["results"][0]["metadata"] == {"memory_type": "procedural_memory"}
    with pytest.raises(ValueError, match="procedural_memory"):
        m.add(steps, user_id="coffee-lover", memory_type="episodic")


def test_when_it_was_said_may_be_told(m: Memory) -> None:
    for moment in (day(-300), day(-300).timestamp(), day(-300).isoformat()):
        [added] = m.add("I live in Berlin", user_id=str(moment), timestamp=moment)["results"]
        shown = m.get(added["id"])
        assert shown is not None
        assert shown["created_at"] == utc(-300)
    with pytest.raises(ValueError, match="nothing was kept"):
        m.add("I live in Berlin", user_id="alice", timestamp="yesterday")


# Whose memories are meant.


def test_ids_narrow_and_whoever_names_fewer_finds_more(m: Memory) -> None:
    kept(m, "of alice")
    kept(m, "of alice and the bot", agent_id="bot")
    kept(m, "of alice and the bot today", agent_id="bot", run_id="today")
    kept(m, "of bob and the bot", user_id="bob", agent_id="bot")
    m.add("of the bot itself", agent_id="bot", infer=False)
    m.add("of today alone", run_id="today", infer=False)

    def all_of(**whose: str) -> set[str]:
        assert told(m.get_all(filters=whose)) == told(m.get_all(**whose))  # type: ignore[arg-type]  # a str each
        assert set(told(m.search("of", **whose))) <= set(told(m.get_all(**whose)))  # type: ignore[arg-type]  # a str each, or the fault under test
        return set(told(m.get_all(filters=whose)))

    assert len(all_of(user_id="alice")) == 3
    assert len(all_of(user_id="alice", agent_id="bot")) == 2
    assert len(all_of(agent_id="bot")) == 4
    assert all_of(run_id="today") == {"of alice and the bot today", "of today alone"}
    assert all_of(user_id="alice", run_id="today") == {"of alice and the bot today"}
    assert all_of(user_id="carol") == set()
    m.delete_all(user_id="alice", run_id="today")
    assert all_of(run_id="today") == {"of today alone"}


def test_a_memory_said_again_in_another_run_belongs_to_both(m: Memory) -> None:
    [added] = m.add("I live in Berlin", user_id="alice", run_id="one", metadata={"a": 1})["results"]
    m.add("I live in Berlin", user_id="alice", run_id="two", metadata={"b": 2})

    for run in ("one", "two"):
        [shown] = m.get_all(user_id="alice", run_id=run)["results"]
        assert (shown["id"], shown["run_id"], shown["metadata"]) == (added["id"], run, {"a": 1, "b": 2})
    assert [turn.session for turn in m.bank.scope(user="alice").turns()] == ["one", "two"]


def test_numbers_and_blanks_are_names_like_any_other(m: Memory) -> None:
    kept(m, "I drink tea", user_id=42)
    assert told(m.get_all(filters={"user_id": " 42 "})) == told(m.get_all(filters={"AND": [{"user_id": 42}]}))
    assert told(m.get_all(user_id="42")) == ["I drink tea"]
    with pytest.raises(ValueError, match="user_id is empty"):
        m.get_all(user_id="  ")


def test_what_the_bank_knew_before_is_found_and_can_be_changed(m: Memory) -> None:
    mind = m.bank.scope(user="민수", character="letia", world="academy")
    mind.observe("나 고양이 좋아해")
    [shown] = m.get_all(user_id="민수")["results"]

    assert (shown["memory"], shown["agent_id"], shown["metadata"]) == ("고양이를 좋아함", "letia", None)
    m.update(shown["id"], metadata={"checked": True})
    assert told(m.search("고양이", user_id="민수", filters={"checked": True})) == ["고양이를 좋아함"]
    m.delete(shown["id"])
    assert mind.facts() == []


# Metadata, and days.


def test_metadata_is_merged_by_an_update_and_cannot_say_whose_a_memory_is(m: Memory) -> None:
    memory_id = kept(m, "I drink tea", metadata={"a": 1, "user_id": "bob", "to": "jiwon@example.com"})
    m.update(memory_id, metadata={"b": [1, {"c": None}]})
    m.update(memory_id, text="I drink green tea")
    shown = m.get(memory_id)

    assert shown is not None
    assert (shown["user_id"], shown["memory"]) == ("alice", "I drink green tea")
    assert shown["metadata"]["a"] == 1
    assert shown["metadata"]["b"] == [1, {"c": None}]
    assert "jiwon" not in str(m.bank.store.server.documents())  # masked, as everywhere
    assert told(m.search("tea", user_id="alice", filters={"to": "jiwon@example.com"})) == ["I drink green tea"]
    with pytest.raises(ValueError, match="JSON"):
        m.update(memory_id, metadata={"when": day(1)})
    with pytest.raises(ValueError, match="what should change"):
        m.update(memory_id)


def test_a_doubtful_memory_is_marked_in_its_metadata_until_it_is_confirmed(tmp_path: Path) -> None:
    reader = DoubtfulReader()
    with gieok.open(tmp_path / "bank.db", embedder="hashing", extractor=reader) as bank, Memory(bank=bank) as m:
        [added] = m.add("residence 부산?", user_id="alice", metadata={"from": "chat"})["results"]
        m.add("likes 고양이", user_id="alice")
        marked = {"from": "chat", "doubtful": True}
        assert added["metadata"] == marked
        shown = {each["memory"]: each["metadata"] for each in m.get_all(user_id="alice")["results"]}
        assert shown == {"residence: 부산": marked, "likes: 고양이": None}
        assert told(m.get_all(user_id="alice", filters={"doubtful": True})) == ["residence: 부산"]

        m.update(added["id"], metadata={**marked, "seen": True})
        bank.scope(user="alice").confirm(added["id"])
        confirmed = m.get(added["id"])
        assert confirmed is not None
        assert confirmed["metadata"] == {"from": "chat", "seen": True}


def test_what_stands_beside_memories_goes_with_the_user_and_is_no_record_of_langgraph_s(m: Memory) -> None:
    langgraph = pytest.importorskip("gieok.interop.langgraph")
    kept(m, "I drink tea", run_id="one", metadata={"a": 1})
    kept(m, "I drink coffee", user_id="bob", metadata={"b": 2})
    store = langgraph.GieokStore(m.bank)
    assert (store.search(()), store.list_namespaces()) == ([], [])

    m.bank.erase(user="alice")
    assert [document.scope.user for document in m.bank.store.server.documents()] == ["bob"]
    assert m.get_all(run_id="one") == {"results": []}


def test_a_memory_is_found_until_its_last_day_is_over(m: Memory, clock: FixedClock) -> None:
    memory_id = kept(m, "a code for today", expiration_date=day(1).date())
    assert told(m.get_all(user_id="alice")) == ["a code for today"]
    clock.advance(days=1)
    assert m.get_all(user_id="alice") == m.search("code", user_id="alice") == {"results": []}
    assert told(m.search("code", user_id="alice", show_expired=True)) == ["a code for today"]
    m.update(memory_id, expiration_date=None)
    assert told(m.get_all(user_id="alice")) == ["a code for today"]
    with pytest.raises(ValueError, match="2026-11-16"):
        m.update(memory_id, expiration_date="soon")


STAYS = [{"name": "Inn", "rating": 2}, {"name": "Hotel De Ville", "rating": 4.5}]
TASKS: tuple[dict[str, Any], ...] = (
    {"category": "work", "priority": 9, "status": "active", "tags": ["urgent"], "title": "a Meeting"},
    {"category": "work", "priority": 5, "status": "completed", "archived": False,
     "context": {"platform": "desktop"}, "stays": STAYS},
    {"category": "personal", "priority": 7.5, "status": "active", "created_date": "2024-03-01"},
    {"category": "spam"},
)  # fmt: skip


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory({"gieok": {"embedder": "hashing"}}, bank=tmp_path_factory.mktemp("tasks") / "memories.db") as memory:
        for number, each in enumerate(TASKS):
            memory.add(f"task number {number}", user_id="manager", metadata=each, infer=False)
        yield memory


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"category": "work"}, {0, 1}),
        ({"metadata.category": "personal"}, {2}),
        ({"category": {"in": ["work", "spam"]}, "status": {"nin": ["completed"]}}, {0, 3}),
        ({"priority": {"gt": 5, "lte": 9}}, {0, 2}),
        ({"priority": {"gte": "5"}}, set()),
        ({"created_date": {"gte": "2024-01-01"}}, {2}),
        ({"status": {"eq": "active"}, "archived": {"ne": True}}, {0, 2}),
        ({"archived": False}, {1}),
        ({"archived": 0}, set()),
        ({"title": {"contains": "meeting"}}, set()),
        ({"title": {"icontains": "meeting"}}, {0}),
        ({"tags": {"contains": "urg"}}, {0}),
        ({"tags": "urgent"}, {0}),
        ({"context.platform": "desktop"}, {1}),
        ({"stays.rating": {"gte": 4}}, {1}),
        ({"stays.name": "Hotel De Ville"}, {1}),
        ({"priority": "*"}, {0, 1, 2}),
        ({"created_at": {"gte": "2020-01-01T00:00:00Z"}, "updated_at": {"lt": "2020-01-01T00:00:00Z"}}, set()),
        ({"metadata.priority": {"$gte": 7}, "$not": {"category": "personal"}}, {0}),
        ({"$and": [{"tags": "urgent"}, {"$or": [{"priority": 9}, {"priority": 1}]}]}, {0}),
        ({"AND": [{"category": "work"}, {"priority": {"gte": 7}}, {"status": {"ne": "completed"}}]}, {0}),
        ({"OR": [{"category": "spam"}, {"priority": {"gte": 9}}]}, {0, 3}),
        ({"NOT": [{"category": "spam"}, {"status": "completed"}]}, {0, 2}),
        ({"AND": [{"OR": [{"category": "work"}, {"category": "personal"}]}, {"NOT": [{"priority": 5}]}]}, {0, 2}),
    ],
)
def test_filters_look_at_metadata_as_the_documentation_says(
    tasks: Memory, filters: dict[str, Any], found: set[int]
) -> None:
    wanted = {f"task number {number}" for number in found}
    assert set(told(tasks.search("task", user_id="manager", filters=filters))) == wanted
    assert set(told(tasks.get_all(filters={"AND": [{"user_id": "manager"}, filters]}))) == wanted


@pytest.mark.parametrize(
    "filters",
    [{"status": {"unknown": "value"}}, {"status": {}}, {"AND": {}}, {"OR": []}, {"NOT": [{"a": {"b": 1}}]}, ["status"]],
)
def test_filters_that_mean_nothing_are_refused(tasks: Memory, filters: Any) -> None:
    with pytest.raises(ValueError, match=r"operator|list of conditions|must be a dict"):
        tasks.search("task", user_id="manager", filters=filters)


def test_whose_memories_are_meant_may_stand_deep_in_a_filter(tasks: Memory) -> None:
    of_either = {"OR": [{"user_id": "manager"}, {"user_id": "nobody"}]}
    assert len(tasks.get_all(filters=of_either)["results"]) == 4
    assert len(tasks.get_all(filters={"user_id": {"in": ["nobody", "manager"]}})["results"]) == 4
    assert tasks.get_all(filters={"AND": [{"user_id": "manager"}, {"user_id": "nobody"}]}) == {"results": []}
    with pytest.raises(MissingIdentity):
        tasks.get_all(filters={"OR": [{"user_id": "manager"}, {"category": "work"}]})


def test_moments_are_compared_as_such_whatever_their_time_zones(m: Memory) -> None:
    kept(m, "I drink tea")
    for offset, found in (("09:00:00+09:00", 1), ("00:00:00+00:00", 1), ("00:00:01+00:00", 0), ("09:00:00+08:00", 0)):
        since = {"created_at": {"gte": f"2026-03-01T{offset}"}}
        assert len(m.get_all(user_id="alice", filters=since)["results"]) == found


def test_nobody_opens_everybody_s_memories_with_a_star(m: Memory) -> None:
    kept(m, "I drink tea", agent_id="bot", run_id="one")
    star = {"user_id": "*"}
    calls = (
        lambda: m.search("tea", **star),
        lambda: m.search("tea", filters=star),
        lambda: m.get_all(filters={"agent_id": "bot", **star}),
        lambda: m.delete_all(**star),
        lambda: m.add("x", **star),
    )
    for call in calls:
        with pytest.raises(ValueError, match="names nobody"):
            call()
    with pytest.raises(MissingIdentity):
        m.get_all(filters={"agent_id": "*", "run_id": "*"})
    with pytest.raises(MissingIdentity):
        m.get_all(filters={"user_id": {"ne": "bob"}})
    assert told(m.get_all(filters={"user_id": "alice", "agent_id": "*", "run_id": "*"})) == ["I drink tea"]


def test_rare_metadata_is_found_behind_many_better_hits(m: Memory) -> None:
    for number in range(12):
        kept(m, f"tea number {number}", metadata={"rare": number == 0})
    assert told(m.search("tea number 7", user_id="alice", top_k=1, filters={"rare": True})) == ["tea number 0"]


# Configuration, and the loop.


def test_a_configuration_of_mem0_opens_a_bank_and_names_once_what_has_no_place_here(tmp_path: Path) -> None:
    config = {
        "vector_store": {"provider": "qdrant", "config": {"host": "localhost", "port": 6333}},
        "llm": {"provider": "ollama", "config": {"model": "qwen3:8b", "ollama_base_url": "http://localhost:11434"}},
        "embedder": {"provider": "huggingface", "config": {"model": "multi-qa-MiniLM-L6-cos-v1"}},
        "history_db_path": "/path/to/history.db",
        "version": "v1.1",
        "gieok": {"bank": str(tmp_path / "memories.db"), "embedder": "hashing"},
    }
    with pytest.warns(UserWarning, match="gieok does not use") as warned:
        m = Memory.from_config(config_dict=config)
    [warning] = warned
    assert "vector_store, history_db_path, embedder (huggingface)" in str(warning.message)
    assert "version" not in str(warning.message)
    settings = m.bank.settings
    assert (settings.llm, settings.llm_url) == ("ollama:qwen3:8b", "http://localhost:11434/v1")
    m.close()
    assert (tmp_path / "memories.db").exists()


def test_an_embedder_and_a_key_are_taken_over_where_gieok_knows_the_provider() -> None:
    from gieok.interop.mem0 import settings_in

    openai = {
        "provider": "openai",
        "config": {"model": "text-embedding-3-large", "api_key": "k", "embedding_dims": 1024},
    }
    assert settings_in({"embedder": openai}) == {"embedder": "openai:text-embedding-3-large@1024", "embedder_key": "k"}
    assert settings_in(None) == settings_in({}) == {}

    class MemoryConfig:
        def model_dump(self, *, exclude_unset: bool) -> dict[str, Any]:
            return {"embedder": openai} if exclude_unset else {"vector_store": {"provider": "qdrant"}}

    assert settings_in(MemoryConfig()) == settings_in({"embedder": openai})
    with pytest.raises(InvalidSetting, match="no bank was opened"):
        settings_in("memories.db")


def test_a_prompt_of_one_s_own_is_not_used_and_that_is_said(m: Memory) -> None:
    with pytest.warns(UserWarning, match="prompt= is not used"):
        m.add("I live in Berlin", user_id="alice", prompt="Extract cities.")


def test_a_second_memory_over_the_same_file_knows_it_all(tmp_path: Path) -> None:
    config = {"gieok": {"embedder": "hashing"}}
    with Memory(config, bank=tmp_path / "memories.db") as first:
        memory_id = kept(first, "I drink tea", metadata={"a": 1})
    with Memory(config, bank=tmp_path / "memories.db") as second:
        shown = second.get(memory_id)
    assert shown is not None
    assert (shown["memory"], shown["metadata"]) == ("I drink tea", {"a": 1})


def test_a_chat_loop_of_the_documentation_remembers_from_message_to_message(m: Memory) -> None:
    def chat_with_memories(message: str, user_id: str = "default_user") -> str:
        relevant = m.search(query=message, user_id=user_id, limit=3)
        memories = "\n".join(f"- {entry['memory']}" for entry in relevant["results"])
        system = f"You are a helpful AI. Answer by these memories.\nUser Memories:\n{memories}"
        messages = [{"role": "system", "content": system}, {"role": "user", "content": message}]
        messages.append({"role": "assistant", "content": "I see."})  # what a model answers
        m.add(messages, user_id=user_id)
        return system

    assert chat_with_memories("I'm allergic to peanuts and I like thriller movies").endswith("Memories:\n")
    assert "- is allergic to peanuts" in chat_with_memories("Am I allergic to peanuts?")
    assert "helpful AI" not in str(m.get_all(user_id="default_user"))  # what a system says is nobody's life


def test_the_calls_can_be_awaited(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncMemory.from_config(
            {"gieok": {"bank": str(tmp_path / "memories.db"), "embedder": "hashing"}}
        ) as memory:
            await asyncio.gather(memory.add(ALEX, user_id="alex"), memory.add(MOVIES, user_id="alice"))
            assert "is allergic to nuts" in told(await memory.get_all(user_id="alex"))
            [first, *_] = (await memory.search(query="What may I not eat?", user_id="alex"))["results"]
            await memory.update(memory_id=first["id"], data="may eat everything")
            assert (await memory.get(memory_id=first["id"]) or {})["memory"] == "may eat everything"
            assert len(await memory.history(memory_id=first["id"])) == 2
            await memory.delete(memory_id=first["id"])
            await memory.delete_all(user_id="alex")
            assert await memory.get_all(user_id="alex") == {"results": []}
            assert (await memory.get_all(user_id="alice"))["results"]
            await memory.reset()
            assert await memory.get_all(user_id="alice") == {"results": []}

    asyncio.run(story())


def test_the_bank_that_is_given_counts_more_than_the_one_in_the_configuration(tmp_path: Path) -> None:
    config = {"gieok": {"bank": str(tmp_path / "configured.db"), "embedder": "hashing"}}
    with Memory(config, bank=tmp_path / "given.db"):
        assert [path.name for path in tmp_path.glob("*.db")] == ["given.db"]
