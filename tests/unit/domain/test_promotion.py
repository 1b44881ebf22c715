"""The promotion score: six parts between 0 and 1, and their weighted mean."""

from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.attributes import SCHEMA
from gieok.domain.decision import Ignore, Reinforce, Remember
from gieok.domain.judgement import Beliefs, judge
from gieok.domain.promotion import TYPE_IMPORTANCE, PromotionWeights, SurpriseRules, cannot_be_same, promotion, surprise
from gieok.testing import claim, day, memory, note
from support.rows import from_rows
from unit.domain.histories import POLICY, moment

NAMES = [field.name for field in fields(PromotionWeights)]
weights = st.builds(PromotionWeights, **{name: st.floats(0, 10) for name in NAMES})
numbers = st.floats(-2, 3)


@given(
    st.none() | st.sampled_from([*SCHEMA, "favorite.tea"]),
    st.sampled_from(list(TYPE_IMPORTANCE)),
    numbers, numbers, numbers, st.integers(0, 1_000), weights,
)  # fmt: skip
def test_every_part_and_the_score_stay_between_0_and_1(key, kind, certainty, emotion, novelty, heard, weights):
    fields = {"content_type": kind, "certainty": certainty, "emotion_intensity": emotion}
    said = claim(key, "값", **fields) if key else note("말", **fields)
    parts = asdict(promotion(said, heard_before=heard, novelty=novelty, weights=weights))
    assert set(parts) == {*NAMES, "score"}
    assert all(0 <= part <= 1 + 1e-12 for part in parts.values()), parts


def test_the_score_is_the_weighted_mean_of_the_parts():
    weights = PromotionWeights(type_importance=2, confidence=0, future_impact=0, emotion=0, recurrence=1, novelty=1)
    scored = promotion(claim("promise", "영화"), heard_before=0, novelty=0.5, weights=weights)
    assert (scored.type_importance, scored.recurrence, scored.novelty) == (1.0, 0.0, 0.5)
    assert scored.score == pytest.approx((2 * 1.0 + 0.5) / 4)


def test_without_any_weight_nothing_is_worth_remembering():
    nothing = PromotionWeights(**dict.fromkeys(NAMES, 0.0))
    assert promotion(claim("name", "민수"), heard_before=9, novelty=1, weights=nothing).score == 0


def test_an_allergy_weighs_more_than_a_liking_and_a_liking_more_than_a_note():
    def score(said):
        return promotion(said, heard_before=0, novelty=1, weights=PromotionWeights()).score

    allergy, liking = claim("allergy", "땅콩"), claim("likes", "고양이")
    assert score(allergy) > score(liking) > score(note("날씨가 흐리다", content_type="note"))


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


def test_the_documents_bounds_of_surprise():
    assert asdict(RULES) == {"same": 0.85, "predictable": 0.6, "worth_keeping": 0.7, "dampened": 0.7, "boost": 0.3}


def test_where_there_is_nothing_to_compare_with_likeness_means_nothing():
    assert surprise(note("별을 봤다"), None, 0.9, RULES).verdict == "new"


@from_rows
def test_two_differ_in_subject_polarity_or_details_in_whatever_order(fields, different):
    known = memory("나비가 왔다", details=("3월", "나비"))
    assert cannot_be_same(note("나비가 왔다", **{"details": ("3월", "나비"), **fields}), known) is different


RULES = SurpriseRules()
KNOWN = memory("엄마랑 싸웠다", id="m1")


def weighed(similarity, importance=0.5, known=KNOWN, **fields):
    return surprise(note("엄마랑 다퉜다", importance=importance, **fields), known, similarity, RULES)


@pytest.mark.parametrize(
    ("similarity", "importance", "verdict", "result"),
    [
        (1.0, 0.5, "same", 0.5),
        (0.85, 0.5, "same", 0.5),
        (0.8499, 0.69, "predictable", 0.69),
        (0.8499, 0.7, "new", 0.49),
        (0.6, 0.69, "predictable", 0.69),
        (0.6, 1.0, "new", 0.7),
        (0.5999, 0.5, "new", 0.5 + 0.4001 * 0.3),
        (0.0, 0.5, "new", 0.8),
        (-0.5, 0.5, "new", 0.8),
        (0.0, 0.9, "new", 1.0),
    ],
)
def test_the_thresholds_are_those_of_the_documents(similarity, importance, verdict, result):
    news = weighed(similarity, importance)
    assert (news.verdict, news.importance) == (verdict, pytest.approx(result))


def test_the_first_thing_ever_heard_is_full_news():
    assert weighed(0.0, 0.5, known=None).importance == pytest.approx(0.8)


@pytest.mark.parametrize(
    "different",
    [{"polarity": "-"}, {"subject_id": "아빠", "subject": "other"}, {"details": ("3월 2일",)}, {"details": ("2",)}],
    ids=["polarity", "subject", "date", "number"],
)
def test_what_differs_is_never_the_same_however_alike_it_sounds(different):
    assert weighed(0.99, 0.1, **different).verdict == "new"


@given(st.floats(-1, 1), st.floats(0, 1))
def test_importance_stays_between_0_and_1_and_rises_by_at_most_0_3(similarity, importance):
    news = weighed(similarity, importance)
    assert 0 <= news.importance <= min(1.0, importance + 0.3 + 1e-9)


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.9, Reinforce), (0.7, Ignore), (0.3, Remember)], ids=["same", "predictable", "new"]
)
def test_judgement_follows_the_verdict(similarity, expected):
    beliefs = Beliefs([KNOWN], similarity={("c1", "m1"): similarity})
    (decision,) = judge([note("엄마랑 다퉜다", id="c1", importance=0.6)], beliefs, moment(), POLICY)
    assert type(decision) is expected


def test_only_free_memories_of_the_same_subject_that_are_true_count_as_near():
    others = [
        memory("a", id="attribute", attribute="likes", value="a"),
        memory("b", id="subject", subject="other", subject_id="아빠"),
        memory("c", id="past", invalid_at=day(3)),
        memory("d", id="future", valid_at=day(99)),
        memory("e", id="hidden", retracted=True),
    ]
    beliefs = Beliefs(others, similarity={("c1", each.id): 0.99 for each in others})
    assert beliefs.nearest(note("x", id="c1"), day(9)) == (None, 0.0)
