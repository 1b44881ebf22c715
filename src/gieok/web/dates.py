"""Moments as people read them, by the clock of the bank's time zone."""

from __future__ import annotations

from datetime import datetime

from gieok.web.visitors import Visitor


def day(moment: datetime, visitor: Visitor) -> str:
    """Return its day: "2026년 3월 1일", "1 Mar 2026"."""
    there = moment.astimezone(visitor.bank.settings.zone)
    return (
        f"{there.year}년 {there.month}월 {there.day}일"
        if visitor.language == "ko"
        else f"{there.day} {there:%b} {there.year}"
    )


def moment_told(moment: datetime, visitor: Visitor) -> str:
    """Return its day and time: "2026년 3월 1일 20:00", "1 Mar 2026, 20:00"."""
    there = moment.astimezone(visitor.bank.settings.zone)
    between = " " if visitor.language == "ko" else ", "
    return f"{day(moment, visitor)}{between}{there:%H:%M}"


def month(year: int, month: int, visitor: Visitor) -> str:
    """Return the name of a month within its year: "3월", "March"."""
    return f"{month}월" if visitor.language == "ko" else f"{datetime(year, month, 1):%B}"  # noqa: DTZ001  # only named


def year(year: int, visitor: Visitor) -> str:
    return f"{year}년" if visitor.language == "ko" else str(year)
