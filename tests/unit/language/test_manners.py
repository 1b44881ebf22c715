"""How somebody speaks to the other: style, form of address, and requests."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.language.manners import (
    address,
    manner,
    manners_in,
    name_asked_for,
    perhaps_called,
    style_asked_for,
)
from gieok.language.wording import own_words
from support.rows import from_rows


def speech_style(text):
    return manner(text, "user").style


SENTENCES = Path(__file__).parents[2] / "data" / "manners.tsv"
FIELDS = ("style", "address", "asks_for", "asks_to_be_called")


def written():
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    for text, *expected in (line.split("\t") for line in lines if not line.startswith("#")):
        yield text, dict(zip(FIELDS, [None if one == "-" else one for one in expected], strict=True))


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_read_is_nearly_always_right_and_seldom_missed(field):
    right = wrong = missed = 0
    for text, expected in written():
        found = getattr(manner(text, "user"), field)
        right += found is not None and found == expected[field]
        wrong += found is not None and found != expected[field]
        missed += found is None and expected[field] is not None
    assert right / (right + wrong) >= 0.95
    assert right / (right + missed) >= 0.9


@from_rows
def test_a_style_is_told_by_the_endings_and_endearments(text, style):
    assert speech_style(text) == style


def test_one_exclamation_among_polite_sentences_is_still_polite():
    assert speech_style("와 대박이다! 어디서 사셨어요? 저도 갖고 싶어요.") == "formal"


def test_a_cited_sentence_says_nothing_of_the_speaker():
    assert speech_style('엄마가 "밥 먹었니?" 하고 물어보셨어요') == "formal"
    assert speech_style("*그가 웃으며 말한다* 오셨어요?") == "formal"


def test_where_a_reply_is_told_like_a_novel_the_quotations_are_the_speakers_own():
    assert own_words('"오셨어요?" 그녀가 웃었다.').strip() == "오셨어요?"
    assert speech_style('"오셨어요?" 그녀가 웃었다. 문이 닫혔다.') == "formal"
    assert speech_style("“왔어? 늦었네.” 그가 고개를 들었다. “배고프지?”") == "casual"


@pytest.mark.parametrize("text", ["고마워", '걔가 "싫어"라고 했어', "*웃음* 응", '"왔어?" 그가 물었다.'])
def test_own_words_keep_their_places(text):
    assert len(own_words(text)) == len(text)


@from_rows
def test_somebody_is_called_only_where_a_call_stands(text, called):
    assert address(text) == called


def test_the_listeners_own_name_is_known_where_it_is_given():
    assert address("쿠로네코야 이리 와", ["쿠로네코"]) == "쿠로네코"
    assert address("Letia, come here", ["Letia"]) == "Letia"


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("조시... 나 영어 못하니까 한국어로 칠게", "조시"),
        ("근데 온유님 저 서하가 배신했어요", "온유님"),
        ("루미 누나, 저 왔어요", "루미 누나"),
        ("이만 잘게, 잘 자 나비야", "나비"),
        ("Brannoch, the roof is gone", "Brannoch"),
        ("확인했습니다, 함장님. 항해 시간 14시간.", "함장님"),
        ("양호합니다. 함장님, 동면을 권합니다.", "함장님"),
        ("홍 탐정, 새벽 바다가 잿빛이오", "홍 탐정"),
        ("고맙다 복동아", "복동아"),
        ("omg its real. kiki i'm scared of pigeons", "kiki"),
        ("u rly are lmao gn mira", "mira"),
    ],
)
def test_a_noun_that_stands_apart_is_likely_a_call(text, called):
    assert perhaps_called(text).count(called) == 2


@pytest.mark.parametrize(
    "text",
    ["언니가 사 준 옷이야", "웅웅 그랬어", "그거야 당연하지", "the roof is gone", "어머님 배 타셔?", "Can't sleep", ""],
)
def test_no_call_is_seen_in_subjects_parents_and_little_words(text):
    assert not {"언니", "웅웅", "그거", "거", "the", "어머님", "Can't"} & set(perhaps_called(text))


@pytest.mark.parametrize(
    ("text", "called"),
    [("함장님은 향수를 싫어하시는군요.", "함장님"), ("noona i am going to cry", "noona"), ("the coach is here", None)],
)
def test_any_title_may_be_a_call(text, called):
    assert address(text) == called


def test_who_asks_about_somebody_that_was_told_of_does_not_call_the_other_so():
    told, asked = manners_in([("user", "정희 씨한테 혼났어요", ()), ("character", "정희 씨는 어떤 일을 하세요?", ())])
    assert (told.address, asked.address) == (None, None)
    (alone,) = manners_in([("character", "정희 씨는 어떤 일을 하세요?", ())])
    assert alone.address == "정희 씨"


@from_rows
def test_a_request_for_a_style_is_no_report_of_one(text, style):
    assert style_asked_for(text) == style


@from_rows
def test_who_asks_to_be_called_something_is_not_who_tells_of_it(text, name):
    assert name_asked_for(text) == name


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from('오빠야 너말놓자라고불러요.?!"*()“”ㅋㅎ~,honey\n😀\ud800'), max_size=60))
def test_any_text_is_answered(text):
    assert manner(text, "user").speaker == "user"
