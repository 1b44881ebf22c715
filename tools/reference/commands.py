"""docs/cli.md: every command with its arguments and options, as the command line has them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from typer.main import get_command

from gieok.cli.app import explain, whole_app
from gieok.words import words_in

#: Options that mean the same wherever they stand: told once.
SHARED: Mapping[str, str] = {
    "--bank": "a file, or `postgresql://…` (default: `GIEOK_BANK`, then `bank` in `gieok.toml`, then `./gieok.db`)",
    "--user": "the user who talks",
    "--character": "the character who remembers",
    "--world": "the story's world. If the bank holds one scope only, all three may be left out",
    "--json": "JSON on standard output, and nothing else",
    "--at": "when it happens in the story, ISO 8601; without an offset in the zone of the settings (default: now)",
}
SCOPE = words_in("en")("cli_help.option_panels.scope")
PLAINLY = {"STR": "TEXT", "STRING": "TEXT", "INT": "N", "INTEGER": "N", "INT RANGE": "N", "INTEGER RANGE": "N"}
HEAD = """\
# The command line

Every command, by what it is for. Written by `make reference` from the commands themselves; do not edit it by hand.
`gieok --help` lists them, `gieok COMMAND --help` explains one.

Answers go to standard output, progress and errors to standard error. The exit code is 0, 1 if something failed (one
line says what, and what to do), or 2 if the command was called wrongly. On Linux, commands that need
the models keep them loaded for the next ones ([how](tuning.md#commands-in-a-shell)).

The language of the terminal is `GIEOK_LANGUAGE` or `language` in `gieok.toml` where one is set, otherwise that of the
locale (`LC_ALL`, `LC_MESSAGES`, `LANG`): Korean where it is `ko…`, English everywhere else. `--json` has the same keys
in both. An id may be shortened to its last characters, as long as they are unique.
"""


def page() -> str:
    """Return the whole page."""
    root: Any = get_command(whole_app())
    explain(root, (), words_in("en"))
    panels: dict[str, list[tuple[str, Any]]] = {}
    for name, command in root.commands.items():
        panel = f"gieok {name}" if hasattr(command, "commands") else str(command.rich_help_panel)
        panels.setdefault(panel, []).extend(leaves(name, command))
    lines = [HEAD]
    for panel, commands in panels.items():
        short = " · ".join(f"[`{path}`](#gieok-{path.replace(' ', '-')})" for path, _ in commands)
        lines.append(f"- [{panel}](#{panel.lower().replace(' ', '-')}): {short}")
    lines.append("\n## Shared options\n\nMany commands take these options; below only their names are listed.\n")
    lines += ["| Option | |", "|---|---|", *shared(root), ""]
    lines += ["Before the command:", "", "| Option | |", "|---|---|", *(row(each) for each in own(root)), ""]
    for panel, commands in panels.items():
        lines.append(f"## {panel}\n")
        if (group := root.commands.get(panel.removeprefix("gieok "))) is not None:
            lines.append(f"{group.help}\n")
        lines += [told(path, each) for path, each in commands]
    return "\n".join(lines)


def leaves(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield a command, or those below it, each with its words behind `gieok`."""
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, each in command.commands.items():
        yield from leaves(f"{path} {name}", each)


def told(path: str, command: Any) -> str:
    help_ = inspect.cleandoc(command.help or "")
    lines = [f"### gieok {path}\n", f"    {usage(path, command)}\n", f"{help_}\n"]
    if rows := [row(each) for each in (*arguments(command), *own(command)) if row(each)]:
        lines += ["| | |", "|---|---|", *rows, ""]
    if also := [f"`{each.opts[0]}`" for each in command.params if is_shared(each)]:
        lines.append(f"And [shared](#shared-options): {', '.join(also)}.\n")
    return "\n".join(lines)


def usage(path: str, command: Any) -> str:
    words = []
    for each in arguments(command):
        name = named(each)
        words.append(name if each.required else f"[{name}]")
    required = [f"{each.opts[0]} {named(each)}" for each in own(command) if each.required]
    return " ".join(("gieok", path, *words, *required, "[OPTIONS]"))


def named(parameter: Any) -> str:
    """Return what stands for a value."""
    if getattr(parameter, "is_flag", False):
        return ""
    if choices := getattr(parameter.type, "choices", None):
        return "|".join(choices)
    if parameter.metavar:
        return str(parameter.metavar).strip("[]")
    if is_argument(parameter):
        return str(parameter.human_readable_name).upper()
    kind = str(parameter.type.name).upper()
    return PLAINLY.get(kind, kind)


def is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def is_shared(parameter: Any) -> bool:
    """Whether an option is one of those told once. One of the same name that says something else is not."""
    if is_argument(parameter) or parameter.opts[0] not in SHARED:
        return False
    return parameter.opts[0] in ("--bank", "--at", "--json") or parameter.rich_help_panel == SCOPE


def arguments(command: Any) -> list[Any]:
    return [each for each in command.params if is_argument(each)]


def own(command: Any) -> list[Any]:
    return [
        each
        for each in command.params
        if not is_argument(each) and not is_shared(each) and not each.hidden and "completion" not in each.opts[0]
    ]


def row(parameter: Any) -> str:
    if is_argument(parameter):
        return f"| `{cell(named(parameter))}` | {cell(parameter.help or '')} |" if parameter.help else ""
    value = named(parameter)
    names = ", ".join(f"`{each}`" for each in (*parameter.opts, *parameter.secondary_opts))
    if value:
        names = f"`{parameter.opts[0]} {cell(value)}`" + "".join(f", `{each}`" for each in parameter.opts[1:])
    return f"| {names} | {cell(says(parameter))} |"


def says(parameter: Any) -> str:
    help_ = parameter.help or str(parameter.rich_help_panel or "")
    shown = parameter.default
    plain = shown in (None, False, True, "", ()) or callable(shown) or parameter.required
    return help_ if plain or "default" in help_ else f"{help_.rstrip('.')} (default: {shown})."


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def shared(root: Any) -> Iterator[str]:
    """Yield a row for each shared option, with its short name, as some command has it."""
    every = [
        each for name, command in root.commands.items() for _, leaf in leaves(name, command) for each in leaf.params
    ]
    for name, meaning in SHARED.items():
        option = next(each for each in every if is_shared(each) and each.opts[0] == name)
        value = named(option)
        first = f"`{name} {value}`" if value else f"`{name}`"
        yield f"| {first}{''.join(f', `{each}`' for each in option.opts[1:])} | {meaning} |"
