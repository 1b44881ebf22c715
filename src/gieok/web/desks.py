"""The desks of visitors: how a browser wants its pages, whose mind it looks into, and what it has picked up there.

They are kept in this process alone: nothing of them is written anywhere. A desk belongs to the key that it was set up
with: whoever comes to the same browser with another one finds it cleared.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from gieok.domain.scope import Scope

COOKIE: Final = "desk"
_MOST: Final = 5_000  #: desks at a time; the one that was left alone the longest is cleared away

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

    def cleared(self) -> Desk:
        """Return a desk for somebody else at the same browser: only how they like their pages is left."""
        return Desk(language=self.language, theme=self.theme)


class Desks:
    """All desks, by the cookie that their browsers send. For one event loop."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Desk]] = {}  #: with whose they are; the longest left alone first

    def __len__(self) -> int:
        return len(self._known)

    def at(self, cookie: str | None, owner: str) -> tuple[str, Desk]:
        """Return the desk of a browser, a new one where it has none of this owner's, and the cookie for it."""
        found = self._known.pop(cookie, None) if cookie is not None else None
        if cookie is None or found is None:
            cookie, desk = secrets.token_urlsafe(32), Desk()
        else:
            desk = found[1] if found[0] == owner else found[1].cleared()
        self._known[cookie] = (owner, desk)
        while len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
        return cookie, desk

    def glance(self, cookie: str | None) -> Desk:
        """Return a desk as a stranger finds it: nothing is set up for them, and nothing of anybody's is on it."""
        found = self._known.get(cookie) if cookie is not None else None
        return found[1].cleared() if found is not None else Desk()

    def clear(self, cookie: str | None) -> None:
        """Clear a desk, when its visitor leaves."""
        if cookie is not None and (found := self._known.get(cookie)) is not None:
            self._known[cookie] = ("", found[1].cleared())
