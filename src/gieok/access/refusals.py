"""The refusals of the guard; `refusals.toml` has their texts."""

from __future__ import annotations

import tomllib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]
REFUSALS: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("refusals.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One answer of the guard."""

    status: int
    title: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)


Refused = Callable[[Refusal], App]  #: makes the answer; a Starlette response is an `App`


class TurnedAway(Exception):
    """A request that the guard refuses."""

    def __init__(self, name: str, **values: object) -> None:
        """`name` is a table of `refusals.toml`, and `values` are filled in."""
        known = REFUSALS[name]
        super().__init__(known["title"])
        headers = {header: value.format(**values) for header, value in known.get("headers", {}).items()}
        self.refusal = Refusal(
            status=known["status"], title=known["title"], detail=known["detail"].format(**values), headers=headers
        )
