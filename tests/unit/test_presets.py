"""Presets: settings as data, which fill in what nothing else sets."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

from gieok.errors import InvalidSetting, UnknownPreset
from gieok.presets import DOCUMENT, PRESETS, described, preset
from gieok.settings import Settings, load

RANKS_AND_ASSEMBLES = ("weights_", "recency_", "recall_", "recent_", "context_", "caps_", "combine", "search_turns")
MEASURES_AND_SEARCHES = ("tokens", "keyword", "sharing")
KEEPS_UP = ("upkeep",)
WITH_A_MODEL = ("deep_extraction", "director", "behind_the_scenes", "model_emotion", "llm_cooldown")
SAYS = RANKS_AND_ASSEMBLES + MEASURES_AND_SEARCHES + KEEPS_UP + WITH_A_MODEL


def of_the_domain(name: str) -> Any:
    """What stands in `gieok.domain` under `name`: a constant, an entry of a mapping, the default of a field."""
    module, *rest = name.split(".")
    found: Any = import_module(f"gieok.domain.{module}")
    for part in rest:
        if is_dataclass(found):
            [field] = [each for each in fields(found) if each.name == part]
            found = field.default if field.default is not MISSING else field.default_factory()  # type: ignore[misc]  # one of the two is there
        else:
            found = found[part] if hasattr(found, "keys") else getattr(found, part)
    return list(get_args(found) or found) if isinstance(found, tuple) or get_args(found) else found


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_how_to_rank_assemble_and_keep_up_and_nothing_else(name: str) -> None:
    assert [each for each in preset(name) if not each.startswith(SAYS)] == []


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_has_a_source_in_its_document_and_stands_once(name: str) -> None:
    told = described(name + DOCUMENT)

    assert len({each.name for each in told.values}) == len(told.values)
    assert [each.name for each in (*told.values, *told.rules) if not each.source.startswith('"')] == []
    assert "place" not in Settings.__slots__  # what a group names its source by


def test_what_a_preset_says_of_every_bank_is_so_in_the_code() -> None:
    rules = [each for name in PRESETS for each in described(name).rules]

    assert len(rules) > 40
    assert {each.name: each.value for each in rules} == {each.name: of_the_domain(each.name) for each in rules}


def test_a_preset_that_is_no_name_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text('preset = ["heroine"]\n')
    with pytest.raises(InvalidSetting, match="preset must be text"):
        load(file, environment={})


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_weighs_every_part(name: str) -> None:
    weights = {each for each in preset(name) if each.startswith("weights_")}
    assert weights == {each for each in Settings.__slots__ if each.startswith("weights_")}


@pytest.mark.parametrize("name", PRESETS)
def test_every_value_of_a_preset_is_a_setting(name: str) -> None:
    settings = load(environment={}, given={"preset": name})

    assert settings.preset == name
    assert {each: getattr(settings, each) for each in preset(name)} == preset(name)


def test_without_a_preset_the_defaults_hold() -> None:
    assert load(environment={}) == Settings()
    assert Settings().preset is None


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("heroin", "did you mean heroine?"),
        ("heroine:documents", "did you mean heroine:document?"),
        ("zzz", "choose one of care, character, heroine, social, vtuber"),
    ],
)
def test_an_unknown_preset_names_the_closest_one_or_all(name: str, way_out: str) -> None:
    with pytest.raises(UnknownPreset, match=f"unknown preset '{name}'; ") as caught:
        load(environment={"GIEOK_PRESET": name})
    assert str(caught.value).endswith(way_out)


def test_file_environment_and_call_each_beat_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text('preset = "heroine"\nrecall_k = 3\n[weights]\nrecency = 0.4\n')
    environment = {"GIEOK_WEIGHTS_KEYWORD": "0.9"}
    settings = load(file, environment=environment, given={"recency_days": 7.0})

    assert (settings.recall_k, settings.weights_recency) == (3, 0.4)
    assert settings.weights_keyword == 0.9
    assert settings.recency_days == 7.0
    assert settings.weights_relevance == preset("heroine")["weights_relevance"]


def test_what_is_set_to_its_default_is_set(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text(f'preset = "care"\nrecent_turns = {Settings().recent_turns}\n')

    assert load(file, environment={}).recent_turns == Settings().recent_turns


def test_of_two_presets_the_nearer_one_counts_alone(tmp_path: Path) -> None:
    file = tmp_path / "gieok.toml"
    file.write_text('preset = "care"\n')

    assert load(file, environment={"GIEOK_PRESET": "vtuber"}) == load(environment={}, given={"preset": "vtuber"})
    assert load(file, environment={"GIEOK_PRESET": "vtuber"}, given={"preset": "social"}).preset == "social"


def test_the_windows_are_those_of_the_systems() -> None:
    windows = {name: load(environment={}, given={"preset": name + DOCUMENT}) for name in PRESETS}

    assert {name: each.recent_turns for name, each in windows.items() if not each.recent_messages} == {
        "care": 10,
        "heroine": 8,
        "social": 8,
        "vtuber": 6,
    }
    assert (windows["character"].recent_messages, windows["character"].context_said) == (30, 5)
    assert [name for name, each in windows.items() if not each.search_turns] == ["vtuber"]


@pytest.mark.parametrize("name", [*PRESETS, *(name + DOCUMENT for name in PRESETS)])
def test_settings_as_a_preset_are_those_of_a_bank_that_names_nothing_else(name: str) -> None:
    changed = Settings(bank="mine.db", language="en", weights_graph=0.9, recall_k=3, caps_pinned=7, context_said=1)

    assert changed.as_preset(name) == load(environment={}, given={"preset": name, "bank": "mine.db", "language": "en"})
    assert changed.as_preset(name).as_preset(None) == Settings(bank="mine.db", language="en")
