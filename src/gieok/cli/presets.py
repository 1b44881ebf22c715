"""`gieok presets` and `gieok init`: the five systems as settings, explained, and a settings file to begin with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gieok.cli.common import AsJson
from gieok.cli.console import DIM, answers, show, terminal_words, text
from gieok.cli.table import Column, Listing
from gieok.errors import InvalidSetting
from gieok.presets import DEFAULT, DOCUMENT, PRESETS, Preset, Sourced, described
from gieok.settings import FILE_NAME, Settings
from gieok.words import Words

_OWN: Final = "bold green"  #: other than the default
_NAME: Final = "cyan"
_MEANING_AT: Final = 34  #: the column of a settings file where what a value means begins


def presets(name: Annotated[str | None, typer.Argument(metavar="[NAME]")] = None, as_json: AsJson = False) -> None:
    words = terminal_words()
    chosen = [described(each) for each in ((DEFAULT, *PRESETS) if name is None else (name,))]
    records = [_record(each, words) for each in chosen] if as_json else []
    if name is None:
        show(records, lambda: overview(chosen, words), as_json)
    else:
        show(records[0] if records else None, lambda: explained(chosen[0], words), as_json)


def _record(preset: Preset, words: Words) -> dict[str, Any]:
    def rule(each: Sourced) -> dict[str, Any]:
        return {"name": each.name, "value": each.value, "source": each.source}

    def setting(each: Sourced) -> dict[str, Any]:
        return rule(each) | {"default": defaults()[each.name], "meaning": meanings(words)[each.name]}

    return {
        "name": preset.name,
        "about": preset.about,
        "document": preset.document,
        "values": [setting(each) for each in preset.values],
        "rules": [rule(each) for each in preset.rules],
    }


def init(
    preset: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    file: Annotated[Path, typer.Option(metavar="PATH")] = Path(FILE_NAME),
) -> None:
    write_new(file, settings_file(preset, terminal_words()))
    how = text("presets.read_here") if file == Path(FILE_NAME) else text("presets.read_with", file=file)
    answers().print(text("presets.written", file=file, how=how), soft_wrap=True)


def groups(words: Words) -> dict[str, dict[str, str]]:
    """Return the meaning of every setting, by the title of its group and its name."""
    return {title: words.some(f"settings.{group}") for group, title in words.some("settings.titles").items()}


def meanings(words: Words) -> dict[str, str]:
    return {name: meaning for group in groups(words).values() for name, meaning in group.items()}


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


def _bare(value: object) -> str:
    return value if isinstance(value, str) else as_toml(value)


def overview(chosen: Sequence[Preset], words: Words) -> RenderableType:
    """Return what each preset is for, and the values in which they differ from the default and one another."""

    def purpose(each: Preset) -> Text:
        source = "" if each.name == DEFAULT else f" {words('cli.presets.source', document=each.document)}"
        return Text.assemble(words(f"cli.presets.about.{each.name}"), (source, DIM))

    columns = (Column("preset", lambda each: each.name, style=_NAME, fold=True), Column("purpose", purpose, fold=True))
    hint = Text(words("cli.presets.explain_one"), style=DIM)
    return Group(Listing(chosen, columns, words), "", _differences(chosen, words), "", hint)


def _differences(chosen: Sequence[Preset], words: Words) -> Listing:
    """Return the settings that differ between presets; a cell is empty where the preset keeps the default."""
    values = [{each.name: each.value for each in one.values} for one in chosen]
    default, *others = values
    rows = [name for name, value in default.items() if any(own.get(name, value) != value for own in others)]

    def cell(own: dict[str, Any]) -> Callable[[str], Text]:
        if own is default:
            return lambda name: Text(_bare(default[name]), style=DIM)
        return lambda name: Text("" if own.get(name, default[name]) == default[name] else _bare(own[name]), style=_OWN)

    columns = [Column("setting", str)]
    columns += [Column(Text(one.name), cell(own), fold=True) for one, own in zip(chosen, values, strict=True)]
    return Listing(rows, columns, words, gap=1)


def explained(preset: Preset, words: Words) -> RenderableType:
    """Return every value of `preset` with its meaning and its source, and what its document asks of every bank."""
    known = meanings(words)

    def setting(each: Sourced) -> tuple[Text, ...]:
        default = defaults()[each.name]
        instead = words("cli.presets.instead_of", default=_bare(default)) if each.value != default else ""
        return Text(each.name, _NAME), Text(_bare(each.value), _OWN), Text(instead, DIM), Text(known[each.name])

    def rule(each: Sourced) -> tuple[Text, ...]:
        return Text(each.name, _NAME), Text(_bare(each.value))

    about = words(f"cli.presets.about.{preset.name.removesuffix(DOCUMENT)}")
    shown: list[RenderableType] = [Text.assemble((preset.name, f"bold {_NAME}"), f": {about}")]
    if preset.name != DEFAULT:
        source = words("cli.presets.source", document=preset.document)
        shown.append(Text(f"{source} {words('cli.presets.rest_default')}", style=DIM))
    shown += ["", *_by_source(preset.values, setting)]
    if preset.rules:
        shown += ["", Text(words("cli.presets.rules")), "", *_by_source(preset.rules, rule)]
    return Group(*shown)


def _by_source(values: Sequence[Sourced], row: Callable[[Sourced], tuple[Text, ...]]) -> Iterator[RenderableType]:
    """Yield the values, those of one source below it; all in the same columns."""
    rows = [row(each) for each in values]
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    columns = [
        Column(None, itemgetter(place), fold=True, width=None if place == last else width)
        for place, width in enumerate(widths)
    ]
    for source, group in groupby(zip(values, rows, strict=True), key=lambda each: each[0].source):
        yield Text(source, style=DIM)
        yield Padding(Listing([cells for _, cells in group], columns), (0, 0, 0, 2))


def settings_file(name: str | None, words: Words) -> str:
    """Return a settings file for the preset `name`; None: one in which nothing is set. Raises `UnknownPreset`."""
    chosen = None if name is None else described(name)
    command = "gieok init" if chosen is None else f"gieok init --preset {chosen.name}"
    lines = [*_comment(words("cli.presets.file.head", command=command))]
    known, there = meanings(words), {"preset"} if chosen else set()
    if chosen is not None:
        about = words(f"cli.presets.about.{chosen.name.removesuffix(DOCUMENT)}")
        told = words("cli.presets.file.preset", about=about, name=chosen.name, document=chosen.document)
        lines += ["", f'preset = "{chosen.name}"', "", *_comment(told)]
        for source, values in groupby(chosen.values, key=lambda each: each.source):
            lines += ["", f"# {source}"]
            lines += [_setting(f"{each.name} = {as_toml(each.value)}", known[each.name]) for each in values]
        there |= {each.name for each in chosen.values}
    for title, settings in groups(words).items():
        rest = [(each, meaning) for each, meaning in settings.items() if each not in there]
        lines += ["", f"## {title}"] if rest else []
        lines += [_setting(f"# {each} = {as_toml(defaults()[each])}", meaning) for each, meaning in rest]
    return "\n".join(lines) + "\n"


def _comment(lines: str) -> list[str]:
    return [f"# {line}" for line in lines.splitlines()]


def _setting(setting: str, meaning: str) -> str:
    return f"{setting:<{_MEANING_AT}}  # {meaning}"


def write_new(path: Path, content: str) -> None:
    """Write `content` to a file that is not there yet: all of it, or nothing. Raises `InvalidSetting`, or `OSError`."""
    try:
        file = path.open("x", encoding="utf-8")
    except FileExistsError as cause:
        raise InvalidSetting(text("errors.file_exists", path=path)) from cause
    try:
        with file:
            file.write(content)
    except OSError:
        path.unlink()
        raise
