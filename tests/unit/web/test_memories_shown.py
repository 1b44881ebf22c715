"""A memory as the pages tell it: its row, its two clocks, what happened to it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

import gieok
from gieok.testing import FixedClock, day
from gieok.testing.builders import memory
from gieok.web.memory_words import (
    attribute_told,
    believed_until,
    clocks,
    happenings,
    kind_told,
    named,
    row,
    short,
    standing,
)
from gieok.web.visitors import Desk, Visitor
from gieok.words import words_in


@pytest.fixture
def letia(tmp_path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "bank.db", embedder="hashing", clock=FixedClock(day(40))) as bank:
        yield bank.scope(user="민수", character="레티아", world="학원")


@pytest.fixture
def visitor(letia) -> Visitor:
    door = cast(Any, None)  # nobody is asked for a key here
    return Visitor(bank=letia.bank, desk=Desk(language="ko", scope=letia.key), door=door)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "current"),
        ({"invalid_at": day(39)}, "past"),
        ({"invalid_at": day(41)}, "current"),
        ({"valid_at": day(50)}, "future"),
        ({"retracted": True, "invalid_at": day(3)}, "retracted"),
        ({"faded_at": day(3)}, "faded"),
        ({"retracted": True, "forgotten_at": day(3)}, "forgotten"),
    ],
)
def test_how_a_memory_stands(fields, expected):
    assert standing(memory("고양이를 좋아함", **fields), day(40)) == expected


def test_a_row_tells_all_in_the_visitors_language(visitor):
    told = memory("고양이를 좋아함", attribute="likes", content_type="preference", importance=0.6, invalid_at=day(5))

    shown = row(told, 0.345, day(40), visitor)
    assert (shown.about, shown.kind, shown.state) == ("민수", "취향 · 좋아하는 것", "지난 것")
    assert (shown.importance, shown.strength, shown.pinned, shown.pii) == (60, 34, False, False)
    assert shown.until.endswith("일")

    english = replace(visitor, desk=Desk(language="en", scope=visitor.desk.scope))
    assert row(told, 1, day(40), english).kind == "preference · likes"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_everybody_and_everything_has_a_name(language, visitor):
    words, scope = words_in(language), visitor.desk.scope
    assert named("character", "character", scope, words) == "레티아"
    assert named("world", "world", scope, words) == "학원"
    assert named("other", "지훈", scope, words) == "지훈"
    assert named("user", "user", None, words) == words("shared.subjects.user")
    assert attribute_told("favorite.food", words) != "favorite.food"
    assert attribute_told("favorite.돌", words).endswith("돌")
    assert kind_told(memory("x", content_type="note", attribute="note"), words) == words("shared.types.note")


def test_a_label_is_a_line():
    assert short("한 줄\n두 줄") == "한 줄 두 줄"
    assert short("가" * 100, 10) == "가" * 9 + "…"


def test_both_clocks_lie_on_one_line(letia):
    letia.remember("작년부터 서울에 삶", attribute="residence", value="서울", valid_at=day(0), at=day(20))
    [known] = letia.facts()

    both = clocks(known, letia.history(known.id), day(40))
    assert (both.valid.left, both.valid.width, both.valid.until) == (0, 100, None)
    assert (both.known.left, both.known.width, both.known.until) == (50, 50, None)


def test_a_memory_is_believed_until_something_speaks_against_it_and_again_once_it_is_back(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    [seoul] = letia.facts(attribute="residence", as_of=day(2))
    [busan] = letia.facts(attribute="residence", as_of=day(6))
    assert believed_until(letia.history(seoul.id)) == day(5)

    letia.restore(seoul.id, letia.history(seoul.id)[0][0].id, at=day(7))
    assert believed_until(letia.history(seoul.id)) is None
    assert believed_until(letia.history(busan.id)) == day(7)


def test_a_history_tells_what_was_done_and_what_one_can_go_back_to(letia, visitor):
    letia.observe("나 고양이 좋아해", at=day(1))
    [known] = letia.facts()
    for number in range(3):
        letia.observe("응", at=day(2 + number), context=letia.context("고양이"))
    letia.correct(known.id, "나 강아지 좋아해", at=day(6))
    letia.pin(known.id, at=day(7))
    letia.forget(known.id, at=day(8))

    told = happenings(letia.history(known.id), letia.memory(known.id), visitor)
    assert [each.what for each in told] == ["기억", "문맥에 3번 쓰임", "고침", "고정", "잊기"]
    assert [each.restorable for each in told] == [True, False, True, True, False]
    assert [each.who for each in told][-3:] == ["사람"] * 3
    corrected = {each.what: (each.before, each.after) for each in told[2].differences}
    assert corrected["내용"] == ("고양이를 좋아함", "나 강아지 좋아해")
    assert {each.what for each in told[3].differences} == {"고정"}

    letia.restore(known.id, told[0].operation_id, at=day(9))
    told = happenings(letia.history(known.id), letia.memory(known.id), visitor)
    assert told[-1].what == "되돌림"
    assert not told[-1].restorable
    assert not told[0].restorable


def test_what_another_memory_did_to_it_is_told(letia, visitor):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5))
    [seoul] = letia.facts(attribute="residence", as_of=day(2))
    [busan] = letia.facts(attribute="residence", as_of=day(6))
    assert [each.what for each in happenings(letia.history(seoul.id), letia.memory(seoul.id), visitor)] == [
        "기억",
        "새 기억으로 바뀜",
    ]
    assert [each.what for each in happenings(letia.history(busan.id), busan, visitor)] == ["바뀜"]

    letia.restore(seoul.id, letia.history(seoul.id)[0][0].id, at=day(7))
    told = happenings(letia.history(busan.id), letia.memory(busan.id), visitor)
    assert [each.what for each in told] == ["바뀜", "철회"]
