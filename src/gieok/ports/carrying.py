"""What is carried from one bank to another by way of a file: lines that anybody can read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gieok.domain.scope import Scope

Fate = Literal["new", "there", "differs"]


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is kept of a scope, as what JSON can hold."""

    table: str  #: what it is: "turns", "memories" …; "scopes" comes first, and says where the scope stands
    scope: Scope
    record: Mapping[str, Any]
    number: int = 0  #: of its line in the file


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of one scope of a file.

    `new`: it was not here. `there`: all of it was here already, and nothing was done. `differs`: something else is
    kept under its names, which stays as it is.
    """

    scope: Scope
    fate: Fate
    counts: Mapping[str, int] = field(default_factory=dict)  #: lines of the file, by table
