"""The page on settings: every setting stands in it, with its default."""

import re
from dataclasses import fields
from pathlib import Path

from gieok.settings import Settings, load

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


def shown(default: object) -> str:
    match default:
        case None:
            return "–"
        case bool():
            return f"`{str(default).lower()}`"
        case str():
            return f'`"{default}"`'
    return f"`{default}`"


def test_every_setting_is_there_once_with_its_default():
    told = re.findall(r"^\| `(\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
    assert sorted(told) == sorted((each.name, shown(each.default)) for each in fields(Settings))


def test_the_page_and_the_files_that_init_writes_say_the_same_of_every_setting():
    from gieok.cli.presets.meanings import groups

    told = {}
    for title, section in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL):
        rows = re.findall(r"^\| `(\w+)` \| .*? \| (.*?) \|$", section, re.MULTILINE)
        told[title] = [(name, re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)) for name, words in rows]
    assert {title: rows for title, rows in told.items() if rows} == {
        group.title: list(group.settings.items()) for group in groups()
    }
    assert not [name for rows in told.values() for name, words in rows if not words]


def test_the_example_is_a_settings_file(tmp_path):
    (example,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "gieok.toml").write_text(example, encoding="utf-8")
    settings = load(tmp_path / "gieok.toml", environment={})
    assert (settings.bank, settings.language, settings.weights_recency) == ("memories.db", "en", 0.2)


def test_what_is_said_of_retention_can_be_set():
    (example,) = re.findall(r'is kept: "([^"]+)"', PAGE)
    assert load(environment={"GIEOK_RETAIN": example}).retention
