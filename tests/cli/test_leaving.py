"""`gieok export` in the formats of other systems."""

import json

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 고양이 좋아해", *LETIA, "--at", "2026-03-01T20:00")
    return run


@pytest.mark.parametrize("format", ["jsonl", "lorebook", "worldinfo", "mem0"])
def test_memories_leave_in_the_format_that_is_asked_for(told, tmp_path, format):
    ran = told("export", "out.json", "--user", "minsu", "--format", format)
    assert (ran.code, ran.err) == (0, "")
    assert "out.json: [user=minsu character=letia]" in ran.out
    assert "고양이" in (tmp_path / "out.json").read_text(encoding="utf-8")


def test_what_was_written_is_told_as_json(told):
    answer = json.loads(told("export", "out.json", "-u", "minsu", "-f", "mem0", "--json").out)
    assert answer["scopes"] == [{"user": "minsu", "character": "letia", "world": None}]


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("-u", "minsu", "-f", "pdf"), "unknown format 'pdf'; choose one of zip, jsonl, lorebook, worldinfo, mem0"),
        (("-c", "letia"), "whose memories? name a user: --user NAME"),
        (("-c", "letia", "-f", "lorebook"), "nothing is kept of [character=letia]"),
        (("-f", "lorebook"), "a scope needs at least one of user, character and world"),
    ],
)
def test_a_slip_is_named_and_nothing_is_written(told, tmp_path, arguments, trouble):
    ran = told("export", "out.json", *arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
    assert not (tmp_path / "out.json").exists()
