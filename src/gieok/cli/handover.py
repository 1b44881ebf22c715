"""Handing a command over to the resident process, which has the models loaded (`gieok.cli.resident`).

Every command runs this first, so it imports little. The client connects to a Unix socket. A fork of the resident
process answers READY, receives arguments, environment, folder and standard streams, runs the command as this process
would have, and sends its exit code in one byte. A client that closes its side ends its command.
"""

from __future__ import annotations

import marshal
import os
import socket
import stat
import struct
import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

HELP: Final = ("-h", "--help")
#: commands that load morphology or the encoder: they start a resident process if there is none
LOADING: Final = frozenset("observe reroll edit recall context explain correct rewind undo".split())
#: commands that a resident process runs
SERVED: Final = LOADING | frozenset(
    "trace facts about-me scopes relationship people scenes emotions timeline pin review forget history "
    "erase scrub erasures lift hold retain".split()
)
IDLE: Final = 600.0  #: seconds without a command after which a resident process ends
READY: Final = b"R"

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_TEMPORARY: Final = "/tmp"
_PATIENCE: Final = 60.0  #: seconds to wait for a resident process that is loading
_SILENT: Final = 0.3  #: seconds after which a person is told about it
#: Variables that the resident process is started with. All others, which may hold keys, are passed with each command.
_KEPT: Final = ("HOME", "LD_LIBRARY_PATH", "LD_PRELOAD", "PATH", "TMPDIR")
_ONE_THREAD: Final = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def asked_command(arguments: Sequence[str]) -> str | None:
    """Return the name of the command in `arguments`; None if there is none, or help is asked for before it."""
    rest = iter(arguments)
    for argument in rest:
        if argument in HELP:
            return None
        if argument == "--as":
            next(rest, None)
        elif not argument.startswith("-"):
            return argument
    return None


def run_by_resident() -> int | None:
    """Let the resident process run the command of `sys.argv`, and return its exit code.

    None: this process has to run it; nothing was begun.
    """
    name = asked_command(sys.argv[1:])
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if (
        name not in SERVED
        or any(argument in HELP for argument in sys.argv)
        or None in streams  # closed
        or streams != (sys.__stdin__, sys.__stdout__, sys.__stderr__)  # replaced by a program that calls gieok
        or not is_possible()
        or is_switched_off()
    ):
        return None
    try:
        path = socket_path()
        with start(path) if name in LOADING else connect(path) as connection:
            return _handed_over(connection) if is_ready(connection) else None
    except OSError:  # no private folder, nobody listens, or the process ended before it had the whole command
        return None


def is_possible() -> bool:
    """Return whether a resident process can run on this system."""
    return sys.platform == "linux" and bool(sys.executable) and sys.getfilesystemencoding() == "utf-8"


def is_switched_off() -> bool:
    """Return whether GIEOK_WARM, or else `warm` in the settings file, is off."""
    return str(_setting("warm")).lower() in ("off", "false", "0")


def profile() -> str:
    """Return the profile whose models the resident process loads."""
    return "light" if _setting("profile") == "light" else "full"


def _setting(name: str) -> object:
    """Return a setting of the environment, or else of the settings file. It is not checked: the command does that."""
    chosen: object = os.environ.get(f"GIEOK_{name.upper()}")
    if chosen is None:
        try:
            with open(os.environ.get("GIEOK_CONFIG") or "gieok.toml", "rb") as file:
                content = file.read()
            if name.encode() in content:
                import tomllib

                chosen = tomllib.loads(content.decode()).get(name)
        except (OSError, ValueError):
            return None
    return chosen


def folder() -> str:
    """Return the folder of the sockets, and create it if necessary. Raises `OSError` if none is private."""
    user = os.geteuid()
    for parent in filter(None, (os.environ.get("XDG_RUNTIME_DIR"), os.environ.get("TMPDIR") or _TEMPORARY)):
        path = f"{parent}/gieok-{user}"
        with suppress(OSError):
            with suppress(FileExistsError):
                os.mkdir(path, 0o700)
            found = os.lstat(path)
            if stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o077:
                return path
    raise PermissionError


def socket_path() -> str:
    """Return where the resident process listens.

    Each installation, set of rights, profile and state of the code has a place of its own.

    Raises `OSError` if there is no private folder, or no /proc.
    """
    packages = [each for each in sys.path if each.endswith("-packages") and os.path.isdir(each)]
    state = (sys.version, newest_change(_PACKAGE), *(os.stat(each).st_mtime_ns for each in packages))
    return f"{_installation()}{_checksum(state)}.sock"


def _installation() -> str:
    """Return how the paths of all sockets begin whose resident processes differ in the state of the code alone."""
    namespaces = [os.stat(f"/proc/self/ns/{name}").st_ino for name in ("mnt", "net")]  # containers share a /tmp
    rights = (os.getresuid(), os.getresgid(), os.getgroups(), os.nice(0), os.stat("/").st_ino, namespaces)
    return f"{folder()}/{_checksum((sys.executable, __file__, _import_path(), rights, profile()))}-"


def _checksum(value: object) -> str:
    return f"{zlib.crc32(repr(value).encode('utf-8', 'surrogateescape')):08x}"


def newest_change(path: str) -> int:
    """Return when something in the folder `path` was changed last, in nanoseconds."""
    newest = os.stat(path).st_mtime_ns
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name != "__pycache__":
                changed = newest_change(entry.path) if entry.is_dir() else entry.stat().st_mtime_ns
                newest = max(newest, changed)
    return newest


def _import_path() -> list[str]:
    """Return `sys.path` without the folder of the script, and with that of gieok."""
    path = [each for each in (sys.path if sys.flags.safe_path else sys.path[1:]) if each]
    home = os.path.dirname(_PACKAGE)
    return path if home in path else [home, *path]


def connect(path: str) -> socket.socket:
    """Return a connection to the resident process at `path`. Raises `OSError` if there is none."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
        check_user(connection)
    except OSError:
        connection.close()
        raise
    return connection


def check_user(connection: socket.socket) -> None:
    """Raise `PermissionError` if another user is at the other end."""
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    if user != os.geteuid():
        raise PermissionError


def start(path: str, idle: float = IDLE) -> socket.socket:
    """Return a connection to the resident process at `path`, which is started if there is none.

    It takes the place of those with older code. Raises `OSError` if it cannot be started.
    """
    with suppress(OSError):
        return connect(path)
    import fcntl
    import subprocess

    lock = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with suppress(OSError):
            return connect(path)  # another command has just started it
        stop(_installation())
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(path)
            os.chmod(path, 0o600)
            listener.listen(128)
            subprocess.Popen(
                [sys.executable, "-P", "-X", "utf8", "-m", "gieok.cli.resident", path, str(idle)],
                cwd="/",
                env={name: os.environ[name] for name in _KEPT if name in os.environ}
                | _ONE_THREAD
                | {"GIEOK_PROFILE": profile()}
                | {"PYTHONPATH": os.pathsep.join(_import_path())},
                stdin=listener.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return connect(path)
    finally:
        os.close(lock)


def stop(start_of_path: str) -> int:
    """Remove all sockets whose paths start so, and return how many had a resident process; it ends within a second."""
    stopped = 0
    place, _, name = start_of_path.rpartition("/")
    for path in (f"{place}/{each}" for each in os.listdir(place) if each.startswith(name)):
        with suppress(OSError):
            connect(path).close()
            stopped += 1
        with suppress(FileNotFoundError):
            os.unlink(path)
    return stopped


def is_ready(connection: socket.socket) -> bool:
    """Wait until the resident process answers, and tell a person at a terminal. Raises `OSError` if it ends."""
    connection.settimeout(_SILENT)
    try:
        return connection.recv(1) == READY
    except TimeoutError:
        from gieok.cli.console import text, waiting

        connection.settimeout(_PATIENCE)
        with waiting(text("loading.morphology")):
            return connection.recv(1) == READY
    finally:
        connection.settimeout(None)


def _handed_over(connection: socket.socket) -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    writing = [(stream.encoding, stream.errors) for stream in (sys.stdin, sys.stdout, sys.stderr)]
    here = os.open(".", os.O_PATH)
    try:
        socket.send_fds(connection, [READY], [0, 1, 2, here])
    finally:
        os.close(here)
    connection.sendall(marshal.dumps((sys.argv, dict(os.environ), mask, writing)))
    code = b""
    with suppress(OSError):
        try:
            code = connection.recv(1)
        except KeyboardInterrupt:
            connection.shutdown(socket.SHUT_WR)  # interrupts the command
            code = connection.recv(1)
    if code:
        return code[0]
    from gieok.cli.console import complain, text

    complain(text("warm.lost"))
    return 1
