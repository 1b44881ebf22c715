"""When something told holds: since, until, the day of a plan."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from gieok.extract.times import dated, time_of_plan, time_of_state

SEOUL = timezone(timedelta(hours=9))
NOW = datetime(2026, 11, 18, 15, tzinfo=SEOUL)


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=SEOUL)


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("작년 3월부터 제주 살아요", day(2025, 3, 1), None),
        ("지난달까지 카페에서 일했어", None, day(2026, 11, 1)),
        ("제주 살아요", None, None),
        ("어제 제주 왔어요", None, None),
    ],
)
def test_a_state_holds_from_or_until_the_time_that_is_said(
    said: str, since: datetime | None, until: datetime | None
) -> None:
    told = time_of_state(said, NOW)
    assert (told.since, told.until) == (since, until)


@pytest.mark.parametrize(
    ("said", "first", "end"),
    [
        ("다음 주 금요일에 면접 봐요", day(2026, 11, 27), day(2026, 11, 28)),
        ("모레 소개팅 있어", day(2026, 11, 20), day(2026, 11, 21)),
        ("다음 달 12일에 이사해요", day(2026, 12, 12), day(2026, 12, 13)),
        ("5월 23일에 시드니 가기로 했어", day(2027, 5, 23), day(2027, 5, 24)),
        ("2월 29일에 만나", None, None),  # no such day before 2028
        ("I have an interview next Friday", day(2026, 11, 27), day(2026, 11, 28)),
        ("언젠가 제주 갈 거야", None, None),
    ],
)
def test_a_plan_has_the_next_day_of_that_name(said: str, first: datetime | None, end: datetime | None) -> None:
    told = time_of_plan(said, NOW)
    assert (told.since, told.until) == (first, end)


def test_a_sentence_with_a_day_says_which_one_is_meant() -> None:
    friday = day(2026, 11, 27)
    assert dated("다음 주 금요일에 면접", friday, day(2026, 11, 28), "ko") == "다음 주 금요일에 면접 (2026년 11월 27일)"
    assert (
        dated("interview next Friday", friday, day(2026, 11, 28), "en") == "interview next Friday (November 27, 2026)"
    )
    assert dated("내년 봄에 여행", day(2027, 3, 1), day(2027, 6, 1), "ko") == "내년 봄에 여행"
