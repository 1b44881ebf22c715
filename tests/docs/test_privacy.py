"""The page on personal data tells the truth: its Python blocks run, as one program, and its table is whole."""

import re
from pathlib import Path

from gieok.domain.personal import PERSONAL_KINDS, masks_of
from gieok.settings import load

PAGE = Path(__file__).parents[2] / "docs" / "privacy.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_python_block_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    program = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), program)


def test_every_kind_stands_in_the_table_with_its_masks():
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", TEXT, re.MULTILINE))
    wanted = {kind: " ".join(f"`{mask}`" for mask in masks_of(kind)) for kind in PERSONAL_KINDS}
    assert {kind: rows[kind] for kind in PERSONAL_KINDS} == wanted


def test_the_policy_of_the_page_can_be_set(tmp_path):
    (example,) = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "gieok.toml").write_text(example, encoding="utf-8")
    settings = load(tmp_path / "gieok.toml", environment={})
    assert (settings.pii_phone, settings.pii_email, settings.pii_card, settings.pii_turns) == (
        "ask",
        "keep",
        "drop",
        "mask",
    )
