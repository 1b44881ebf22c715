"""A machine that a seed decides: which thread runs, what the clock says, what the disk keeps, and when it all dies.

One thread runs at a time. It hands the baton on at every statement, at what the disk is asked for, and wherever it
would wait. The disk is one of SQLite's VFS over real files: these hold what the operating system knows, and an `Image`
beside each what has reached the platter.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import random
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Self

import apsw
import pytest

from gieok import ids
from gieok.recall import time_limit
from gieok.stores.sqlite import file as sqlite_file
from gieok.stores.sqlite import store as sqlite_store
from gieok.stores.sqlite import writer
from gieok.stores.tables import erase, export, scopes, search_index
from gieok.testing import FixedClock, day

FaultKind = Literal["none", "kill", "power", "lost sync", "full", "read-only", "input/output", "statement"]
SECTOR: Final = 512
_WORK: Final = ".gieok-work-"  #: in the names of files that are only being made
_STUCK_SECONDS: Final = 120.0
_PAUSES: Final = 0.15  #: how likely a thread hands the baton on where it need not
_UNASKED: Final = ("SAVEPOINT", "RELEASE", "ROLLBACK")  #: statements that fail only with the disk


class Deadlock(AssertionError):
    """Everybody waits for somebody else."""


class Baton:
    """Lets one thread run at a time. Who is next depends on nothing but the seed."""

    def __init__(self, chance: random.Random) -> None:
        self.seconds = 0.0  #: what the monotonic clock says
        self.over = False  #: the threads of processes that died wait for ever
        self.stuck: str | None = None
        self._chance = chance
        self._numbers = itertools.count()
        self._here = threading.local()
        self._waiting: dict[int, tuple[Callable[[], bool], bool, threading.Semaphore]] = {}
        self.join(process=0)

    def join(self, *, process: int) -> None:
        """Make the current thread one of those that the baton is handed to."""
        self._here.number, self._here.process = next(self._numbers), process

    @property
    def thread(self) -> int:
        return int(self._here.number)

    @property
    def process(self) -> int:
        """Which process the current thread belongs to, in the simulation."""
        return int(getattr(self._here, "process", 0))

    @contextmanager
    def of_process(self, process: int) -> Iterator[None]:
        before, self._here.process = self._here.process, process
        try:
            yield
        finally:
            self._here.process = before

    def perhaps(self) -> None:
        """Let another thread go on, or not."""
        if self._waiting and self._chance.random() < _PAUSES:
            self.pause()

    def pause(self, until: Callable[[], bool] = lambda: True, *, patient: bool = True) -> None:
        """Go on once `until` holds; who is not `patient` also goes on when nobody else can."""
        if not hasattr(self._here, "number"):  # the collector closes a bank in a thread of its own
            return
        turn = threading.Semaphore(0)
        self._waiting[self.thread] = (until, patient, turn)
        if self._hand_on() is not turn and not turn.acquire(timeout=_STUCK_SECONDS):
            if self.over:
                turn.acquire()
            self.stuck = self.stuck or "a thread waits for something that the simulation does not know of"
        if self.stuck is not None:
            raise Deadlock(self.stuck)

    def leave(self) -> None:
        """End the current thread's part."""
        if self._waiting:
            self._hand_on()

    def _hand_on(self) -> threading.Semaphore:
        ready = sorted(number for number, (until, _, _) in self._waiting.items() if until())
        ready = ready or sorted(number for number, (_, patient, _) in self._waiting.items() if not patient)
        if not ready:
            self.stuck = "everybody waits for somebody else"
            ready = sorted(self._waiting)[:1]
        _, _, turn = self._waiting.pop(ready[0] if len(ready) == 1 else self._chance.choice(ready))
        turn.release()
        return turn

    # What the engine has of the standard library: everything in it that waits, or tells how long.

    def monotonic(self) -> float:
        return self.seconds

    def time(self) -> float:
        return day(1).timestamp() + self.seconds

    def time_ns(self) -> int:
        return int(self.time() * 1e9)

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        self.pause(patient=False)

    def wait(self, futures: Sequence[Future[Any]], timeout: float) -> Any:
        self.pause(lambda: all(each.done() for each in futures), patient=False)
        return Waited({each for each in futures if each.done()})


class Waited(NamedTuple):
    done: set[Future[Any]]


class Lock:
    """A `threading.Lock` that hands the baton on while somebody else has it."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._taken = False

    def __enter__(self) -> None:
        while self._taken:
            self._baton.pause(lambda: not self._taken)
        self._taken = True

    def __exit__(self, *_: object) -> None:
        self._taken = False


class Jobs:
    """The writer's queue."""

    def __init__(self, baton: Baton) -> None:
        self._baton = baton
        self._jobs: list[Any] = []

    def put(self, job: Any) -> None:
        self._jobs.append(job)

    def get(self) -> Any:
        self._baton.pause(lambda: bool(self._jobs))
        return self._jobs.pop(0)

    def get_nowait(self) -> Any:
        if not self._jobs:
            raise writer.Empty
        return self._jobs.pop(0)


class Thread(threading.Thread):
    """A thread that runs when it has the baton; it belongs to the process that starts it."""

    baton: Baton

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._process = self.baton.process
        self._begun, self._ended = threading.Event(), False

    def start(self) -> None:
        super().start()
        self._begun.wait()

    def run(self) -> None:
        baton = self.baton
        baton.join(process=self._process)
        turn = threading.Semaphore(0)
        baton._waiting[baton.thread] = (lambda: True, True, turn)
        self._begun.set()
        turn.acquire()
        try:
            super().run()
        finally:
            self._ended = True
            baton.leave()

    def is_alive(self) -> bool:
        return not self._ended and super().is_alive()

    def join(self, timeout: float | None = None) -> None:
        self.baton.pause(lambda: self._ended)
        super().join()


@dataclass(kw_only=True)
class Fault:
    """What goes wrong, from which operation on, and for how many."""

    kind: FaultKind = "none"
    at: int = 0
    lasts: int = 1
    only: str = ""  #: counts and strikes operations of this kind alone
    after: bool = False  #: what the machine dies at is done, but nobody is told


@dataclass
class Image:
    """A file as it is on the platter, and what the operating system has not brought there yet."""

    kept: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)  #: writes; None: cut off there
    there: bool = True  #: it has its name
    new: bool = False  #: nobody has synced it, nor the folder

    def synced(self) -> None:
        for change in self.pending:
            self._apply(*change)
        self.pending.clear()

    def survivors(self, chance: random.Random) -> bytes:
        """Return what a loss of power leaves: of what was not synced, some sectors in any order."""
        share = chance.choice((0.0, 0.3, 0.9, 1.0))
        for offset, data in self.pending:
            if data is None:
                if chance.random() < share:
                    self._apply(offset, None)
                continue
            for start in range(0, len(data), SECTOR):
                if chance.random() < share:
                    self._apply(offset + start, data[start : start + SECTOR])
        self.pending.clear()
        return bytes(self.kept)

    def _apply(self, offset: int, data: bytes | None) -> None:
        if data is None:
            del self.kept[offset:]
            return
        if len(self.kept) < offset:
            self.kept.extend(bytes(offset - len(self.kept)))
        self.kept[offset : offset + len(data)] = data


class Disk(apsw.VFS):
    """The disk of the machine. `arm` says what goes wrong next; `trace` is the digest of all that it was asked for."""

    _numbers = itertools.count()

    def __init__(self, baton: Baton, chance: random.Random) -> None:
        self.name = f"simulated-{next(self._numbers)}"
        super().__init__(self.name, "unix")
        self.baton, self.chance = baton, chance
        self.images: dict[str, Image] = {}
        self.dead: set[int] = set()
        self.fault = Fault()
        self.lied = False  #: a sync was told to be done, and was not
        self.struck = 0  #: how often something went wrong
        self.ceased = False  #: without power
        self._asked = 0
        self._digest = hashlib.sha256()

    def arm(self, fault: Fault) -> None:
        self.fault, self._asked = fault, 0

    @property
    def trace(self) -> str:
        return self._digest.hexdigest()

    def note(self, *told: object) -> None:
        self._digest.update(" ".join(map(str, (self.baton.process, *told, "\n"))).encode())

    def gone(self, process: int) -> bool:
        return self.ceased or process in self.dead

    def statement(self, cursor: Any, sql: str, values: Any) -> bool:
        """Stand before every statement of every connection."""
        self.note(sql[:60])
        self.baton.perhaps()
        if self.gone(self.baton.process):
            raise apsw.IOError("the process is dead")
        if self.fault.kind == "statement" and not sql.startswith(_UNASKED):
            self._asked += 1
            if self._due():
                raise self.chance.choice((apsw.IOError, apsw.FullError, apsw.BusyError))("simulated")
        return True

    def step(self, what: str, file: File, offset: int = 0, size: int = 0) -> apsw.Error | None:
        """Say what becomes of an operation on the disk.

        Returns an error for one that fails halfway, and raises it for one that does nothing.
        """
        self.note(what, file.ending, offset, size)
        if not file.lasting:
            return None
        self.baton.perhaps()
        if self.gone(file.process):
            raise apsw.IOError("the process is dead")
        kind = self.fault.kind
        if kind in ("none", "statement") or (what == "read" and kind != "input/output"):
            return None
        if self.fault.only not in ("", what):
            return None
        self._asked += 1
        return self._struck(kind, what, file, offset + size) if self._due() else None

    def _struck(self, kind: FaultKind, what: str, file: File, end: int) -> apsw.Error | None:
        match kind:
            case "kill":
                self.dead.add(file.process)
            case "power":
                self.ceased = True
            case "lost sync":
                self.lied |= what == "sync"
                self.ceased = self._asked == self.fault.at + self.fault.lasts - 1
                if not self.ceased:
                    return None
            case "full":
                return apsw.FullError("simulated") if what == "write" and end > file.size() else None
            case "read-only":
                raise apsw.IOError("read-only")
        return apsw.IOError("simulated")

    def _due(self) -> bool:
        due = self.fault.at <= self._asked < self.fault.at + self.fault.lasts
        self.struck += due
        return due

    def restart(self, process: int) -> None:
        """Go on after a death with another process. What had no time to reach the platter is lost with the power."""
        if self.ceased:
            for name, image in self.images.items():
                path = Path(name)
                if not image.there and self.chance.random() < 0.5:
                    image.there = True
                content = image.survivors(self.chance)
                if image.there:
                    path.write_bytes(content)
                else:
                    path.unlink(missing_ok=True)
        self.ceased, self.fault = False, Fault()
        self.dead.add(process)

    def xOpen(self, name: Any, flags: list[int]) -> File:  # noqa: N802
        return File(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        self.note("delete", name[-4:])
        if _WORK not in name and self.gone(self.baton.process):
            raise apsw.IOError("the process is dead")
        super().xDelete(name, sync)
        if name in self.images:
            self.images[name].there = False
        if sync:
            self.names_synced()

    def names_synced(self) -> None:
        """Have the folder on the platter: what was removed does not come back."""
        self.images = {name: image for name, image in self.images.items() if image.there}

    def xSleep(self, microseconds: int) -> int:  # noqa: N802
        self.baton.sleep(microseconds / 1e6)
        return microseconds

    def on_platter(self) -> bytes:
        return b"\n".join(bytes(image.kept) for image in self.images.values())


class File(apsw.VFSFile):
    """An open file."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self.disk, self.process = disk, disk.baton.process
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self.ending = "" if path is None else str(path)[-4:]
        self.lasting = path is not None and _WORK not in path
        if disk.gone(self.process):
            raise apsw.CantOpenError("the process is dead")
        super().__init__("unix", name, flags)
        self.image = Image()
        if self.lasting:
            known = disk.images.get(path)
            if known is None or not known.there:
                known = disk.images[path] = Image(bytearray(Path(path).read_bytes()), new=True)
            self.image = known

    def size(self) -> int:
        return int(super().xFileSize())

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if (error := self.disk.step("read", self, offset, amount)) is not None:
            raise error
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        error = self.disk.step("write", self, offset, len(data))
        if error is not None and not self.disk.fault.after:
            data = data[: self.disk.chance.randrange(len(data) // SECTOR + 1) * SECTOR]
        if data:
            super().xWrite(data, offset)
            self.image.pending.append((offset, bytes(data)))
        if error is not None:
            raise error

    def xTruncate(self, size: int) -> None:  # noqa: N802
        if (error := self.disk.step("truncate", self, size)) is not None:
            raise error
        super().xTruncate(size)
        self.image.pending.append((size, None))

    def xSync(self, flags: int) -> None:  # noqa: N802
        lied = self.disk.lied
        self.disk.lied = False
        try:
            error = self.disk.step("sync", self)
            done = not self.disk.lied and (error is None or self.disk.fault.after)
        finally:
            self.disk.lied |= lied
        if done:
            self.image.synced()
            if self.image.new:  # as SQLite does
                self.image.new = False
                self.disk.names_synced()
        if error is not None:
            raise error

    def xFileControl(self, op: int, pointer: int) -> bool:  # noqa: N802
        if op == apsw.SQLITE_FCNTL_LOCK_TIMEOUT:  # nobody waits in the operating system
            return False
        return super().xFileControl(op, pointer)

    def excepthook(self, *_: object) -> bool:
        return True


def at_once(work: Callable[[], Any]) -> Future[Any]:
    """Stand for the threads that ask the sources of a recall: here nobody is late."""
    future: Future[Any] = Future()
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001  # raised again by whoever waits
        future.set_exception(error)
    return future


def unlocked(kept: functools.cached_property[Any], instance: Any, owner: object = None) -> Any:
    """Stand for `cached_property`, which before Python 3.12 holds one lock for all instances of a class."""
    if instance is None:
        return kept
    name = str(kept.attrname)
    if name not in instance.__dict__:
        instance.__dict__[name] = kept.func(instance)
    return instance.__dict__[name]


@contextmanager
def simulated(seed: int) -> Iterator[tuple[Baton, Disk, FixedClock, random.Random]]:
    """Run what is run meanwhile on the machine of `seed`: every bank that is opened, and every thread of one."""
    chance = random.Random(seed)
    baton = Baton(random.Random(chance.random()))
    disk = Disk(baton, random.Random(chance.random()))
    clock = FixedClock(day(1))
    entropy = random.Random(chance.random())
    checkpoint = chance.choice((1000, 200, 50))

    class Now(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return clock.now().astimezone(tz or UTC)  # type: ignore[return-value]

    def checkpointed(connection: apsw.Connection, name: str, pages: int) -> int:
        if pages >= checkpoint:
            with suppress(apsw.Error):  # as SQLite does by itself: what is committed is safe
                connection.wal_checkpoint(name)
        return apsw.SQLITE_OK

    def connected(connection: apsw.Connection) -> None:
        connection.exec_trace = disk.statement
        connection.set_wal_hook(checkpointed)

    usual = apsw.vfs_names()[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "_sysrand", entropy)
        patch.setattr(secrets, "randbits", entropy.getrandbits)
        patch.setattr(ids, "_last", 0)
        patch.setattr(ids, "time", baton)
        patch.setattr(erase, "datetime", Now)
        patch.setattr(export, "datetime", Now)
        patch.setattr(sqlite_file, "time", baton)
        patch.setattr(sqlite_store, "time", baton)
        patch.setattr(sqlite_file, "Lock", lambda: Lock(baton))
        patch.setattr(search_index, "Lock", lambda: Lock(baton))
        patch.setattr(scopes, "Lock", lambda: Lock(baton))
        patch.setattr(scopes, "_ScopeLock", lambda: _ScopeLock(Lock(baton)))
        patch.setattr(writer, "Lock", lambda: Lock(baton))
        patch.setattr(writer, "wait", baton.wait)
        patch.setattr(writer, "SimpleQueue", lambda: Jobs(baton))
        patch.setattr(writer, "Thread", type("SimulatedThread", (Thread,), {"baton": baton}))
        patch.setattr(time_limit, "_started", at_once)
        patch.setattr(functools.cached_property, "__get__", unlocked)
        patch.setattr(apsw, "connection_hooks", [*apsw.connection_hooks, connected])
        apsw.set_default_vfs(disk.name)
        try:
            yield baton, disk, clock, chance
        finally:
            baton.over = True
            apsw.set_default_vfs(usual)
            disk.unregister()


@dataclass
class _ScopeLock:
    lock: Lock
    users: int = 0
