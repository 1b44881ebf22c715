"""The presets explained, and a settings file to begin with."""

import re
from dataclasses import fields, replace

import pytest

import gieok
from gieok.cli.presets import explained, overview, settings_file
from gieok.presets import DEFAULT, PRESETS, described, preset
from gieok.settings import Settings, load
from gieok.words import LANGUAGES, words_in
from support.screen import drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_presets_side_by_side_and_one_value_by_value(on_file, language):
    words = words_in(language)
    chosen = [described(name) for name in (DEFAULT, *PRESETS)]
    shown = [overview(chosen, words), explained(described("heroine"), words)]
    on_file(f"presets-{language}", "\n".join(drawn(each, width) for each in shown for width in (80, 120)))


def test_the_list_names_every_preset_and_the_way_on(run):
    ran = run("presets")
    assert ran.code == 0
    assert all(f"\n{name} " in ran.out for name in (DEFAULT, *PRESETS))
    assert "gieok presets" in ran.out


def test_every_value_is_told_as_json_with_its_source_its_default_and_its_meaning(run):
    told = run("presets", "--json").record
    assert [each["name"] for each in told] == [DEFAULT, *PRESETS]
    for each in told[1:]:
        assert {value["name"]: value["value"] for value in each["values"]} == preset(each["name"])
    values = [value for each in told for value in each["values"]]
    assert all(value["source"] and value["meaning"] for value in values)
    assert all(value["default"] == getattr(Settings(), value["name"]) for value in values)
    assert run("presets", "care", "--json").record == next(each for each in told if each["name"] == "care")


def test_the_default_is_what_holds_without_a_preset_and_tells_of_all_that_a_preset_sets():
    told = {each.name: each.value for each in described(DEFAULT).values}
    assert told == {name: getattr(Settings(), name) for name in told}
    assert set(told) == {each for name in PRESETS for each in preset(name)}


def test_an_unknown_preset_is_told_by_its_nearest_name_and_nothing_is_written(run, tmp_path):
    assert run("presets", "heroin").err == "gieok: 프리셋 'heroin'은 없어요. 혹시 heroine인가요?\n"
    ran = run("init", "--preset", "vtubr")
    assert (ran.code, ran.err) == (1, "gieok: 프리셋 'vtubr'는 없어요. 혹시 vtuber인가요?\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", PRESETS)
def test_what_init_writes_is_the_preset(run, tmp_path, name):
    ran = run("init", "--preset", name)
    assert ran.code == 0, ran.err
    assert load(tmp_path / "gieok.toml", environment={}) == load(environment={}, given={"preset": name})


def test_a_bank_opened_beside_it_is_of_that_preset(run):
    run("init", "--preset", "heroine")
    with gieok.open("memories.db") as bank:
        assert bank.settings.as_preset("heroine") == bank.settings


def test_without_a_preset_nothing_is_set_and_everything_is_there(run, tmp_path):
    assert "GIEOK_CONFIG=mine.toml" in run("init", "--file", "mine.toml").out
    written = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    assert load(tmp_path / "mine.toml", environment={}) == Settings()
    shown = re.findall(r"^# (\w+) = .+  # .+$", written, re.MULTILINE)
    assert sorted(shown) == sorted(each.name for each in fields(Settings))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [None, *PRESETS])
def test_every_line_that_is_taken_up_sets_its_default(tmp_path, name, language):
    lines = settings_file(name, words_in(language)).splitlines()
    taken = [re.sub(r'^# (?=\w+ = (?!"…"))', "", line) for line in lines]
    assert taken != lines
    (tmp_path / "gieok.toml").write_text("\n".join(taken), encoding="utf-8")
    expected = Settings() if name is None else load(environment={}, given={"preset": name})
    assert replace(load(tmp_path / "gieok.toml", environment={}), preset=name) == expected


def test_a_file_that_is_there_is_left_alone(run, tmp_path):
    (tmp_path / "gieok.toml").write_text('language = "en"\n')
    assert "--file" in run("init", "--preset", "care").refused
    assert (tmp_path / "gieok.toml").read_text() == 'language = "en"\n'


def test_a_folder_that_is_not_there_is_told(run):
    assert "nowhere/gieok.toml: No such file or directory" in run("init", "--file", "nowhere/gieok.toml").refused


def test_the_file_of_a_preset(on_file):
    parts = (settings_file("heroine", words_in(language)).partition("\n## ")[0] for language in LANGUAGES)
    on_file("init-heroine", "\n\n".join(parts))
