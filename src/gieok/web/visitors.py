"""Whoever looks at a page: what their key opens now, the desk before them, and the words they read.

Their key is looked at again with every action: a page stays open longer than a key may hold.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Concatenate, Final, Literal, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import parse_qs

from nicegui import Client, core
from socketio.exceptions import ConnectionRefusedError as Refused  # type: ignore[import-untyped]  # it brings no types

from gieok.access.browser_sessions import LOGIN
from gieok.access.caller import Caller, acting_for, note_reading
from gieok.access.refusals import TurnedAway
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import Role
from gieok.errors import Forbidden
from gieok.words import Language, Words, words_in

COOKIE: Final = "desk"
_MOST: Final = 5_000  #: desks at a time; the one that was left alone the longest is cleared away

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


Given = ParamSpec("Given")
Result = TypeVar("Result")
_PLACE: Final = "gieok.visitor"


class Gone(Exception):
    """A visitor's key opens nothing any more, or their visit is over: they have to show a key again."""


class Door(Protocol):
    """What the guard knows of visitors."""

    async def visitor(self, cookie: str | None, *, counts: bool = False) -> Caller | None: ...
    def lives(self, cookie: str | None) -> bool: ...
    async def log_in(self, token: str) -> str: ...
    def log_out(self, cookie: str) -> None: ...
    @property
    def asks_for_keys(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Somebody with a page before them."""

    bank: MemoryBank
    desk: Desk
    door: Door = field(repr=False)
    visit: str | None = field(default=None, repr=False)  #: what their browser is known by
    page: Scope | None = None  #: whose mind the page was opened for; None: whosever is on the desk

    @property
    def scope(self) -> Scope | None:
        """Whose mind their page is about, also when another tab of the browser has turned to another one meanwhile."""
        return self.page if self.page is not None else self.desk.scope

    @property
    def own_desk(self) -> Desk:
        """The desk for what is picked: what lies there belongs to the mind on it. Of another's page nothing is kept."""
        return self.desk if self.desk.scope == self.scope else Desk()

    @property
    def language(self) -> Language:
        return self.desk.language or cast(Language, self.bank.settings.language)

    @property
    def words(self) -> Words:
        return words_in(self.language)

    async def who(self) -> Caller | None:
        """Return who they are, as their key is now; None: nobody who may be here. Raises `TurnedAway`."""
        return await self.door.visitor(self.visit)

    def lives(self) -> bool:
        """Note that they have done something; return whether they are known."""
        return self.door.lives(self.visit)

    async def caller(self, *, counts: bool = False) -> Caller:
        """Return who they are. Raises `Gone`, and where it is a use of their key (`counts`) `TurnedAway`."""
        caller = await self.door.visitor(self.visit, counts=counts)
        if caller is None:
            raise Gone
        return caller

    async def mind(self, role: Role = "reader") -> Mind:
        """Return the mind of their page. Raises `Forbidden` unless they may do there what `role` may.

        Whatever is more than reading is a use of their key, as a request is.
        """
        if self.scope is None:
            raise Forbidden("no mind is chosen")
        caller = await self.caller(counts=role != "reader")
        caller.check(role, self.scope)
        if role == "reader":
            await self.notes_reading(caller, self.scope)
        return self.bank.mind(self.scope)

    async def notes_reading(self, caller: Caller, scope: Scope, what: str = "pages") -> None:
        """Note that they look at what is somebody else's."""
        await note_reading(self.bank, caller, scope, what)

    async def may(self, role: Role) -> bool:
        """Whether they may do with the mind of their page what `role` may."""
        try:
            (await self.caller()).check(role, self.scope)
        except Forbidden:
            return False
        return self.scope is not None

    async def ask(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Read from the mind of their page, in a thread: `await visitor.ask(Mind.facts, history=True)`."""
        return await asyncio.to_thread(partial(what, await self.mind("reader"), *given, **named))

    async def change(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Write to the mind of their page, in a thread: `await visitor.change(Mind.forget, id)`."""
        mind = await self.mind("writer")
        with acting_for(await self.caller()):
            return await asyncio.to_thread(partial(what, mind, *given, **named))


def seat(scope: MutableMapping[str, Any], visitor: Visitor) -> None:
    """Note in an ASGI scope who is visiting."""
    scope[_PLACE] = visitor


def visitor_in(scope: Mapping[str, Any]) -> Visitor:
    visitor = scope[_PLACE]
    assert isinstance(visitor, Visitor)
    return visitor


log = logging.getLogger(__name__)
LOOK_SECONDS: Final = 1.0  #: a page stays open so long after its key was taken back, and the keys were read again
_MOST_WAITING: Final = 50  #: pages that were sent to a browser, and have not been heard of since
_HEARD: Final = ("handshake", "event", "javascript_response", "ack")
_NOT_YOURS: Final = "Implicit handshake failed"  #: on hearing this, NiceGUI's script loads the page anew

Handler = Callable[..., Any]


def bind() -> None:
    """Let nobody act in a page but whoever opened it; and nobody write into our log."""
    handlers = core.sio.handlers["/"]
    handlers["connect"] = _connecting(handlers["connect"])
    for name in _HEARD:
        handlers[name] = _by_its_owner(handlers[name])
    handlers["log"] = _unheard


def _connecting(connect: Handler) -> Handler:
    async def connecting(sid: str, environ: dict[str, Any], auth: object = None) -> None:
        named = parse_qs(environ.get("QUERY_STRING", "")).get("client_id", [""])[0]
        visitor = visitor_in(environ["asgi.scope"])
        if not visitor.lives() or not _is_theirs(visitor, named):
            raise Refused(_NOT_YOURS)
        await connect(sid, environ, auth)

    return connecting


def _by_its_owner(hear: Handler) -> Handler:
    async def heard(sid: str, message: object = None, *_: object) -> object:
        # Nothing is waited for before it is heard: what a visitor does comes in the order in which they do it.
        named = message.get("client_id") if isinstance(message, dict) else None
        visitor = visitor_in(core.sio.get_environ(sid)["asgi.scope"])
        if not isinstance(named, str) or not visitor.lives() or not _is_theirs(visitor, named):
            return False
        answer: object = hear(sid, message)
        return await answer if asyncio.iscoroutine(answer) else answer

    return heard


async def _unheard(*_: object) -> None: ...


def _is_theirs(visitor: Visitor, page_id: str) -> bool:
    """Whether a page was opened in the visit of `visitor`; one that is unknown is nobody's, and nothing comes of it."""
    page = Client.instances.get(page_id)
    return page is None or visitor_in(page.request.scope).visit == visitor.visit


def opened() -> int:
    """Return how many pages are open."""
    return sum(page.has_socket_connection for page in Client.instances.values())


def make_room() -> None:
    """Throw away what was asked for and never shown, the oldest first."""
    waiting = [page for page in Client.instances.values() if not page.has_socket_connection]
    for page in waiting[:-_MOST_WAITING]:
        page.delete()


async def end_those_of_others() -> None:
    """End all pages whose visitors are known no more: they are led to where a key can be shown."""
    for sid, visitor in list(_sitting()):
        try:
            known = await visitor.who() is not None
        except TurnedAway:
            continue  # keys cannot be read now: whatever they do is turned down as well
        if not known and core.sio.manager.is_connected(sid, "/"):
            await core.sio.emit("open", {"path": LOGIN, "new_tab": False}, to=sid)
            await core.sio.disconnect(sid)


def _sitting() -> Iterator[tuple[str, Visitor]]:
    for sid, _ in core.sio.manager.get_participants("/", None):
        environ = core.sio.get_environ(sid)
        if environ is not None:
            yield sid, visitor_in(environ["asgi.scope"])


async def look_after(seconds: float = LOOK_SECONDS) -> None:
    """End such pages for as long as the server runs."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await end_those_of_others()
        except Exception:  # the edge of the process: one that fails must not leave the others unwatched
            log.exception("pages could not be looked after")
