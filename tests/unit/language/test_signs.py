"""Signs of a relationship in what is said."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.domain.relationship import default_rules
from gieok.language.signs import patterns, signs
from support.rows import from_rows

DATA = Path(__file__).parents[2] / "data"


def names(text, **more):
    return {sign.name for sign in signs(text, "user", **more)}


def written(file):
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    for text, expected in (line.split("\t") for line in lines if not line.startswith("#")):
        yield text, set() if expected == "-" else set(expected.split(","))


@pytest.mark.parametrize("file", ["signs.tsv", "signs_unseen.tsv"])
def test_what_is_found_is_nearly_always_right_and_seldom_missed(file):
    counted = Counter()
    for text, expected in written(file):
        found = names(text)
        counted.update(right=len(found & expected), wrong=len(found - expected), missed=len(expected - found))
    assert counted["right"] / (counted["right"] + counted["wrong"]) >= 0.97
    assert counted["right"] / (counted["right"] + counted["missed"]) >= 0.85


@pytest.mark.parametrize("file", ["signs.tsv", "signs_unseen.tsv"])
def test_no_insult_is_heard_where_none_was_said(file):
    assert [text for text, expected in written(file) if "insult" in names(text) and "insult" not in expected] == []


def test_every_sign_that_is_found_has_a_rule():
    rules = default_rules().signs
    assert {pattern.sign for language in ("ko", "en") for pattern in patterns(language)} <= set(rules)
    assert {"thanks", "apology", "praise", "insult", "teasing", "affection", "rejection"} <= set(rules)


@from_rows
def test_grammar_decides_what_a_word_is_a_sign_of(text, expected):
    assert names(text) == expected


def test_a_laugh_makes_an_insult_a_tease():
    assert names("넌 왜 이렇게 멍청하냐") == {"insult"}
    assert names("넌 왜 이렇게 멍청하냐ㅋㅋㅋ") == {"teasing"}


@from_rows
def test_what_is_cited_narrated_or_supposed_is_no_sign(text):
    assert names(text) == set()


def test_the_listeners_name_stands_for_the_listener():
    assert names("레티아 진짜 예쁘다", names=["레티아"]) == {"praise"}
    assert names("레티아 진짜 예쁘다") == set()


def test_a_sign_keeps_its_speaker_and_the_words_that_showed_it():
    (thanks,) = signs("오늘 비 온대. 우산 빌려줘서 고마워!", "character")
    assert (thanks.name, thanks.speaker) == ("thanks", "character")
    assert "고마워" in thanks.words
    assert "비 온대" not in thanks.words


def test_the_same_sign_is_told_once():
    assert [sign.name for sign in signs("고마워 고마워. 진짜 고맙다!", "user")] == ["thanks"]


@settings(max_examples=150, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from('너나사랑해고마워안약속지켰바보병신아ㅋ죽여버린다?!. "*you love\n😀\ud800'),
        max_size=80,
    )
)
def test_any_text_is_answered(text):
    assert all(sign.words and 0 < sign.strength <= 1 for sign in signs(text, "user"))


@pytest.mark.parametrize(
    "text", ["너 " * 2000, "꼭 " * 2000 + "갈게", "가" * 8000, "you are so " * 700, '"' * 4000, "*" * 4000]
)
def test_long_and_hostile_texts_are_answered(text):
    assert len(signs(text, "user")) <= 3
