"""Where a key comes from: outright, from a file that others may not read, or from a command's output."""

import os
import shlex
import sys
import traceback

import pytest

from gieok.errors import InvalidSetting
from gieok.settings import Settings, load
from gieok.stores import location
from gieok.stores.location import found_key

SECRET = "우리만의 비밀"


def printing(program):
    return shlex.join([sys.executable, "-c", program])


def everything_told(trouble):
    """The message with all that a log would show of where it came from, and of what hangs on it unseen."""
    chain, seen = trouble, []
    while chain is not None:
        seen += [str(chain), repr(chain)]
        chain = chain.__cause__ or chain.__context__
    return "".join([*seen, *traceback.format_exception(trouble)])


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "열쇠"
    path.write_text(f"{SECRET}\n", encoding="utf-8")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_the_end_of_the_line_is_no_part_of_a_key(tmp_path, ending):
    path = tmp_path / "열쇠"
    path.write_bytes(f" {SECRET} {ending}".encode())
    path.chmod(0o400)
    assert found_key(key_file=str(path)) == f" {SECRET} "
    assert found_key(key_command=printing(f"print(' {SECRET} ', end={ending!r})")) == f" {SECRET} "


def test_a_command_is_run_without_a_shell_and_asks_nothing(tmp_path):
    command = f"{printing('import sys; print(sys.argv[1:], repr(sys.stdin.read()))')} '$HOME' ';' id"
    assert found_key(key_command=command) == "['$HOME', ';', 'id'] ''"


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
@pytest.mark.parametrize(("mode", "taken"), [(0o604, 0), (0o602, 0), (0o660, 0), (0o620, 0), (0o400, 1), (0o640, 1)])
def test_a_file_is_taken_that_its_owner_and_at_most_a_group_may_read(key_file, mode, taken):
    key_file.chmod(mode)
    if taken:
        assert found_key(key_file=str(key_file)) == SECRET
        return
    with pytest.raises(InvalidSetting, match="chmod 600") as refused:
        found_key(key_file=str(key_file))
    assert SECRET not in everything_told(refused.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"a\nb\n", "more than one line"),
        (b"a" * 5_000, "more than one line"),
        (b"\xff\xfe", "UTF-8"),
        (b"a\x00b", "NUL"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_holds_no_key_is_refused(key_file, content, told):
    if content is None:
        key_file.unlink()
    else:
        key_file.write_bytes(content)
    with pytest.raises(InvalidSetting, match=told):
        found_key(key_file=str(key_file))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("", "empty"),
        ("a 'b", "words"),
        ("/no/such/command x", "cannot be run"),
        (printing(r"import sys; sys.stdout.buffer.write('우리만의 비밀'.encode() + b'\xff')"), "UTF-8"),
        (
            printing("import sys; print('우리만의 비밀'); print('vault\\nclosed', file=sys.stderr); sys.exit(3)"),
            "failed with 3: vault closed",
        ),
    ],
)
def test_a_command_that_gives_no_key_is_told_without_what_it_printed(command, told):
    with pytest.raises(InvalidSetting, match=told) as refused:
        found_key(key_command=command)
    assert SECRET not in everything_told(refused.value)


def test_a_command_that_hangs_is_given_up_and_what_it_printed_is_not_told(monkeypatch):
    monkeypatch.setattr(location, "_SECONDS", 1.0)
    program = f"import time; print('{SECRET}', flush=True); time.sleep(60)"
    with pytest.raises(InvalidSetting, match="within 1 s") as refused:
        found_key(key_command=f"{printing(program)}")
    assert SECRET not in everything_told(refused.value)


def test_one_of_them_says_what_the_key_is(key_file):
    with pytest.raises(InvalidSetting, match="one of"):
        found_key(key="a", key_file=str(key_file))
    with pytest.raises(InvalidSetting, match="key and key_file are all set") as refused:
        load(environment={"GIEOK_KEY": SECRET, "GIEOK_KEY_FILE": str(key_file)})
    assert SECRET not in everything_told(refused.value)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
@pytest.mark.parametrize("mode", [0o602, 0o660, 0o666])
def test_a_settings_file_that_others_may_write_names_no_command(tmp_path, mode):
    path = tmp_path / "gieok.toml"
    path.write_text('key_command = "echo x"', encoding="utf-8")
    path.chmod(0o644)
    assert load(path, environment={}).key_command == "echo x"
    path.chmod(mode)
    with pytest.raises(InvalidSetting, match="other users may write to it"):
        load(path, environment={})
    path.write_text('key_file = "x"', encoding="utf-8")
    assert load(path, environment={}).key_file == "x", "a path runs nothing"


def test_settings_show_neither_the_key_nor_the_command():
    assert SECRET not in repr(Settings(key=SECRET))
    assert SECRET not in repr(Settings(key_command=f"vault --token {SECRET}"))
    assert Settings(key_file="열쇠").key_from == {"key_file": "열쇠"}


def test_on_a_server_a_key_is_for_backups_alone():
    server = "postgresql://localhost/games"
    assert Settings(bank=server, key=SECRET).opened_with == {"key": SECRET}, "it is refused, not passed over"
    backed_up = Settings(bank=server, key=SECRET, backup_folder="backups")
    assert (backed_up.opened_with, backed_up.key_from) == ({}, {"key": SECRET})
