"""Each preset's score, worked out by hand from its system's design, is what the engine returns."""

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest

import gieok
from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed
from gieok.presets import DOCUMENT, PRESETS
from gieok.testing import day

NOW = day(61)
QUERY = "고양이 사료"
OpenBank = Callable[..., gieok.MemoryBank]


class BrokenEncoder(HashingEmbedder):
    """An encoder whose model is gone."""

    def embed(self, texts: Sequence[str], **options: Any) -> Any:
        raise EmbedderFailed("the model file is gone")


def told(mind: gieok.Mind) -> gieok.Mind:
    """Three memories said outright, of different age and worth, and ten turns in which they fade."""
    mind.remember("고양이 사료는 연어 맛만 먹임", importance=0.9, at=day(1))
    mind.remember("고양이를 두 마리 키움", importance=0.4, at=day(31))
    mind.remember("강아지 사료는 비쌈", importance=0.2, at=day(54))
    for number in range(10):
        mind.observe("음" + "." * number, at=day(55))
    return mind


def memories(mind: gieok.Mind, query: str = QUERY) -> list[gieok.Hit]:
    hits = mind.recall(query, k=20, at=NOW, where=gieok.Where(kind="memory"), explain=True)
    assert len(hits) == 3
    return hits


def days(hit: gieok.Hit) -> float:
    assert isinstance(hit.item, gieok.Memory)
    return (NOW - hit.item.known_at).total_seconds() / 86_400


def importance(hit: gieok.Hit) -> float:
    assert isinstance(hit.item, gieok.Memory)
    return hit.item.importance


def cosine(hit: gieok.Hit) -> float:
    query, text = HashingEmbedder().embed([QUERY, hit.text], purpose="query")
    return max(float(query @ text), 0.0)


def heroine(hit: gieok.Hit) -> float:
    recency = math.exp(-days(hit) / 30)
    return 0.15 * recency + 0.15 * importance(hit) + 0.50 * cosine(hit) + 0.20 * hit.parts.keyword


def character(hit: gieok.Hit) -> float:
    base = 0.95  # ten turns are two fading steps of an episodic memory
    step = base + (1 - base) * 0.3 * importance(hit)
    return 0.7 * cosine(hit) + 0.2 * importance(hit) + 0.1 * step**2


def care(hit: gieok.Hit) -> float:
    return 0.7 * cosine(hit) + 0.2 * math.exp(-0.002 * days(hit)) + 0.1 * importance(hit)


def vtuber(hit: gieok.Hit) -> float:
    return cosine(hit) + importance(hit)


def social(hit: gieok.Hit, last_used: datetime | None = None) -> float:
    """Score what each source found by its own relevance, then average with 0.5, 0.3, 0.2."""
    age = days(hit) if last_used is None else (NOW - last_used).total_seconds() / 86_400
    sources = {found.source for found in hit.why}
    weighted = [
        (weight, 0.3 * 0.5 ** (age / 30) + 0.5 * relevance + 0.2 * importance(hit))
        for weight, relevance, finders in [
            (0.5, cosine(hit), {"dense"}),
            (0.3, hit.parts.keyword, {"keyword"}),
            (0.2, hit.parts.graph, {"topic", "speaker", "period"}),
        ]
        if finders & sources
    ]
    return sum(weight * score for weight, score in weighted) / sum(weight for weight, _ in weighted)


@pytest.mark.parametrize("formula", [heroine, character, care, vtuber, social])
def test_a_preset_scores_as_its_document_says(open_bank, formula):
    letia = told(open_bank(preset=formula.__name__ + DOCUMENT).scope(user="minsu", character="letia"))
    hits = memories(letia)

    assert [hit.score for hit in hits] == pytest.approx([formula(hit) for hit in hits], abs=1e-5)
    assert len({round(hit.score, 6) for hit in hits}) == 3


def test_the_social_mean_is_over_the_sources_that_found_it(open_bank):
    letia = told(open_bank(preset="social:document").scope(user="minsu", character="letia"))
    by_sources = {frozenset(found.source for found in hit.why): hit for hit in memories(letia, "연어 강")}

    alone, both = by_sources[frozenset({"dense"})], by_sources[frozenset({"dense", "keyword"})]
    assert alone.contributions is not None
    assert both.contributions is not None
    assert alone.contributions["relevance"] == pytest.approx(0.5 * alone.parts.relevance)
    assert both.contributions["relevance"] == pytest.approx(0.5 * 0.5 / 0.8 * both.parts.relevance)
    assert both.contributions["keyword"] == pytest.approx(0.5 * 0.3 / 0.8 * both.parts.keyword)


def test_social_recency_begins_anew_when_a_memory_is_used(open_bank):
    letia = told(open_bank(preset="social:document").scope(user="minsu", character="letia"))
    context = letia.context(QUERY, at=day(55), include=[memory.id for memory in letia.facts()])
    letia.observe("그래", context=context, at=day(56))

    for hit in memories(letia):
        assert isinstance(hit.item, gieok.Memory)
        assert hit.item.last_used_at == day(56)
        assert hit.parts.recency == pytest.approx(0.5 ** (5 / 30))
        assert hit.score == pytest.approx(social(hit, last_used=day(56)), abs=1e-5)


@pytest.mark.parametrize("name", ["vtuber:document", "character:document", "care:document"])
def test_without_an_encoder_words_take_the_place_of_meaning(open_bank, name):
    letia = told(open_bank(preset=name, embedder=BrokenEncoder()).scope(user="minsu", character="letia"))
    best = letia.recall("연어", at=NOW, explain=True)[0]

    assert best.text == "고양이 사료는 연어 맛만 먹임"
    assert best.contributions is not None
    assert best.contributions["keyword"] == pytest.approx(letia.weights.relevance * best.parts.keyword)


def test_the_vtuber_searches_what_was_understood_and_not_the_log(open_bank):
    bank = open_bank(preset="vtuber:document")
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", reply="고양이는 정말 귀엽죠", at=day(1))

    assert all(isinstance(hit.item, gieok.Memory) for hit in letia.recall("고양이", at=NOW))


def talked(mind: gieok.Mind, turns: int) -> gieok.Mind:
    for number in range(turns):
        mind.observe(f"고양이 이야기 {number}", reply=f"고양이 대답 {number}", at=day(1 + number / 100))
    return mind


def quoted(context: gieok.Context) -> int:
    return sum(message.role != "system" for message in context.messages) - 1


@pytest.mark.parametrize(("name", "messages"), [("heroine", 16), ("care", 20), ("vtuber", 12), ("character", 30)])
def test_a_context_looks_back_as_far_as_the_preset_says(open_bank, name, messages):
    letia = talked(open_bank(preset=name).scope(user="minsu", character="letia"), 20)
    assert quoted(letia.context("뭐 하고 놀까?", budget=8_000)) == messages


def test_a_window_of_messages_may_begin_within_a_turn(open_bank):
    letia = talked(open_bank(recent_messages=3).scope(user="minsu", character="letia"), 4)
    messages = letia.context("뭐 하고 놀까?", budget=8_000).messages

    assert [each.content for each in messages[-4:-1]] == ["고양이 대답 2", "고양이 이야기 3", "고양이 대답 3"]


def test_a_character_quotes_five_related_messages_beside_its_memories(open_bank):
    letia = open_bank(preset="character:document").scope(user="minsu", character="letia")
    for number in range(40):
        letter = chr(ord("A") + number % 26) * (1 + number // 26)
        said, answered = f"고양이 사료 광고 {letter} 봤어?", f"고양이 사료 광고 {letter} 못 봤어요"
        letia.observe(said, reply=answered, at=day(1 + number / 100))
    letia.remember("고양이 사료는 연어 맛만 먹임", at=day(2))
    context = letia.context(QUERY, budget=20_000, at=NOW)
    recalled = next(block for block in context.blocks if block.name == "memories")
    messages = {utterance.id for turn in letia.turns(40) for utterance in turn.utterances}

    assert len(messages.intersection(recalled.items)) == 5
    assert set(recalled.items) - messages


def test_a_preset_changes_how_memories_are_ranked_and_never_what_is_kept(open_bank):
    def kept(name: str | None) -> list[tuple[object, ...]]:
        letia = open_bank(f"{name}.db", preset=name).scope(user="minsu", character="letia")
        letia.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요!", at=day(1))
        context = letia.context("고양이", at=day(2), include=[letia.facts("user")[0].id])
        letia.observe("나 이제 고양이 싫어해", context=context, at=day(30))
        letia.observe("참, 나 땅콩 알레르기 있어", at=day(31))
        return [
            (each.content, each.importance, each.strength, each.valid_at, each.invalid_at, each.uses, each.pinned)
            for each in letia.facts(history=True)
        ]

    plain = kept(None)
    assert len(plain) >= 4
    assert [name for name in PRESETS if kept(name) != plain] == []


def test_a_bank_may_be_opened_with_another_preset_and_is_left_as_it_was(open_bank):
    with open_bank() as bank:
        told(bank.scope(user="minsu", character="letia"))
    facts, orders = set(), set()
    for name in PRESETS:
        with open_bank(preset=name + DOCUMENT) as bank:
            letia = bank.scope(user="minsu", character="letia")
            orders.add(tuple(hit.text for hit in memories(letia, "사료")))
            letia.context(QUERY, at=NOW)
            facts.add((tuple(letia.facts()), len(letia.journal())))

    assert len(facts) == 1
    assert len(orders) > 1


def test_weights_are_free_per_mind_and_per_call(bank):
    told(bank.scope(user="minsu", character="letia"))
    fresh = bank.scope(user="minsu", character="letia", weights={"recency": 9.0})

    assert fresh.weights.keyword == bank.services.weights.keyword
    assert memories(fresh)[0].text == "강아지 사료는 비쌈"
    assert fresh.context("사료", at=NOW).hits[0].text == "강아지 사료는 비쌈"
    weighty = fresh.recall(QUERY, at=NOW, weights={"recency": 0.0, "importance": 9.0})
    assert weighty[0].text == "고양이 사료는 연어 맛만 먹임"
    assert memories(fresh)[0].text == "강아지 사료는 비쌈"
    assert bank.scope(user="minsu", character="letia").weights == bank.services.weights


@pytest.mark.parametrize("name", [None, *PRESETS])
def test_what_the_parts_contribute_adds_up_to_the_score(open_bank, name):
    letia = told(open_bank(preset=name).scope(user="minsu", character="letia"))

    for hit in letia.recall("고양이 사료 어디 거 먹여?", at=NOW, explain=True):
        assert hit.contributions is not None
        assert sum(hit.contributions.values()) == pytest.approx(hit.score)
    assert {hit.contributions for hit in letia.recall(QUERY, at=NOW)} == {None}
