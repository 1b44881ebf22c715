"""When something told holds: 작년 3월부터, 지난달까지, 다음 주 금요일."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from gieok.language.periods import asked_periods

_JUST: Final = timedelta(days=7)  #: a day that is over for less is not meant for next year


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The time that a sentence names for what it tells; None: it names none."""

    since: datetime | None = None
    until: datetime | None = None


def time_of_state(sentence: str, at: datetime) -> Told:
    """Return since and until when something is so: only what is said with "from" or "until" bounds it."""
    periods = asked_periods(sentence, at, _zone(at))
    since = next((each.start for each in periods if each.start and each.end is None and each.start <= at), None)
    until = next((each.end for each in periods if each.end and each.start is None and each.end <= at), None)
    return Told(since=since, until=until)


def time_of_plan(sentence: str, at: datetime) -> Told:
    """Return the stretch in which a plan is to happen; a day of the year that is over is the one of next year."""
    for each in asked_periods(sentence, at, _zone(at)):
        start, end = each.start, each.end
        if start is None or end is None:
            continue
        if end <= at - _JUST:
            start, end = _a_year_later(start), _a_year_later(end)
        if end > at:
            return Told(since=start, until=end)
    return Told()


def dated(sentence: str, start: datetime, end: datetime, language: str) -> str:
    """Return a sentence that says 모레 or "next Friday" with the day that is meant."""
    last = end - timedelta(days=1)
    if last.date() > start.date():
        return sentence  # a season, a month: it is not the day that counts
    korean = f"{start.year}년 {start.month}월 {start.day}일"
    return f"{sentence} ({korean if language == 'ko' else f'{start:%B} {start.day}, {start.year}'})"


def undated(words: str, at: datetime) -> str:
    """Return what is planned without its day: 면접 of 모레 면접."""
    rest = words
    for each in asked_periods(words, at, _zone(at)):
        rest = rest.replace(each.text, "", 1)
    rest = " ".join(rest.split()).removeprefix("에 ")
    return rest if len(rest) > 1 else words


def _a_year_later(moment: datetime) -> datetime:
    try:
        return moment.replace(year=moment.year + 1)
    except ValueError:  # the 29th of February
        return moment.replace(year=moment.year + 1, day=28)


def _zone(at: datetime) -> tzinfo:
    return at.tzinfo or UTC
