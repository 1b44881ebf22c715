"""The resident process: it keeps the models loaded and forks a child for each command; and `gieok warm`.

It has one thread, opens no bank and keeps nothing of a command. The client's side is `gieok.cli.handover`.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated, Final, NoReturn

import typer

from gieok.cli import INTERRUPTED, handover, run_here
from gieok.cli.console import answers, text
from gieok.errors import EmbedderFailed, GieokError

_PACKAGES: Final = "bank maintain observe privacy prompts recall stores.sqlite stores.tables".split()


class NoResident(GieokError):
    """A resident process cannot be started."""


def warm(stop: Annotated[bool, typer.Option("--stop")] = False) -> None:
    if not handover.is_possible():
        raise NoResident(text("warm.impossible"))
    if stop:
        stopped = handover.stop(f"{handover.folder()}/")
        answers().print(text("warm.stopped" if stopped else "warm.none"))
        return
    if handover.is_switched_off():
        raise NoResident(text("warm.off"))
    with suppress(OSError), handover.start(handover.socket_path()) as connection:
        if handover.is_ready(connection):
            answers().print(text("warm.ready", minutes=handover.IDLE / 60), soft_wrap=True)
            return
    raise NoResident(text("warm.failed"))


def main() -> None:
    """Run the commands that arrive at the socket, which is stdin and has the path of the first argument.

    Returns when none arrived for as many seconds as the second argument, or when the socket has been removed.
    """
    path, idle = sys.argv[1], float(sys.argv[2])
    listener = socket.socket(fileno=os.dup(0))
    own = os.stat(path).st_ino
    _load()
    listener.settimeout(1)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    until = time.monotonic() + idle
    with suppress(FileNotFoundError):
        while os.stat(path).st_ino == own:
            try:
                client, _ = listener.accept()
            except TimeoutError:
                if time.monotonic() > until:
                    os.unlink(path)
                continue
            if os.fork() == 0:
                listener.close()
                _run(client)
            client.close()
            until = time.monotonic() + idle


def _load() -> None:
    """Load morphology, encoder and reader, and the modules that nearly every command imports."""
    from gieok.cli.app import module_of
    from gieok.cli.explain import explained
    from gieok.domain.scope import Scope
    from gieok.domain.turn import USER, Turn, Utterance
    from gieok.embedders import create
    from gieok.language import morphemes
    from gieok.language.topics import topics
    from gieok.observe.noticed import Acquaintance, noticed_in
    from gieok.observe.observer import FIRST_WORDS
    from gieok.ports.blas import use_one_thread
    from gieok.words import LANGUAGES, words_in

    use_one_thread()
    morphemes.use(os.environ.get("GIEOK_PROFILE", "full"))
    for name in handover.SERVED:
        import_module(module_of(name))
    for package in (import_module(f"gieok.{name}") for name in _PACKAGES):
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    now, nobody = datetime.now(UTC), Acquaintance(known={}, user=(), character=(), called=())
    for line in FIRST_WORDS:
        explained(line)
        said = Utterance(id="", turn_id="", speaker=USER, text=line, at=now, position=0)
        noticed_in(Turn(id="", utterances=(said,), at=now, recorded_at=now), Scope(user=USER), (), nobody)
    topics()
    with suppress(EmbedderFailed):  # reported by the command that needs it
        create().warm()
    for language in LANGUAGES:
        for surface in ("cli", "context", "errors", "shared"):
            words_in(language).some(surface)
    gc.collect()
    gc.freeze()  # otherwise a collection in a child copies what it shares with this process


def _run(client: socket.socket) -> NoReturn:
    """Run the command of `client` in this process, a fork, send the exit code, and end."""
    code = 1
    finished = threading.Event()
    try:
        _take_over(client, finished)
        try:
            code = run_here()
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BaseException:  # noqa: BLE001 - as the interpreter does
            sys.excepthook(*sys.exc_info())
        threading._shutdown()  # type: ignore[attr-defined]  # as the interpreter does at its end
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        finished.set()
        with suppress(OSError):
            client.sendall(bytes([code]))
        os._exit(code)


def _take_over(client: socket.socket, finished: threading.Event) -> None:
    """Receive the command and make this process one that was started with it. Raises `OSError` or `EOFError`."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.setpgid(0, 0)
    handover.check_user(client)
    client.sendall(handover.READY)
    _, received, _, _ = socket.recv_fds(client, 1, 4)
    with client.makefile("rb") as file:
        sys.argv, environment, mask, writing = marshal.load(file)
    for number, (name, (encoding, errors)) in enumerate(zip(("stdin", "stdout", "stderr"), writing, strict=True)):
        os.dup2(received[number], number)
        stream = open(number, "w" if number else "r", 1 if number == 2 else -1, encoding, errors, closefd=False)  # noqa: SIM115 - it stays open
        setattr(sys, name, stream)
    os.fchdir(received[3])
    for each in received:
        os.close(each)
    os.umask(mask)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    threading.Thread(target=_interrupt_when_closed, args=(client, finished), daemon=True).start()


def _interrupt_when_closed(client: socket.socket, finished: threading.Event) -> None:
    """Interrupt the command, with what it has started, when the client closes its side."""
    client.recv(1)
    if not finished.is_set():
        os.killpg(0, signal.SIGINT)


if __name__ == "__main__":
    main()
