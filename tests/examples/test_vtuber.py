"""examples/vtuber: one face for every turn, and slots for what is worth remembering."""

from __future__ import annotations

from typing import Any

import pytest

from support.playing import player


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        play = player("vtuber", patch)
        yield lambda **settings: play(tmp_path_factory.mktemp("luna"), embedder="hashing", **settings)


@pytest.fixture(scope="module")
def played(example: Any) -> Any:
    return example()


def by_words(result: Any, words: str) -> Any:
    [shown] = [each for each in result.shown if words in each.says]
    return shown


def test_every_turn_has_exactly_one_face_and_the_sprite_that_goes_with_it(played):
    result, screen = played
    sprites = {
        "neutral": "luna_calm.png",
        "happy": "luna_smile.png",
        "sad": "crying_full.png",
        "angry": "annoyed_full.png",
    }
    assert result.broken == []
    assert all(sum(each.face.values()) == 1 and each.sprite == sprites[each.emotion] for each in result.shown)
    assert {each.emotion for each in result.shown} == set(sprites)
    assert all(each.sprite in screen for each in result.shown)


@pytest.mark.parametrize(
    ("words", "emotion"), [("야근", "angry"), ("공모전", "sad"), ("복숭아 알레르기", "neutral"), ("처음 켜", "happy")]
)
def test_whatever_a_model_answers_there_is_one_feeling(played, words, emotion):
    shown = by_words(played[0], words)
    assert shown.judged is not None
    assert shown.emotion == emotion


def test_what_scores_too_low_is_a_candidate_until_it_is_said_again(played):
    first, again = (by_words(played[0], words).candidates for words in ("그래도 나는 떡볶이", "역시 나는 떡볶이"))
    assert [(each.words, each.slot) for each in first] == [("가장 좋아하는 음식은 떡볶이임", False)]
    assert [(each.words, each.slot) for each in again] == [("가장 좋아하는 음식은 떡볶이임", True)]
    assert again[0].score > first[0].score


def test_three_weeks_later_she_answers_out_of_her_slots(played):
    result, _ = played
    assert by_words(result, "번개").reply.startswith("*창문 쪽을 본다* 하준 님, 천둥")
    assert "떡볶이" in by_words(result, "야식").reply
    assert "복숭아" in by_words(result, "케이크").reply
    assert by_words(result, "케이크").recalled == ["복숭아 알레르기가 있음"]
    assert "가장 좋아하는 음식은 떡볶이임" in result.slots


def test_six_turns_are_kept_word_by_word(played):
    assert [each.turns for each in played[0].shown] == [0, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6]


def test_with_a_threshold_that_nothing_passes_she_would_have_nothing_to_say(example):
    with pytest.raises(KeyError, match="name"):
        example(promote_threshold=1.0)
