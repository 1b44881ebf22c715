"""How much of a strange answer is read, and what counts as a weight in it."""

import pytest

from gieok.domain.emotion import told
from support.rows import from_rows


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
