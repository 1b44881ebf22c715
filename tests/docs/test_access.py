"""The page on access tells the truth: its commands run, and it names every setting and refusal of the door."""

import re
import shlex
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from gieok.access import refusals
from gieok.access.guard import OPEN_PATHS, OPENAI_PATHS
from gieok.access.hosts import ServeSettings
from gieok.cli import main
from gieok.domain.server_state import ROLES
from gieok.settings import Settings

PAGE = (Path(__file__).parents[2] / "docs" / "access.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines():
        monkeypatch.setattr(sys, "argv", shlex.split(line))
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, line
    assert "game server" in capsys.readouterr().out


def test_the_page_names_every_role_setting_and_open_path():
    of_the_door = [name for name in vars(ServeSettings) if name.startswith("serve_")]
    assert set(of_the_door) <= {each.name for each in fields(Settings)}
    assert len(of_the_door) == 5
    assert not [name for name in (*ROLES, *of_the_door, *OPEN_PATHS, *OPENAI_PATHS) if f"`{name}" not in PAGE]


def test_the_page_names_every_status_that_the_guard_gives():
    given = {each.status for each in vars(refusals).values() if isinstance(each, refusals.Refusal)}
    given |= {
        refusals.login_first("/login").status,
        refusals.too_large(1).status,
        refusals.too_fast(1, 1).status,
        refusals.used_up(1, 1).status,
    }
    rows = re.findall(r"^\| ([\d, ]+) \|", PAGE, re.MULTILINE)
    assert {int(status) for row in rows for status in row.split(",")} == given
