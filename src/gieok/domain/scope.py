"""Scopes: the key that separates one memory from all others.

A scope without a user is canon: lore that all scopes of that character or world may read.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal

from gieok.errors import ErrorText, InvalidScope

LONGEST_NAME = 200
#: What may be read from other scopes: nothing; what the user told other characters of the same world about
#: themself; everything that the same character talked about with others.
Sharing = Literal["none", "user_facts", "character"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One user with one character in one world; up to two of the three may be None."""

    user: str | None = None
    character: str | None = None
    world: str | None = None

    def __post_init__(self) -> None:
        if self.user is None and self.character is None and self.world is None:
            raise InvalidScope(ErrorText("scope.nameless"))
        for part in ("user", "character", "world"):
            name = getattr(self, part)
            if name is not None:
                object.__setattr__(self, part, _checked_name(part, name))

    @property
    def is_canon(self) -> bool:
        return self.user is None

    def readable(self) -> tuple[Scope, ...]:
        """Return this scope, followed by the canon it may read."""
        canon: list[Scope] = []
        if self.character is not None:
            canon.append(Scope(character=self.character, world=self.world))
        if self.world is not None:
            canon.append(Scope(world=self.world))
            if self.character is not None:
                canon.append(Scope(character=self.character))
        return (self, *(scope for scope in canon if scope != self))

    def beside(self, character: str) -> Scope:
        """Return the scope of another character with the same user and world."""
        return Scope(user=self.user, character=character, world=self.world)

    def __str__(self) -> str:
        parts = (("user", self.user), ("character", self.character), ("world", self.world))
        return " ".join(f"{field}={name}" for field, name in parts if name is not None)


def _checked_name(field: str, name: str) -> str:
    if not isinstance(name, str):
        raise InvalidScope(f"{field} must be a string, not {type(name).__name__}")
    name = unicodedata.normalize("NFC", name)
    if not name.strip():
        raise InvalidScope(ErrorText("scope.empty_name", field=field))
    if len(name) > LONGEST_NAME:
        raise InvalidScope(ErrorText("scope.long_name", field=field, n=len(name), longest_name=LONGEST_NAME))
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        raise InvalidScope(ErrorText("scope.control_characters", field=field, name=name))
    return name


LANGGRAPH: Final = "langgraph"  #: the world of LangGraph namespaces
#: namespace labels that name a kind of data, not its owner
_NO_USER: Final = frozenset(
    {
        "user", "users", "memory", "memories", "agent", "agents", "assistant", "assistants", "thread", "threads",
        "session", "sessions", "team", "teams", "org", "orgs", "docs", "documents", "profile", "profiles", "shared",
    }
)  # fmt: skip


def namespace_scope(namespace: Sequence[str]) -> Scope:
    """Return the scope of a LangGraph namespace; its labels contain no period.

    A name that is not valid in a scope (too long, control characters) is replaced by its hash.
    """
    name = ".".join(namespace)
    try:
        return Scope(user=name, world=LANGGRAPH)
    except InvalidScope:
        return Scope(user=sha256(name.encode("utf-8", "replace")).hexdigest(), world=LANGGRAPH)


def is_namespace_of(labels: Sequence[str], user: str) -> bool:
    """Return whether a namespace belongs to `user`: one of its labels is their name, not the name of a kind of data."""
    return len(labels) > 1 and user in labels and user.casefold() not in _NO_USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeSummary:
    """A scope with its sizes."""

    scope: Scope
    turns: int
    memories: int  #: visible ones, current and past
    utterances: int
    latest_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Everything stored of a scope, including past, forgotten and rewound data."""

    turns: int = 0
    rewound: int = 0  #: turns that were rewound
    utterances: int = 0  #: of all turns
    states: Mapping[str, int] = field(default_factory=dict)  #: learned memories by state: current, past, forgotten
    types: Mapping[str, int] = field(default_factory=dict)  #: learned memories by type
    conclusions: Mapping[str, int] = field(default_factory=dict)  #: memories derived by upkeep, by type
    people: int = 0
    scenes: int = 0
    operations: int = 0  #: journal entries
    traces: int = 0
    unembedded: int = 0  #: items without vectors
    documents: int = 0

    @property
    def memories(self) -> int:
        """Number of learned memories, in any state."""
        return sum(self.states.values())

    @property
    def concluded(self) -> int:
        return sum(self.conclusions.values())

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of items by type, as in certificates."""
        return {
            "turns": self.turns + self.rewound,
            "utterances": self.utterances,
            "memories": self.memories + self.concluded,
            "operations": self.operations,
            "people": self.people,
            "scenes": self.scenes,
            "traces": self.traces,
            "documents": self.documents,
        }
