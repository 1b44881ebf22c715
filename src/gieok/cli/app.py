"""All the commands, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Final

import typer

from gieok.cli import audit, backup, banks, evals, imports, keys, memories, privacy, story, talk
from gieok.cli.banks import rekey
from gieok.cli.bench import bench
from gieok.cli.chat import chat
from gieok.cli.demo import demo
from gieok.cli.doctor import doctor
from gieok.cli.maintain import maintain, reindex
from gieok.cli.mcp import mcp
from gieok.cli.presets import init, presets
from gieok.cli.serve import serve
from gieok.cli.story import people, relationship, trace


def _version(wanted: bool) -> None:
    if wanted:
        from gieok import __version__

        typer.echo(f"gieok {__version__}")
        raise typer.Exit


def gieok(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
    as_name: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="NAME", help="In whose name it is done, for the audit log (default: who is logged in)."
        ),
    ] = None,
) -> None:
    """기억 — long-term memory for AI characters, Korean first."""
    from gieok.cli.common import in_the_name_of

    context.with_resource(in_the_name_of(as_name))


_PANELS: Final[Mapping[str, tuple[Callable[..., None], ...]]] = {
    "Try it": (demo, chat, init, presets),
    "Talk and ask": (talk.observe, talk.recall, talk.context, trace),
    "What is known": (memories.facts, privacy.about_me, memories.scopes),
    "How they live": (relationship, people, story.scenes, story.emotions, story.timeline),
    "Put it right": (
        memories.correct,
        memories.pin,
        memories.forget,
        memories.rewind,
        memories.reroll,
        memories.edit,
        memories.history,
        memories.undo,
    ),
    "Let it go": (privacy.erase, privacy.scrub, privacy.erasures, privacy.hold, privacy.retain),
    "Ways in": (serve, mcp),
    "Upkeep": (maintain, doctor, reindex, banks.copy, banks.migrate, privacy.export, bench, imports.import_),
    "Keep it safe": (backup.backup, backup.restore, rekey),
}
_GROUPS: Final = (
    ("audit", audit.app, "Upkeep", "See who did what, when and why."),
    ("keys", keys.app, "Ways in", "Say who may ask a bank that is served."),
    ("cluster", banks.cluster, "Upkeep", "Spread a bank over many machines."),
)


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """Return the app with the command that is asked for, or with all: laying out each of them takes its time."""
    known = {_name(command) for commands in _PANELS.values() for command in commands}
    known.update(name for name, *_ in _GROUPS)
    known.add("eval")
    asked = _asked(arguments)
    wanted = {asked} if asked in known else known
    app = typer.Typer(
        name="gieok",
        no_args_is_help=True,
        pretty_exceptions_show_locals=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(gieok)
    for panel, commands in _PANELS.items():
        for command in commands:
            if _name(command) in wanted:
                app.command(_name(command), rich_help_panel=panel)(command)
    for name, group, panel, told in _GROUPS:
        if name in wanted:
            app.add_typer(group, name=name, rich_help_panel=panel, help=told)
    if "eval" in wanted:
        evals.add_eval(app, "Upkeep")
    return app


def _name(command: Callable[..., None]) -> str:
    return command.__name__.rstrip("_").replace("_", "-")


def _asked(arguments: Sequence[str]) -> str | None:
    rest = iter(arguments)
    for argument in rest:
        if argument in ("-h", "--help"):
            return None
        if argument == "--as":
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return None
