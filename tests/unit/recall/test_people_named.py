"""Whoever is named in a question is whom the answer is about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import gieok
from gieok.embedders import UniversalEncoder
from gieok.testing import day

TOLD = [
    ("user", "job", "개발자", "직업은 개발자임"),
    ("user", "residence", "서울", "서울에 삶"),
    ("user", "birthday", "7월 9일", "생일은 7월 9일임"),
    ("user", "friend", "지훈", "지훈이라는 친구가 있음"),
    ("지훈이", "job", "간호사", "직업은 간호사임"),
    ("지훈이", "residence", "부산", "부산에 삶"),
    ("지훈이", "age", "32", "나이는 32살임"),
    ("지훈이", "likes", "축구", "축구를 좋아함"),
    ("민지", "job", "선생님", "직업은 선생님임"),
    ("민지", "birthday", "5월 3일", "생일은 5월 3일임"),
    ("민지", "likes", "떡볶이", "떡볶이를 좋아함"),
    ("엄마", "job", "약사", "직업은 약사임"),
    ("엄마", "residence", "대구", "대구에 삶"),
    ("엄마", "age", "55", "나이는 55살임"),
    ("Dana", "job", "chef", "works as a chef"),
    ("Dana", "residence", "Berlin", "lives in Berlin"),
    ("Dana", "likes", "tennis", "likes tennis"),
]


@pytest.fixture(scope="module")
def encoder() -> UniversalEncoder:
    return UniversalEncoder()


@pytest.fixture
def acquainted(open_mind: Callable[..., gieok.Mind], encoder: UniversalEncoder) -> gieok.Mind:
    mind = open_mind(embedder=encoder)
    for number, (about, attribute, value, content) in enumerate(TOLD):
        mind.remember(content, about=about, attribute=attribute, value=value, at=day(1 + number / 10))
    return mind


@pytest.mark.parametrize(
    ("question", "about", "attribute"),
    [
        ("지훈이는 무슨 일을 해?", "지훈이", "job"),
        ("지훈은 어디 살아?", "지훈이", "residence"),
        ("내 친구 지훈이 몇 살이야?", "지훈이", "age"),
        ("민지 생일 언제야?", "민지", "birthday"),
        ("민지 직업이 뭐였지?", "민지", "job"),
        ("우리 엄마 어디 살아?", "엄마", "residence"),
        ("엄마는 연세가 어떻게 되셔?", "엄마", "age"),
        ("엄마 무슨 일 하셔?", "엄마", "job"),
        ("What does Dana do?", "Dana", "job"),
        ("Where does Dana live?", "Dana", "residence"),
        ("내 직업이 뭐야?", "user", "job"),
        ("내 생일 언제야?", "user", "birthday"),
    ],
)
def test_what_is_asked_of_somebody_is_answered_of_them(
    acquainted: gieok.Mind, question: str, about: str, attribute: str
) -> None:
    first = acquainted.recall(question, k=3)[0].item

    assert isinstance(first, gieok.Memory)
    assert (first.subject_id, first.attribute) == (about, attribute)


def test_what_was_said_of_somebody_is_still_found_by_the_name(acquainted: gieok.Mind) -> None:
    acquainted.observe("어제 민지가 이사 도와줬어", at=day(4))

    assert "어제 민지가 이사 도와줬어" in [hit.text for hit in acquainted.recall("민지가 뭐 도와줬지?", k=3)]


def test_a_person_of_whom_all_is_forgotten_is_nobody(acquainted: gieok.Mind) -> None:
    for memory in acquainted.facts(about="민지"):
        acquainted.forget(memory.id)

    assert all("person" not in {found.source for found in hit.why} for hit in acquainted.recall("민지 직업이 뭐였지?"))
