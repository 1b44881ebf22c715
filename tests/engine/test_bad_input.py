"""Bad input gets a clear error and changes nothing."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

import pytest

import gieok
from gieok.errors import (
    DiskFull,
    InvalidQuery,
    InvalidScope,
    InvalidText,
    NaiveDatetime,
    UnknownSetting,
)

NAIVE = datetime(2026, 3, 1)  # noqa: DTZ001  # the fault under test


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("  \n\t", "empty"),
        ("가" * 8_001, "8,000"),
        ("가" * 1_000_000, "8,000"),
        ("안녕\x00", "NUL"),
        ("안녕\ud800", "surrogate"),
        (17, "string"),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_and_nothing_is_written(letia, text, complaint):
    for call in (letia.observe, letia.recall, letia.context, letia.remember):
        with pytest.raises(InvalidText, match=complaint):
            call(text)
    with pytest.raises(InvalidText, match=complaint):
        letia.observe("안녕", reply=text)

    assert (letia.turns(), letia.journal()) == ([], [])


def test_the_longest_text_fits_and_nothing_said_at_all_is_refused(letia):
    with pytest.raises(InvalidText, match="nothing was said"):
        letia.observe()
    assert letia.observe("가" * 8_000).turn.number == 1


@pytest.mark.parametrize(
    "query", ['" OR *', "NEAR(", "*", "AND", "a:b", "(((", '"', "col:고양이", "{}", "^", "-", "고양이*"]
)
def test_search_operators_in_a_query_are_words_like_any_other(letia, query):
    letia.observe("나 고양이 좋아해")

    assert isinstance(letia.recall(query), list)
    assert letia.context(query).query == query


def test_moments_without_a_time_zone_are_refused(letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    calls: list[Callable[[], object]] = [
        lambda: letia.observe("안녕", at=NAIVE),
        lambda: letia.recall("안녕", at=NAIVE),
        lambda: letia.context("안녕", at=NAIVE),
        lambda: letia.facts(as_of=NAIVE),
        lambda: letia.facts(known_at=NAIVE),
        lambda: letia.remember("안녕", valid_at=NAIVE),
        lambda: letia.correct(memory.id, "안녕", at=NAIVE),
        lambda: letia.forget(memory.id, at=NAIVE),
    ]
    for call in calls:
        with pytest.raises(NaiveDatetime, match="time zone"):
            call()
    assert letia.facts() == [memory]


@pytest.mark.parametrize(
    "names",
    [{}, {"user": ""}, {"user": "  "}, {"user": "x" * 201}, {"user": "a\x00b"}, {"user": "a\nb"}, {"user": "\ud800"}],
)
def test_a_scope_without_a_proper_name_is_refused(bank, names):
    with pytest.raises(InvalidScope):
        bank.scope(**names)


def test_requests_that_make_no_sense_are_refused(letia):
    for call in (
        lambda: letia.recall("안녕", k=0),
        lambda: letia.context("안녕", budget=0),
        lambda: letia.recall("안녕", weights={"recensy": 1.0}),
        lambda: letia.recall("안녕", weights={"recency": -1.0}),
        lambda: letia.remember("키가 큼", attribute="hight", value="180"),
        lambda: letia.remember("키가 큼", value="180"),
        lambda: letia.remember("키가 큼", importance=7),
        lambda: letia.facts(attribute="hight"),
    ):
        with pytest.raises(InvalidQuery):
            call()
    assert letia.journal() == []


def test_a_misspelt_setting_is_named_with_its_likely_meaning(tmp_path):
    with pytest.raises(UnknownSetting, match="did you mean timezone"):
        gieok.open(tmp_path / "x.db", timezoen="Asia/Seoul")
    assert not (tmp_path / "x.db").exists()


def limit_pages(bank: gieok.MemoryBank, full: Literal["now", "never"]) -> None:
    """Make SQLite believe that the disk has no room for another page, or room again."""

    def limit(connection: Any) -> None:
        pages = connection.pragma("page_count") if full == "now" else 2**30
        connection.pragma("max_page_count", pages)

    bank.store._writer.write(limit)


def observe_long_stories(mind: gieok.Mind) -> None:
    for number in range(200):
        mind.observe(f"이야기 {number} " + "가나다라마바사 " * 900, turn_id=f"long-{number}")


def test_a_full_disk_loses_the_turn_and_nothing_else(open_bank):
    bank = open_bank()
    mind = bank.scope(user="minsu", character="letia")
    mind.observe("나 고양이 좋아해", turn_id="kept")
    before = (mind.facts(), mind.turns(), mind.journal())

    limit_pages(bank, "now")
    with pytest.raises(DiskFull, match="nothing was written"):
        observe_long_stories(mind)
    kept = [turn.id for turn in mind.turns(500)]
    assert kept == ["kept", *(f"long-{number}" for number in range(len(kept) - 1))]

    limit_pages(bank, "never")
    mind.observe("나 스물다섯 살이야", turn_id="after")
    assert [turn.id for turn in mind.turns(500)] == [*kept, "after"]
    assert before[0][0] in mind.facts()
    assert bank.store.problems() == []
