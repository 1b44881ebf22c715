"""All the commands, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Final

import typer

from gieok.cli import (
    arriving,
    auditing,
    backing_up,
    disclosing,
    editing,
    erasing,
    evals,
    keys,
    knowing,
    looking_back,
    moving,
    talking,
    versions,
)
from gieok.cli.bench.command import bench
from gieok.cli.chat.command import chat
from gieok.cli.demo.command import demo
from gieok.cli.doctor.command import doctor
from gieok.cli.looking_back import trace
from gieok.cli.maintain import maintain, reindex
from gieok.cli.mcp import mcp
from gieok.cli.people import people
from gieok.cli.presets.command import init, presets
from gieok.cli.rekeying import rekey
from gieok.cli.relating import relationship
from gieok.cli.serve import serve

app = typer.Typer(
    name="gieok",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from gieok import __version__

        typer.echo(f"gieok {__version__}")
        raise typer.Exit


@app.callback()
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
    from gieok.cli.opening import in_the_name_of

    context.with_resource(in_the_name_of(as_name))


_PANELS: Final[Mapping[str, tuple[Callable[..., None], ...]]] = {
    "Try it": (demo, chat, init, presets),
    "Talk and ask": (talking.observe, talking.recall, talking.context, trace),
    "What is known": (knowing.facts, disclosing.about_me, knowing.scopes),
    "How they live": (relationship, people, looking_back.scenes, looking_back.emotions, looking_back.timeline),
    "Put it right": (
        editing.correct,
        editing.pin,
        editing.forget,
        editing.rewind,
        editing.reroll,
        editing.edit,
        versions.history,
        versions.undo,
    ),
    "Let it go": (erasing.erase, erasing.scrub, erasing.erasures, erasing.hold, erasing.retain),
    "Ways in": (serve, mcp),
    "Upkeep": (maintain, doctor, reindex, moving.copy, moving.migrate, disclosing.export, bench),
    "Keep it safe": (backing_up.backup, backing_up.restore, rekey),
}
for panel, commands in _PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)

app.add_typer(auditing.app, name="audit", rich_help_panel="Upkeep", help="See who did what, when and why.")
app.command("import", rich_help_panel="Upkeep")(arriving.import_)
app.add_typer(evals.app, name="eval", rich_help_panel="Upkeep", help="Measure what is understood and found again.")
app.add_typer(keys.app, name="keys", rich_help_panel="Ways in", help="Say who may ask a bank that is served.")
app.add_typer(moving.cluster, name="cluster", rich_help_panel="Upkeep", help="Spread a bank over many machines.")
