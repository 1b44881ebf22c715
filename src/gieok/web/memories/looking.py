"""What is looked at: the filters, the view and the one memory that is open, as they stand in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, Self, cast, get_args
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from gieok.bank.pages import Narrowed, State
from gieok.domain.attributes import ContentType
from gieok.domain.scope import Scope
from gieok.web.paths import PATHS

View = Literal["table", "timeline"]
_YEARS: Final = range(2, 9_998)
_LONGEST: Final = 500  #: characters of words to look for
_DEFAULT_STATE: Final[dict[View, State]] = {"table": "current", "timeline": "all"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking:
    """What a visitor looks at; an empty field does not narrow."""

    view: View = "table"
    words: str = ""
    state: State | None = None  #: None: what the view shows unless told otherwise
    type: ContentType | None = None
    about: str | None = None  #: "user", "character", "world" or a name
    since: int | None = None  #: year
    until: int | None = None  #: year, itself included
    pinned: bool = False
    pii: bool = False
    before: int | None = None  #: the place in the table that was reached
    memory: str | None = None  #: the one that is open

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Self:
        """Return what an address asks for; what makes no sense in it is left out."""
        return cls(
            view=cast(View, _one_of(asked.get("view"), get_args(View)) or "table"),
            words=asked.get("words", "")[:_LONGEST],
            state=cast(State | None, _one_of(asked.get("state"), get_args(State))),
            type=cast(ContentType | None, _one_of(asked.get("type"), get_args(ContentType))),
            about=asked.get("about") or None,
            since=year(asked.get("from")),
            until=year(asked.get("to")),
            pinned=asked.get("pinned") == "1",
            pii=asked.get("pii") == "1",
            before=_number(asked.get("before")),
            memory=asked.get("memory") or None,
        )

    def address(self, scope: Scope | None) -> str:
        """Return the address that shows just this, of `scope`: a link that can be passed on."""
        parts: dict[str, object | None] = {
            "user": scope.user if scope else None,
            "character": scope.character if scope else None,
            "world": scope.world if scope else None,
            "view": None if self.view == "table" else self.view,
            "words": self.words.strip(),
            "state": self.state,
            "type": self.type,
            "about": self.about,
            "from": self.since,
            "to": self.until,
            "pinned": "1" if self.pinned else None,
            "pii": "1" if self.pii else None,
            "before": self.before,
            "memory": self.memory,
        }
        asked = urlencode({name: part for name, part in parts.items() if part not in (None, "")})
        return f"{PATHS['memories']}?{asked}" if asked else PATHS["memories"]

    @property
    def shown_state(self) -> State:
        return self.state or _DEFAULT_STATE[self.view]

    @property
    def narrows(self) -> bool:
        """Whether anything is left out that is shown otherwise."""
        return self.without_filters() != replace(self, before=None)

    @property
    def listed(self) -> Self:
        """The same without the one memory: what the list beside it shows."""
        return replace(self, memory=None)

    def without_filters(self) -> Self:
        return replace(type(self)(view=self.view), memory=self.memory)

    def which(self, zone: ZoneInfo) -> Narrowed:
        """Return what a mind is asked for, years by the clock of `zone`."""
        which: Narrowed = {"state": self.shown_state}
        if self.words.strip():
            which["text"] = self.words
        if self.type is not None:
            which["type"] = self.type
        if self.about is not None:
            which["about"] = self.about
        if self.since is not None:
            which["since"] = datetime(self.since, 1, 1, tzinfo=zone)
        if self.until is not None:
            which["until"] = datetime(self.until + 1, 1, 1, tzinfo=zone)
        if self.pinned:
            which["pinned"] = True
        if self.pii:
            which["pii"] = True
        return which

    def of_month(self, year: int, month: int, zone: ZoneInfo) -> Narrowed:
        """Return the same for one month."""
        following = (year + 1, 1) if month == 12 else (year, month + 1)
        which = self.which(zone)
        which["since"] = datetime(year, month, 1, tzinfo=zone)
        which["until"] = datetime(*following, 1, tzinfo=zone)
        return which


def year(text: str | None) -> int | None:
    """Return the year that `text` names, if there can be one."""
    found = _number(text)
    return found if found in _YEARS else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 9 else None


def _one_of(asked: str | None, choices: tuple[str, ...]) -> str | None:
    return asked if asked in choices else None
