"""Running a server: from an open door to the last turn.

It stops on SIGTERM and SIGINT: takes no more requests, ends those in flight, closes what goes on beside them. A second
signal stops it at once; what was acknowledged is in the bank by then.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import shlex
import signal
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn

from gieok.access.hosts import rules_of
from gieok.bank import MemoryBank
from gieok.errors import CannotListen, InvalidSetting
from gieok.http.chat import end_replies
from gieok.serve.app import behind_the_guard, create_app, settle_interpreter, sweeping
from gieok.serve.front import Wire
from gieok.settings import Settings

_FAREWELL: Final = 10  #: seconds that streams have to end
_HANGING: Final = 2.0  #: seconds that threads have to notice that all is over
_LONGEST_MESSAGE: Final = 1_048_576  #: bytes that a page may send over its socket at once
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def open_door(host: str, port: int, *, command: str) -> socket.socket:
    """Return a socket that is bound to an address, but takes no calls yet.

    Raises `CannotListen`; the way out is told with `command`, to which a port can be added ("gieok serve --port").
    """
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind, number)
        try:
            if os.name == "posix":
                door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind(address)
        except OSError:
            door.close()
            raise
    except OSError as cause:
        raise CannotListen(_why_not(cause, host, port, command)) from cause
    return door


def _why_not(trouble: OSError, host: str, port: int, command: str) -> str:
    if trouble.errno == errno.EADDRINUSE:
        other = f"{command} {port + 1 if port < 65_535 else 8420}"
        return f"port {port} is in use, perhaps by another gieok; stop that, or take another: {other}"
    if trouble.errno == errno.EACCES:
        return f"port {port} is not for everybody; take one above 1023: {command} 8420"
    return f"cannot listen on {host}: {trouble.strerror or trouble}; gieok serve --host 127.0.0.1 always works"


def keys_required(settings: Settings) -> bool:
    """Whether callers need a key: as soon as somebody on another machine could be one. Raises `InvalidSetting`."""
    return rules_of(settings, settings.serve_host).keys_required


def check_keys(bank: MemoryBank) -> None:
    """Raise `CannotListen` where callers need a key, and there is none."""
    if keys_required(bank.settings) and all(key.revoked_at is not None for key in bank.store.desk.access_keys()):
        raise CannotListen(
            "callers need a key here, and there is none yet; make one first: "
            f"gieok keys create me --role admin --bank {shlex.quote(bank.settings.bank_shown)} "
            "(or serve this machine alone: gieok serve --host 127.0.0.1)"
        )


def check_upstream(bank: MemoryBank) -> None:
    """Raise `InvalidSetting` where `proxy_url` cannot be the address of a model."""
    if bank.settings.proxy_url is not None:
        bank.upstream()


def check_tls(settings: Settings) -> None:
    """Raise `InvalidSetting` where certificate and key do not go together."""
    if (settings.serve_tls_cert is None) != (settings.serve_tls_key is None):
        raise InvalidSetting("serve_tls_cert and serve_tls_key go together: give both --tls-cert and --tls-key")
    if settings.serve_tls_cert is None:
        return
    import ssl

    files = settings.serve_tls_cert, settings.serve_tls_key
    for file in filter(None, files):
        if not os.access(file, os.R_OK):
            raise InvalidSetting(f"TLS: there is no file {file} that can be read; name the PEM files of one pair")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.serve_tls_cert, settings.serve_tls_key)
    except (OSError, ValueError) as cause:
        named = " and ".join(filter(None, files))
        raise InvalidSetting(f"TLS with {named} is not possible: {cause}; both are PEM files, of one pair") from cause


def serve(bank: MemoryBank, door: socket.socket, *, opened: Callable[[], None], closing: Callable[[], None]) -> None:
    """Serve `bank` until a signal comes; the caller closes the bank.

    `opened` is called as soon as calls are taken, `closing` when no more are, while the last ones are answered.
    """
    app = create_app(bank, pages=True)
    settings = bank.settings
    front = behind_the_guard(app)
    app.state.meanwhile.append(sweeping(lambda: front.visitors))
    config = uvicorn.Config(
        front,
        http=Wire,
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        ws_max_size=_LONGEST_MESSAGE,
        timeout_graceful_shutdown=_FAREWELL,
        ssl_certfile=settings.serve_tls_cert,
        ssl_keyfile=settings.serve_tls_key,
    )
    settle_interpreter()

    async def ends() -> None:
        await end_replies(app)
        if (pages := getattr(app.state, "pages", None)) is not None:
            await pages.end_replies()

    _Server(config, opened=opened, closing=closing, stop=app.state.standing.stop, ends=ends).run(sockets=[door])


def leave() -> None:
    """End the process, if need be without a thread that hangs: the bank is closed, nothing more comes of it."""
    until = time.monotonic() + _HANGING
    others = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    for thread in others:
        thread.join(max(until - time.monotonic(), 0.0))
    if any(thread.is_alive() for thread in others):
        logging.shutdown()
        os._exit(0)


class _Server(uvicorn.Server):
    """One process that ends well."""

    def __init__(
        self,
        config: uvicorn.Config,
        *,
        opened: Callable[[], None],
        closing: Callable[[], None],
        stop: Callable[[], None],
        ends: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(config)
        self._opened = opened
        self._closing = closing
        self._stop = stop
        self._ends = ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        await asyncio.to_thread(self._opened)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.to_thread(self._closing)
        await self._ends()  # connections stay open as long as a reply lasts
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)
        self._stop()
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hear signals meanwhile. They are not raised again afterwards: a stop that was asked for is no failure."""
        before = {each: signal.signal(each, self.handle_exit) for each in _SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
