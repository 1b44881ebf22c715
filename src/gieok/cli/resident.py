"""The resident process: it keeps the models loaded and forks a child for each command; and `gieok warm`.

It has one thread, opens no bank and keeps nothing of a command: the child takes over the client's streams, folder and
environment, and runs the command as if it had just been started. The client's side is `gieok.cli.handover`.
"""

from __future__ import annotations

import atexit
import gc
import io
import marshal
import os
import select
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any, Final, NoReturn

import typer

from gieok.cli import handover
from gieok.cli.console import answers, text
from gieok.cli.handover import EXITED, KILLED, LENGTH, MINUTES, READY, REFUSED
from gieok.errors import EmbedderFailed, GieokError

_SLOW: Final = 5.0  #: seconds that a client may take to send its command
_HANDLED: Final = (signal.SIGTERM, signal.SIGINT) + ((signal.SIGCHLD,) if hasattr(signal, "SIGCHLD") else ())
_LOOKS: Final = 15.0  #: seconds between two looks whether the code has changed, so that nobody will ask any more
#: whose modules are imported as they are needed, which nearly every command does
_ROOMS: Final = tuple(
    f"gieok.{room}"
    for room in ("bank", "maintain", "observe", "privacy", "prompts", "recall", "stores.sqlite", "stores.tables")
)
_REHEARSED: Final = ("나는 고양이를 좋아해. 어제 서울에 갔어", "I like cats and I live in Seoul")


class NoResident(GieokError):
    """A resident process cannot be started."""


def main() -> None:
    """Listen at the socket that the first argument names, until no command came for as many minutes as the second."""
    path, minutes = sys.argv[1:]
    listener = _listener(path)
    if listener is None:  # somebody else was faster
        return
    resident = _Resident(path, listener, float(minutes) * 60)
    try:
        _load()
        resident.admit_waiting()  # the command that started this process
        _rehearse()
        resident.serve()
    finally:
        resident.close()


def _listener(path: str) -> socket.socket | None:
    """Return the socket at `path`; None where another process listens there."""
    import fcntl

    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if other := handover.connected(path):
            other.close()
            return None
        with suppress(FileNotFoundError):  # left behind by one that was killed
            os.unlink(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        os.umask(0o177)
        listener.bind(path)
        os.umask(0o077)
        listener.listen(128)
        return listener
    finally:
        os.close(folder)


def _load() -> None:
    """Load what takes long, and depends on no setting: morphology, the encoder, and the modules that use them."""
    gc.disable()
    import gieok.cli.talk  # noqa: F401
    from gieok.embedders import create
    from gieok.language import morphemes
    from gieok.ports.blas import use_one_thread

    use_one_thread()
    morphemes.warm()
    with suppress(EmbedderFailed):  # the command that needs it says so
        create().warm()


def _rehearse() -> None:
    """Load the reader and whatever else a command would load again and again."""
    from gieok.cli.app import module_of
    from gieok.cli.explain import explained
    from gieok.words import LANGUAGES, words_in

    for name in handover.SERVED:
        import_module(module_of(name))
    for package in map(import_module, _ROOMS):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for line in _REHEARSED:
        explained(line)
    for language in LANGUAGES:
        for surface in ("cli", "context", "errors", "shared"):
            words_in(language).some(surface)
    gc.collect()
    gc.freeze()  # a child's collections must not copy what it shares with this process


class _Resident:
    """Accepts commands, and reports how their processes ended."""

    def __init__(self, path: str, listener: socket.socket, idle: float) -> None:
        self.path = path
        self.listener = listener
        self.idle = idle
        self.started = time.time_ns()
        self.running: dict[int, socket.socket | None] = {}  #: by process; None: the client has gone
        self.closed = False
        self.woken, self.waking = socket.socketpair()  #: a byte for each signal that this process receives
        self.woken.setblocking(False)
        self.waking.setblocking(False)
        signal.set_wakeup_fd(self.waking.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: self.close())

    def admit_waiting(self) -> None:
        while not self.closed and select.select([self.listener], [], [], 0)[0]:
            self._admit()

    def serve(self) -> None:
        until = time.monotonic() + self.idle
        while self.running or not self.closed:
            busy = bool(self.running)
            clients = {client: process for process, client in self.running.items() if client is not None}
            watched = [self.woken, *clients, *([] if self.closed else [self.listener])]
            left = until - time.monotonic()
            ready, _, _ = select.select(watched, [], [], None if busy else min(max(left, 0), _LOOKS))
            if not ready and (left <= _LOOKS or handover.newest_change() > self.started):
                return
            for client in clients.keys() & set(ready):
                self._pass_on(client, clients[client])
            if self.woken in ready:
                self.woken.recv(1024)
                self._reap()
            if self.listener in ready and not self.closed:
                self._admit()
            if busy:
                until = time.monotonic() + self.idle

    def close(self) -> None:
        """Accept no more commands. Those that run go on."""
        if not self.closed:
            self.closed = True
            with suppress(FileNotFoundError):
                os.unlink(self.path)
            self.listener.close()

    def _admit(self) -> None:
        client, _ = self.listener.accept()
        fds: list[int] = []
        try:
            if handover.peer_of(client)[1] != os.getuid():
                raise PermissionError
            client.settimeout(_SLOW)
            client.sendall(READY)
            request, fds = _received(client)
            client.settimeout(None)
        except (OSError, EOFError):  # one that only looks whether somebody is here, too
            client.close()
        else:
            self._begin(client, request, fds)
        finally:
            for fd in fds:
                os.close(fd)

    def _begin(self, client: socket.socket, request: dict[str, Any], fds: list[int]) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)  # until the child has handlers of its own
        try:
            if len(os.listdir("/proc/self/task")) > 1:
                raise OSError("a process with threads must not fork")
            child = os.fork()
        except OSError:
            _send(client, REFUSED, 0)
            client.close()
            return
        else:
            if child == 0:
                for each in (self.listener, self.woken, *filter(None, self.running.values())):
                    each.close()
                _answer(client, request, fds)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
        with suppress(OSError):  # the child does the same; whoever is first
            os.setpgid(child, child)
        self.running[child] = client

    def _pass_on(self, client: socket.socket, child: int) -> None:
        """Pass on the signals that the client sent. Where it has gone without waiting, the command ends."""
        try:
            numbers = client.recv(64)
        except OSError:
            numbers = b""
        if not numbers:
            client.close()
            self.running[child] = None
        for number in numbers or (signal.SIGTERM, signal.SIGCONT):
            with suppress(OSError):
                os.killpg(child, number)

    def _reap(self) -> None:
        while self.running:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            client = self.running.pop(child)
            if client is not None:
                if os.WIFSIGNALED(status):
                    _send(client, KILLED, os.WTERMSIG(status))
                client.close()


def _received(client: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return the command and the file descriptors that came with it. Raises `EOFError` if it is not whole."""
    data, fds, _, _ = socket.recv_fds(client, LENGTH.size, 4)
    try:
        length = LENGTH.unpack(data)[0] if len(data) == LENGTH.size else 0
        request = bytearray()
        while len(request) < length and (more := client.recv(length - len(request))):
            request += more
        if not length or len(request) < length:
            raise EOFError
        return marshal.loads(request), fds
    except BaseException:
        for fd in fds:
            os.close(fd)
        raise


def _send(client: socket.socket, kind: bytes, number: int) -> None:
    with suppress(OSError):
        client.sendall(kind + bytes([number]))


def _answer(client: socket.socket, request: dict[str, Any], fds: list[int]) -> NoReturn:
    """Run the command in this process, a child, tell the client its exit code, and end."""
    code = 1
    try:
        try:
            _take_over(request, fds)
            code = _run()
        except KeyboardInterrupt:
            code = 130
        except BaseException:  # noqa: BLE001 - the edge of the process: as the interpreter would
            sys.excepthook(*sys.exc_info())
        threading._shutdown()  # type: ignore[attr-defined]  # waits for threads, as the interpreter does at its end
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # closed from the start
                stream.flush()
    finally:
        _send(client, EXITED, code)
        os._exit(code)


def _take_over(request: dict[str, Any], fds: list[int]) -> None:
    os.setpgid(0, 0)  # the signals of a terminal reach the command with all it starts
    signal.set_wakeup_fd(-1)
    for each in _HANDLED:
        signal.signal(each, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
    passed = iter(fds)
    for number, (name, given) in enumerate(zip(("stdin", "stdout", "stderr"), request["streams"], strict=True)):
        stream = None
        if given is None:  # closed from the start
            os.close(number)
        else:
            os.dup2(next(passed), number)
            encoding, errors, by_line, unbuffered = given
            raw: Any = os.fdopen(number, "wb" if number else "rb", 0 if unbuffered else -1, closefd=False)
            newline = "\n" if number else None
            stream = io.TextIOWrapper(raw, encoding, errors, newline, by_line, unbuffered)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    os.fchdir(next(passed))
    for fd in fds:
        os.close(fd)
    os.umask(request["umask"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    sys.argv = request["arguments"]
    gc.enable()


def _run() -> int:
    from gieok.cli import run_here

    try:
        run_here()
    except SystemExit as left:
        return left.code & 0xFF if isinstance(left.code, int) else int(left.code is not None)


def warm(
    stop: Annotated[bool, typer.Option("--stop")] = False,
    status: Annotated[bool, typer.Option("--status")] = False,
    minutes: Annotated[float | None, typer.Option("--minutes", min=0)] = None,
) -> None:
    if not handover.is_possible():
        raise NoResident(text("warm.impossible"))
    path = handover.socket_path()
    if path is None:
        raise NoResident(text("warm.no_folder"))
    there = _residents(Path(path).parent)
    if status:
        told = [_told(each, process, "current" if each == path else "older") for each, process in there.items()]
        answers().print("\n".join(told) or text("warm.none"), soft_wrap=True)
    elif stop:
        _stop(there)
        answers().print(text("warm.stopped", n=len(there)) if there else text("warm.none"))
    elif path in there and minutes is None:
        answers().print(_told(path, there[path], "current"), soft_wrap=True)
    else:
        if handover.is_switched_off():
            raise NoResident(text("warm.off"))
        _stop({each: process for each, process in there.items() if each == path})
        minutes = MINUTES if minutes is None else minutes
        process = _start(path, minutes)
        answers().print(_told(path, process, "current"), soft_wrap=True)
        answers().print(text("warm.ends", minutes=minutes), soft_wrap=True)


def _start(path: str, minutes: float) -> int:
    """Start a resident process and return its number once all is loaded. Raises `NoResident`."""
    connection = handover.started(path, minutes)
    for last in (False, True):
        if connection is None:
            break
        with connection:
            ready = handover.is_ready(connection, loading=True)
            process, _ = handover.peer_of(connection)
        if ready and last:
            return process
        connection = handover.connected(path) if ready else None  # it is answered again after the rehearsal
    raise NoResident(text("warm.failed"))


def _residents(folder: Path) -> dict[str, int]:
    """Return the resident processes of this user, also those of other versions, by their sockets."""
    found = {}
    for path in map(str, sorted(folder.glob("*.sock"))):
        if connection := handover.connected(path):
            with connection:
                found[path] = handover.peer_of(connection)[0]
    return found


def _stop(residents: dict[str, int]) -> None:
    """Stop them, and wait until they accept no more commands."""
    for path, process in residents.items():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
        until = time.monotonic() + _SLOW
        while os.path.exists(path) and os.path.exists(f"/proc/{process}") and time.monotonic() < until:
            time.sleep(0.01)


def _told(path: str, process: int, version: str) -> str:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") // 2**20
    since = datetime.fromtimestamp(Path(path).stat().st_mtime).astimezone()
    return text(f"warm.{version}", process=process, since=f"{since:%Y-%m-%d %H:%M}", megabytes=megabytes)


if __name__ == "__main__":
    main()
