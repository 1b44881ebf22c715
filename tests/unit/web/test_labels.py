"""Names of memories, people and reasons in both languages."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast, get_args
from zoneinfo import ZoneInfo

import pytest

from gieok.bank.mind import State
from gieok.domain.attributes import SCHEMA, ContentType
from gieok.domain.claim import Origin, Subject
from gieok.domain.decision import Reason
from gieok.domain.memory import Change, Kind
from gieok.domain.operation import OperationKind
from gieok.domain.promotion import Promotion
from gieok.domain.relationship import AXES, LEVELS
from gieok.domain.scope import Scope
from gieok.domain.upkeep import PASSES, Action
from gieok.testing import day
from gieok.testing.builders import memory
from gieok.web import kit
from gieok.web.kit import field_changes, full_kind_name, person, source_name, state_of
from gieok.web.viewer import BrowserSession, Viewer
from gieok.words import reasons, words_in
from gieok.words.reasons import reason

KO, EN = words_in("ko"), words_in("en")
SCOPE = Scope(user="민수", character="레티아", world="학원")
BANK = cast(Any, SimpleNamespace(settings=SimpleNamespace(zone=ZoneInfo("Asia/Seoul"), language="ko")))
VIEWER = Viewer(bank=BANK, session=BrowserSession(scope=SCOPE), guard=cast(Any, None))
ENGLISH = replace(VIEWER, session=BrowserSession(language="en"))


def choices(kind: object) -> set[str]:
    return {each for part in get_args(kind) for each in ({part} if isinstance(part, str) else choices(part))}


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("shared.types", choices(ContentType)),
        ("shared.states", choices(State) | choices(kit.State)),
        ("shared.subjects", choices(Subject)),
        ("shared.origins", choices(Origin)),
        ("shared.kinds", choices(Kind)),
        ("shared.reasons", choices(Reason)),
        ("shared.operations", choices(OperationKind) | {"restore", "unpin"}),
        ("shared.actions", choices(Action)),
        ("shared.decisions", {"remember", "supersede", "reinforce", "retract", "ignore"}),
        ("shared.attributes", {*SCHEMA, "favorite"}),
        ("shared.parts", {*Promotion.__dataclass_fields__} - {"score"}),
        ("shared.fields", {*kit._FIELDS, "yes", "no", "none"}),
        ("shared.why", {key for _, key in reasons._REASONS}),
        ("shared.axes", {*AXES}),
        ("shared.levels", {*LEVELS}),
        ("upkeep.passes", {*PASSES}),
        ("upkeep.does", {*PASSES}),
    ],
)
def test_there_are_words_for_each(language, table, names):
    assert names <= set(words_in(language).some(table))


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
def test_the_state_of_a_memory(fields, expected):
    assert state_of(memory("고양이를 좋아함", **fields), day(40)) == expected


def test_people_go_by_their_names_and_without_any_by_what_they_are():
    assert [person(who, SCOPE, KO) for who in ("user", "character", "world", "지훈")] == [
        "민수",
        "레티아",
        "학원",
        "지훈",
    ]
    assert [person(who, None, EN) for who in ("user", "character")] == ["the user", "the character"]


def test_a_memory_has_its_kind_in_the_viewers_language():
    likes = memory("고양이를 좋아함", attribute="likes", content_type="preference")
    assert (full_kind_name(likes, KO), full_kind_name(likes, EN)) == ("취향 · 좋아하는 것", "preference · likes")
    assert full_kind_name(memory("x", content_type="note", attribute="note"), KO) == "메모"
    assert KO.attribute("favorite.food") == "가장 좋아하는 음식"
    assert EN.attribute("favorite.돌") == "favourite: 돌"


@pytest.mark.parametrize(
    ("by", "name"),
    [
        ("person", "사람"),
        ("rules/1", "규칙"),
        ("upkeep/merge/1", "정리"),
        ("classifier/2", "감정 분류기"),
        ("extract/1 gpt", "모델"),
    ],
)
def test_sources_have_names_instead_of_ids(by, name):
    assert source_name(by, KO) == name


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("told 3 times", "3번 들은 이야기"),
        ("said again 2 times, used 1 times", "2번 다시 나왔고 1번 쓰임"),
        ("week 2026-W09 is over", "2026년 9번째 주가 끝남"),
        ("retold by interpret/1 {evil} gpt", "모델이 새로 풀어 씀 (interpret/1 {evil} gpt)"),
        ("something new", "something new"),
    ],
)
def test_a_reason_is_in_the_viewers_language(why, told):
    assert reason(why, KO) == told


def test_dates_are_in_the_viewers_language_and_the_banks_time_zone():
    assert kit.date_time(day(2), VIEWER) == "2026년 3월 2일 09:00"
    assert kit.date_time(day(2), ENGLISH) == "2 Mar 2026, 09:00"
    assert (kit.day(day(2), VIEWER), kit.day(day(2), ENGLISH)) == ("2026년 3월 2일", "2 Mar 2026")
    assert (kit.month(2026, 3, KO), kit.month(2026, 3, EN)) == ("3월", "March")


def test_changed_fields_have_their_old_and_new_values():
    old = memory(id="m1", content="부산에 삶", value="부산", importance=0.5)
    after = old.changed(content="해운대에 삶", value="해운대", mentions=1, pinned=True, faded_at=day(3), touched_turn=9)
    assert field_changes(Change(before=old, after=after), VIEWER) == [
        ("내용", "부산에 삶", "해운대에 삶"),
        ("값", "부산", "해운대"),
        ("고정", "아니요", "예"),
        ("다시 말함", "0", "1"),
        ("흐려진 때", "없음", "2026년 3월 3일 09:00"),
    ]
    assert field_changes(Change(before=None, after=old), VIEWER) == []
