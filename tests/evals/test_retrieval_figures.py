"""Figures against what a pencil gives."""

from math import log2

import numpy as np
import pytest

from gieok.domain.scoring import Parts, Weights
from gieok.errors import InvalidQuery
from gieok_evals.retrieval.datasets import Query
from gieok_evals.retrieval.metrics import NAMES, gain_at, ranks_of, recall_at, reciprocal_rank, scores
from gieok_evals.retrieval.playing import Answer
from gieok_evals.retrieval.report import difference, scored, sheet, summary
from gieok_evals.retrieval.tuning import tuned


def answer(conversation, ranking, *evidence, parts=(), **more):
    query = Query(text="?", evidence=frozenset(evidence), **more)
    return Answer(conversation=conversation, query=query, ranking=tuple(ranking), parts=tuple(parts))


def test_ranks_count_from_one():
    assert ranks_of({"b", "d", "z"}, "abcd") == [2, 4]


def test_what_stands_too_far_down_is_not_found():
    ranking = [str(number) for number in range(1, 200)]
    assert ranks_of({"100", "101"}, ranking) == [100]


def test_recall_is_the_share_of_the_evidence_that_stands_in_front():
    assert recall_at(5, [1, 6], 4) == 0.25
    assert recall_at(10, [1, 6], 4) == 0.5
    assert recall_at(5, [], 3) == 0


def test_the_reciprocal_rank_looks_at_the_first_only():
    assert reciprocal_rank([4, 2]) == 0.5
    assert reciprocal_rank([]) == 0


def test_gain_is_discounted_by_rank_and_full_where_everything_stands_in_front():
    assert gain_at(10, [1, 2], 2) == 1
    assert gain_at(10, [2], 1) == pytest.approx(1 / log2(3))
    assert gain_at(10, [1, 3], 3) == pytest.approx((1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2))
    assert gain_at(10, [11], 1) == 0
    assert gain_at(10, range(1, 11), 12) == pytest.approx(1)  # no more than ten fit


def test_the_figures_of_one_question():
    assert dict(zip(NAMES, scores([2, 7], 2), strict=True)) == pytest.approx(
        {
            "recall@5": 0.5,
            "recall@10": 1.0,
            "recall@20": 1.0,
            "mrr": 0.5,
            "ndcg@10": (1 / log2(3) + 1 / 3) / (1 + 1 / log2(3)),
        }
    )


def test_what_is_apart_has_its_own_line_and_no_part_in_the_overall():
    measured = summary(
        sheet(
            [
                answer("1", "ab", "a", category="single"),
                answer("2", "ab", "b", category="single"),
                answer("1", "ab", "z", category="never said", apart=True),
            ]
        )
    )
    assert measured.overall.queries == 2
    assert measured.overall.figures["mrr"].value == 0.75
    assert measured.categories.keys() == {"single"}
    assert measured.apart["never said"].figures["mrr"].value == 0


def test_intervals_draw_whole_conversations():
    found, lost = answer("1", "a", "a"), answer("2", "a", "z")
    whole = scored(sheet([*[found] * 50, *[lost] * 50]))
    assert whole.figures["mrr"].interval == (0.0, 1.0)  # both draws may be the same conversation
    mixed = [answer(name, "a", each) for name in "12" for each in "az" * 25]
    assert scored(sheet(mixed)).figures["mrr"].interval == (0.5, 0.5)


def test_in_a_single_conversation_groups_are_drawn_and_one_group_gives_no_interval():
    pairs = [answer("1", "a", evidence, group=group) for evidence, group in ("aX", "zX")]
    assert scored(sheet(pairs)).figures["mrr"].interval is None
    alone = [answer("1", "a", evidence) for evidence in "az"]
    assert scored(sheet(alone)).figures["mrr"].interval == (0.0, 1.0)


def test_a_difference_sets_question_against_question():
    default = sheet([answer("1", "ab", "a"), answer("2", "ba", "b")])
    other = sheet([answer("1", "ba", "a"), answer("2", "ab", "b")])
    change = difference("worse", other, default)
    assert change.figures["mrr"].value == -0.5
    assert change.figures["mrr"].interval == (-0.5, -0.5)  # it is the same for each
    assert change.figures["recall@10"].value == 0


@pytest.fixture
def misled():
    """Answers in which the words are right and the meaning always points elsewhere."""
    wrong, right = Parts(relevance=0.9, keyword=0.2), Parts(relevance=0.1, keyword=0.9)
    return [answer(name, "ab", "b", parts=(wrong, right)) for name in ("1", "2", "3")]


def test_tuning_finds_what_helps_and_is_scored_on_what_it_never_saw(misled):
    found = tuned(misled, Weights(relevance=1.0, keyword=0.1, graph=0.0))

    assert [fold.left_out for fold in found.folds] == ["1", "2", "3"]
    assert found.default["mrr"] == 0.5
    assert found.held_out["mrr"] == found.seen["mrr"] == 1
    assert found.weights["keyword"] > found.weights["relevance"] * 8 / 7


def test_tuning_leaves_weights_alone_that_nothing_speaks_against(misled):
    right = Weights(relevance=0.1, keyword=1.0)
    found = tuned(misled, right)
    assert found.weights == pytest.approx({name: getattr(right, name) for name in found.weights})


def test_a_single_conversation_is_tuned_by_groups_that_stay_together(misled):
    one = [answer("1", each.ranking, "b", parts=each.parts, group=group) for each in misled for group in "XYZ"]
    found = tuned(one, Weights())
    assert [(fold.left_out, fold.queries) for fold in found.folds] == [("fold 1", 3), ("fold 2", 3), ("fold 3", 3)]
    with pytest.raises(InvalidQuery, match="at least two conversations"):
        tuned(one[:1], Weights())


def test_evidence_beyond_the_hits_counts_as_lost(misled):
    lost = answer("4", "ab", "b", "z", parts=misled[0].parts)
    assert tuned([*misled, lost], Weights(relevance=0.0, keyword=1.0)).default["recall@10"] == pytest.approx(
        np.mean([1, 1, 1, 0.5])
    )
