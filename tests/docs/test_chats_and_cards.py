"""The page on chats and cards tells the truth: its program runs, and its bounds are those of the readers."""

import re
from pathlib import Path

from gieok.interop.importers.cards import LARGEST_ALBUM, LARGEST_PICTURE
from gieok.interop.importers.files import MIB

DOCUMENT = Path(__file__).parents[2] / "docs" / "chats-and-cards.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_its_program_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [block] = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    exec(compile(block, str(DOCUMENT), "exec"), {})


def test_its_bounds_are_those_of_the_readers():
    assert f"{LARGEST_PICTURE // MIB} MiB each and\n  {LARGEST_ALBUM // MIB} MiB together" in TEXT
