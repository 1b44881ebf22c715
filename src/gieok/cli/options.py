"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

_SCOPE = "Whose memory"

BankPath = Annotated[
    str | None,
    typer.Option(
        "--bank", "-b", metavar="PATH", help="The bank file (default: GIEOK_BANK, else gieok.db).", show_default=False
    ),
]
User = Annotated[
    str | None,
    typer.Option("--user", "-u", metavar="NAME", help="Who talks.", rich_help_panel=_SCOPE, show_default=False),
]
Character = Annotated[
    str | None,
    typer.Option(
        "--character", "-c", metavar="NAME", help="Who remembers.", rich_help_panel=_SCOPE, show_default=False
    ),
]
World = Annotated[
    str | None,
    typer.Option("--world", "-w", metavar="NAME", help="In which story.", rich_help_panel=_SCOPE, show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="ISO", help="When it happens in the story (default: now).", show_default=False),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="The memory's id, or an unmistakable end of it.")]
Preset = Annotated[
    str | None,
    typer.Option("--preset", metavar="NAME", help="Rank and assemble as heroine, social, … do.", show_default=False),
]
