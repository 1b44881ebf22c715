"""`gieok presets` and `gieok init`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gieok.cli.console import answers, print_json
from gieok.cli.options import AsJson

if TYPE_CHECKING:
    from gieok.presets import Preset, Sourced


def presets(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="One of them, or default: each value explained.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the presets side by side, or explain one: every value with its meaning and where it comes from."""
    from gieok.presets import DEFAULT, PRESETS, described

    chosen = [described(each) for each in ((DEFAULT, *PRESETS) if name is None else (name,))]
    if as_json:
        records = [_record(each) for each in chosen]
        print_json(records if name is None else records[0])
        return
    from gieok.cli.presets.tables import explained, overview

    answers().print(overview() if name is None else explained(chosen[0]))


def _record(preset: Preset) -> dict[str, Any]:
    from gieok.cli.presets.meanings import defaults, meanings

    def rule(each: Sourced) -> dict[str, Any]:
        return {"name": each.name, "value": each.value, "source": each.source}

    def setting(each: Sourced) -> dict[str, Any]:
        return rule(each) | {"default": defaults()[each.name], "meaning": meanings()[each.name]}

    return {
        "name": preset.name,
        "about": preset.about,
        "document": preset.document,
        "values": [setting(each) for each in preset.values],
        "rules": [rule(each) for each in preset.rules],
    }


def init(
    preset: Annotated[
        str | None,
        typer.Option(
            "--preset", metavar="NAME", help="Begin with heroine, social, … (see gieok presets).", show_default=False
        ),
    ] = None,
    file: Annotated[Path, typer.Option("--file", metavar="PATH", help="Where to write it.")] = Path("gieok.toml"),
) -> None:
    """Write a settings file to begin with, each setting with what it means. One that is there is left alone."""
    from gieok.cli.presets.writing import settings_file, write
    from gieok.settings import FILE_NAME

    write(file, settings_file(preset))
    how = "gieok reads it here" if file == Path(FILE_NAME) else f"gieok reads it with GIEOK_CONFIG={file}"
    answers().print(f"written: {file}; {how}, and `gieok doctor` says what is set", soft_wrap=True)
