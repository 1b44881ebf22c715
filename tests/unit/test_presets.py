"""Presets: settings as data, which fill in what nothing else sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from gieok.errors import UnknownPreset
from gieok.presets import PRESETS, preset
from gieok.settings import Settings, load

RANKS_AND_ASSEMBLES = ("weights_", "recency_", "recall_", "recent_", "context_", "caps_", "combine", "search_turns")
KEEPS_UP = ("upkeep_",)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_how_to_rank_assemble_and_keep_up_and_nothing_else(name: str) -> None:
    assert [each for each in preset(name) if not each.startswith(RANKS_AND_ASSEMBLES + KEEPS_UP)] == []


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
    [("heroin", "did you mean heroine?"), ("zzz", "choose one of care, character, heroine, social, vtuber")],
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
    windows = {name: load(environment={}, given={"preset": name}) for name in PRESETS}

    assert {name: each.recent_turns for name, each in windows.items() if not each.recent_messages} == {
        "care": 10,
        "heroine": 8,
        "social": 8,
        "vtuber": 6,
    }
    assert (windows["character"].recent_messages, windows["character"].context_said) == (30, 5)
    assert [name for name, each in windows.items() if not each.search_turns] == ["vtuber"]


@pytest.mark.parametrize("name", PRESETS)
def test_settings_as_a_preset_are_those_of_a_bank_that_names_nothing_else(name: str) -> None:
    changed = Settings(bank="mine.db", language="en", weights_graph=0.9, recall_k=3, caps_pinned=7, context_said=1)

    assert changed.as_preset(name) == load(environment={}, given={"preset": name, "bank": "mine.db", "language": "en"})
    assert changed.as_preset(name).as_preset(None) == Settings(bank="mine.db", language="en")
