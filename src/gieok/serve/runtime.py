"""The process around the application: readiness, threads, the event loop's health, garbage collection and warm-up."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import shutil
import sys
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Generic, ParamSpec, TypeVar

import anyio.to_thread

from gieok.bank import MemoryBank
from gieok.domain.actor import actor
from gieok.errors import GieokError
from gieok.serve.metrics import Metrics

log = logging.getLogger(__name__)
Given = ParamSpec("Given")
Result = TypeVar("Result")

_BANK_SECONDS: Final = 2.0  #: that the bank has to answer
_FREE_BYTES: Final = 16 * 1024 * 1024  #: that the disk must have
_BEAT: Final = 0.01  #: seconds
_NEVER: Final = 1_000_000  #: younger collections until the interpreter runs a full one by itself
_SWITCH: Final = 0.001  #: seconds after which a busy thread yields; Python's 5 ms add up to lags that callers notice
_LINES: Final = (
    ("나 고양이 좋아해. 이름은 코코야!", "저도 고양이 좋아해요!"),
    ("어제 부산에 다녀왔는데 너무 좋았어 ㅎㅎ", "와, 부산이요? 뭐가 제일 좋았어요?"),
    ("I moved to Seoul last week and I'm allergic to peanuts.", "Noted! No peanuts for you."),
)


@dataclass(slots=True)
class Readiness:
    """Whether a server can answer requests."""

    bank: MemoryBank
    warmed: bool = False
    stopping: bool = False
    #: its own: a check of the bank neither waits behind requests nor piles up
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "gieok-ready"))
    _check: asyncio.Future[list[str]] | None = None

    async def reasons(self) -> list[str]:
        """Return why it is not ready; empty: it is."""
        if self.stopping:
            return ["the server is stopping"]
        found = [] if self.warmed else ["morphology and encoder are being loaded"]
        if self._check is None or self._check.done():
            self._check = asyncio.get_running_loop().run_in_executor(self._thread, _bank_problems, self.bank)
        try:
            return found + await asyncio.wait_for(asyncio.shield(self._check), _BANK_SECONDS)
        except TimeoutError:
            return [*found, f"the bank did not answer within {_BANK_SECONDS:g} s"]

    def close(self) -> None:
        self._thread.shutdown(wait=False)


def _bank_problems(bank: MemoryBank) -> list[str]:
    try:
        bank.store.server.webhooks()
        bank.store.server.count_uses(datetime.now(UTC).date().isoformat(), {})  # writes nothing, but asks the writer
    except GieokError as error:
        return [f"the bank cannot be used ({type(error).__name__})"]
    file = Path(bank.settings.bank)
    folder = file.resolve().parent
    if not folder.is_dir():
        return []  # not a file: a database server holds it
    if not os.access(folder, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        return ["the bank's folder cannot be written to"]
    if shutil.disk_usage(folder).free < _FREE_BYTES:
        return ["the disk is full"]
    return []


class Pool(ThreadPoolExecutor):
    """Threads of the event loop, given to callers in turn.

    A caller (the current actor) has at most `each` threads at a time, so that its slow requests never block those of
    others. Shutting down does not wait for threads: the bank closes its connections to models.
    """

    def __init__(self, threads: int, each: int) -> None:
        super().__init__(threads, thread_name_prefix="gieok-serve")
        self._each = each
        self._turns = threading.Lock()
        self._waiting: dict[str, deque[tuple[Future[Any], Callable[[], Any]]]] = {}  #: by caller, the next one first
        self._busy: Counter[str] = Counter()

    @property
    def waiting(self) -> int:
        with self._turns:
            return sum(not future.cancelled() for line in self._waiting.values() for future, _ in line)

    @property
    def busy(self) -> int:
        return self._busy.total()

    def submit(self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        future: Future[Result] = Future()
        with self._turns:  # before a thread looks for it, it must be there
            super().submit(self._work)
            self._waiting.setdefault(str(actor()), deque()).append((future, partial(fn, *args, **kwargs)))
        return future

    def _work(self) -> None:
        """Work through the queues until nothing may be started."""
        while (taken := self._next()) is not None:
            caller, future, work = taken
            try:
                if future.set_running_or_notify_cancel():
                    future.set_result(work())
            except BaseException as error:  # noqa: BLE001  # whoever waits for the result gets it
                future.set_exception(error)
            finally:
                with self._turns:
                    self._busy[caller] -= 1
                    self._busy += Counter()  # forgets those who have no thread
            del taken, future, work  # results are not held until there is more to do

    def _next(self) -> tuple[str, Future[Any], Callable[[], Any]] | None:
        with self._turns:
            caller = next((name for name in self._waiting if self._busy[name] < self._each), None)
            if caller is None:
                return None
            line = self._waiting.pop(caller)
            future, work = line.popleft()
            if line:
                self._waiting[caller] = line  # behind all others
            self._busy[caller] += 1
            return caller, future, work

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=cancel_futures)


def bound_threads(threads: int, metrics: Metrics) -> None:
    """Limit the running event loop to `threads` for the requests of a caller, twice as many for those of all.

    As many as for a caller are for pieces of streams.
    """
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = threads
    pool = Pool(2 * threads, each=threads)
    asyncio.get_running_loop().set_default_executor(pool)
    metrics.gauge(
        "gieok_queue_depth",
        "Work that waits for a thread",
        lambda: limiter.statistics().tasks_waiting + pool.waiting,
    )
    metrics.gauge("gieok_threads_busy", "Requests that are worked on", lambda: limiter.borrowed_tokens + pool.busy)


@asynccontextmanager
async def running(work: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Run `work` meanwhile, and cancel it at the end."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class Late(Generic[Result]):
    """Something that is made at the first request for it, in a thread, and is open from then on."""

    def __init__(
        self, make: Callable[[], Result], opened: Callable[[Result], AbstractAsyncContextManager[Any]]
    ) -> None:
        self._make, self._opened = make, opened
        self._wanted, self._there = asyncio.Event(), asyncio.Event()
        self._error: Exception | None = None
        self.made: Result | None = None  #: None: nobody has asked for it

    async def get(self) -> Result:
        """Return it once it is open. Raises what making or opening it raised."""
        self._wanted.set()
        await self._there.wait()
        if self._error is not None:
            raise self._error
        assert self.made is not None
        return self.made

    @asynccontextmanager
    async def awaited(self, name: str) -> AsyncIterator[None]:
        """Make it meanwhile, once it is asked for."""
        async with running(self._run(), name):
            yield

    async def _run(self) -> None:
        await self._wanted.wait()
        try:
            made = await asyncio.to_thread(self._make)
            async with self._opened(made):
                self.made = made
                self._there.set()
                await asyncio.Event().wait()
        except Exception as error:  # whoever asks for it is told
            log.exception("a part of the server could not be opened")
            self._error = error
            self._there.set()


async def heartbeat(beat: Callable[[float, float], None]) -> None:
    """Call `beat` regularly with how late it is, and for how much of that the thread waited for a processor."""
    loop, queue = asyncio.get_running_loop(), RunQueue()
    try:
        while True:
            begun, waited = loop.time(), queue.waited()
            await asyncio.sleep(_BEAT)
            late = max(loop.time() - begun - _BEAT, 0.0)
            beat(late, min(queue.waited() - waited, late))
    finally:
        queue.close()


class RunQueue:
    """How long this thread has waited for a processor so far; 0 where the system does not say."""

    def __init__(self) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def waited(self) -> float:
        if self._file is None:
            return 0.0
        try:
            return int(os.pread(self._file, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GcIntervals:
    """Seconds between garbage collections."""

    check: float = 1.0  #: between looks at whether one is due
    idle: float = 30.0
    busy: float = 600.0  #: while requests are running


@asynccontextmanager
async def collecting_garbage(requests: Callable[[], int], intervals: GcIntervals | None = None) -> AsyncIterator[None]:
    """Run full collections meanwhile, preferably when no request is running, since they stop all threads."""
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], _NEVER)
    try:
        async with running(_collect(requests, intervals or GcIntervals()), "gieok-gc"):
            yield
    finally:
        gc.set_threshold(*before)


async def _collect(requests: Callable[[], int], intervals: GcIntervals) -> None:
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(intervals.check)
        if loop.time() - last >= (intervals.busy if requests() else intervals.idle):
            gc.collect()
            last = loop.time()


def warm_up(bank: MemoryBank) -> None:
    """Load everything that serving `bank` needs, on a trial bank: nothing is written, and no model is asked."""
    with TemporaryDirectory(prefix="gieok-warm-up-") as folder:
        trial = str(Path(folder) / "trial.db")
        with MemoryBank(bank.settings.for_a_trial(trial), embedder=bank.embedder) as opened:
            mind = opened.scope(user="관객", character="레티아")
            for text, reply in _LINES:
                mind.observe(text, reply=reply)
            mind.recall("지난주에 내가 뭘 좋아한다고 했지?")
            mind.context("우리 고양이 이름이 뭐였지?")
            mind.maintain()


def tune_interpreter() -> None:
    """Have other threads and the garbage collector delay the event loop as little as possible."""
    sys.setswitchinterval(_SWITCH)
    gc.collect()
    gc.freeze()  # what is loaded stays: scanning it again and again would stop everything for tens of ms
    gc.enable()  # `gieok serve` loads without
