"""Running a server, from the open socket to a clean stop.

It stops on SIGTERM and SIGINT: it takes no more requests, finishes the running ones and stops its services. A second
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
from gieok.errors import CannotListen, ErrorText, InvalidSetting
from gieok.http.chat import end_replies
from gieok.serve.app import create_app, guarded_app
from gieok.serve.front import StrictHttpProtocol
from gieok.serve.runtime import collecting_garbage, tune_interpreter
from gieok.settings import Settings

_STOP_SECONDS: Final = 10  #: that streams have to end
_THREAD_SECONDS: Final = 2.0  #: that threads have to end
_LONGEST_MESSAGE: Final = 1_048_576  #: bytes of a websocket message
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def open_socket(host: str, port: int, *, command: str) -> socket.socket:
    """Return a socket that is bound to an address, but does not accept connections yet.

    Raises `CannotListen`; its text suggests `command` with another port ("gieok serve --port").
    """
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, number)
        try:
            if os.name == "posix":
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(address)
        except OSError:
            opened.close()
            raise
    except OSError as cause:
        raise CannotListen(_bind_error_text(cause, host, port, command)) from cause
    return opened


def _bind_error_text(error: OSError, host: str, port: int, command: str) -> str:
    if error.errno == errno.EADDRINUSE:
        other = f"{command} {port + 1 if port < 65_535 else 8420}"
        return ErrorText("serve.port_in_use", port=port, other=other)
    if error.errno == errno.EACCES:
        return ErrorText("serve.port_rights", port=port, command=command)
    return ErrorText("serve.address", host=host, cause=error.strerror or error)


def keys_required(settings: Settings) -> bool:
    """Whether callers need a key: they do when other machines can reach the server. Raises `InvalidSetting`."""
    return rules_of(settings, settings.serve_host).keys_required


def check_keys(bank: MemoryBank) -> None:
    """Raise `CannotListen` where callers need a key and none exists."""
    if keys_required(bank.settings) and all(key.revoked_at is not None for key in bank.store.server.access_keys()):
        raise CannotListen(ErrorText("serve.no_keys", bank=shlex.quote(bank.settings.bank_shown)))


def check_upstream(bank: MemoryBank) -> None:
    """Raise `InvalidSetting` where `proxy_url` cannot be the address of a model."""
    if bank.settings.proxy_url is not None:
        bank.upstream()


def check_tls(settings: Settings) -> None:
    """Raise `InvalidSetting` where certificate and key do not go together."""
    if (settings.serve_tls_cert is None) != (settings.serve_tls_key is None):
        raise InvalidSetting(ErrorText("serve.tls_pair"))
    if settings.serve_tls_cert is None:
        return
    import ssl

    files = settings.serve_tls_cert, settings.serve_tls_key
    for file in filter(None, files):
        if not os.access(file, os.R_OK):
            raise InvalidSetting(ErrorText("serve.tls_unreadable", file=file))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.serve_tls_cert, settings.serve_tls_key)
    except (OSError, ValueError) as cause:
        named = ", ".join(filter(None, files))
        raise InvalidSetting(ErrorText("serve.tls_failed", named=named, cause=cause)) from cause


def serve(
    bank: MemoryBank, listener: socket.socket, *, opened: Callable[[], None], closing: Callable[[], None]
) -> None:
    """Serve `bank` until a signal comes; the caller closes the bank.

    `opened` is called once requests are accepted, `closing` when no more are, while the last ones are answered.
    """
    app = create_app(bank, pages=True)
    settings = bank.settings
    front = guarded_app(app)
    app.state.services.append(collecting_garbage(lambda: front.running))
    config = uvicorn.Config(
        front,
        http=StrictHttpProtocol,
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        ws_max_size=_LONGEST_MESSAGE,
        timeout_graceful_shutdown=_STOP_SECONDS,
        ssl_certfile=settings.serve_tls_cert,
        ssl_keyfile=settings.serve_tls_key,
    )
    tune_interpreter()

    async def ends() -> None:
        await end_replies(app)
        if (pages := getattr(app.state, "pages", None)) is not None:
            await pages.end_replies()

    _Server(config, opened=opened, closing=closing, stop=app.state.readiness.stop, ends=ends).run(sockets=[listener])


def exit_process() -> None:
    """End the process, even if a thread hangs: the bank is closed, so nothing can be lost."""
    until = time.monotonic() + _THREAD_SECONDS
    others = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    for thread in others:
        thread.join(max(until - time.monotonic(), 0.0))
    if any(thread.is_alive() for thread in others):
        logging.shutdown()
        os._exit(0)


class _Server(uvicorn.Server):
    """A uvicorn server that stops as described above."""

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
        await self._ends()  # connections stay open as long as a reply runs
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)
        self._stop()
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals meanwhile. They are not raised again afterwards: a requested stop is no failure."""
        before = {each: signal.signal(each, self.handle_exit) for each in _SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
