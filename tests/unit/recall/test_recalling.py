"""Answering from a whole bank: how many, of whom, of when, and what a context is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.bank.history import facts_in
from gieok.domain.answer import BLOCKS, Block, Context, Found
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.embedders import HashingEmbedder
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.ports import MemoryFilter
from gieok.presets import PRESETS
from gieok.stores.sqlite import SqliteStore, open_store
from gieok.testing import FixedClock, HashVectors, Scribe, claim, day, entry_for, memory, note

from .conftest import told

VECTORS = HashVectors(32)
SCOPE = Scope(user="minsu", character="letia")
ASKED = "오늘 저녁에 뭐 먹을까?"

WORDS_ALONE = Weights(recency=0, importance=0, relevance=0, keyword=1, strength=0, graph=0)


def recall(mind: gieok.Mind, query: str, k: int = 8, **options: Any) -> list[gieok.Hit]:
    return mind.recall(query, k=k, **options)


def context(mind: gieok.Mind, query: str, **options: Any) -> Context:
    fields = {name: options.pop(name) for name in ("context_said",) if name in options}
    asked = {"budget": 4_096, "k": 60, **options}
    return mind.under(replace(mind.bank.settings, **fields)).context(query, **asked)


def block(context: Context, name: str) -> Block:
    return next(each for each in context.blocks if each.name == name)


def test_at_least_one_hit_and_one_token_must_be_asked_for(story: gieok.Mind) -> None:
    with pytest.raises(InvalidQuery, match="k=0"):
        recall(story, "고양이", k=0)
    with pytest.raises(InvalidQuery, match="budget=0"):
        context(story, "고양이", budget=0)
    assert len(recall(story, "고양이", k=1)) == 1
    assert context(story, "고양이", budget=1).budget == 1


def test_no_more_hits_come_than_were_asked_for_the_best_first(story: gieok.Mind) -> None:
    hits = recall(story, "고양이", k=3)

    assert len(hits) == 3
    assert "고양이" in hits[0].text
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_what_each_part_counts_is_told_only_on_demand_and_weights_may_be_given(story: gieok.Mind) -> None:
    [plain] = recall(story, "고양이", k=1)
    [told] = recall(story, "고양이", k=1, explain=True, weights=WORDS_ALONE)

    assert plain.contributions is None
    assert told.score == pytest.approx(told.parts.keyword)
    assert told.contributions is not None
    assert told.contributions["keyword"] == told.score > 0


def test_a_name_that_the_user_told_is_set_aside_like_the_scopes_own(story: gieok.Mind) -> None:
    by_name, plain = (
        recall(story, "민수는 뭘 좋아해?", weights=WORDS_ALONE),
        recall(story, "뭘 좋아해?", weights=WORDS_ALONE),
    )

    assert [hit.item.id for hit in by_name] == [hit.item.id for hit in plain]
    assert [hit.score for hit in by_name] == pytest.approx([hit.score for hit in plain])


def test_canon_that_was_written_answers_too_and_says_whose_it_is(open_mind: Callable[..., gieok.Mind]) -> None:
    mind = open_mind()
    canon = mind.bank.scope(character="letia")
    canon.remember("레티아는 별의 아카데미에서 왔음", about="character")
    mind.observe("안녕", at=day(1))

    [hit] = [hit for hit in recall(mind, "아카데미") if "아카데미" in hit.text]
    assert hit.scope == canon.key
    assert "별의 아카데미" in context(mind, "아카데미").text


def test_items_named_by_id_are_put_in_first_in_their_order_and_unknown_ones_are_refused(story: gieok.Mind) -> None:
    age, likes = story.facts(attribute="age")[0], story.facts(attribute="likes")[0]
    whole = context(story, "안녕", include=[age.id, likes.id])

    picked = whole.hits[:2]
    assert [hit.item.id for hit in picked] == [age.id, likes.id]
    assert [hit.score for hit in picked] == [1.0, 1.0]
    assert {hit.why for hit in picked} == {(Found(source="included", rank=rank),) for rank in (1, 2)}
    with pytest.raises(UnknownMemory, match="nobody"):
        context(story, "안녕", include=[age.id, "nobody"])


def test_what_was_forgotten_cannot_be_named_nor_the_words_it_was_read_from(story: gieok.Mind) -> None:
    [likes] = [each for each in story.facts(about="user", attribute="likes") if each.value == "고양이"]
    story.forget(likes.id)
    for gone in (likes.id, *likes.sources):
        with pytest.raises(UnknownMemory):
            context(story, "안녕", include=[gone])
    assert "나 고양이 좋아해" not in context(story, "고양이").text


def test_forgotten_words_are_not_quoted_among_the_last_turns(story: gieok.Mind) -> None:
    story.observe("나 고등어 좋아해", reply="그렇군요", at=day(5.5))
    [likes] = [each for each in story.facts(attribute="likes") if each.value == "고등어"]
    assert "나 고등어 좋아해" in block(context(story, "안녕"), "talk").text
    story.forget(likes.id)

    assert "나 고등어 좋아해" not in block(context(story, "안녕"), "talk").text
    assert "그렇군요" in block(context(story, "안녕"), "talk").text


def test_what_is_shown_anyway_is_not_quoted_again_and_then_neither_are_the_last_turns(story: gieok.Mind) -> None:
    last = story.turns(limit=1)[0]
    said = {each.id for each in last.utterances}
    plain = context(story, "떡볶이 먹을까?")
    seen = context(story, "떡볶이 먹을까?", shown=said)

    assert said <= {*block(plain, "talk").items}
    assert block(seen, "talk").text == ""
    assert not said & {*seen.items}
    assert block(context(story, "안녕", shown=()), "talk").text == ""


def test_of_what_is_in_somebodys_own_words_only_the_best_few_are_quoted(story: gieok.Mind) -> None:
    def quoted(**options: Any) -> tuple[int, int]:
        ids = block(context(story, "고양이 좋아해?", shown=(), **options), "memories").items
        memories = {each.memory.id for each in story.memories(100)}  # with those in doubt
        return sum(each not in memories for each in ids), sum(each in memories for each in ids)

    assert quoted(context_said=0)[0] == 0
    assert quoted(context_said=1)[0] == 1
    assert quoted(context_said=2)[0] == 2
    assert quoted(context_said=60)[0] > 2
    assert quoted(context_said=0)[1] >= quoted(context_said=60)[1] > 0


def test_what_is_always_there_stands_whatever_is_asked(story: gieok.Mind) -> None:
    assert "땅콩 알레르기" in block(context(story, "별자리"), "pinned").text
    assert "땅콩 알레르기" not in context(story, "별자리", at=day(3.5)).text


def test_facts_about_the_user_fill_what_room_is_left_beyond_the_hits(open_mind: Callable[..., gieok.Mind]) -> None:
    mind = open_mind()
    mind.bank.scope(character="letia").remember("별을 사랑함", about="character")
    for animal in ("개", "고양이", "토끼"):
        mind.remember(f"{animal} 좋아함", about="user", attribute="likes", value=animal)
    told = block(context(mind, "별자리", k=1), "memories").text

    assert all(f"{animal} 좋아함" in told for animal in ("개", "고양이", "토끼"))


class CountingEncoder(HashingEmbedder):
    """An encoder that knows how often it was loaded."""

    loaded = 0

    def warm(self) -> None:
        self.loaded += 1


def reasons(blocks: Sequence[Block]) -> set[str]:
    return {each.why for block in blocks for each in block.left_out}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_tried_on_a_mind_recalls_as_a_bank_that_is_set_so(tmp_path: Path, name: str) -> None:
    where: dict[str, Any] = {"location": tmp_path / "x.db", "embedder": "hashing", "clock": FixedClock(day(6))}
    with gieok.open(**where) as bank:
        mind = told(bank.scope(user="minsu", character="letia"))
        tried = mind.under(bank.settings.as_preset(name))
        hits, context = tried.recall(ASKED), tried.context(ASKED)
        assert hits != mind.recall(ASKED)

    with gieok.open(**where, preset=name) as bank:
        set_so = bank.scope(user="minsu", character="letia")
        assert hits == set_so.recall(ASKED)
        assert context == set_so.context(ASKED)


def test_trying_settings_changes_neither_mind_nor_bank_and_loads_no_second_encoder(
    open_mind: Callable[..., gieok.Mind],
) -> None:
    encoder = CountingEncoder()
    mind = told(open_mind(embedder=encoder))
    before, settings, journal = mind.recall(ASKED), mind.bank.settings, mind.journal()
    loaded = encoder.loaded

    mind.under(settings.as_preset("vtuber")).recall(ASKED)
    mind.under(replace(settings, context_budget=120, weights_keyword=0.0)).context(ASKED)

    assert mind.recall(ASKED) == before
    assert (mind.bank.settings, mind.journal()) == (settings, journal)
    assert encoder.loaded == loaded


def test_what_a_call_takes_from_settings_is_taken_from_those_that_are_tried(story: gieok.Mind) -> None:
    settings = replace(story.bank.settings, recall_k=2, context_budget=150, caps_memories=40)
    tried = story.under(settings)

    assert len(tried.recall(ASKED)) == 2
    assert tried.context(ASKED).budget == 150
    assert block(tried.context(ASKED, budget=4_000), "memories").tokens <= 40


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_that_is_not_wanted_says_nothing_and_names_all_it_would_have_held(story: gieok.Mind, name: str) -> None:
    story.maintain(["summarise"])
    whole = story.context(ASKED, examples=["상대: 심심해"])
    less = story.context(ASKED, examples=["상대: 심심해"], without=[name])

    assert block(less, name).text == ""
    assert block(less, name).tokens == 0
    assert block(whole, name).text.splitlines()[0] not in less.text
    assert reasons([block(less, name)]) == {"block_off"}


def test_the_room_of_an_unwanted_block_is_for_the_others(story: gieok.Mind) -> None:
    tight = story.context(ASKED, budget=104)
    freed = story.context(ASKED, budget=104, without=["talk", "pinned"])

    assert not block(tight, "memories").items
    assert block(freed, "memories").items


def test_an_unknown_block_is_refused(story: gieok.Mind) -> None:
    with pytest.raises(InvalidQuery, match="unknown block 'memory'"):
        story.context(ASKED, without=["memory"])


def test_what_a_cap_keeps_out_is_told_apart_from_what_the_budget_keeps_out(story: gieok.Mind) -> None:
    capped = story.under(replace(story.bank.settings, caps_memories=40)).context(ASKED)
    poor = story.context(ASKED, budget=150)

    assert "over_cap" in reasons([block(capped, "memories")])
    assert "over_budget" in reasons([block(poor, "memories")])
    assert "over_cap" not in reasons(poor.blocks)


def test_items_are_looked_up_by_id_but_not_what_is_forgotten(story: gieok.Mind) -> None:
    cats, peanuts = (next(each for each in story.facts() if each.value == value) for value in ("고양이", "땅콩"))
    said: Any = story.turns(1)[-1].utterances[0]
    story.forget(peanuts.id)

    assert story.items([said.id, "nowhere", cats.id, peanuts.id]) == {said.id: said, cats.id: cats}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    yield store
    store.close()


@pytest.fixture
def scribe(store: SqliteStore) -> Scribe:
    return Scribe(store, SCOPE, vectors=VECTORS)


def listed(scribe: Scribe, now: float = 100, history: bool = False, **options: Any) -> list[str]:
    moments = {name: options.pop(name, None) for name in ("as_of", "known_at")}
    with scribe.store.view(SCOPE) as view:
        found = facts_in(view, MemoryFilter(**options), day(now), ever=history, **moments)
    return [each.content for each in found]


def write(scribe: Scribe, *memories: Memory) -> None:
    with scribe.store.locked(SCOPE) as room:
        room.apply(entry_for(memories=memories, vectors=VECTORS))


def moved(scribe: Scribe) -> None:
    scribe.remember(claim("residence", "서울"), at=day(2))
    scribe.remember(claim("residence", "부산"), at=day(6))


def test_the_present_is_the_newest_turn_or_the_clock_whichever_is_further(open_mind: Callable[..., gieok.Mind]) -> None:
    mind = open_mind()
    assert mind.present() == day(6), "nothing was ever said"
    mind.observe("안녕", at=day(5))
    assert mind.present() == day(6)
    mind.observe("안녕", at=day(7))
    assert mind.present() == day(7)


def test_facts_are_what_is_true_now_or_was_at_another_moment_or_ever(scribe: Scribe) -> None:
    moved(scribe)

    assert listed(scribe) == ["residence: 부산"]
    assert listed(scribe, as_of=day(4)) == ["residence: 서울"]
    assert listed(scribe, as_of=day(1)) == []
    assert listed(scribe, history=True) == ["residence: 서울", "residence: 부산"]


def test_what_was_believed_then_is_told_of_then_or_of_another_moment(scribe: Scribe) -> None:
    moved(scribe)

    assert listed(scribe, known_at=day(4)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(4), as_of=day(50)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(4), as_of=day(1)) == []
    assert listed(scribe, known_at=day(50), as_of=day(4)) == ["residence: 서울"]
    assert listed(scribe, known_at=day(50), history=True) == ["residence: 서울", "residence: 부산"]


def test_the_history_holds_what_faded_but_not_what_was_forgotten_or_never_true(scribe: Scribe) -> None:
    write(
        scribe,
        memory("남음"),
        memory("흐려짐", faded_at=day(2)),
        memory("잊음", forgotten_at=day(2)),
        memory("거짓", retracted=True),
    )

    assert listed(scribe) == ["남음"]
    assert sorted(listed(scribe, history=True)) == ["남음", "흐려짐"]


def test_conclusions_are_listed_only_where_their_type_is_asked_for(scribe: Scribe) -> None:
    drawn = {"origin": "reflection", "extractor": "upkeep/1"}
    write(scribe, memory("사실"), memory("요약", content_type="summary", **drawn))

    assert listed(scribe) == ["사실"]
    assert listed(scribe, history=True) == ["사실"]
    assert listed(scribe, content_type="summary") == ["요약"]


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ({}, ["아빠", "나"]),
        ({"subject": "other"}, ["아빠"]),
        ({"subject_id": "user"}, ["나"]),
        ({"speaker": "character"}, ["아빠"]),
        ({"content_type": "event"}, ["나"]),
        ({"attribute": "job"}, ["아빠"]),
        ({"learned_since": day(3)}, ["나"]),
        ({"learned_since": day(2)}, ["아빠", "나"]),
    ],
)
def test_an_earlier_belief_is_narrowed_down_like_todays(
    scribe: Scribe, which: dict[str, Any], found: list[str]
) -> None:
    of_dad = {"subject": "other", "subject_id": "아빠", "speaker": "character"}
    scribe.remember(claim("job", "의사", content="아빠", content_type="fact", **of_dad), at=day(2))
    scribe.remember(note("나", content_type="event"), at=day(3))

    assert listed(scribe, known_at=day(9), **which) == listed(scribe, **which) == found


@pytest.mark.parametrize(
    ("settings", "now", "told"),
    [
        ({"recent_turns": 2}, 9, "셋 넷 다섯 여섯"),
        ({"recent_turns": 9}, 9, "하나 둘 셋 넷 다섯 여섯"),
        ({"recent_turns": 9}, 2, "하나 둘 셋 넷"),
        ({"recent_turns": 9}, 1.9, "하나 둘"),
        ({"recent_turns": 1, "recent_messages": 1}, 9, "여섯"),
        ({"recent_turns": 1, "recent_messages": 3}, 9, "넷 다섯 여섯"),
        ({"recent_turns": 1, "recent_messages": 30}, 9, "하나 둘 셋 넷 다섯 여섯"),
    ],
)
def test_the_last_turns_or_messages_are_quoted_oldest_first_as_far_as_they_are_past(
    open_mind: Callable[..., gieok.Mind], settings: dict[str, int], now: float, told: str
) -> None:
    mind = open_mind(**settings)
    mind.observe("하나", reply="둘", at=day(1))
    mind.observe("셋", reply="넷", at=day(2))
    mind.observe("다섯", reply="여섯", at=day(3))

    [talk] = [block for block in mind.context("안녕", at=day(now)).blocks if block.name == "talk"]
    assert " ".join(line.partition(": ")[2] for line in talk.text.splitlines()[1:]) == told
