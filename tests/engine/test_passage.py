"""A context tells what time has made of what was told."""

from datetime import datetime

from gieok.testing import claim
from support.stated import StatedReader

TOLD = datetime.fromisoformat("2024-03-04T12:00:00+09:00")


def test_a_context_tells_the_age_of_today_and_a_birthday_that_is_near(open_bank):
    stated = [claim("age", "25", content="25살임"), claim("birthday", "05-03", content="생일은 5월 3일임")]
    mind = open_bank(extractor=StatedReader({"소개": stated})).scope(user="minsu", character="letia")
    mind.observe("소개", at=TOLD)

    assert "25살임**" in mind.context("안녕", at=TOLD).text
    later = mind.context("안녕", at=TOLD.replace(year=2026, month=5, day=2)).text
    assert "25살임 (지금은 27살쯤)**" in later
    assert "생일은 5월 3일임 (내일)**" in later
