import random

import pytest

from gieok_evals.planted.language import Value
from gieok_evals.planted.typing_noise import NOISES, typed
from gieok_evals.planted.wording import Piece, filled, joined, pieces

BUSAN = Value(gold="부산", forms={"v": "부산", "short": "부"})
AGE = Value(gold="25", forms={"v": "25살", "native": "스물다섯"})


def test_a_place_takes_the_form_it_names_and_the_particle_that_fits():
    assert filled("나 {v}{으로/로} 이사했어", {"v": BUSAN}) == "나 부산으로 이사했어"
    assert filled("올해 {v.native}{이야/야}", {"v": AGE}) == "올해 스물다섯이야"
    assert filled("{old} 아니고 {new}{이야/야}", {"old": BUSAN, "new": AGE}) == "부산 아니고 25살이야"


@pytest.mark.parametrize("text", ["{v.nope}", "{new}", "{x}", "{}"])
def test_a_place_that_nothing_fills_is_a_fault(text):
    with pytest.raises(ValueError):
        filled(text, {"v": BUSAN})


def test_particles_are_dropped_only_before_a_space():
    words = "{v}{이/가} 좋아, 난 {v}{이야/야}"
    assert joined(pieces(words, {"v": BUSAN}, drop_particles=True)) == "부산 좋아, 난 부산이야"


@pytest.mark.parametrize("noise", NOISES)
def test_typing_noise_leaves_values_alone(noise):
    value = Value(gold="해변의 카프카 있어", forms={"v": "해변의 카프카 있어"})
    parts = pieces("나 {v} 진짜 좋아해 있었어", {"v": value})
    for seed in range(20):
        noisy = typed(parts, noise, random.Random(seed))
        assert [part.text for part in noisy if part.value] == ["해변의 카프카 있어"]


def test_noise_is_how_people_type():
    dice = random.Random(0)
    assert joined(typed([Piece(text="나 그거 좋아해")], "typo", dice)) == "나 그거 조아해"
    assert joined(typed([Piece(text="어제 갔어")], "typo", dice)) == "어제 갓어"
    assert joined(typed([Piece(text="좋아해")], "drawn_out", dice)).startswith("좋아해애")
    assert joined(typed([Piece(text="가요")], "drawn_out", dice)).startswith("가요오")
    assert joined(typed([Piece(text="그랬음")], "drawn_out", dice)) == "그랬음"
    assert len(joined(typed([Piece(text="나 는 너 를 좋 아 해")], "spaces", dice))) < len("나 는 너 를 좋 아 해")
