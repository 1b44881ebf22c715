"""The first hour with the command: what a terminal, a pipe, a disk or a hasty hand makes of it."""

import io
import json
import logging
import os
import re
import subprocess
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

import gieok
from gieok.cli import main
from gieok.cli.console import ready_streams, waiting

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 고양이 좋아해", *LETIA, "--turn-id", "t1")
    return run


class Stopped(MetaPathFinder):
    """Somebody presses Ctrl-C while the commands are being loaded."""

    def find_spec(self, fullname, path, target=None):
        if fullname == "gieok.cli.app":
            raise KeyboardInterrupt


def test_ctrl_c_while_it_loads_ends_it_without_a_word(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "gieok.cli.app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Stopped(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 130
    assert capsys.readouterr().err == ""


def written(monkeypatch, encoding, *arguments):
    """What `gieok` writes to a stdout of this encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "argv", ["gieok", *arguments])
    with monkeypatch.context() as here:
        here.setattr(sys, "stdout", out)
        with pytest.raises(SystemExit) as left:
            main()
    assert not left.value.code
    return out.buffer.getvalue().decode(encoding)


def test_a_file_in_the_letters_of_a_korean_windows_gets_what_it_can_hold(told, monkeypatch):
    assert "친밀도" in written(monkeypatch, "cp949", "relationship")
    assert "?" in written(monkeypatch, "cp949", "relationship")  # for the bars
    assert "likes" in written(monkeypatch, "ascii", "facts")


@pytest.mark.parametrize("encoding", ["cp949", "ascii", "utf-8"])
def test_json_says_the_same_in_every_encoding(told, monkeypatch, encoding):
    (memory,) = json.loads(written(monkeypatch, encoding, "facts", "--json"))
    assert memory["content"] == "고양이를 좋아함"


@pytest.mark.parametrize("arguments", [("relationship", "--rules"), ("facts", "--json")])
def test_an_answer_that_the_disk_does_not_hold_is_a_failure(told, tmp_path, arguments):
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "gieok", *arguments], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ran.returncode == 1
    assert ran.stderr == "gieok: there is no room left on the disk; free some space and try again\n"


def test_a_stdout_that_was_closed_from_the_start_is_no_trouble(told, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gieok", "facts"])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code


def test_a_remark_of_the_library_is_a_line_without_the_way_through_the_code(capsys, monkeypatch):
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    monkeypatch.setattr(logging.getLogger("gieok"), "propagate", False)
    ready_streams()
    try:
        raise OSError("disk I/O error")
    except OSError:
        logging.getLogger("gieok.stores").warning("its log could not be %s", "tidied up", exc_info=True)
    assert capsys.readouterr().err == "its log could not be tidied up: disk I/O error\n"


def test_what_is_waited_for_is_on_the_screen_from_the_first_moment(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with waiting("기억을 깨우는 중…"):
        shown = capsys.readouterr().err
    assert "기억을 깨우는 중…" in shown


def test_a_number_from_a_list_is_no_id(told):
    (memory,) = json.loads(told("facts", "--json").out)
    for few in (memory["id"][-1:], memory["id"][-3:]):
        for command in (("forget", "--", few), ("correct", "--", few, "강아지를 좋아함"), ("pin", "--", few)):
            ran = told(*command)
            assert (ran.code, "too little of an id" in ran.err, "gieok facts" in ran.err) == (1, True, True)
    assert json.loads(told("facts", "--json").out) == [memory]
    assert told("pin", memory["id"][-4:]).code == 0


@pytest.mark.parametrize("command", ["recall", "context"])
def test_an_empty_question_is_told_before_a_bank_is_looked_for(run, command):
    assert "query is empty" in run(command, " ").err


@pytest.mark.parametrize(
    "command", [("rewind", "t9"), ("reroll", "t9", "응"), ("edit", "t9", "-t", "응"), ("trace", "t9")]
)
def test_a_turn_that_is_not_there_is_told_with_where_turns_are_named(told, command):
    ran = told(*command)
    assert (ran.code, "`gieok trace` names the last turn" in ran.err) == (1, True)
    (feeling,) = json.loads(told("emotions", "--json").out)
    assert feeling["turn_id"] == "t1"


def test_half_of_a_scope_is_told_how_to_name_it_whole(told):
    ran = told("facts", "-u", "minsu")
    assert (
        "known scopes: [user=minsu character=letia]; name all that stands in one of the brackets, by -u, -c" in ran.err
    )


def test_a_bank_that_is_not_there_or_empty_is_told_how_to_begin_one(run, tmp_path):
    assert "or begin one: gieok chat" in run("facts").err
    gieok.open(tmp_path / "gieok.db", embedder="hashing").close()
    for command in (("facts",), ("observe", "나 고양이 좋아해"), ("recall", "고양이")):
        assert 'gieok observe "나 고양이 좋아해" -u minsu -c letia' in run(*command).err
    assert "gieok chat" in run("scopes").out


def test_the_address_of_a_server_is_no_path_and_its_password_is_not_told(run):
    ran = run("facts", "--bank", "postgresql://minsu:geheim@127.0.0.1:9/memories")
    assert (ran.code, "minsu@127.0.0.1:9/memories" in ran.err, "geheim" in ran.err) == (1, True, False)
    ran = run("facts", "--bank", "redis://minsu:geheim@127.0.0.1/0")
    assert (ran.code, "kept in a file" in ran.err, "geheim" in ran.err) == (1, True, False)


def test_leaving_a_chat_without_a_model_does_not_speak_of_one(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "모델이 뒤에서" not in run("chat", stdin="/끝\n").err


def test_a_proxy_that_cannot_be_is_told_before_the_doors_open(run, monkeypatch):
    monkeypatch.setenv("GIEOK_PROXY_URL", "letia")
    ran = run("serve", "--port", "0")
    assert (ran.code, "proxy_url" in ran.err, "http://127.0.0.1:8000/v1" in ran.err) == (1, True, True)


def test_the_doctor_blames_the_setting_and_not_the_folder(run, monkeypatch):
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "nowhere.toml")
    found = {check["name"]: check for check in json.loads(run("doctor", "--json").out)["checks"]}
    assert "nowhere.toml" in found["trial bank"]["detail"]
    assert found["trial bank"]["remedy"] == "put the setting right, or leave it out"


def test_a_picture_is_refused_before_the_story_is_played(run, tmp_path):
    ran = run("demo", "--fast", "--svg", "nowhere/demo.svg")
    assert (ran.code, ran.out) == (1, "")
    assert "name a file in a folder that is there" in ran.err
    assert not os.listdir(tmp_path)


def test_a_first_day_is_told_as_one(told):
    assert re.search(r"\d{4}-\d\d-\d\d에 처음 만나 1번 이야기했어요\.", told("relationship").out)
