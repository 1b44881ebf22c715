import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.emotion import EMOTIONS
from gieok.extract.feelings import feel, feel_reply
from support.rows import from_rows


def felt(text: str) -> str:
    return feel(text, speaker="user").emotion


@from_rows
def test_what_is_said_plainly_is_felt(said, emotion):
    assert felt(said) == emotion


@from_rows
def test_english_is_read_too(said, emotion):
    assert felt(said) == emotion


@from_rows
def test_what_is_denied_is_not_felt(said):
    assert felt(said) == "neutral"


@pytest.mark.parametrize("said", ["아 개빡쳐 진짜", "꺼져"])
def test_swearing_is_angry(said):
    assert felt(said) == "angry"


def test_who_feels_and_what_told_it_is_said():
    read = feel("너무 행복해", speaker="민수")

    assert (read.speaker, read.by) == ("민수", "classifier/2")
    assert read.valence == read.intensity > 0
    assert feel("너무 슬퍼", speaker="민수").valence < 0


def test_nothing_felt_has_no_strength():
    read = feel("나 서울 살아", speaker="user")

    assert (read.intensity, read.valence) == (0.0, 0.0)


@from_rows
def test_words_of_degree_and_drawn_out_marks_make_a_feeling_stronger(weaker, stronger):
    assert feel(weaker, speaker="user").intensity < feel(stronger, speaker="user").intensity


@from_rows
def test_a_character_feels_by_its_stage_directions_and_its_words(reply, emotion):
    assert feel(reply, speaker="character").emotion == emotion


def test_a_reply_is_read_as_a_characters_whatever_its_name():
    said = "*고개를 떨구며 눈물을 닦는다* 괜찮아…"

    assert feel_reply(said, speaker="레티아").speaker == "레티아"
    assert feel_reply(said).emotion == feel(said, speaker="character").emotion


def test_of_a_long_text_the_beginning_and_the_end_are_read():
    calm = "회의는 세 시에 있다. " * 200

    assert felt("너무 슬퍼 ㅠㅠㅠ " + calm) == felt("너무 슬퍼 ㅠㅠㅠ " + calm + calm)


@given(st.text(max_size=80) | st.text(alphabet="너무슬퍼행복해*()안ㅠㅋ! 😭화나", max_size=60))
def test_any_text_is_answered(said):
    for read in (feel(said, speaker="user"), feel_reply(said)):
        assert read.emotion in EMOTIONS
        assert 0 <= read.intensity <= 1
        assert (read.intensity > 0) == (read.emotion != "neutral")
        json.dumps(read.valence)


@pytest.mark.parametrize(
    "said",
    ["가" * 100_000, "*" * 100_000, "(" * 100_000, '"' * 100_000, '"가' * 50_000, "슬퍼 " * 20_000, "\ud800슬퍼"],
)
def test_hostile_texts_are_answered(said):
    assert feel_reply(said).emotion in EMOTIONS
