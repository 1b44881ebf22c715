"""The page on prompts tells the truth: its Python blocks run, and its table lists what there is."""

import re
from pathlib import Path

from gieok.prompts.data import document, slots
from support.prompts import TASKS, asked

PAGE = Path(__file__).parents[2] / "docs" / "prompts.md"


def test_every_python_block_of_the_page_runs():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    program = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), program)


def test_the_table_lists_every_version_with_its_slots():
    rows = re.findall(r"^\| `([a-z_]+/\d+)` \| `\w+` \| ([a-z_, ]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {asked(task, "ko").version: ", ".join(sorted(slots(document(task, "ko")))) for task in TASKS}
