"""A change of what somebody is, believes, loves, does or keeps closes what was told before; a look-alike does not."""

from pathlib import Path

import pytest

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parents[1] / "data/changes.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def current(mind, attribute):
    facts = mind.facts(about="user", attribute=attribute)
    return [fact.value for fact in facts if fact.polarity == "+"]


@pytest.mark.parametrize(("first", "later", "attribute", "now"), ROWS)
def test_what_was_told_last_is_current(letia, first, later, attribute, now):
    letia.observe(first)
    assert current(letia, attribute)

    letia.observe(later)

    assert current(letia, attribute) == [value for value in now.split("|") if value]


@pytest.mark.parametrize(
    ("said", "attribute", "now"),
    [
        (["오이는 진짜 싫어해", "잘 먹었다!"], "dislikes", ["오이"]),
        (["혈압약 먹어요", "당뇨약도 먹고 있어요", "약 끊었어요"], "medication", ["당뇨약", "혈압약"]),  # which one?
        (["내 최애 음식은 떡볶이", "최애 과자는 새우깡이지"], "favorite.food", ["떡볶이"]),
        (["내 최애 음식은 떡볶이", "최애 과자는 새우깡이지"], "favorite.과자", ["새우깡"]),
        (["강아지 이름은 보리예요", "우리 강아지 보리 아니고 버리예요"], "pet", ["강아지"]),
        (["고양이 두 마리 키워. 이름은 나비랑 코코야", "코코가 무지개다리 건넜어"], "pet", ["고양이"]),
    ],
)
def test_what_is_not_meant_stays(letia, said, attribute, now):
    for text in said:
        letia.observe(text)
    assert sorted(current(letia, attribute)) == now


@pytest.mark.parametrize(
    ("first", "later", "about", "names"),
    [
        ("강아지 이름은 보리예요", "우리 강아지 보리 아니고 버리예요", "강아지", ["버리"]),
        ("고양이 두 마리 키워. 이름은 나비랑 코코야", "코코가 무지개다리 건넜어", "고양이", ["나비"]),
    ],
)
def test_the_name_of_a_pet_changes_or_ends_alone(letia, first, later, about, names):
    letia.observe(first)
    letia.observe(later)
    known = letia.facts(about=about, attribute="name")
    assert [name.value for name in known if name.polarity == "+"] == names
