"""The desks of visitors: how a browser wants its pages, whose mind it looks into, and what it has picked up there.

They are kept in this process alone: nothing of them is written anywhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from gieok.domain.scope import Scope

COOKIE: Final = "gieok_desk"
_MOST: Final = 1_000  #: desks at a time; the one that was left alone the longest is cleared away

Language = Literal["ko", "en"]
Theme = Literal["auto", "light", "dark"]


@dataclass(slots=True)
class Desk:
    """What one browser has before it."""

    language: Language | None = None  #: None: that of the settings
    theme: Theme = "auto"
    scope: Scope | None = None  #: whose mind is looked into
    picked: list[str] = field(default_factory=list)  #: ids of what is put into the next context
    session: str = field(default_factory=lambda: secrets.token_hex(8))  #: of what is talked about at this desk
    persona: str = ""  #: who the character is, for the model that speaks for it

    def turn_to(self, scope: Scope | None) -> None:
        """Look into another mind: the talk, what was searched for and what was picked belong to the one before."""
        self.scope = scope
        self.picked.clear()
        self.session = secrets.token_hex(8)
        self.persona = ""

    def pick(self, ids: Iterable[str]) -> None:
        self.picked.extend(each for each in dict.fromkeys(ids) if each not in self.picked)

    def drop(self, ids: Iterable[str]) -> None:
        dropped = set(ids)
        self.picked[:] = [each for each in self.picked if each not in dropped]


class Desks:
    """All desks, by the cookie that their browsers send. For one event loop."""

    def __init__(self) -> None:
        self._known: dict[str, Desk] = {}  #: the longest left alone first

    def at(self, cookie: str | None) -> tuple[str, Desk]:
        """Return the desk of a browser, a new one where it has none, and the cookie for it."""
        desk = self._known.pop(cookie, None) if cookie is not None else None
        if cookie is None or desk is None:
            cookie, desk = secrets.token_urlsafe(32), Desk()
        self._known[cookie] = desk
        while len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
        return cookie, desk

    def clear(self, cookie: str | None) -> None:
        """Forget a desk, when its visitor leaves."""
        if cookie is not None:
            self._known.pop(cookie, None)
