"""Pages that are open, and whose they are.

NiceGUI lets whoever knows the id of a page act in it. Here a page belongs to the visit that it was opened in: what
comes over another visit's socket is not heard, and a visit that ends takes its pages with it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Any, Final
from urllib.parse import parse_qs

from nicegui import Client, core
from socketio.exceptions import ConnectionRefusedError as Refused  # type: ignore[import-untyped]  # it brings no types

from gieok.access.refusals import TurnedAway
from gieok.access.visits import LOGIN
from gieok.web.visitors import Visitor, visitor_in

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
