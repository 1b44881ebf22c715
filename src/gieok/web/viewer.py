"""The person who looks at a page: what their key opens, the state of their browser, and their language.

The key is checked again with every action, because a page stays open longer than a key may be valid.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Concatenate, Final, Literal, ParamSpec, TypeVar, cast
from urllib.parse import parse_qs

from nicegui import Client, core
from socketio.exceptions import ConnectionRefusedError as Refused  # type: ignore[import-untyped]  # it brings no types

from gieok.access.caller import Caller, TurnedAway, acting_for, note_reading
from gieok.access.guard import LOGIN, Guard
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import Role
from gieok.errors import Forbidden
from gieok.words import Language, Words, words_in

COOKIE: Final = "session"
VIEWER: Final = "gieok.viewer"  #: key of the viewer in an ASGI scope
_MOST_SESSIONS: Final = 5_000  #: the one that was unused the longest is dropped first

Theme = Literal["auto", "light", "dark"]
Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass(slots=True)
class BrowserSession:
    """The state of one browser, shared by all its tabs."""

    language: Language | None = None  #: None: not chosen
    theme: Theme = "auto"
    scope: Scope | None = None  #: the profile that is shown
    picked: list[str] = field(default_factory=list)  #: ids of items for the next context
    talk: str = field(default_factory=lambda: secrets.token_hex(8))  #: session label of what is said here
    persona: str = ""  #: description of the character for the model

    def switch_to(self, scope: Scope | None) -> None:
        """Show another profile. The talk, the picked items and the persona belong to the old one and are cleared."""
        self.scope = scope
        self.picked.clear()
        self.talk = secrets.token_hex(8)
        self.persona = ""

    def pick(self, ids: Iterable[str]) -> None:
        self.picked.extend(each for each in dict.fromkeys(ids) if each not in self.picked)

    def drop(self, ids: Iterable[str]) -> None:
        dropped = set(ids)
        self.picked[:] = [each for each in self.picked if each not in dropped]

    def cleared(self) -> BrowserSession:
        """Return a session for another person at the same browser. Only language and theme are kept."""
        return BrowserSession(language=self.language, theme=self.theme)


class SessionRegistry:
    """All sessions, by the cookie that the browser sends. For one event loop."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, BrowserSession]] = {}  #: with their owners; least recently used first

    def __len__(self) -> int:
        return len(self._known)

    def get(self, cookie: str | None, owner: str) -> tuple[str, BrowserSession]:
        """Return the session of a browser and its cookie; a new one where it has none of this owner's."""
        found = self._known.pop(cookie, None) if cookie is not None else None
        if cookie is None or found is None:
            cookie, session = secrets.token_urlsafe(32), BrowserSession()
        else:
            session = found[1] if found[0] == owner else found[1].cleared()
        self._known[cookie] = (owner, session)
        while len(self._known) > _MOST_SESSIONS:
            del self._known[next(iter(self._known))]
        return cookie, session

    def peek(self, cookie: str | None) -> BrowserSession:
        """Return a session for someone who is not logged in. Nothing is stored, and nothing private is in it."""
        found = self._known.get(cookie) if cookie is not None else None
        return found[1].cleared() if found is not None else BrowserSession()

    def clear(self, cookie: str | None) -> None:
        if cookie is not None and (found := self._known.get(cookie)) is not None:
            self._known[cookie] = ("", found[1].cleared())


class LoggedOut(Exception):
    """The key of the viewer is no longer valid, or their login has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Somebody who looks at a page."""

    bank: MemoryBank
    session: BrowserSession
    guard: Guard = field(repr=False)
    login: str | None = field(default=None, repr=False)  #: the cookie of their login
    page_scope: Scope | None = None  #: the profile the page was opened for; None: that of the session
    accepts: Language | None = None  #: the language that the browser asks for

    @property
    def scope(self) -> Scope | None:
        """The profile of this page. It stays when another tab of the browser switches to another profile."""
        return self.page_scope if self.page_scope is not None else self.session.scope

    @property
    def own_session(self) -> BrowserSession:
        """The session for picked items. Where another tab has switched to another profile, nothing is kept."""
        return self.session if self.session.scope == self.scope else BrowserSession()

    @property
    def language(self) -> Language:
        """The viewer's choice, else the browser's, else that of the bank."""
        return self.session.language or self.accepts or cast(Language, self.bank.settings.language)

    @property
    def words(self) -> Words:
        return words_in(self.language)

    async def known(self) -> bool:
        """Whether they are logged in with a valid key. Raises `TurnedAway`."""
        return await self.guard.visitor(self.login) is not None

    async def caller(self, *, counts: bool = False) -> Caller:
        """Return who they are. Raises `LoggedOut`, and `TurnedAway` where it counts as a use of their key."""
        caller = await self.guard.visitor(self.login, counts=counts)
        if caller is None:
            raise LoggedOut
        return caller

    async def mind(self, role: Role = "reader") -> Mind:
        """Return the mind of the page. Raises `Forbidden` unless they have `role` there.

        Anything but reading counts as a use of their key, as a request does.
        """
        if self.scope is None:
            raise Forbidden("no mind is chosen")
        caller = await self.caller(counts=role != "reader")
        caller.check(role, self.scope)
        if role == "reader":
            await note_reading(self.bank, caller, self.scope, "pages")
        return self.bank.mind(self.scope)

    async def may(self, role: Role) -> bool:
        try:
            (await self.caller()).check(role, self.scope)
        except Forbidden:
            return False
        return self.scope is not None

    async def ask(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Read from the mind of the page, in a thread: `await viewer.ask(Mind.facts, history=True)`."""
        return await asyncio.to_thread(partial(what, await self.mind("reader"), *given, **named))

    async def change(
        self, what: Callable[Concatenate[Mind, Given], Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Write to the mind of the page, in a thread: `await viewer.change(Mind.forget, id)`."""
        mind = await self.mind("writer")
        with acting_for(await self.caller()):
            return await asyncio.to_thread(partial(what, mind, *given, **named))


def viewer_in(scope: Mapping[str, Any]) -> Viewer:
    viewer = scope[VIEWER]
    assert isinstance(viewer, Viewer)
    return viewer


log = logging.getLogger(__name__)
CHECK_SECONDS: Final = 1.0  #: how often open pages are checked for a login that has ended
_MOST_WAITING: Final = 50  #: pages that were sent to a browser and never connected
_EVENTS: Final = ("handshake", "event", "javascript_response", "ack")
_NOT_YOURS: Final = "Implicit handshake failed"  #: NiceGUI's script reloads the page on this message

Handler = Callable[..., Any]


def protect_sockets() -> None:
    """Let nobody act in a page except the login that opened it, and let nobody write into the log."""
    handlers = core.sio.handlers["/"]
    handlers["connect"] = _checked_connect(handlers["connect"])
    for name in _EVENTS:
        handlers[name] = _checked_event(handlers[name])
    handlers["log"] = _ignored


def _checked_connect(connect: Handler) -> Handler:
    async def checked(sid: str, environ: dict[str, Any], auth: object = None) -> None:
        page_id = parse_qs(environ.get("QUERY_STRING", "")).get("client_id", [""])[0]
        viewer = viewer_in(environ["asgi.scope"])
        if not viewer.guard.lives(viewer.login) or not _owns(viewer, page_id):
            raise Refused(_NOT_YOURS)
        await connect(sid, environ, auth)

    return checked


def _checked_event(handle: Handler) -> Handler:
    async def checked(sid: str, message: object = None, *_: object) -> object:
        # Nothing is awaited before the handler runs: events keep their order.
        page_id = message.get("client_id") if isinstance(message, dict) else None
        viewer = viewer_in(core.sio.get_environ(sid)["asgi.scope"])
        active = viewer.guard.lives(viewer.login)  # they have done something
        if not isinstance(page_id, str) or not active or not _owns(viewer, page_id):
            return False
        answer: object = handle(sid, message)
        return await answer if asyncio.iscoroutine(answer) else answer

    return checked


async def _ignored(*_: object) -> None: ...


def _owns(viewer: Viewer, page_id: str) -> bool:
    """Whether the login of `viewer` opened a page. An unknown page belongs to nobody and does nothing."""
    page = Client.instances.get(page_id)
    return page is None or viewer_in(page.request.scope).login == viewer.login


def open_pages() -> int:
    return sum(page.has_socket_connection for page in Client.instances.values())


def drop_waiting_pages() -> None:
    """Delete pages that were requested and never shown, the oldest first."""
    waiting = [page for page in Client.instances.values() if not page.has_socket_connection]
    for page in waiting[:-_MOST_WAITING]:
        page.delete()


async def close_logged_out() -> None:
    """Close all pages whose login has ended; they go to the login page."""
    environs = {sid: core.sio.get_environ(sid) for sid, _ in core.sio.manager.get_participants("/", None)}
    for sid, environ in environs.items():
        if environ is None:
            continue
        viewer = viewer_in(environ["asgi.scope"])
        try:
            known = await viewer.known()
        except TurnedAway:
            continue  # keys cannot be read now: every action is refused as well
        if not known and core.sio.manager.is_connected(sid, "/"):
            await core.sio.emit("open", {"path": LOGIN, "new_tab": False}, to=sid)
            await core.sio.disconnect(sid)


async def watch_logins() -> None:
    """Close pages of ended logins for as long as the server runs."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        try:
            await close_logged_out()
        except Exception:  # the edge of the process: one failure must not stop the watch
            log.exception("the logins of open pages could not be checked")
