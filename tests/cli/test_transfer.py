"""Memories to and from other systems: export, import."""

import zipfile

import pytest

from gieok.interop.importers.importer import READERS
from support import sources

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나는 민수야. 고양이 좋아해", *LETIA, "--at", "2026-03-01T20:00")
    run("observe", "나는 소방관이야", "-u", "jisu", "-c", "letia", "--at", "2026-03-01T20:00")
    return run


def test_a_users_memories_go_to_a_file_and_into_another_bank(told, tmp_path, monkeypatch):
    ran = told("export", "minsu.zip", "--user", "minsu")
    assert (ran.code, ran.err) == (0, "")
    assert "minsu.zip: [user=minsu character=letia]" in ran.out
    assert "index.html" in zipfile.ZipFile(tmp_path / "minsu.zip").namelist()

    there = ("import", "gieok", "minsu.zip", "--bank", "other.db")
    assert "[user=minsu character=letia] 가져올 것: 대화 1, 기억 2" in told(*there, "--dry-run").out
    assert "[user=minsu character=letia] 가져왔어요: 대화 1" in told(*there).out
    again = told(*there)
    assert (again.code, "이미 있어서" in again.out) == (0, True)
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "is already present; nothing was done" in told(*there).out
    assert "고양이를 좋아함" in told("facts", "--bank", "other.db", "--about", "user").out


def test_what_is_kept_otherwise_stays_and_the_command_says_so(told):
    told("export", "minsu.zip", "--user", "minsu")
    told("observe", "나 강아지 좋아해", *LETIA, "--bank", "other.db")
    ran = told("import", "gieok", "minsu.zip", "--bank", "other.db", "--json")
    assert (ran.code, '"fate": "differs"' in ran.out) == (1, True)


@pytest.mark.parametrize("format", ["jsonl", "lorebook", "worldinfo", "mem0"])
def test_memories_leave_in_the_format_that_is_asked_for(told, tmp_path, format):
    written = told("export", "out.json", "--user", "minsu", "--format", format, "--json").record
    assert written["scopes"] == [{"user": "minsu", "character": "letia", "world": None}]
    assert set(written) == {"path", "size_bytes", "scopes"}
    assert "고양이" in (tmp_path / "out.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("-u", "minsu", "-f", "pdf"), "형식 'pdf'는 없어요. 쓸 수 있는 형식: zip, jsonl, lorebook, worldinfo, mem0"),
        (("-u", "nobody"), "[user=nobody]의 기억이 없어요"),
        (("-c", "letia"), "누구의 기억인가요? --user NAME"),
        (("-c", "letia", "-f", "lorebook"), "[character=letia]의 기억이 없어요"),
        (("-f", "lorebook"), "user, character, world 가운데 하나는 있어야 해요"),
    ],
)
def test_a_slip_is_named_and_nothing_is_written(told, tmp_path, arguments, trouble):
    assert trouble in told("export", "out.json", *arguments).refused
    assert not (tmp_path / "out.json").exists()


@pytest.fixture
def vtuber(tmp_path):
    sources.vtuber(tmp_path / "chat.db")
    return ("import", "vtuber", "chat.db", "-u", "minsu", "-c", "유나")


def test_a_report_counts_what_was_imported_already_present_and_skipped(run, vtuber, monkeypatch):
    lines = [line.split() for line in run(*vtuber).out.splitlines()]
    assert lines[0] == ["프로필", "무엇을", "가져옴", "이미", "있음", "건너뜀"]
    assert lines[1] == ["[user=minsu", "character=유나]", "대화", "2", "0", "1"]
    assert lines[2:4] == [["기억", "2", "0"], ["후보", "1", "0"]]
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    again = run(*vtuber).out
    assert [line.split() for line in again.splitlines()][1][-3:] == ["0", "2", "1"]
    assert "imported  already present  skipped" in again
    assert "skipped: it was promoted, and is imported as its slot (row 1 of memory_candidates)" in again


def test_a_dry_run_makes_no_bank_and_says_what_would_be_imported(run, vtuber, tmp_path):
    dry = run(*vtuber, "--dry-run")
    assert (dry.code, "가져올 것" in dry.out, "아무것도 쓰지 않았어요." in dry.out) == (0, True, True)
    assert not (tmp_path / "gieok.db").exists()


def test_the_report_as_json_has_every_place(run, vtuber):
    report = run(*vtuber, "--json").record
    [scope] = report["scopes"]
    assert (scope["user"], scope["character"], scope["exchanges"]) == ("minsu", "유나", {"new": 2, "there": 0})
    skipped = {"where": "row 1 of memory_candidates", "why": "it was promoted, and is imported as its slot"}
    assert report["left_out"] == [skipped]


def test_whoever_imports_stands_in_the_audit_log_with_the_source(run, vtuber):
    run("--as", "운영자 김", *vtuber)
    log = run("audit", "show", "-u", "minsu", "-c", "유나").out
    assert log.count("운영자 김") >= 5
    assert "vtuber source" in log


def test_help_names_every_kind(run):
    told = " ".join(run("import", "--help").out.replace("│", " ").split())
    assert all(kind in told for kind in (*READERS, "gieok"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tavern", "x.json"), "쓸 수 있는 것: gieok, "),
        (("mem0", "x.json"), "'x.json' 파일이나 폴더가 없어요. 가져온 것은 없어요"),
        (("gieok", "x.zip", "-c", "letia"), "--user"),
        (("gieok", "nowhere.zip"), "'nowhere.zip' 파일이 없어요. 가져온 것은 없어요"),
        (("gieok", "gieok.db"), "gieok이 내보낸 파일이 아니"),
    ],
)
def test_what_cannot_be_imported_is_told_in_one_line(told, arguments, said):
    assert said in told("import", *arguments).refused
