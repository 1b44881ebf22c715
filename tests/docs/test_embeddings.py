"""The page on embeddings: its example runs, and its tables are those of the code."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from gieok.embedders.endpoint import known_models
from gieok.ports.endpoints import PROVIDERS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "embeddings.md"


def cells(row: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def rows(after: str) -> list[list[str]]:
    """Return the rows of the table whose head begins with `after`."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(f"| {after} |") :].split("\n\n")[0]
    return [cells(row) for row in table.splitlines()[2:]]


def test_the_example_runs(tmp_path, monkeypatch):
    spec = spec_from_file_location("readme", Path(__file__).with_name("test_readme.py"))
    assert spec is not None
    assert spec.loader is not None
    readme = module_from_spec(spec)
    spec.loader.exec_module(readme)
    monkeypatch.chdir(tmp_path)
    readme.run(PAGE, monkeypatch)


def test_every_provider_is_there_with_its_address_and_keys():
    told = {name.strip("`").partition(":")[0]: (where, key) for name, where, key in rows("`embedder`")}
    assert set(told) == set(PROVIDERS)
    for name, provider in PROVIDERS.items():
        where, key = told[name]
        assert f"`{provider.url}`" in where
        assert re.findall(r"[A-Z_]{5,}", where) == [provider.url_variable] * bool(provider.url_variable)
        assert tuple(re.findall(r"[A-Z_]{5,}", key)) == provider.key_variables


def test_every_known_model_is_there_with_its_dimensions_and_words():
    told = {
        name.strip("`"): (int(dimension), shortens == "yes", re.findall("`([^`]*)`", before))
        for name, dimension, shortens, before in rows("Model")
    }
    assert told == {
        model.name: (model.dimension, model.shortens, [each for each in (model.query, model.document) if each])
        for model in known_models().values()
    }
