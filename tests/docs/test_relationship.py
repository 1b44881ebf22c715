"""The page on relationships tells the truth: its Python blocks run, in order, as one program."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "relationship.md"


def test_every_python_block_of_the_page_runs():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    program = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), program)
    assert program["changes"]
