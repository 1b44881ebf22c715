"""Two users, two characters and two worlds, each with words that nobody else ever says; and who looks for these.

A secret is a made-up word. Its head may be asked for by anybody, so that an index could betray itself; its tail must
never come back to a stranger.
"""

from __future__ import annotations

import dataclasses
import io
import json
import logging
import random
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product
from typing import Any

import gieok

_SYLLABLES = "갸냐댜랴먀뱌샤쟈챠캬탸퍄햐겨녀뎌려며벼셔져쳐켜텨펴혀교뇨됴료묘뵤쇼죠쵸쿄툐표효규뉴듀류뮤뷰슈쥬츄큐튜퓨휴"


@dataclass
class Place:
    """One scope of the walk, with what is known to be in it."""

    scope: gieok.Scope
    head: str
    tail: str
    turns: list[str] = field(default_factory=list)

    @property
    def word(self) -> str:
        return self.head + self.tail

    @property
    def params(self) -> dict[str, str]:
        names = {"user": self.scope.user, "character": self.scope.character, "world": self.scope.world}
        return {name: value for name, value in names.items() if value is not None}


def places(dice: random.Random) -> list[Place]:
    """Return the eight scopes. Users have telling names, too; characters and worlds are shared by several."""

    def made_up(length: int) -> str:
        return "".join(dice.sample(_SYLLABLES, length))

    users, characters, worlds = [made_up(5), made_up(5)], ["레티아", "세라"], ["학원", "바다"]
    return [
        Place(gieok.Scope(user=user, character=character, world=world), made_up(2), made_up(5))
        for user, character, world in product(users, characters, worlds)
    ]


class Overheard(logging.Handler):
    """Keeps all that is logged, down to the last detail."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))
        self._lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        told = getattr(record, "told", "")
        self._lines.append(f"{self.format(record)} {told}")

    def taken(self) -> str:
        lines, self._lines = self._lines, []
        return "\n".join(lines)

    def __enter__(self) -> Overheard:
        root = logging.getLogger()
        self._level = root.level
        root.addHandler(self)
        root.setLevel(logging.DEBUG)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        logging.getLogger().setLevel(self._level)


def strangers(own: Place | None, among: Iterable[Place]) -> Iterator[str]:
    """Yield what must not be found by whoever is in `own`; None: by nobody at all."""
    for place in among:
        if own is None or place is not own:
            yield place.tail
        if own is None or place.scope.user != own.scope.user:
            assert place.scope.user is not None
            yield place.scope.user


def leaked(text: str, own: Place | None, among: Iterable[Place], sharing: str = "none") -> list[str]:
    """Return the words of others that stand in `text`, however it spells them, and are not shared."""
    spelt = {text, text.encode().decode("unicode_escape", "ignore") if "\\u" in text else ""}
    words = strangers(own, among) if own is None else beyond(own, among, sharing)
    return [word for word in words if any(word in each for each in spelt)]


def shared_with(own: Place, among: Iterable[Place], sharing: str) -> list[Place]:
    """Return those whose words may be told in `own`, too."""
    if sharing == "none":
        return []
    same = "user" if sharing == "user_facts" else "character"
    return [
        place
        for place in among
        if place is not own
        and place.scope.world == own.scope.world
        and getattr(place.scope, same) == getattr(own.scope, same)
    ]


def beyond(own: Place, among: Iterable[Place], sharing: str) -> list[str]:
    """Return what must not be found by whoever is in `own`."""
    among = list(among)
    shared = shared_with(own, among, sharing)
    theirs = {word for place in shared for word in (place.tail, place.scope.user)}
    return [word for word in strangers(own, among) if word not in theirs]


def shown(value: Any) -> str:
    """Return all that an answer holds, as text: fields that do not show themselves, too."""
    return "\n".join(_shown(value, 0))


def _shown(value: Any, depth: int) -> Iterator[str]:
    if depth > 12 or isinstance(value, gieok.Mind | gieok.MemoryBank):
        return
    if isinstance(value, bytes):
        yield _opened(value)
    elif isinstance(value, str | int | float | datetime) or value is None:
        yield str(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for each in dataclasses.fields(value):
            yield from _shown(getattr(value, each.name), depth + 1)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _shown(key, depth + 1)
            yield from _shown(part, depth + 1)
    elif isinstance(value, Iterable):
        for part in value:
            yield from _shown(part, depth + 1)
    else:
        yield repr(value)


def _opened(data: bytes) -> str:
    if not data.startswith(b"PK"):
        return data.decode("utf-8", "replace")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def plain(value: Any) -> str:
    """Return JSON as its reader sees it."""
    return json.dumps(value, ensure_ascii=False)
