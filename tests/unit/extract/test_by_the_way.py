"""Words that were read before, with another question before them."""

from __future__ import annotations

import pytest

from gieok.extract.korean.wayside import by_the_way


def told(text, asked=""):
    return [(finding.attribute, finding.value) for finding, _ in by_the_way(text, set(), asked)]


@pytest.mark.parametrize(
    ("text", "asked", "found"),
    [
        ("58 정도요", "몸무게가 어떻게 되세요?", ("weight", "58")),
        ("7월 3일이요", "생일이 언제예요?", ("birthday", "07-03")),
        ("저랑 동갑이네요", "저는 84년생이에요!", ("birth_year", "1984")),
    ],
)
def test_the_question_before_counts_also_where_the_words_were_read_without_it(text, asked, found):
    assert told(text) == []
    assert told(text, asked) == [found]
    assert told(text, "오늘 날씨 어때?") == []


def test_what_is_like_the_other_goes_by_what_the_other_says_this_time():
    assert told("저랑 동갑이네요", "저는 84년생이에요!") == [("birth_year", "1984")]
    assert told("저랑 동갑이네요", "저는 91년생이에요!") == [("birth_year", "1991")]


def test_what_is_known_already_is_not_told_again():
    known: set[str] = set()

    assert [finding.attribute for finding, _ in by_the_way("저는 84년생이에요", known)] == ["birth_year"]
    assert list(by_the_way("저는 84년생이에요", known)) == []
