"""What a turn is about."""

import pytest

from gieok.language.terms import MOST_TOPICS, topics_of


def test_nouns_that_stand_together_are_one_topic():
    assert topics_of("대학원생활이 힘들어") == ("대학원생활",)


def test_empty_words_are_no_topic():
    assert topics_of("그런 것 같은 느낌이라 그냥 말해 본 거야") == ()


def test_a_topic_comes_once_and_in_order():
    assert topics_of("고양이가 좋아. 산책도 좋지만 고양이가 더 좋아") == ("고양이", "산책")


def test_a_person_is_a_topic_by_their_name_and_those_who_talk_are_none():
    assert topics_of("지훈이 결혼식에 민수도 왔어", names=("민수",)) == ("지훈", "결혼식")


def test_whoever_is_called_is_not_talked_about():
    assert topics_of("레티아야, 축구 보자") == ("축구",)


def test_words_that_end_like_a_name_stay_whole():
    assert topics_of("떡볶이랑 고양이") == ("떡볶이", "고양이")


def test_topics_are_bounded():
    many = ", ".join(
        [
            "사과",
            "바나나",
            "포도",
            "수박",
            "딸기",
            "참외",
            "복숭아",
            "자두",
            "살구",
            "레몬",
            "망고",
            "키위",
            "체리",
            "매실",
        ]
    )
    assert len(topics_of(many)) == MOST_TOPICS == 12


def test_english_topics_are_nouns_and_not_what_is_said_of_them():
    assert topics_of("I really love the old castle, it is so beautiful") == ("castle",)
    assert topics_of("That is so cool!") == ()


@pytest.mark.parametrize("text", ["", "\ud800", "ㅋㅋㅋ", "🐈", "12345", "고양이" * 2600])
def test_any_text_is_answered(text):
    assert isinstance(topics_of(text), tuple)
