"""Every moment that can be stored can be read again, at the ends of the calendar too."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.memory import Memory
from gieok.ports import MemoryFilter
from gieok.stores.tables.columns import microseconds, moment, utc_offset
from gieok.testing import entry_for, memory, turn
from gieok.testing.builders import SEOUL

FIRST = datetime.min.replace(tzinfo=UTC)
LAST = datetime.max.replace(tzinfo=UTC)
WEST = timezone(timedelta(hours=-12))


def zone(minutes):
    return timezone(timedelta(minutes=minutes))


@pytest.mark.parametrize("ends", [FIRST, LAST])
@pytest.mark.parametrize("offset", [-1439, -720, 0, 540, 1439])
def test_the_ends_of_the_calendar_are_told_on_every_clock_or_else_in_utc(ends, offset):
    told = moment(microseconds(ends), offset)
    assert told == ends
    assert told.utcoffset() in (timedelta(minutes=offset), timedelta(0))


def test_what_not_even_utc_can_tell_is_the_first_or_last_moment_it_can():
    assert moment(microseconds(datetime.min.replace(tzinfo=SEOUL)), 0) == FIRST
    assert moment(microseconds(datetime.max.replace(tzinfo=WEST)), 0) == LAST
    assert moment(2**63 - 1, 0) == LAST
    assert moment(-(2**63), 540) == FIRST


@pytest.mark.parametrize("seconds", [30_472, -86_399, -86_370, 86_370, 86_399])  # the first was Seoul's until 1908
def test_odd_clocks_are_rounded_to_a_minute_that_exists_and_tell_the_same_moment(seconds):
    odd = datetime(2026, 3, 1, tzinfo=timezone(timedelta(seconds=seconds)))
    assert moment(microseconds(odd), utc_offset(odd)) == odd


@given(st.datetimes(timezones=st.timezones() | st.integers(-1439, 1439).map(zone)), st.integers(-1439, 1439))
def test_a_moment_comes_back_on_any_clock(told, offset):
    instant = microseconds(told)
    here, there = moment(instant, utc_offset(told)), moment(instant, offset)
    if microseconds(FIRST) <= instant <= microseconds(LAST):
        assert microseconds(here) == microseconds(there) == instant


@pytest.mark.parametrize(
    "dates",
    [
        {"valid_at": datetime.min.replace(tzinfo=SEOUL), "invalid_at": LAST},
        {"known_at": datetime.min.replace(tzinfo=SEOUL), "recorded_at": LAST},
        {"valid_at": datetime.min.replace(tzinfo=SEOUL), "known_at": datetime.max.replace(tzinfo=WEST)},
    ],
)
def test_one_extreme_date_leaves_its_scope_readable(store, letia, dates):
    odd, plain = memory("아주 오래된 이야기", id="끝", **dates), memory("고양이를 좋아함", id="고양이")
    long_ago = turn("태초에", id="t1", at=datetime.min.replace(tzinfo=SEOUL), recorded_at=LAST)
    with store.locked(letia) as room:
        room.apply(entry_for(long_ago, memories=(odd, plain)))
    with store.view(letia) as view:
        found = {each.id: each for each in view.memories(MemoryFilter())}
        assert set(found) == {"끝", "고양이"}
        assert isinstance(view.memories_by_id(["끝"])["끝"], Memory)
        assert view.turn("t1").recorded_at == LAST
        assert len(view.operations()) == 1
        assert view.latest_at == long_ago.at
    assert store.scopes()[0].latest_at == long_ago.at
