"""Every example is a folder with one command, which is shown first, and few enough lines to copy."""

from __future__ import annotations

import pytest

from support.playing import EXAMPLES

LONGEST = 150


@pytest.mark.parametrize("name", ["heroine", "social", "character"])
def test_an_example_is_one_command_in_few_lines(name):
    page = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in EXAMPLES.glob(f"{name}/*.py")}
    assert f"python examples/{name}/play.py" in page
    assert 1 <= len(lengths) <= 3
    assert max(lengths.values()) <= LONGEST
