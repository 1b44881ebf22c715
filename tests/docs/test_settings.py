"""The page on settings: every setting stands in it, with its default."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

from gieok.cli.presets import meanings
from gieok.settings import Settings, load

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


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


def test_what_init_and_presets_say_of_every_setting_is_what_the_page_says():
    checked = [sys.executable, str(ROOT / "tools" / "explain_settings.py"), "--check"]
    done = subprocess.run(checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert set(meanings()) == {each.name for each in fields(Settings)}


def test_the_example_is_a_settings_file(tmp_path):
    (example,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "gieok.toml").write_text(example, encoding="utf-8")
    settings = load(tmp_path / "gieok.toml", environment={})
    assert (settings.bank, settings.language, settings.weights_recency) == ("memories.db", "en", 0.2)


def test_what_is_said_of_retention_can_be_set():
    (example,) = re.findall(r'is kept: "([^"]+)"', PAGE)
    assert load(environment={"GIEOK_RETAIN": example}).retention
