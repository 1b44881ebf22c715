import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.emotion import (
    ASSETS,
    EMOTIONS,
    LABELS,
    PRIORITY,
    asset,
    emotion_of,
    normalize,
    one_hot,
    sprite_label,
    strongest,
    told,
    valence,
)
from support.rows import from_rows

KEYS = st.sampled_from([*EMOTIONS, *LABELS, "슬픔", "기쁨", "분노", "emotion", "label", "score", "???"])
ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | KEYS | st.binary(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def is_one_hot(value: dict[str, int]) -> bool:
    return tuple(value) == ("neutral", "sad", "happy", "angry") and sorted(value.values()) == [0, 0, 0, 1]


@pytest.mark.parametrize("emotion", EMOTIONS)
def test_the_contract_has_four_keys_and_exactly_one_1(emotion):
    assert is_one_hot(one_hot(emotion))
    assert one_hot(emotion)[emotion] == 1


@from_rows
def test_an_answer_as_asked_for_is_taken_as_it_is(answer, emotion):
    assert normalize(answer) == emotion


@pytest.mark.parametrize(
    ("answer", "emotion"),
    [
        ('{"neutral": 0, "sad": 1, "hap', "sad"),
        ('{"neutral": 0, "sad": 0, "happy": 0, "angry": 1', "angry"),
        ("{'neutral': 0, 'sad': 0, 'happy': 1, 'angry': 0}", "happy"),
        ("{'sad': True, 'happy': False}", "sad"),
        ("neutral=0 sad=0 happy=1 angry=0", "happy"),
        ('{"sad": 1,}', "sad"),
        ('{"emotion": "sad', "sad"),
    ],
)
def test_of_broken_json_the_pieces_are_read(answer, emotion):
    assert normalize(answer) == emotion


@from_rows
def test_of_two_1s_anger_goes_before_sadness_before_joy_before_calm(two, emotion):
    answer = dict.fromkeys(EMOTIONS, 0) | dict.fromkeys(two, 1)

    assert normalize(answer) == normalize(json.dumps(answer)) == emotion
    assert PRIORITY == ("angry", "sad", "happy", "neutral")


@from_rows
def test_unknown_keys_are_passed_over_and_other_names_understood(answer, emotion):
    assert normalize(answer) == emotion


@from_rows
def test_prose_around_an_answer_does_not_hide_it(answer, emotion):
    assert normalize(answer) == emotion


@pytest.mark.parametrize(
    "answer", ["", "  ", None, {}, [], "{}", "null", 3, True, object(), "x" * 1_000_000, "[" * 9999]
)
def test_an_empty_answer_tells_nothing_and_gives_what_was_known_otherwise(answer):
    assert told(answer) is None
    assert is_one_hot(one_hot(normalize(answer)))
    assert normalize(answer, otherwise="sad") == "sad"


def test_who_repeats_the_four_names_or_marks_none_tells_nothing():
    assert told("neutral, sad, happy, angry 중에서 골라 주세요") is None
    assert told({"neutral": 0, "sad": 0, "happy": 0, "angry": 0}) is None


@pytest.mark.parametrize(
    ("answer", "emotion"),
    [
        ({"happy": 0.9, "sad": 0.1}, "happy"),
        ({"happy": "70%", "sad": "20%"}, "happy"),
        ({"happy": True, "sad": False}, "happy"),
        ({"happy": "yes", "angry": "no"}, "happy"),
        ({"sad": {"value": 1}, "happy": {"value": 0}}, "sad"),
        ({"result": {"emotion": {"angry": 1}}}, "angry"),
        ([{"label": "joy", "score": 0.9}, {"label": "sadness", "score": 0.05}], "happy"),
        ([0, 0, 1, 0], "happy"),
        ([["sad", 0.2], ["happy", 0.7]], "happy"),
        (["sad"], "sad"),
        ({"sad": float("nan"), "happy": 0.1}, "happy"),
        ({"sad": -1, "happy": 0.1}, "happy"),
        ('"{\\"happy\\": 1}"', "happy"),
        ({"thought": "she was so happy", "sad": 1}, "sad"),
        ({"sad": 10**400, "angry": 1}, "angry"),
    ],
)
def test_shares_switches_lists_and_nested_answers_are_read(answer, emotion):
    assert normalize(answer) == emotion


def test_an_object_at_the_end_of_a_huge_text_is_found():
    assert normalize("가" * 1_000_000 + ' {"angry": 1}') == "angry"


def test_an_answer_that_holds_itself_is_answered():
    answer: dict[str, object] = {}
    answer["emotion"] = answer
    assert normalize(answer) == "neutral"


@given(st.text())
def test_any_string_gives_one_valid_one_hot(answer):
    assert is_one_hot(one_hot(normalize(answer)))


@given(st.text(alphabet='{}[]":,01 \n`sadhpyngrult기쁨슬픔', max_size=60))
def test_anything_like_an_answer_gives_one_valid_one_hot(answer):
    assert is_one_hot(one_hot(normalize(answer)))


@given(ANSWERS)
def test_any_value_gives_one_valid_one_hot(answer):
    assert is_one_hot(one_hot(normalize(answer)))


@given(st.sampled_from(EMOTIONS), st.text(max_size=10).filter(lambda text: not set(text) & set("{}[]")))
def test_what_stands_around_a_right_answer_changes_nothing(emotion, around):
    assert normalize(f"{around}\n{json.dumps(one_hot(emotion))}\n{around}") == emotion


def test_nothing_above_0_is_no_emotion():
    assert strongest({}) is None
    assert strongest({"sad": 0.0}) is None
    assert strongest({"sad": -1.0, "happy": -0.5}) is None
    assert strongest({"happy": 0.005}) == "happy"
    assert strongest({"happy": 0.3, "sad": 0.3, "neutral": 0.2}) == "sad"


@pytest.mark.parametrize(("emotion", "sign"), [("happy", 1), ("sad", -1), ("angry", -1), ("neutral", 0)])
def test_joy_is_pleasant_and_sadness_and_anger_are_not(emotion, sign):
    assert valence(emotion, 0.4) == sign * 0.4
    assert valence(emotion) == sign
    assert valence(emotion, 7) == sign
    assert valence(emotion, -7) == 0
    assert valence(emotion, 0.12345) == sign * 0.123


def test_each_emotion_has_its_picture():
    assert [asset(emotion) for emotion in EMOTIONS] == [
        "neutral_full.png",
        "crying_full.png",
        "smile_full.png",
        "annoyed_full.png",
    ]


def test_pictures_can_be_called_otherwise():
    assert asset("sad", {"sad": "눈물.webp"}) == "눈물.webp"
    assert asset("happy", {"sad": "눈물.webp"}) == ASSETS["happy"]


def test_front_ends_know_28_labels_and_each_is_one_of_the_four():
    assert len(LABELS) == 28
    assert {emotion_of(label) for label in LABELS} == set(EMOTIONS)
    assert emotion_of("Grief ") == "sad"
    assert emotion_of("no such label") == "neutral"


@from_rows
def test_how_strongly_something_is_felt_picks_the_label(emotion, intensity, label):
    assert sprite_label(emotion, intensity) == label


def test_labels_can_be_picked_otherwise():
    assert sprite_label("happy", 0.9, {"happy": ((0.0, "love"),)}) == "love"
    assert sprite_label("sad", 0.5, {"happy": ((0.0, "love"),)}) == "sadness"


@given(st.sampled_from(EMOTIONS), st.floats(-1, 2))
def test_there_and_back_is_the_same_emotion(emotion, intensity):
    assert emotion_of(sprite_label(emotion, intensity)) == emotion


@pytest.mark.parametrize(
    ("weight", "emotion"),
    [
        (1, "happy"),
        (0.01, "happy"),
        (0, None),
        (-1, None),
        ("1", "happy"),
        (" 30 % ", "happy"),
        ("0", None),
        ("-2", None),
        ("high", "happy"),
        ("HIGH ", "happy"),
        ("네", "happy"),
        ("nope", None),
        ("nan", None),
        (float("inf"), None),
        (10**400, None),
        (None, None),
        (True, "happy"),
        (False, None),
        ([0, 1], "happy"),
        ((0, 0.5), "happy"),
        ([], None),
        ({"value": 1}, "happy"),
        ({}, None),
        ({1, 2}, None),
    ],
)
def test_what_says_that_there_is_some_of_it_is_a_weight(weight, emotion):
    assert told({"happy": weight, "unknown": 5}) == emotion


@from_rows
def test_the_heavier_weight_wins_over_the_louder_emotion(heavier, lighter):
    assert told({"happy": heavier, "angry": lighter}) == "happy"


def test_a_share_of_one_percent_outweighs_nothing():
    assert told({"happy": "1%", "angry": "0%"}) == "happy"


def test_of_a_name_given_twice_the_larger_weight_counts():
    assert told([{"happy": 0.9}, {"sad": 0.5}, {"happy": 0.1}]) == "happy"
    assert told([{"happy": 0.1}, {"sad": 0.5}, {"happy": 0.9}]) == "happy"


@from_rows
def test_a_label_weighs_what_its_score_says_and_prose_beside_it_nothing(answer, emotion):
    assert told(answer) == emotion


@pytest.mark.parametrize(
    ("answer", "emotion"),
    [
        ([0, 1, 0, 0], "sad"),
        ([0.1, 0, 0, 0.2], "angry"),
        ([1, 0, 0, 0], "neutral"),
        ([0, 1, 0], None),
        ([0, 1, 0, 0, 0], None),
        (["sad", "0", 0, 0], "sad"),
        (["happy", 0.5], "happy"),
        (["happy", 0], None),
        (["happy", "sad"], "sad"),
        ([1, "happy"], "happy"),
        ([{"happy": 1}, 0.5], "happy"),
        ({"happy"}, "happy"),
        (frozenset(["sad"]), "sad"),
    ],
)
def test_four_numbers_are_the_four_and_a_name_with_a_number_is_a_pair(answer, emotion):
    assert told(answer) == emotion


def nested(depth: int, answer: object) -> object:
    for _ in range(depth):
        answer = {"a": answer}
    return answer


def test_six_levels_are_read_and_no_deeper():
    assert told(nested(5, {"sad": 1})) == "sad"
    assert told(nested(6, {"sad": 1})) is None
    assert told(nested(4, {"emotion": "sad"})) == "sad"
    assert told(nested(5, {"emotion": "sad"})) is None


def test_a_weight_is_looked_for_as_deep():
    def weighed(depth: int) -> object:
        weight: object = 1
        for _ in range(depth):
            weight = [weight]
        return {"sad": weight}

    assert told(weighed(5)) == "sad"
    assert told(weighed(6)) is None


def test_256_items_of_a_list_an_object_or_a_weight_are_read():
    for last, emotion in ((255, "sad"), (256, None)):
        assert told([*["?"] * last, "sad"]) == emotion
        assert told({**{f"k{n}": 0 for n in range(last)}, "sad": 1}) == emotion
        assert told({"sad": [*[0] * last, 1]}) == emotion


def test_of_a_long_text_the_beginning_and_the_end_are_read():
    assert told('{"sad": 1}' + "가 " * 30_000) == "sad"
    assert told("가 " * 30_000 + '{"sad": 1}') == "sad"
    assert told("가 " * 10_000 + '{"sad": 1}' + "가 " * 10_000) is None


def test_a_text_of_16000_characters_is_read_whole_and_a_longer_one_loses_its_middle():
    mark = '{"sad": 1}'
    assert told("." * 7_997 + mark + "." * (16_000 - 7_997 - len(mark))) == "sad"
    assert told("." * 7_997 + mark + "." * (16_001 - 7_997 - len(mark))) is None
    assert told("." * (8_000 - len(mark)) + mark + "." * 9_000) == "sad"
    assert told("." * 9_000 + mark + "." * (8_000 - len(mark))) == "sad"


def test_of_bytes_as_many_are_read_as_may_make_such_a_text():
    assert told(b"." * (32_000 - 10) + b'{"sad": 1}' + b"." * 9) == "sad"
    assert told(b"." * 32_000 + b'{"sad": 1}') is None
    assert told(bytearray(b"sad")) == "sad"
    assert told(b"\xff\xfe sad") == "sad"


@from_rows
def test_words_name_an_emotion_unless_they_are_denied_or_all_four(text, emotion):
    assert told(text) == emotion


@from_rows
def test_the_last_object_that_tells_counts_then_pairs_then_words(text, emotion):
    assert told(text) == emotion


@pytest.mark.parametrize("key", ["happy" + " " * 34, "happy" + " " * 35])
def test_a_key_of_forty_characters_is_no_name(key):
    assert told({key: 1}) == ("happy" if len(key) < 40 else None)


def test_a_key_that_is_no_word_is_passed_over():
    assert told({5: 1, None: 2, "sad": 1}) == "sad"


def test_yes_weighs_as_much_as_one():
    assert told({"happy": 1.1, "angry": "yes"}) == "happy"
    assert told({"happy": 0.9, "angry": "yes"}) == "angry"


def test_forty_characters_of_a_weight_are_read():
    assert told({"happy": " " * 39 + "1"}) == "happy"
    assert told({"happy": " " * 40 + "1"}) is None


@pytest.mark.parametrize("named", ["sad", "she is sad", {"label": "sad"}, {"label": '{"sad": 5}'}])
def test_a_mere_name_weighs_as_much_as_one(named):
    assert told([[named], {"happy": 1.1}]) == "happy"
    assert told([[named], {"happy": 0.9}]) == "sad"
