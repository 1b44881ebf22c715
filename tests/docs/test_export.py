"""The page on exports tells the truth: its blocks run, its answer is the one that comes, its tables are whole."""

import re
import shlex
import sys
import zipfile
from pathlib import Path

from gieok.cli import main
from gieok.export.archive import DOCUMENTS, HEAD, PAGE, TABLES, VERSION, file_of
from gieok.interop.exporters import FORMATS

DOCUMENT = Path(__file__).parents[2] / "docs" / "export.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
DAY = re.compile(r"\d+월 \d+일")


def test_every_block_runs_and_the_answer_is_as_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    monkeypatch.setenv("GIEOK_BANK", "memories.db")
    program: dict = {}
    answer = None
    try:
        for block in re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL):
            exec(compile(block, str(DOCUMENT), "exec"), program)
            answer = answer or str(program["answer"])
    finally:
        program["bank"].close()
    shown = TEXT[TEXT.index("    레티아가 김민수님에") : TEXT.index("It tells what is true now")]
    written = "\n".join(line.removeprefix("    ") for line in shown.rstrip().splitlines())
    assert DAY.sub("", written) == DAY.sub("", answer or "")
    with zipfile.ZipFile(tmp_path / "minsu.zip") as file:
        assert set(file.namelist()) == {HEAD, PAGE, *map(file_of, (*TABLES, DOCUMENTS))}
    commands = [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    assert commands
    for command in commands:
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        assert _left(main) == 0, command


def _left(command) -> int:
    try:
        command()
    except SystemExit as left:
        return int(left.code or 0)
    return 0


def test_every_format_is_in_the_table():
    rows = re.findall(r"^\| `(\w+)` \| .* \| (?:all|what)", TEXT, re.MULTILINE)
    assert tuple(rows) == FORMATS


def test_the_table_lists_every_file_of_the_version():
    rows = re.findall(r"^\| `(\w+\.jsonl)` \|", TEXT, re.MULTILINE)
    assert set(rows) == {file_of(name) for name in (*TABLES, DOCUMENTS)}
    assert f"## The shape, version {VERSION}" in TEXT
