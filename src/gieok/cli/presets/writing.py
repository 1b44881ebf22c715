"""A settings file to begin with: what a preset sets, and all the rest to be taken up where it is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from gieok.cli.presets.meanings import as_toml, defaults, groups, meanings
from gieok.errors import InvalidSetting
from gieok.presets import Preset, described

_COLUMN: Final = 34  #: where what a value means begins
_HEAD: Final = """\
# Settings of gieok, written by `{command}`.
# They are read from gieok.toml in the folder where gieok is started; GIEOK_CONFIG names another file. What a call or a
# GIEOK_* variable sets comes first. A line like `# recall_k = 8` shows a default: take the # away to set it. "…" stands
# for a value of yours. Keys and passwords are better in variables (GIEOK_KEY, GIEOK_LLM_KEY).
"""
_PRESET: Final = """
preset = "{name}"

# {about}
# From "{document}"; `gieok presets {name}` says more.
# A value that is taken out here is still the preset's, as long as the preset is named.
"""


def settings_file(name: str | None = None) -> str:
    """Return a settings file for the preset `name`; None: one in which nothing is set. Raises `UnknownPreset`."""
    chosen = None if name is None else described(name)
    command = "gieok init" if chosen is None else f"gieok init --preset {chosen.name}"
    parts = [_HEAD.format(command=command)]
    if chosen is not None:
        parts += [_PRESET.format(name=chosen.name, about=chosen.about, document=chosen.document), *_set(chosen)]
    return "".join([*parts, *_left({"preset"} | {each.name for each in chosen.values} if chosen else set())])


def _set(preset: Preset) -> Iterator[str]:
    for source, values in groupby(preset.values, key=lambda each: each.source):
        yield f"\n# {source}\n"
        for each in values:
            yield _line(f"{each.name} = {as_toml(each.value)}", meanings()[each.name])


def _left(there: set[str]) -> Iterator[str]:
    """Yield what is not set, by group, as comments."""
    for group in groups():
        rest = {name: words for name, words in group.settings.items() if name not in there}
        if rest:
            yield f"\n## {group.title}\n"
        for name, words in rest.items():
            yield _line(f"# {name} = {as_toml(defaults()[name])}", words)


def _line(setting: str, meaning: str) -> str:
    return f"{setting:<{_COLUMN}}  # {meaning}\n"


def write(path: Path, text: str) -> None:
    """Write `text` to a file that is not there yet: all of it, or nothing. Raises `InvalidSetting`, or `OSError`."""
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError as cause:
        raise InvalidSetting(
            f"{path} is there already, and nothing was written; name another file (--file other.toml), or move it away"
        ) from cause
    try:
        with file:
            file.write(text)
    except OSError:
        path.unlink()
        raise
