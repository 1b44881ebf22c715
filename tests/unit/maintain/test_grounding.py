"""Every name and number in a model's words must stand in what it read."""

from datetime import date

import pytest

from gieok.maintain.grounding import ungrounded

GROUNDS = (
    "수진이와 제주도에 갔다", "스물다섯 살임", "Jane을 좋아함", "고양이 세 마리를 키움", "키가 172.5cm임",
    "월급이 3,000,000원임", "아침 10:30에 일어남",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "수진이랑 제주도에서 즐거웠던 모양이다",
        "수진은 좋은 친구인 듯하다",
        "25살이라 아직 젊다",
        "jane을 무척 아낀다",
        "3월 4일에 있었던 일을 소중히 여긴다",
        "고양이 셋을 식구로 여긴다",
        "한 가지에 마음을 쏟는 사람이다",
        "3백만 원을 벌며 172.5cm라는 것을 자랑한다",
        "10시 30분에 하루를 시작한다",
        "외로울 때 동물에게 기대는 편이다",
        "",
    ],
)
def test_what_stands_there_may_be_said_in_other_words(text):
    assert ungrounded(text, GROUNDS, [date(2026, 3, 4)]) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("지훈이와 제주도에 갔다", "지훈이"),
        ("수진이와 부산에 갔다", "부산"),
        ("스물여섯 살이다", "스물여섯"),
        ("26살이다", "26"),
        ("고양이 다섯 마리를 키운다", "다섯"),
        ("Minho를 좋아한다", "Minho"),
        ("2025년에 만났다", "2025"),
        ("180.5cm이다", "180.5"),
        ("4백만 원을 번다", "4백만"),
        ("고양이 네 마리를 키운다", "네"),
        ("4월에 만났다", "4"),
    ],
)
def test_what_nobody_said_is_found(text, found):
    assert ungrounded(text, GROUNDS, [date(2026, 3, 4)])[0] == found


ENGLISH = ("Lives in Seoul", "Has a cat named Coco", "Works with Jane at a hospital", "Is 25 years old")


@pytest.mark.parametrize(
    "text",
    [
        "They lean on Coco when work is hard.",
        "Jane seems to matter to them.",
        "Coco's company helps. Lately life in Seoul is calm, and I think Monday is hard.",
        "At 25, they care for others.",
    ],
)
def test_english_words_may_be_ones_own_but_names_may_not(text):
    assert ungrounded(text, ENGLISH) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("They lean on Momo.", "Momo"),
        ("Minho is close to them.", "Minho"),
        ("Minho's cat is old.", "Minho"),
        ("They moved to Busan.", "Busan"),
        ("They are 26.", "26"),
        ("They have three cats.", "three"),
        ("They met Al.", "Al"),
    ],
)
def test_an_english_name_or_number_that_nobody_said_is_found(text, found):
    assert ungrounded(text, (*ENGLISH, "also")) == [found]
