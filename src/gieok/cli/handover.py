"""Handing a command to the resident process, which has the models loaded (`gieok.cli.resident`).

Every command runs this first, so it imports little. It passes arguments, environment, folder and the standard streams
over a Unix socket; a fork of the resident process takes them over and runs the command as this process would have.

What goes over the socket, after the resident process sent READY: one frame from the client (a length of four bytes,
then a marshalled dict, with the open streams and the folder as file descriptors), and then a byte for each signal that
the client receives. The answer is two bytes: EXITED and the exit code, KILLED and the signal, or REFUSED and 0.
"""

from __future__ import annotations

import marshal
import os
import signal
import socket
import stat
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

HELP: Final = ("-h", "--help")
#: commands that load morphology or the encoder: they start a resident process where there is none
LOADING: Final = frozenset("observe reroll edit recall context explain correct rewind undo".split())
#: commands that a resident process runs
SERVED: Final = LOADING | frozenset(
    "trace facts about-me scopes relationship people scenes emotions timeline pin review forget history "
    "erase scrub erasures hold retain".split()
)
MINUTES: Final = 10.0  #: without a command, until a resident process ends
READY, EXITED, KILLED, REFUSED = b"R", b"E", b"K", b"N"
LENGTH: Final = struct.Struct("=I")

_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_OFF: Final = ("off", "false", "0")
_PATIENCE: Final = 30.0  #: seconds that loading may take
_AT_ONCE: Final = 0.5  #: seconds within which one that is loaded answers
_SILENT: Final = 0.3  #: seconds until a person is told what is waited for
_PASSED_ON: Final = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGTSTP")
#: Variables that the resident process starts with. All others, which may hold keys, are passed for each command.
_KEPT: Final = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER")
_KEPT_PREFIXES: Final = ("LC_", "LD_", "PYTHON", "XDG_")
_NAMESPACES: Final = ("mnt", "net", "pid", "user")


def asked_command(arguments: Sequence[str]) -> str | None:
    """Return the name of the command in `arguments`; None where there is none, or help is asked for before it."""
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
    """Have the resident process run the command of `sys.argv`, and return its exit code.

    None: this process has to run it; nothing was begun.
    """
    name = asked_command(sys.argv[1:])
    if name not in SERVED or not is_possible() or is_switched_off() or not _is_ordinary():
        return None
    try:
        path = socket_path()
    except OSError:  # a file has just gone, or there is no /proc
        return None
    if path is None:
        return None
    loading = name in LOADING
    connection = connected(path) or (started(path) if loading else None)
    if connection is None:
        return None
    with connection:
        if not is_ready(connection, loading=loading):
            return None
        return _handed_over(connection)


def is_possible() -> bool:
    """Whether this system, and this Python, can have a resident process: Linux, and no setuid program."""
    return (
        sys.platform == "linux" and bool(sys.executable) and os.getuid() == os.geteuid() and os.getgid() == os.getegid()
    )


def is_switched_off() -> bool:
    """Whether GIEOK_WARM, else `warm` in the settings file, says so."""
    chosen: object = os.environ.get("GIEOK_WARM")
    if chosen is None:
        try:
            with open(os.environ.get("GIEOK_CONFIG") or "gieok.toml", "rb") as file:
                content = file.read()
        except OSError:
            return False
        if b"warm" not in content:
            return False
        import tomllib

        try:
            chosen = tomllib.loads(content.decode()).get("warm")
        except ValueError:  # the command that needs the settings reports it
            return False
    return str(chosen).lower() in _OFF


def _is_ordinary() -> bool:
    """Whether this process is a plain command: not a shell completion, a debugger, a profiler or a program's part."""
    flags = sys.flags
    return (
        not any(argument in HELP for argument in sys.argv)
        and "_GIEOK_COMPLETE" not in os.environ
        and not (flags.dev_mode or flags.inspect or flags.optimize or flags.verbose or sys.warnoptions)
        and sys.gettrace() is None
        and sys.getprofile() is None
        and (sys.stdin, sys.stdout, sys.stderr) == (sys.__stdin__, sys.__stdout__, sys.__stderr__)
    )


def folder() -> str | None:
    """Return the folder of the sockets, which is made if need be; None where no place is this user's alone."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    temporary = f"{os.environ.get('TMPDIR') or '/tmp'}/gieok-{os.getuid()}"
    for path in filter(None, (runtime and f"{runtime}/gieok", temporary)):
        try:
            with suppress(FileExistsError):
                os.mkdir(path, 0o700)
            found = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077:
            return path
    return None


def socket_path() -> str | None:
    """Return where the resident process of this gieok listens: other code, Python, rights or streams: another place."""
    place = folder()
    if place is None:
        return None
    packages = [each for each in sys.path if each.endswith("-packages") and os.path.isdir(each)]
    what = (
        *(sys.executable, sys.prefix, sys.version, __file__, _import_path()),
        *(os.stat(each).st_mtime_ns for each in packages),  # installing a package changes them
        *(sys.flags.utf8_mode, sys.getfilesystemencoding()),
        *(os.getresuid(), os.getresgid(), os.getgroups(), os.stat("/").st_ino),
        *(os.stat(f"/proc/self/ns/{name}").st_ino for name in _NAMESPACES),
    )
    return f"{place}/{newest_change():x}-{zlib.crc32(repr(what).encode('utf-8', 'surrogateescape')):08x}.sock"


def newest_change(path: str = _PACKAGE) -> int:
    """Return when something in the folder `path`, by default gieok itself, was changed last, in nanoseconds."""
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


def connected(path: str) -> socket.socket | None:
    """Return a connection to the resident process at `path`; None where there is none, or it is somebody else's."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.settimeout(_AT_ONCE)
        connection.connect(path)
        if peer_of(connection)[1] == os.getuid():
            return connection
    except OSError:
        pass
    connection.close()
    return None


def peer_of(connection: socket.socket) -> tuple[int, int]:
    """Return the process and the user at the other end, as the kernel knows them."""
    process, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return process, user


def started(path: str, minutes: float = MINUTES) -> socket.socket | None:
    """Start a resident process that listens at `path`, and return a connection to it, or to one that was faster."""
    import subprocess

    kept = {name: value for name, value in os.environ.items() if name in _KEPT or name.startswith(_KEPT_PREFIXES)} | {
        "PYTHONPATH": os.pathsep.join(_import_path()),
        "PYTHONUTF8": str(sys.flags.utf8_mode),
    }
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gieok.cli.resident", path, str(minutes)],
        cwd="/",
        env=kept | threads,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        connection = connected(path)
        if connection is not None or process.poll():
            return connection
        time.sleep(0.01)
    return None


def is_ready(connection: socket.socket, *, loading: bool) -> bool:
    """Wait until the resident process answers; `loading`: also while it loads, and tell a person at a terminal."""
    if not loading:
        return _answers(connection, _AT_ONCE) is True
    answer = _answers(connection, _SILENT)
    if answer is None:
        if sys.stderr is None or not sys.stderr.isatty():
            return _answers(connection, _PATIENCE) is True
        from gieok.cli.console import text, waiting

        with waiting(text("loading.morphology")):
            answer = _answers(connection, _PATIENCE)
    return answer is True


def _answers(connection: socket.socket, seconds: float) -> bool | None:
    """Return whether the resident process is ready; False: it has ended; None: it said nothing in that time."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == READY
    except TimeoutError:
        return None
    except OSError:
        return False
    finally:
        connection.settimeout(None)


def _handed_over(connection: socket.socket) -> int | None:
    streams: list[Any] = [sys.stdin, sys.stdout, sys.stderr]
    mask = os.umask(0o077)
    os.umask(mask)
    request = marshal.dumps(
        {
            "arguments": sys.argv,
            "environment": dict(os.environ),
            "umask": mask,
            "streams": [
                stream and (stream.encoding, stream.errors, stream.line_buffering, stream.write_through)
                for stream in streams
            ],
        }
    )
    frame = LENGTH.pack(len(request)) + request
    here = os.open(".", os.O_PATH)
    open_streams = [number for number, stream in enumerate(streams) if stream is not None]
    try:
        with _signals_passed_on(connection) as blocked:
            sent = socket.send_fds(connection, [frame], [*open_streams, here])
            connection.sendall(frame[sent:])
            signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
            kind, number = _answer(connection)
    except OSError:  # it has ended before it had the whole command
        return None
    finally:
        os.close(here)
    return _ended(kind, number)


def _answer(connection: socket.socket) -> tuple[bytes, int]:
    try:
        answer = connection.recv(2, socket.MSG_WAITALL)
    except OSError:
        answer = b""
    return (answer[:1], answer[1]) if len(answer) == 2 else (b"", 0)


def _ended(kind: bytes, number: int) -> int | None:
    if kind == EXITED:
        return number
    if kind == REFUSED:
        return None
    if kind == KILLED:  # by a signal: this process ends as the command did
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        return 128 + number
    from gieok.cli.console import complain, text

    complain(text("warm.lost"))
    return 1


@contextmanager
def _signals_passed_on(connection: socket.socket) -> Iterator[set[signal.Signals]]:
    """Send every signal to the command instead of heeding it here. They are blocked until the caller unblocks them."""

    def pass_on(number: int, _: FrameType | None) -> None:
        stops = number == signal.SIGTSTP
        with suppress(OSError):
            connection.sendall(bytes([signal.SIGSTOP if stops else number]))
            if stops:
                os.kill(os.getpid(), signal.SIGSTOP)
                connection.sendall(bytes([signal.SIGCONT]))

    numbers = {getattr(signal, name) for name in _PASSED_ON}
    numbers -= {number for number in numbers if signal.getsignal(number) == signal.SIG_IGN}  # nohup, or `&` in a script
    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    before: dict[Any, Any] = {number: signal.signal(number, pass_on) for number in numbers}
    try:
        yield numbers
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
