"""The page on exports tells the truth: its Python blocks run, its answer is the one that comes, its table is whole."""

import re
import zipfile
from pathlib import Path

from gieok.export.shape import DOCUMENTS, HEAD, PAGE, TABLES, VERSION, file_of

DOCUMENT = Path(__file__).parents[2] / "docs" / "export.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")
DAY = re.compile(r"\d+월 \d+일")


def test_every_python_block_runs_and_the_answer_is_as_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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


def test_the_table_lists_every_file_of_the_version():
    rows = re.findall(r"^\| `(\w+\.jsonl)` \|", TEXT, re.MULTILINE)
    assert set(rows) == {file_of(name) for name in (*TABLES, DOCUMENTS)}
    assert f"## The shape, version {VERSION}" in TEXT
