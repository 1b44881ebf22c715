"""The picture of the house is of this house, and the ways told in words lead through files that exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_picture_and_the_table_are_as_the_code_is():
    checked = subprocess.run(
        [sys.executable, ROOT / "tools/draw_architecture.py", "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("place", sorted({*re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.py)`", PAGE)}))
def test_every_file_on_the_way_exists(place):
    assert (ROOT / place if place.startswith(("tests/", "tools/")) else ROOT / "src/gieok" / place).is_file()
