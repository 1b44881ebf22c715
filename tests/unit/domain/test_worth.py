"""What a claim is worth, by numbers, and where surprise begins."""

from dataclasses import asdict

import pytest

from gieok.domain.attributes import SCHEMA
from gieok.domain.promotion import TYPE_IMPORTANCE, PromotionWeights, SurpriseRules, cannot_be_same, promotion, surprise
from gieok.testing import claim, memory, note
from support.rows import from_rows

RULES = SurpriseRules()
ONLY = dict.fromkeys(asdict(PromotionWeights()), 0.0)


def scored(said, *, heard: int = 0, novelty: float = 1.0, weights: PromotionWeights | None = None):
    return promotion(said, heard_before=heard, novelty=novelty, weights=weights or PromotionWeights())


def test_the_weights_are_these_and_make_a_whole():
    assert asdict(PromotionWeights()) == {
        "type_importance": 0.30,
        "confidence": 0.25,
        "future_impact": 0.15,
        "emotion": 0.10,
        "recurrence": 0.10,
        "novelty": 0.10,
    }
    assert sum(asdict(PromotionWeights()).values()) == pytest.approx(1)


def test_promises_and_constraints_are_the_most_important_types_and_notes_the_least():
    by_worth = {
        1.0: {"promise", "constraint"},
        0.8: {"decision", "todo", "profile", "personal"},
        0.6: {"preference", "fact", "event", "timeline", "insight", "summary"},
        0.5: {"trait", "opinion"},
        0.3: {"note"},
    }
    assert {worth: {kind for kind, own in TYPE_IMPORTANCE.items() if own == worth} for worth in by_worth} == by_worth
    assert len(TYPE_IMPORTANCE) == 15


def test_every_part_counts_by_its_own_weight():
    said = note("별을 봤다", content_type="note", certainty=0.5, emotion_intensity=0.7)
    parts = {"type_importance": 0.3, "confidence": 0.5, "future_impact": 0.3, "emotion": 0.7, "recurrence": 1 / 3}
    for name, part in {**parts, "novelty": 0.9}.items():
        only = PromotionWeights(**{**ONLY, name: 0.5})
        assert scored(said, heard=1, novelty=0.9, weights=only).score == pytest.approx(part), name


def test_an_attribute_lends_its_importance_and_its_future_and_a_type_may_outweigh_it():
    allergy = scored(claim("allergy", "땅콩", content_type="note"))
    assert (allergy.type_importance, allergy.future_impact) == (SCHEMA["allergy"].importance, 1.0)
    promised = scored(claim("hobby", "수영", content_type="promise"))
    assert (promised.type_importance, promised.future_impact) == (1.0, 0.6)


def test_what_was_heard_three_times_before_recurs_in_full():
    heard = [scored(note("비가 온다"), heard=times).recurrence for times in (0, 1, 2, 3, 4)]
    assert heard == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])


def test_parts_are_cut_to_between_0_and_1():
    low = scored(note("말", certainty=-0.5, emotion_intensity=-0.5), novelty=-0.5)
    high = scored(note("말", certainty=1.5, emotion_intensity=1.5), novelty=1.5)
    assert (low.confidence, low.emotion, low.novelty) == (0, 0, 0)
    assert (high.confidence, high.emotion, high.novelty) == (1, 1, 1)


def test_a_weight_however_small_makes_a_score():
    tiny = PromotionWeights(**{**ONLY, "confidence": 0.5})
    assert scored(note("말", certainty=0.4), weights=tiny).score == pytest.approx(0.4)


def test_the_documents_bounds_of_surprise():
    assert asdict(RULES) == {"same": 0.85, "predictable": 0.6, "worth_keeping": 0.7, "dampened": 0.7, "boost": 0.3}


@pytest.mark.parametrize(
    ("similarity", "importance", "verdict", "after"),
    [
        (0.85, 0.5, "same", 0.5),
        (0.84, 0.5, "predictable", 0.5),
        (0.84, 0.69, "predictable", 0.69),
        (0.84, 0.7, "new", 0.49),
        (0.6, 0.5, "predictable", 0.5),
        (0.6, 0.8, "new", 0.56),
        (0.59, 0.5, "new", 0.5 + 0.41 * 0.3),
        (0.0, 0.5, "new", 0.8),
        (-0.4, 0.5, "new", 0.8),
        (0.1, 0.95, "new", 1.0),
    ],
)
def test_how_alike_decides_between_same_predictable_and_new(similarity, importance, verdict, after):
    found = surprise(note("별을 봤다", importance=importance), memory("별을 보았다"), similarity, RULES)
    assert (found.verdict, found.importance) == (verdict, pytest.approx(after))


def test_what_nothing_is_near_to_is_new_and_gains_by_it():
    found = surprise(note("별을 봤다", importance=0.5), None, 0.0, RULES)
    assert (found.verdict, found.importance) == ("new", pytest.approx(0.8))


def test_where_there_is_nothing_to_compare_with_likeness_means_nothing():
    assert surprise(note("별을 봤다"), None, 0.9, RULES).verdict == "new"


@pytest.mark.parametrize("similarity", [0.6, 0.85, 0.99])
def test_what_differs_is_new_as_it_is_however_alike_it_sounds(similarity):
    found = surprise(note("3월에 봤다", details=("3월",)), memory("4월에 봤다", details=("4월",)), similarity, RULES)
    assert (found.verdict, found.importance) == ("new", 0.8)


@from_rows
def test_two_differ_in_subject_polarity_or_details_in_whatever_order(fields, different):
    known = memory("나비가 왔다", details=("3월", "나비"))
    assert cannot_be_same(note("나비가 왔다", **{"details": ("3월", "나비"), **fields}), known) is different
