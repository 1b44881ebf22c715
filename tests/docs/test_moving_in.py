"""The page on moving in tells the truth: its Python runs, its commands run, its table is whole."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gieok.cli.app import app_for
from gieok.interop.importers.importer import READERS
from support import sources

DOCUMENT = Path(__file__).parents[2] / "docs" / "moving-in.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    return tmp_path


def test_every_python_block_runs():
    program: dict = {}
    for block in re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL):
        exec(compile(block, str(DOCUMENT), "exec"), program)
    assert program["again"].new == 0


def test_every_command_runs_on_files_of_these_names(place):
    (place / "data").mkdir()
    sources.mem0(place / "memories.json")
    sources.social(place / "bot.db")
    sources.synk(place / "synk.json")
    sources.meowchat(place / "memory.json")
    sources.chroma(place / "data" / "vectors")
    sources.vtuber(place / "chat.db")
    [block] = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for line in block.splitlines():
        arguments = shlex.split(line, comments=True)[1:]
        ran = CliRunner().invoke(app_for(arguments), arguments)
        assert ran.exit_code == 0, f"{line}: {ran.output}"
        assert "memories" in ran.stdout


def test_the_table_lists_every_kind():
    rows = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert set(rows) == {*READERS, "gieok"}
