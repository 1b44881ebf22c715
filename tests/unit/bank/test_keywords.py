"""The words that bring a memory up."""

import pytest

from gieok.bank.adapters import keywords
from gieok.testing.builders import memory


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        ("고양이를 좋아함", {"attribute": "likes", "value": "고양이"}, ("고양이",)),
        ("나이는 25살임", {"attribute": "age", "value": "25", "surface": "25살"}, ("25살",)),
        ("MBTI는 INFP임", {"attribute": "mbti", "value": "INFP"}, ("INFP", "MBTI")),
        ("약속: 내일 같이 바다 가기", {"attribute": "promise", "value": "내일 같이 바다 가기"}, ("바다", "약속")),
        (
            "직업은 소방관임",
            {"attribute": "job", "value": "소방관", "subject": "other", "subject_id": "아빠"},
            ("소방관", "직업", "아빠"),
        ),
        ("works at Google", {"attribute": "workplace", "value": "Google"}, ("Google",)),
        ("The user is afraid of spiders", {}, ("spiders",)),
        ("레티아는 홍차를 마심", {}, ("홍차",)),
        ("그러함", {}, ()),
    ],
)
def test_a_memory_is_brought_up_by_its_value_and_its_nouns(content, more, words):
    assert keywords(memory(content, **more), ["minsu", "레티아"]) == words


def test_words_without_an_article_are_nouns_where_there_are_no_others():
    assert keywords(memory("Spiders scare Anna", attribute=None)) == ("Spiders", "scare", "Anna")


def test_there_are_never_many():
    content = ", ".join("사과 포도 수박 참외 딸기 자두 복숭아 살구 감귤 바나나 망고".split())
    assert len(keywords(memory(content, attribute=None))) == 8
