"""Bad input gets a clear error and changes nothing."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import apsw
import pytest

import gieok
from gieok.errors import (
    BankUnavailable,
    DiskFull,
    EmbedderMismatch,
    InvalidQuery,
    InvalidScope,
    InvalidText,
    NaiveDatetime,
    NewerSchema,
    NotABank,
    UnknownSetting,
)
from support.powerless import without_privileges

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


def beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


@pytest.mark.parametrize(
    "content", [b"not a bank at all, just a text file that is long enough" * 40, b"x", b"SQLite format 3\x00"]
)
def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)

    with pytest.raises(NotABank, match=r"notes\.txt"):
        gieok.open(path, embedder="hashing")
    assert path.read_bytes() == content
    assert beside(path) == ["notes.txt"]


def test_somebody_elses_database_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "other.db"
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)").fetchall()
    other.close()
    before = path.read_bytes()

    with pytest.raises(NotABank):
        gieok.open(path, embedder="hashing")
    assert path.read_bytes() == before
    assert beside(path) == ["other.db"]


@pytest.mark.parametrize(("place", "complaint"), [(".", r"."), ("nowhere/x.db", "nowhere")])
def test_a_folder_or_a_file_in_a_folder_that_is_not_there_is_no_bank(tmp_path, place, complaint):
    with pytest.raises((NotABank, BankUnavailable), match=complaint):
        gieok.open(tmp_path / place, embedder="hashing")


def test_a_read_only_folder_says_so(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)

    with pytest.raises(BankUnavailable, match=str(folder)):
        without_privileges(lambda: gieok.open(folder / "x.db", embedder="hashing"))
    assert list(folder.iterdir()) == []


def test_a_bank_of_a_later_gieok_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "later.db"
    gieok.open(path, embedder="hashing").close()
    raw = apsw.Connection(str(path))
    raw.execute("PRAGMA user_version = 9999").fetchall()
    raw.close()
    before = path.read_bytes()

    with pytest.raises(NewerSchema, match="9999"):
        gieok.open(path, embedder="hashing")
    assert path.read_bytes() == before


def test_another_embedder_than_the_banks_is_refused_with_the_way_out(tmp_path):
    path = tmp_path / "x.db"
    gieok.open(path, embedder="hashing").close()

    with pytest.raises(EmbedderMismatch, match="gieok reindex"):
        gieok.open(path, embedder="hashing:64")


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
