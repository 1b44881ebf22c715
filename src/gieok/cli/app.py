"""All commands by name, with their help and usage errors in the language of the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from gieok.cli.console import asides, terminal_words, text
from gieok.cli.handover import HELP, asked_command
from gieok.errors import GieokError
from gieok.words import Words

#: The panels of `gieok --help` with their commands.
PANELS: Final[Mapping[str, Sequence[str]]] = {
    panel: commands.split()
    for panel, commands in {
        "start": "demo chat init presets",
        "talk": "observe recall context trace explain",
        "known": "facts about-me scopes",
        "story": "relationship people scenes emotions timeline",
        "change": "correct pin review forget rewind reroll edit history undo",
        "erase": "erase scrub erasures lift hold retain",
        "serve": "serve mcp keys warm",
        "upkeep": "maintain doctor reader reindex copy migrate export bench import audit cluster eval",
        "safety": "backup restore rekey",
    }.items()
}
#: The module of a command that has another name.
_HOMES: Final = {
    "presets": "init",
    "talk": "observe recall context trace reroll edit",
    "memories": "facts scopes timeline correct pin review forget rewind history undo",
    "privacy": "about-me erase scrub erasures lift hold retain audit",
    "relationship": "people scenes emotions",
    "serve": "mcp",
    "resident": "warm",
    "maintain": "reindex",
    "banks": "copy migrate export import cluster backup restore rekey",
}
_MODULES: Final = {name: name for names in PANELS.values() for name in names} | {
    name: module for module, names in _HOMES.items() for name in names.split()
}
_GROUPS: Final = ("keys", "audit", "cluster", "eval", "reader")
_UsageError: Final[Any] = typer.BadParameter.__mro__[1]  # Typer exports this subclass of it alone


class NotInstalled(GieokError):
    """A command needs a package that is not installed."""


class _Explained:
    """A command whose help comes from the catalogue when it is shown."""

    def format_usage(self: Any, context: Any, formatter: Any) -> None:
        words = terminal_words()
        self.options_metavar = words("cli_help.options_metavar")
        self.subcommand_metavar = words("cli_help.subcommand_metavar")
        pieces = " ".join(self.collect_usage_pieces(context))
        formatter.write_usage(context.command_path, pieces, prefix=words("cli_help.usage"))

    def format_help(self: Any, context: Any, formatter: Any) -> None:
        from typer import rich_utils

        words = terminal_words()
        for name, title in words.some("cli_help.typer").items():
            setattr(rich_utils, name, title)
        explain(self, tuple(context.command_path.split()[1:]), words)
        self.get_help_option(context).help = words("cli_help.options.help")
        super().format_help(context, formatter)  # type: ignore[misc]  # the command beside it


class _Command(_Explained, TyperCommand):  # type: ignore[misc]  # the mixin's `self` is any command
    """A command."""


class _Group(_Explained, TyperGroup):  # type: ignore[misc]  # as above
    def resolve_command(self, context: Any, arguments: list[str]) -> Any:
        name = arguments[0]
        if name not in self.commands and not context.resilient_parsing and not name.startswith("-"):
            words = terminal_words()
            similar = [f"{context.command_path} {each}" for each in get_close_matches(name, self.commands)]
            context.fail(words("cli_help.errors.no_such_command", name=repr(name)) + _similar(similar, words))
        return super().resolve_command(context, arguments)


def explain(command: Any, path: Sequence[str], words: Words) -> None:
    """Set the help of `command`, of its parameters and of all commands below it, in the language of `words`."""
    try:
        own = words.some(".".join(("cli_help.commands", *path)))
    except KeyError:  # a command of another package brings its own help
        return
    shared, panels = words.some("cli_help.options"), words.some("cli_help.option_panels")
    if path[:1] == ("eval",):
        shared |= words.some("cli_help.eval_options")
    command.help = own["help"]
    for parameter in command.params:
        parameter.help = own.get(parameter.name) or shared.get(parameter.name) or parameter.help
        parameter.rich_help_panel = panels.get(parameter.rich_help_panel, parameter.rich_help_panel)
    if isinstance(command, TyperGroup):
        titles = words.some("cli_help.panels")
        commands: dict[str, Any] = dict(command.commands)
        for name, each in commands.items():
            explain(each, (*path, name), words)
            each.rich_help_panel = titles.get(each.rich_help_panel, each.rich_help_panel)


def run(arguments: Sequence[str]) -> int:
    command = typer.main.get_command(app_for(arguments))
    try:
        return command.main(list(arguments), prog_name="gieok", standalone_mode=False) or 0
    except typer.Abort:
        return 1
    except _UsageError as trouble:
        if type(trouble).__name__ != "NoArgsIsHelpError":  # that one has shown the help
            from rich.panel import Panel

            console, words, context = asides(), terminal_words(), trouble.ctx
            if context is not None:
                console.print(context.get_usage(), style="bold")
                console.print(words("cli_help.errors.try", command=context.command_path), style="bright_black")
            title = words("cli_help.errors.title")
            console.print(Panel(_usage_error(trouble, words), border_style="red", title=title, title_align="left"))
        return int(trouble.exit_code)


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """Return the app with the command that is asked for; without one, with names alone, for the list of commands."""
    asked = asked_command(arguments)
    if asked in _MODULES:
        return _app([asked])
    return whole_app() if "_GIEOK_COMPLETE" in os.environ else _app(())


def whole_app() -> typer.Typer:
    return _app(_MODULES)


def module_of(command: str) -> str:
    return f"gieok.cli.{_MODULES[command]}"


def _app(loaded: Collection[str]) -> typer.Typer:
    app = typer.Typer(
        name="gieok",
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_show_locals=False,
        context_settings={"help_option_names": list(HELP)},
    )
    app.callback()(gieok)
    for panel, commands in PANELS.items():
        for name in commands:
            if loaded and name not in loaded:
                continue
            if name == "eval" and loaded:
                _add_eval(app, panel)
            elif name in _GROUPS and loaded:
                app.add_typer(_group(name), name=name, cls=_Group, rich_help_panel=panel, no_args_is_help=True)
            else:
                app.command(name, cls=_Command, rich_help_panel=panel)(_function(name) if loaded else lambda: None)
    return app


def _group(name: str) -> typer.Typer:
    app = typer.Typer()
    for each, function in import_module(module_of(name)).GROUPS[name].items():
        app.command(each, cls=_Command)(function)
    return app


def _function(name: str) -> Callable[..., None]:
    module = import_module(module_of(name))
    found: Callable[..., None] = getattr(module, "import_" if name == "import" else name.replace("-", "_"))
    return found


def _add_eval(app: typer.Typer, panel: str) -> None:
    found = next(iter(entry_points(group="gieok.commands", name="eval")), None)
    if found is not None:
        commands = found.load()
        for each in commands.registered_commands:
            each.cls = _Command
        app.add_typer(commands, name="eval", cls=_Group, rich_help_panel=panel, no_args_is_help=True)
    else:
        anything = {"allow_extra_args": True, "ignore_unknown_options": True}
        app.command("eval", cls=_Command, rich_help_panel=panel, context_settings=anything)(_missing_eval)


def _missing_eval() -> None:
    raise NotInstalled(text("errors.no_evals"))


def _version(wanted: bool) -> None:
    if wanted:
        from gieok import __version__

        typer.echo(f"gieok {__version__}")
        raise typer.Exit


def gieok(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True)] = False,
    as_name: Annotated[str | None, typer.Option("--as", metavar="NAME")] = None,
) -> None:
    from gieok.cli.common import acting_as_person

    context.with_resource(acting_as_person(as_name))


def _usage_error(trouble: Any, words: Words) -> str:
    match type(trouble).__name__:
        case "NoSuchOption":
            wrong = words("cli_help.errors.no_such_option", option=trouble.option_name)
            return wrong + _similar(trouble.possibilities, words)
        case "MissingParameter" if trouble.param is not None:
            return words("cli_help.errors.missing", what=trouble.param.get_error_hint(trouble.ctx))
        case "BadParameter" if trouble.param is not None:
            what = trouble.param.get_error_hint(trouble.ctx)
            return words("cli_help.errors.bad_value", what=what, expected=_expected(trouble.param.type, words))
        case "BadParameter":
            return f"{trouble.param_hint}: {trouble.message}"
    return str(trouble.format_message())


def _similar(names: Sequence[str] | None, words: Words) -> str:
    return words("cli_help.errors.similar", names=", ".join(sorted(names))) if names else ""


def _expected(kind: Any, words: Words) -> str:
    """Return what a parameter takes: its choices, or the kind of a number with its bounds."""
    if choices := getattr(kind, "choices", None):
        return ", ".join(choices)
    named = words(f"cli_help.kinds.{'float' if 'float' in kind.name else 'int' if 'int' in kind.name else 'text'}")
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    bounds = (f"≥ {low:g}" if low is not None else "", f"≤ {high:g}" if high is not None else "")
    return " ".join(filter(None, (named, *bounds)))
