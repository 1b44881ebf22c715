"""The socket that calls come in by."""

from __future__ import annotations

import errno
import os
import socket

from gieok.errors import CannotListen


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
