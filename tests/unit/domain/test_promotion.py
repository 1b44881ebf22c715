"""The promotion score: six parts between 0 and 1, and their weighted mean."""

from dataclasses import asdict, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.attributes import SCHEMA
from gieok.domain.promotion import TYPE_IMPORTANCE, PromotionWeights, promotion
from gieok.testing import claim, note

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
