"""Values of foreign records, and what an import does with them."""

from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.fields import Row, check_storable, importance_scale, moment_of, scope_of
from gieok.interop.importers.importer import FACES, Timing, file_name, write_faces
from gieok.interop.importers.records import Faces, ImportedTurn, Report, Skipped, Whose
from support.sources import floats

NEW_YEAR = datetime(2025, 1, 1, tzinfo=UTC)
LETIA = Scope(user="minsu", character="letia")


def row(**fields):
    return Row(fields, "line 1")


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
    with pytest.raises(InvalidImport, match=r"^line 3: .* is not a time; nothing was imported$"):
        moment_of(written, "line 3")


def test_of_several_fields_the_first_that_is_filled_counts():
    assert row(a="", b="나", c="다").text("a", "b", "c") == "나"
    assert row(a=None).name("a", "b") is None
    assert row(a="", b=None).moment("a", "b") is None


def test_importances_of_1_to_10_are_told_from_those_of_0_to_1_by_the_largest():
    assert importance_scale([row(importance=0.3), row(importance=1), row()]) == 1
    assert importance_scale([row(importance=1), row(importance=7)]) == 10
    assert [row(importance=value).importance(10) for value in (1, 7, 10, None)] == [0.1, 0.7, 1.0, None]
    with pytest.raises(InvalidImport, match="importance is 11, not between 0 and 10"):
        row(importance=11).importance(10)


def test_lists_may_be_written_as_json_or_with_commas():
    assert row(tags='["a", "b"]').items("tags") == ["a", "b"]
    assert row(tags="고양이, 강아지, 고양이").words("tags") == ("고양이", "강아지")
    assert row(topics='{"a": 2}').items("topics") == [{"a": 2}]
    assert row().items("tags") == []
    for broken in ('["a"', 7):
        with pytest.raises(InvalidImport, match="line 1: tags is"):
            row(tags=broken).items("tags")


def test_a_vector_is_read_from_numbers_json_or_floats():
    assert {row(v=value).vector("v") for value in ([1, 0.5], "[1, 0.5]", floats([1, 0.5]))} == {(1, 0.5)}
    assert {row(v=value).vector("v") for value in ("[]", None, b"abc", floats([float("nan")]))} == {None}


def test_what_no_store_can_keep_is_refused_wherever_it_stands():
    for broken in ("a\0b", {"a": ["\ud800"]}, {"\0": 1}):
        with pytest.raises(InvalidImport, match="holds NUL or half a character"):
            check_storable(broken, "line 1")
    deep: list = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(InvalidImport, match="nested more than 32 deep"):
        check_storable(deep, "line 1")


def test_a_value_of_another_type_is_refused():
    assert [row(id=value).text("id") for value in (7, "  가 ", None)] == ["7", "가", ""]
    for broken in (["a"], True, {}):
        with pytest.raises(InvalidImport, match=r"line 1: id is .* not a text"):
            row(id=broken).text("id")
    for broken in (1.5, "viel", float("inf")):
        with pytest.raises(InvalidImport, match="line 1: score is"):
            row(score=broken).share("score")


def test_a_file_names_whose_it_is_before_the_caller_does():
    whose = Whose(user="minsu", character="letia")
    assert scope_of("line 1", whose, user="jiyu") == Scope(user="jiyu", character="letia")
    with pytest.raises(InvalidImport, match=r"line 1: it cannot be stored under these names \(user has 300 characters"):
        scope_of("line 1", whose, user="가" * 300)


def test_what_has_no_time_lies_between_what_has_one():
    said = [
        ImportedTurn(scope=LETIA, origin=str(number), where="", text="…", at=at)
        for number, at in enumerate([None, None, NEW_YEAR, None])
    ]
    timing = Timing(datetime(2026, 1, 1, tzinfo=UTC))
    for each in said:
        timing.survey(each)
    assert [(timing.moment(each) - NEW_YEAR).total_seconds() for each in said] == [-2, -1, 0, 1]


def test_faces_are_put_beside_the_bank_once_and_never_over_what_is_there(tmp_path):
    pictures = {"../smile.png": b"PNG"}
    faces = {"happy": "../smile.png", "sad": "https://x/y.png"}
    item = Faces(character="레티아", where="the card", faces=faces, pictures=pictures)
    folder = write_faces(str(tmp_path / "bank.db"), item)
    assert folder == tmp_path / "bank.db.faces" / "레티아"
    assert sorted(each.name for each in folder.iterdir()) == sorted([FACES, file_name("../smile.png")])
    assert (folder / file_name("../smile.png")).read_bytes() == b"PNG"
    (folder / FACES).write_text("{}", encoding="utf-8")
    write_faces(str(tmp_path / "bank.db"), item)
    assert (folder / FACES).read_text(encoding="utf-8") == "{}"
    assert write_faces("postgresql://host/bank", item) is None, "there is no place beside a server"


def test_a_report_gives_each_reason_once_with_the_first_place(tmp_path):
    skipped = [Skipped(where=f"line {number}", why=why) for number, why in enumerate(("a", "b", "b"), 1)]
    report = Report(kind="mem0", path=tmp_path, dry_run=False, scopes=(), skipped=tuple(skipped))
    assert report.reasons() == [("b", 2, "line 2"), ("a", 1, "line 1")]
    assert report.left_out == report.skipped
