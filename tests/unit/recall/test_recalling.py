"""Answering from a whole bank: how many, of whom, of when, and what a context is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import gieok
from gieok.domain.answer import Block, Context, Found, Where
from gieok.domain.scoring import Weights
from gieok.errors import InvalidQuery, UnknownMemory
from gieok.recall.recaller import Recaller
from gieok.testing import day

WORDS_ALONE = Weights(recency=0, importance=0, relevance=0, keyword=1, strength=0, graph=0)


def recaller(mind: gieok.Mind, **fields: Any) -> Recaller:
    return replace(mind.bank.services.recaller, **fields)


def recall(mind: gieok.Mind, query: str, k: int = 8, **fields: Any) -> list[Any]:
    options = {name: fields.pop(name) for name in ("weights", "explain", "at") if name in fields}
    asked = {"at": None, "where": Where(), **options}
    return recaller(mind, **fields).recall(mind.key, query, k=k, **asked)


def context(mind: gieok.Mind, query: str, **options: Any) -> Context:
    fields = {name: options.pop(name) for name in ("context_said", "search_turns") if name in options}
    asked = {"budget": 4_096, "k": 60, "at": None, "include": (), **options}
    return recaller(mind, **fields).context(mind.key, query, **asked)


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
    residence, likes = story.facts(attribute="residence")[0], story.facts(attribute="likes")[0]
    whole = context(story, "안녕", include=[residence.id, likes.id])

    picked = whole.hits[:2]
    assert [hit.item.id for hit in picked] == [residence.id, likes.id]
    assert [hit.score for hit in picked] == [1.0, 1.0]
    assert {hit.why for hit in picked} == {(Found(source="included", rank=rank),) for rank in (1, 2)}
    with pytest.raises(UnknownMemory, match="nobody"):
        context(story, "안녕", include=[residence.id, "nobody"])


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
        memories = {each.id for each in story.facts()}
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
