"""The page on models: its examples run, and its tables are those of the code."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import get_args

from gieok.domain.answer import Task
from gieok.ports.endpoints import PROVIDERS

PAGE = Path(__file__).parents[2] / "docs" / "models.md"


def rows(after: str) -> list[list[str]]:
    """Return the rows of the table whose head begins with `after`."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(f"| {after} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:]]


def test_the_examples_run(tmp_path, monkeypatch):
    spec = spec_from_file_location("readme", Path(__file__).with_name("test_readme.py"))
    assert spec is not None
    assert spec.loader is not None
    readme = module_from_spec(spec)
    spec.loader.exec_module(readme)
    monkeypatch.chdir(tmp_path)
    readme.run(PAGE, monkeypatch)


def test_every_provider_is_there_with_its_address_and_keys():
    told = {name.strip("`").partition(":")[0]: (where, key) for name, where, key in rows("`llm`, `llm_deep`")}
    assert set(told) == {*PROVIDERS, "gguf"}
    for name, provider in PROVIDERS.items():
        where, key = told[name]
        assert f"`{provider.url}`" in where
        assert re.findall(r"[A-Z_]{5,}", where) == [provider.url_variable] * bool(provider.url_variable)
        assert tuple(re.findall(r"[A-Z_]{5,}", key)) == provider.key_variables


def test_every_task_is_there():
    told = {task for row in rows("Task") for task in re.findall(r"`(\w+)`", row[0])}
    assert told == set(get_args(Task)) - {"embed"}
