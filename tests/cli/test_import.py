"""`gieok import KIND PATH`: what was imported, what was already present, what was skipped."""

import json

import pytest

from gieok.interop.importers.importer import READERS
from support import sources


@pytest.fixture
def vtuber(tmp_path):
    sources.vtuber(tmp_path / "chat.db")
    return ("import", "vtuber", "chat.db", "-u", "minsu", "-c", "유나")


def test_a_report_tells_what_was_imported_and_what_was_skipped_and_why(run, vtuber):
    came = run(*vtuber)
    assert came.code == 0, came.err
    lines = [line.split() for line in came.out.splitlines()]
    assert lines[0] == ["scope", "what", "imported", "already", "present", "skipped"]
    assert lines[1] == ["[user=minsu", "character=유나]", "exchanges", "2", "0", "1"]
    assert lines[2:4] == [["memories", "2", "0"], ["candidates", "1", "0"]]
    assert "skipped: it was promoted, and is imported as its slot (row 1 of memory_candidates)" in came.out

    again = run(*vtuber)
    assert [line.split() for line in again.out.splitlines()][1][-3:] == ["0", "2", "1"]


def test_a_dry_run_makes_no_bank_and_says_what_would_be_imported(run, vtuber, tmp_path):
    dry = run(*vtuber, "--dry-run")
    assert (dry.code, "to import" in dry.out) == (0, True)
    assert "This was a dry run: nothing was written." in dry.out
    assert not (tmp_path / "gieok.db").exists()


def test_the_report_as_json_has_every_place(run, vtuber):
    report = json.loads(run(*vtuber, "--json").out)
    [scope] = report["scopes"]
    assert (scope["user"], scope["character"], scope["exchanges"]) == ("minsu", "유나", {"new": 2, "there": 0})
    assert report["left_out"] == [
        {"where": "row 1 of memory_candidates", "why": "it was promoted, and is imported as its slot"}
    ]


def test_whoever_imports_stands_in_the_audit_log_with_the_source(run, vtuber):
    run("--as", "운영자 김", *vtuber)
    told = run("audit", "show", "-u", "minsu", "-c", "유나").out
    assert told.count("운영자 김") >= 5
    assert "vtuber source" in told


def test_help_names_every_kind(run):
    told = " ".join(run("import", "--help").out.split())
    assert all(kind in told for kind in (*READERS, "gieok"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import", "tavern", "x.json"), "unknown kind of file 'tavern'; choose one of gieok, "),
        (("import", "mem0", "x.json"), "there is no file or folder 'x.json'; nothing was imported"),
        (("import", "gieok", "x.zip", "-c", "letia"), "a file of gieok says itself what belongs to whom"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(run, arguments, said):
    ran = run(*arguments)
    assert ran.code != 0
    assert said in " ".join(ran.err.split())
    assert "Traceback" not in ran.err
