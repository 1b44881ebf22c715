"""The page "relationship", without a browser."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from gieok.bank.history import Feeling, MannerStep, Step, effects
from gieok.domain.emotion import Felt
from gieok.domain.relationship import Level, MannerChange, new_relationship, to_next_level
from gieok.domain.scope import Scope
from gieok.domain.state import Cause
from gieok.testing.builders import day
from gieok.web.relationship import (
    cause_text,
    course_options,
    feelings_options,
    manner_text,
)
from gieok.web.viewer import BrowserSession, Viewer
from support.values import keys_in as keys

SCOPE = Scope(user="민수", character="레티아")


def step(trust: float = 10.0, *causes: Cause, number: int = 1, level: Level = "stranger", first: bool = False) -> Step:
    now = replace(new_relationship(), trust=trust, level=level, turns=number)
    before = None if first else replace(new_relationship(), trust=8.0)
    return Step(number=number, at=day(number), turn_id="t", scene=None, before=before, relationship=now, causes=causes)


def feeling(speaker: str, emotion: Any, turn_number: int, intensity: float = 0.5) -> Feeling:
    felt = Felt(speaker=speaker, emotion=emotion, intensity=intensity)
    return Feeling(at=day(turn_number), turn_id=f"t{turn_number}", turn_number=turn_number, felt=felt)


def viewer(scope: Scope = SCOPE, language: Any = "ko") -> Viewer:
    bank = SimpleNamespace(settings=SimpleNamespace(zone=ZoneInfo("Asia/Seoul")))
    session = BrowserSession(scope=scope, language=language)
    return Viewer(bank=cast(Any, bank), session=session, guard=cast(Any, None))


@pytest.mark.parametrize(
    ("level", "axes", "following"),
    [
        ("stranger", {"trust": 40.0}, ("acquaintance", 20 - 13.25)),
        ("close_friend", {"trust": 100, "affection": 100, "familiarity": 0}, ("intimate", 80 - 61.5)),
        ("intimate", {"trust": 40.0}, None),
    ],
)
def test_a_level_says_how_far_it_is_to_the_next(level, axes, following):
    found = to_next_level(replace(new_relationship(), level=level, **axes))
    assert found == (following if following is None else (following[0], pytest.approx(following[1])))


def test_causes_of_one_word_are_listed_together_with_what_they_did():
    thanks = [
        Cause(name="thanks", speaker="user", words="고마워", axis=axis, amount=amount)
        for axis, amount in (("trust", 0.4), ("affection", 0.5))
    ]
    found = effects(step(10.0, *thanks, Cause(name="gift", axis="trust", amount=1.0)))
    assert [cause_text(group[0], viewer()) for group in found] == ["고마움 · 민수 “고마워”", "gift"]
    assert [each.amount for each in found[0]] == [0.4, 0.5]


def test_manners_are_told_as_sentences():
    change = MannerChange(speaker="user", what="style", before="formal", after="casual", at=day(1), turn_number=1)
    told = MannerStep(at=day(1), turn_id="t", change=change)
    assert manner_text(told, viewer()) == "민수: 존댓말에서 반말로 바꿨어요."
    address = replace(change, what="address", before=None, after="오빠", speaker="character")
    assert manner_text(replace(told, change=address), viewer(language="en")) == "레티아 called the other “오빠”."


def test_feelings_are_drawn_by_turn_in_a_row_for_each_speaker():
    felt = [feeling("user", "happy", 3, 1.0), feeling("character", "sad", 3), feeling("user", "happy", 4, 0.0)]
    options = feelings_options(felt, viewer())
    happy = next(series for series in options["series"] if series["name"] == "기쁨")
    assert [(point["value"], point["symbolSize"]) for point in happy["data"]] == [([0, 1], 26), ([1, 1], 9)]
    assert options["yAxis"]["data"] == ["레티아", "민수"]
    assert happy["data"][0]["hover"].endswith("민수: 기쁨 100%")


def test_a_line_has_a_row_for_every_step_and_a_mark_for_every_level_that_was_reached():
    course = [
        step(5.0, number=1, first=True),
        step(45.0, Cause(name="thanks", speaker="user", words="고마워"), number=2),
    ]
    options = course_options(course, [course[0], replace(course[1], relationship=course[1].relationship)], viewer())
    rows = options["dataset"]["source"]
    assert [row[1] for row in rows] == [5.0, 45.0]
    assert rows[1][0] - rows[0][0] == 24 * 60 * 60 * 1000
    assert rows[1][6].splitlines()[0] == "2026년 3월 2일 09:00"
    assert rows[1][6].splitlines()[-1] == "고마움 · 민수 “고마워”"
    assert [mark["xAxis"] for mark in options["series"][0]["markLine"]["data"]] == [rows[1][0]]
    assert options["yAxis"]["max"] == 60.0


def test_what_somebody_wrote_stands_in_no_key_and_tooltips_are_drawn_as_text():
    evil = "{a|<img src=x onerror=alert(1)>}"
    scope = Scope(user=f":{evil}", character=evil)
    course = [step(9.0, Cause(name=f":{evil}", speaker="user", words=evil, axis="trust", amount=1.0))]
    felt = [feeling(f":{evil}", "happy", 1)]
    for options in (course_options(course, [], viewer(scope)), feelings_options(felt, viewer(scope))):
        assert all(evil not in key for key in keys(options))
        assert {key for key in keys(options) if key.startswith(":")} == {":formatter"}
        assert options["tooltip"].get("renderMode", "richText") == "richText"
    assert "{" not in course_told(course, scope)


def course_told(course: list[Step], scope: Scope) -> str:
    return cast(str, course_options(course, [], viewer(scope))["dataset"]["source"][0][6])
