"""Options that several commands share, checked as they are typed: names of the schema, weights."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from gieok.domain.attributes import ContentType, attribute
from gieok.errors import InvalidQuery

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
Consent = Annotated[
    list[str] | None,
    typer.Option("--consent", metavar="KIND", help="Keep this kind of personal data, where the settings say to ask."),
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


def checked_attribute(key: str | None) -> str | None:
    return None if key is None else attribute(key).key


def checked_type(name: str | None) -> ContentType | None:
    if name is None:
        return None
    known: tuple[ContentType, ...] = get_args(ContentType)
    for each in known:
        if each == name:
            return each
    raise InvalidQuery(f"unknown type {name!r}; known: {', '.join(known)}")


def weights_named(text: str | None) -> dict[str, float] | None:
    """Return the weights in `text`, by the names of their parts, which are not checked here."""
    if text is None:
        return None
    weights: dict[str, float] = {}
    for pair in text.split(","):
        name, given, weight = (piece.strip() for piece in pair.partition("="))
        try:
            if not name or not given:
                raise ValueError("no name, or no number")
            weights[name] = float(weight)
        except ValueError as cause:
            raise InvalidQuery(
                f"--weights: {pair.strip()!r} is not PART=NUMBER, e.g. relevance=0.7,keyword=0"
            ) from cause
    return weights
