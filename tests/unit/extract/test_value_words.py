"""Values as people say them."""

from __future__ import annotations

import pytest

from gieok.extract.values import value_of


@pytest.mark.parametrize(
    ("attribute", "said", "value"),
    [
        ("age", "스물다섯 살", "25"),
        ("age", "서른둘이고", "32"),
        ("age", "thirty two", "32"),
        ("mbti", "infp", "INFP"),
        ("blood_type", "AB형", "AB"),
        ("height", "1미터 78", "178"),
        ("weight", "88킬로", "88"),
        ("birthday", "5월 21일", "05-21"),
        ("birthday", "크리스마스", "12-25"),
        ("name", "유빈이라고", "유빈"),
        ("residence", "부산에서", "부산"),
        ("pet", "a cat", "cat"),
    ],
)
def test_words_become_the_value_that_is_meant(attribute: str, said: str, value: str) -> None:
    read = value_of(attribute, said)
    assert read is not None
    assert read.value == value


@pytest.mark.parametrize(("attribute", "said"), [("age", "아직"), ("mbti", "비밀"), ("name", ""), ("weight", "...")])
def test_words_that_are_no_such_value_give_none(attribute: str, said: str) -> None:
    assert value_of(attribute, said) is None
