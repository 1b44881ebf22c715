"""`gieok presets` and `gieok init`: the five systems as settings, explained, and a settings file to begin with."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gieok.cli.common import AsJson
from gieok.cli.console import answers, print_json
from gieok.errors import InvalidSetting
from gieok.presets import DEFAULT, PRESETS, Preset, Sourced, described
from gieok.settings import Settings

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

    answers().print(overview() if name is None else explained(chosen[0]))


def _record(preset: Preset) -> dict[str, Any]:

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
    from gieok.settings import FILE_NAME

    write(file, settings_file(preset))
    how = "gieok reads it here" if file == Path(FILE_NAME) else f"gieok reads it with GIEOK_CONFIG={file}"
    answers().print(f"written: {file}; {how}, and `gieok doctor` says what is set", soft_wrap=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningsGroup:
    """Settings that belong together, each with its meaning."""

    title: str
    settings: Mapping[str, str]


@cache
def groups() -> tuple[MeaningsGroup, ...]:
    told = tomllib.loads((files(__package__) / "presets.toml").read_text(encoding="utf-8"))
    return tuple(MeaningsGroup(title=each["title"], settings=each["settings"]) for each in told["group"])


@cache
def meanings() -> dict[str, str]:
    return {name: words for group in groups() for name, words in group.settings.items()}


@cache
def defaults() -> dict[str, Any]:
    return {each.name: each.default for each in fields(Settings)}


def as_toml(value: object) -> str:
    """Return `value` as TOML; "…" stands for one that is not set."""
    match value:
        case None:
            return '"…"'
        case bool():
            return str(value).lower()
        case str() | int():
            return json.dumps(value, ensure_ascii=False)  # its strings are TOML's, too
        case list():
            return f"[{', '.join(map(as_toml, value))}]"
    return repr(value)


_DIM: Final = "bright_black"
_OWN: Final = "bold green"  #: other than the default
_NAME: Final = "cyan"


def overview() -> RenderableType:
    """Return what each preset is for, and the values in which they differ from the default and one another."""
    chosen = [described(name) for name in (DEFAULT, *PRESETS)]
    return Group(
        _purposes(chosen), Text(), _differences(chosen), Text(), Text("gieok presets NAME explains one", style=_DIM)
    )


def _purposes(chosen: Sequence[Preset]) -> Table:
    table = _table("preset", "what it is for")
    for each in chosen:
        about = Text.assemble(each.about, (f' From "{each.document}".' if each.name != DEFAULT else "", _DIM))
        table.add_row(Text(each.name, style=_NAME), about)
    return table


def _differences(chosen: Sequence[Preset]) -> Table:
    """Return the settings that a preset has otherwise; where one leaves it as it is, its cell is empty."""
    table = _table("setting", *(each.name for each in chosen), room=1)
    table.columns[0].no_wrap = True
    values = [{each.name: each.value for each in one.values} for one in chosen]
    for name, default in values[0].items():
        others = [own.get(name, default) for own in values[1:]]
        if any(other != default for other in others):
            cells = [Text("" if other == default else _bare(other), style=_OWN) for other in others]
            table.add_row(Text(name), Text(_bare(default), style=_DIM), *cells)
    return table


def _bare(value: object) -> str:
    return value if isinstance(value, str) else as_toml(value)


def explained(preset: Preset) -> RenderableType:
    """Return every value of `preset` with its meaning and its source, and what its document asks of every bank."""
    head = Text.assemble((preset.name, f"bold {_NAME}"), f": {preset.about}")
    shown: list[RenderableType] = [head]
    if preset.name != DEFAULT:
        shown.append(Text(f'From "{preset.document}". What is not here keeps its default.', style=_DIM))
    shown += [Text(), _by_source(preset.values, _setting)]
    if preset.rules:
        note = "What its document asks for and every bank does, whatever is set; names as in gieok.domain:"
        shown += [Text(), Text(note), Text(), _by_source(preset.rules, _rule)]
    return Group(*shown)


def _by_source(values: Sequence[Sourced], row: Callable[[Sourced], tuple[Text, ...]]) -> RenderableType:
    """Return the values, those of one source below it; all in the same columns."""
    rows = [row(each) for each in values]
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    shown: list[RenderableType] = []
    for source, group in groupby(zip(values, rows, strict=True), key=lambda each: each[0].source):
        grid = Table.grid(padding=(0, 2, 0, 0))
        for width in widths[:-1]:
            grid.add_column(width=width)
        for _, cells in group:
            grid.add_row(*cells)
        shown += [Text(source, style=_DIM), Padding(grid, (0, 0, 0, 2))]
    return Group(*shown)


def _setting(each: Sourced) -> tuple[Text, ...]:
    default = defaults()[each.name]
    other = each.value != default
    instead = Text(f"not {_bare(default)}" if other else "", style=_DIM)
    return Text(each.name, style=_NAME), Text(_bare(each.value), style=_OWN), instead, Text(meanings()[each.name])


def _rule(each: Sourced) -> tuple[Text, ...]:
    return Text(each.name, style=_NAME), Text(_bare(each.value))


def _table(*headings: str, room: int = 2) -> Table:
    table = Table(box=None, padding=(0, room, 0, 0), show_edge=False, header_style=_DIM)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


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
