"""Whatever stands in gieok.toml, in the environment or in a file of rules: it is taken, or refused by its name."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gieok
from gieok.errors import GieokError, SettingsError
from gieok.settings import Settings, load
from support import hostile

NAMES = [field.name for field in fields(Settings)]
FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def toml_of(value: object) -> str:
    """Return a value as TOML says it, as far as TOML can."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(each if each.isprintable() else f"\\u{ord(each) % 0xD800:04x}" for each in escaped) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_of(str(key))} = {toml_of(part)}" for key, part in value.items()) + "}"
    return "[]" if value is None else repr(value)


@FIXTURES
@given(name=st.sampled_from(NAMES) | hostile.clean_texts, value=hostile.values)
def test_a_setting_of_a_file_is_taken_or_refused(name: str, value: object, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = f"{toml_of(name)} = {toml_of(value)}\n"
    Path("gieok.toml").write_bytes(told.encode("utf-8", "replace"))
    with suppress(SettingsError):
        assert load().bank


@FIXTURES
@given(data=st.binary(max_size=300) | st.sampled_from(hostile.BODIES))
def test_any_bytes_in_the_file_are_settings_or_refused(data: bytes, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gieok.toml").write_bytes(data)
    with suppress(SettingsError):
        load()


def test_a_setting_of_the_environment_is_taken_or_refused(monkeypatch) -> None:
    for name in NAMES:
        for said in hostile.TEXTS:
            if "\0" in said or not said.isprintable():
                continue  # no environment can hold it
            monkeypatch.setenv(f"GIEOK_{name.upper()}", said[:5_000])
            with suppress(SettingsError):
                load()
        monkeypatch.delenv(f"GIEOK_{name.upper()}")


@FIXTURES
@given(data=st.binary(max_size=300) | st.sampled_from(hostile.BODIES))
def test_a_file_of_rules_is_taken_or_refused(data: bytes, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_bytes(data)
    with (
        gieok.open(tmp_path / "memories.db", embedder="hashing", relationship_rules=str(rules)) as bank,
        suppress(GieokError),
    ):
        assert bank.services.living
