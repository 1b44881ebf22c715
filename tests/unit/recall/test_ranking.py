"""From candidates to scored ones: who inherits from whom, and what each part counts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from gieok.domain.answer import Found, Hit, Item, Source
from gieok.domain.memory import FadingRates, strength_now
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, RecencyRule, Weights
from gieok.recall.gather import Candidate
from gieok.recall.rank import Ranker, chosen
from gieok.testing import day, memory, turn

SCOPE = Scope(user="minsu", character="letia")
NOTHING = Weights(recency=0, importance=0, relevance=0, keyword=0, strength=0, graph=0)
EVERY_PART = Weights(recency=1, importance=1, relevance=1, keyword=1, strength=1, graph=1)


def ranked(*candidates: Candidate, now: float = 1, turn_number: int = 0, **rules: Any) -> list[Candidate]:
    ranker = Ranker(**{
        "weights": EVERY_PART, "recency": RecencyRule(), "fading": FadingRates(), "combine": "sum", **rules
    })  # fmt: skip
    return ranker.ranked([*candidates], day(now), SCOPE, turn_number)


def candidate(item: Item, *sources: Source, **fields: Any) -> Candidate:
    return Candidate(item, **fields, found=[Found(source=source, rank=1) for source in sources])


def utterance(text: str = "나 고양이 좋아해", at: float = 1) -> Any:
    return turn(text, at=day(at)).utterances[0]


def test_a_memory_has_its_own_importance_and_its_strength_of_today() -> None:
    cat = memory(importance=0.7, kind="episodic")
    [hit] = [each.hit(explain=True) for each in ranked(candidate(cat, relevance=0.5), now=31, turn_number=50)]

    assert hit.parts.importance == 0.7
    assert hit.parts.strength == strength_now(cat, 50, FadingRates()) < 1
    assert hit.parts.recency == pytest.approx(math.exp(-1))
    assert hit.parts.relevance == 0.5
    assert hit.score == pytest.approx(sum((hit.contributions or {}).values()))


def test_what_somebody_said_has_the_importance_of_what_it_tells_and_a_small_strength() -> None:
    said = candidate(utterance(at=1), importance=0.6, keyword=0.25, graph=0.5)
    [hit] = [each.hit() for each in ranked(said, now=31)]

    assert hit.parts.importance == 0.6
    assert hit.parts.strength == 0.3
    assert hit.parts.recency == pytest.approx(math.exp(-1))
    assert (hit.parts.keyword, hit.parts.graph, hit.parts.relevance) == (0.25, 0.5, 0)
    assert hit.score == pytest.approx(0.6 + 0.3 + math.exp(-1) + 0.75)
    assert hit.contributions is None
    assert hit.scope == SCOPE


def test_recency_counts_from_when_it_was_said_or_from_its_last_use_where_that_is_the_rule() -> None:
    used = memory(known_at=day(1), last_used_at=day(21))
    only = replace(NOTHING, recency=1)

    def fresh(now: float, **fields: Any) -> float:
        rule = RecencyRule(curve="half_life", days=10, since=fields.pop("since", "used"))
        [each] = ranked(candidate(replace(used, **fields)), now=now, weights=only, recency=rule)
        return each.score

    assert fresh(31) == pytest.approx(0.5)
    assert fresh(31, since="said") == pytest.approx(0.125)
    assert fresh(31, last_used_at=None) == pytest.approx(0.125)
    assert fresh(21) == pytest.approx(1.0), "a use just now counts"
    assert fresh(11) == pytest.approx(0.5), "by then it had not been used"
    assert fresh(31, known_at=day(31)) == pytest.approx(1.0), "the later of the two"


def test_an_utterance_of_which_memories_say_it_all_gives_way_and_leaves_them_its_support() -> None:
    said = candidate(utterance(), "keyword", "period", told=True, handed=1.0, own=(0.2, 0.9), graph=0.1)
    cat = candidate(memory(sources=(said.item.id,)), "dense", "period", relevance=0.8, keyword=0.3, graph=0.4)
    [kept] = ranked(said, cat)

    assert kept.item is cat.item
    parts = kept.hit().parts
    assert (parts.relevance, parts.keyword, parts.graph) == (0.8, 0.9, 0.4)
    assert kept.hit().why == tuple(Found(source=source, rank=1) for source in ("dense", "period", "keyword"))


def test_an_utterance_of_which_something_is_left_to_say_stays_and_counts_by_half_for_its_memories() -> None:
    said = candidate(utterance(), keyword=0.9, own=(0.0, 0.8))
    cat = candidate(memory(sources=(said.item.id,)), keyword=0.3)
    both = {each.item.id: each.hit().parts.keyword for each in ranked(said, cat)}

    assert both == {said.item.id: 0.9, cat.item.id: 0.4}


def scores(*texts: str, query: str = "내가 무슨 게임 만든다고 했지?", **rules: Any) -> list[float]:
    only = replace(NOTHING, keyword=1)
    each = [candidate(utterance(text), keyword=0.8, asks=text.endswith("?")) for text in texts]
    return [each.score for each in ranked(*each, weights=only, query=query, **rules)]


def test_what_asks_counts_less_than_what_tells_and_what_repeats_the_question_counts_nothing() -> None:
    told, told_and_asked, asked, echo, spelt_otherwise = scores(
        "달빛 우체국 만들어.",
        "달빛 우체국 만들어. 해볼래?",
        "오늘은 뭐 해?",
        "내가 무슨 게임 만든다고 했지?",
        "내가 무슨 게임 만든다고 했지",
    )

    assert told > told_and_asked > asked > echo == spelt_otherwise == 0


def test_earlier_questions_can_be_looked_for_like_all_that_was_said() -> None:
    ranker = Ranker(weights=EVERY_PART, recency=RecencyRule(), fading=FadingRates(), combine="sum", query="뭐 해?")
    [asked] = ranker.ranked([candidate(utterance("뭐 해?"), keyword=0.8, asks=True)], day(1), SCOPE, 0, questions=True)

    assert asked.keyword == 0.8


def test_what_was_concluded_from_many_words_does_not_stand_for_them() -> None:
    said = candidate(utterance(), told=True, keyword=0.9)
    summary = candidate(memory(sources=(said.item.id,), content_type="summary", origin="reflection"), keyword=0.1)
    both = {each.item.id: each.hit().parts.keyword for each in ranked(said, summary)}

    assert both == {said.item.id: 0.9, summary.item.id: 0.1}


def test_a_memory_whose_words_are_no_candidates_is_ranked_as_it_is() -> None:
    [kept] = ranked(candidate(memory(sources=("gone/0",)), keyword=0.4))
    assert kept.hit().parts.keyword == 0.4


def test_where_the_mean_of_the_finders_counts_those_that_found_nothing_take_nothing_away() -> None:
    weights = replace(NOTHING, relevance=2, keyword=1, graph=1)
    near = candidate(memory(), "dense", relevance=0.5)
    both = candidate(memory(), "dense", "keyword", relevance=0.5, keyword=0.5)
    about = candidate(memory(), "topic", "value", "period", graph=0.25)
    picked = candidate(memory(), "included", relevance=0.5)

    scores = [each.score for each in ranked(near, both, about, picked, weights=weights, combine="mean_of_sources")]
    assert scores == pytest.approx([2.0, 2.0, 1.0, 0.0])
    assert [each.score for each in ranked(near, both, about, weights=weights)] == pytest.approx([1.0, 1.5, 0.25])


@pytest.mark.parametrize("source", ["topic", "speaker", "person", "period", "value"])
def test_whatever_hangs_together_with_the_question_is_found_by_the_graph(source: Source) -> None:
    weights = replace(NOTHING, relevance=1, graph=1)
    [each] = ranked(candidate(memory(), source, graph=0.5), weights=weights, combine="mean_of_sources")
    assert each.score == pytest.approx(1.0)


def said(text, score, speaker="user"):
    [utterance] = turn((speaker, text), id=f"{text}{score}").utterances
    return Hit(item=utterance, scope=SCOPE, score=score, parts=Parts(), why=())


def known(content, score, **fields):
    item = memory(content, id=f"{content}{score}", **fields)
    return Hit(item=item, scope=SCOPE, score=score, parts=Parts(), why=())


def texts(hits):
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    "again", ["나 고양이 좋아해!", "나 고양이 좋아해ㅋㅋ", "나  고양이 좋아해…", "나 고양이 좋아해"]
)
def test_the_same_words_come_once_the_better_first(again):
    assert texts(chosen([said(again, 0.4), said("나 고양이 좋아해", 0.5)], 8)) == ["나 고양이 좋아해"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("나 고양이 정말 많이 좋아해", "나 고양이 정말 많이 안 좋아해"),
        ("3월 15일에 만나기로 했어", "3월 16일에 만나기로 했어"),
        ("I do like cats very much", "I do not like cats very much"),
    ],
)
def test_a_not_or_another_figure_makes_it_another(one, other):
    assert texts(chosen([said(one, 0.5), said(other, 0.4)], 8)) == [one, other]


def test_what_is_true_of_two_is_told_of_both():
    mine = known("고양이를 좋아함", 0.5)
    hers = known("고양이를 좋아함", 0.4, subject="other", subject_id="동생")
    assert len(chosen([mine, hers], 8)) == 2


def test_something_else_comes_before_nearly_the_same_again():
    nearly = [
        said(f"어제 {thing} 바다에 가서 회를 먹었어", 0.500 - step / 1000)
        for step, thing in enumerate("부산 강릉".split())
    ]
    other = said("내일은 산에 오를 거야", 0.490)
    assert texts(chosen([*nearly, other], 2)) == [nearly[0].text, other.text]


def test_much_better_stays_better_however_alike():
    nearly = [said("어제 부산 바다에 가서 회를 먹었어", 0.9), said("어제 강릉 바다에 가서 회를 먹었어", 0.8)]
    assert texts(chosen([*nearly, said("내일은 산에 오를 거야", 0.3)], 2)) == texts(nearly)


@pytest.mark.parametrize("k", [1, 5, 12, 13, 60])
def test_as_many_as_are_asked_for_by_their_scores(k):
    hits = [
        said(f"{chr(0xAC00 + 997 * number)}{chr(0xAC00 + 631 * number)} 이야기", 1 - number / 10) for number in range(9)
    ]
    assert texts(chosen(reversed(hits), k)) == texts(hits)[:k]


def test_what_has_no_letters_says_the_same_only_if_it_is_the_same():
    assert texts(chosen([said("!!", 0.5), said("ㅋㅋ", 0.4), said("ㅋㅋ", 0.3), said("…", 0.2)], 8)) == [
        "!!",
        "ㅋㅋ",
        "…",
    ]
