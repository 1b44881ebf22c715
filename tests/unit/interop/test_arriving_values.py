"""Values as other systems write them."""

from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.cards import FACES, file_name, put_beside
from gieok.interop.importers.files import (
    Timing,
    importance_of,
    list_of,
    moment_of,
    scale_of,
    scope_for,
    share_of,
    sound,
    text_of,
    vector_of,
    words_of,
)
from gieok.interop.importers.records import Count, Exchange, LeftOut, Report, Sprites, Whose
from support.sources import floats

NEW_YEAR = datetime(2025, 1, 1, tzinfo=UTC)
LETIA = Scope(user="minsu", character="letia")


@pytest.mark.parametrize(
    "written",
    [
        "2025-01-01", "2025-01-01 00:00:00", "2025-01-01T00:00:00Z", "2025-01-01T09:00:00+09:00", 1735689600,
        "1735689600", 1735689600000, 1735689600000000, 1735689600000000000, 1735689600.0,
    ],
)  # fmt: skip
def test_a_moment_is_one_however_it_is_written(written):
    assert moment_of(written, "line 1") == NEW_YEAR


@pytest.mark.parametrize("written", ["어제", "2025-13-01", True, [], 1e300, "9" * 400])
def test_what_is_no_moment_is_named_with_its_place(written):
    with pytest.raises(InvalidImport, match=r"^line 3: .* is no moment; nothing was imported$"):
        moment_of(written, "line 3")


def test_no_moment_is_none():
    assert moment_of(None, "line 1") is moment_of("", "line 1") is None


def test_importances_of_1_to_10_are_told_from_those_of_0_to_1_by_the_largest():
    assert (scale_of([0.3, 1, None]), scale_of([1, 7, 10])) == (1, 10)
    assert [importance_of(value, 10, "line 1") for value in (1, 7, 10, None)] == [0.1, 0.7, 1.0, None]
    assert importance_of(0.3, 1, "line 1") == 0.3
    with pytest.raises(InvalidImport, match="importance is 11, not between 0 and 10"):
        importance_of(11, 10, "line 1")


def test_lists_may_stand_in_strings_as_json_or_with_commas():
    assert list_of('["a", "b"]', "tags", "line 1") == ["a", "b"]
    assert words_of("고양이, 강아지, 고양이", "tags", "line 1") == ("고양이", "강아지")
    assert list_of('{"a": 2}', "topics", "line 1") == [{"a": 2}]
    assert list_of(None, "tags", "line 1") == []
    for broken in ('["a"', 7):
        with pytest.raises(InvalidImport, match="line 1: tags is"):
            list_of(broken, "tags", "line 1")


def test_a_vector_is_read_from_numbers_json_or_floats():
    assert (
        vector_of([1, 0.5], "line 1") == vector_of("[1, 0.5]", "line 1") == vector_of(floats([1, 0.5]), "l") == (1, 0.5)
    )
    assert vector_of("[]", "line 1") is vector_of(None, "line 1") is vector_of(b"abc", "line 1") is None
    assert vector_of(floats([float("nan")]), "line 1") is None


def test_what_no_store_can_keep_is_refused_wherever_it_stands():
    for broken in ("a\0b", {"a": ["\ud800"]}, {"\0": 1}):
        with pytest.raises(InvalidImport, match="holds NUL or half a character"):
            sound(broken, "line 1")
    deep: list = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(InvalidImport, match="nested more than 32 deep"):
        sound(deep, "line 1")


def test_texts_and_shares_are_what_they_should_be():
    assert (text_of(7, "id", "line 1"), text_of("  가 ", "id", "line 1"), text_of(None, "id", "line 1")) == (
        "7",
        "가",
        "",
    )
    for broken in (["a"], True, {}):
        with pytest.raises(InvalidImport, match="no text"):
            text_of(broken, "id", "line 1")
    for broken in (1.5, "viel", float("inf")):
        with pytest.raises(InvalidImport, match="score"):
            share_of(broken, "score", "line 1")


def test_a_file_names_whose_it_is_before_the_caller_does():
    whose = Whose(user="minsu", character="letia")
    assert scope_for(whose, "line 1", user="jiyu") == Scope(user="jiyu", character="letia")
    with pytest.raises(InvalidImport, match=r"line 1: it cannot be kept under these names \(user has 300 characters"):
        scope_for(whose, "line 1", user="가" * 300)


def test_what_has_no_time_lies_between_what_has_one():
    said = [Exchange(scope=LETIA, origin=str(number), where="", text="…", at=at)
            for number, at in enumerate([None, None, NEW_YEAR, None])]  # fmt: skip
    timing = Timing(datetime(2026, 1, 1, tzinfo=UTC))
    for each in said:
        timing.survey(each)
    seconds = [(timing.moment(each) - NEW_YEAR).total_seconds() for each in said]
    assert seconds == [-2, -1, 0, 1]


def test_faces_are_put_beside_the_bank_once_and_never_over_what_is_there(tmp_path):
    bank = tmp_path / "bank.db"
    sprites = Sprites(character="레티아", where="the card", faces={"happy": "../smile.png", "sad": "https://x/y.png"},
                      pictures={"../smile.png": b"PNG"})  # fmt: skip
    [folder] = put_beside(str(bank), sprites, Count())
    assert folder == tmp_path / "bank.db.faces" / "레티아"
    assert sorted(each.name for each in folder.iterdir()) == sorted([FACES, file_name("../smile.png")])
    assert (folder / file_name("../smile.png")).read_bytes() == b"PNG"
    (folder / FACES).write_text("{}", encoding="utf-8")
    put_beside(str(bank), sprites, Count())
    assert (folder / FACES).read_text(encoding="utf-8") == "{}"


def test_a_bank_on_a_server_has_no_place_beside_it_for_faces():
    count = Count()
    assert put_beside("postgresql://host/bank", Sprites(character="레티아", where="the card", faces={}), count) == []
    assert [each.where for each in count.left_out] == ["the card"]


def test_a_report_gives_each_reason_once_with_the_first_place(tmp_path):
    outside = [LeftOut(where=f"line {number}", why=why) for number, why in enumerate(("a", "b", "b"), 1)]
    report = Report(kind="mem0", path=tmp_path, dry_run=False, scopes=(), left_out=tuple(outside))
    assert report.reasons() == [("b", 2, "line 2"), ("a", 1, "line 1")]
