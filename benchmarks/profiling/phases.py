"""The phases of the work, each named for what it does, and the public functions that do it.

Time in one of them counts for its phase, less what another one that it calls takes: the shares of all add up.
"""

from __future__ import annotations

import functools
import importlib
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Phase:
    """A name, and what counts for it: functions as `module:function` or `module:Class.method`."""

    name: str
    of: tuple[str, ...]


_VIEW: Final = "gieok.stores.tables.view:StoredView"
_SQL: Final = "gieok.stores.sqlite.connection:Connection"

PHASES: Final = (
    Phase("morphology", ("gieok.language.morphemes:analyse",)),
    Phase("encoding", ("gieok.embedders.universal:UniversalEncoder.embed",)),
    Phase("reading facts", ("gieok.extract.reader:Reader.claims",)),
    Phase("noticing", ("gieok.observe.noticed:acquaintance", "gieok.observe.noticed:noticed_in")),
    Phase("indexing", ("gieok.observe.index:Indexer.entries", "gieok.observe.index:Indexer.with_new_memories")),
    Phase(
        "judging",
        (
            "gieok.observe.index:beliefs_for",
            "gieok.observe.noticed:state_for",
            "gieok.domain.apply:OperationApplier.carried_out",
        ),
    ),
    Phase("putting down", ("gieok.stores.tables.view:StoredRoom.apply",)),
    Phase("upkeep", ("gieok.maintain.maintainer:Maintainer.after_turn",)),
    Phase(
        "SQL",
        tuple(f"{_SQL}.{name}" for name in ("rows", "row", "value", "run", "run_many", "insert", "update", "script")),
    ),
    Phase("understanding", ("gieok.recall.question:read_question",)),
    Phase("evidence", ("gieok.recall.gather:evidence",)),
    Phase(
        "vector scan",
        (*(f"{_VIEW}.{name}" for name in ("nearness", "cosines", "dense")), "gieok.recall.gather:Near.measure"),
    ),
    Phase(
        "word search",
        (
            *(f"{_VIEW}.{name}" for name in ("occurrences", "prefix_occurrences", "word_weights", "tagged")),
            "gieok.recall.gather:_keyword",
        ),
    ),
    Phase("fetching", (f"{_VIEW}.items",)),
    Phase("gathering", ("gieok.recall.gather:gathered", "gieok.recall.gather:nearest_facts")),
    Phase("ranking", ("gieok.recall.rank:Ranker.ranked",)),
    Phase("choosing", ("gieok.recall.rank:chosen",)),
    Phase("standing", ("gieok.recall.context:state_lines", "gieok.recall.context:rolling_summary")),
    Phase("laying out", ("gieok.recall.context:assembled",)),
    Phase("engine", tuple(f"gieok.bank.mind:Mind.{name}" for name in ("observe", "recall", "context"))),
)

EVENT_LOOP: Final = "event loop"  #: of a server: its main thread, outside of all phases
REST: Final = "the rest"  #: whatever no phase holds
NAMES: Final = (*(phase.name for phase in PHASES), EVENT_LOOP, REST)


def found(dotted: str) -> tuple[Any, str]:
    """Return where a function hangs, a module or a class, and its name there. Raises `LookupError` if it is gone."""
    module, _, path = dotted.partition(":")
    *outer, name = path.split(".")
    try:
        holder: Any = importlib.import_module(module)
        for each in outer:
            holder = getattr(holder, each)
        if not callable(getattr(holder, name)):
            raise AttributeError(name)
    except (ImportError, AttributeError) as gone:
        raise LookupError(f"there is no {dotted} any more; mend PHASES in {__file__}") from gone
    return holder, name


@dataclass(slots=True)
class _Thread:
    """What one thread is at, and what it has spent."""

    clock: Callable[[], float]
    at: list[str] = field(default_factory=list)
    since: float = 0.0  #: of the thread's own processor time
    spent: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def enter(self, name: str) -> None:
        now = self.clock()
        if self.at:
            self.spent[self.at[-1]] += now - self.since
        self.at.append(name)
        self.since = now

    def leave(self) -> None:
        now = self.clock()
        self.spent[self.at.pop()] += now - self.since
        self.since = now


class Profile:
    """Seconds of processor time by phase, over all threads, since the last `reset`."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock  #: of the thread that asks
        self._here = threading.local()
        self._threads: list[tuple[int, _Thread]] = []  #: an identity may come again, with another thread

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def counted(*arguments: Any, **options: Any) -> Any:
            thread = self._thread()
            thread.enter(name)
            try:
                return function(*arguments, **options)
            finally:
                thread.leave()

        return counted

    def reset(self) -> None:
        """Count from now on; call it while nothing is at work."""
        for _, thread in self._threads:
            thread.spent.clear()

    def spent(self, thread: int | None = None) -> dict[str, float]:
        """Return seconds by phase, of all threads or of the one with that identity."""
        together: defaultdict[str, float] = defaultdict(float)
        for ident, each in self._threads:
            for name, seconds in each.spent.items() if thread in (None, ident) else ():
                together[name] += seconds
        return dict(together)

    def _thread(self) -> _Thread:
        mine: _Thread | None = getattr(self._here, "thread", None)
        if mine is None:
            mine = self._here.thread = _Thread(self._clock)
            self._threads.append((threading.get_ident(), mine))
        return mine


@contextmanager
def profiled(phases: Sequence[Phase] = PHASES) -> Iterator[Profile]:
    """Count the time of `phases` meanwhile, wherever their functions are called from. Raises `LookupError`."""
    profile = Profile()
    undo: list[tuple[Any, str, Any]] = []
    for phase in phases:
        for dotted in phase.of:
            holder, name = found(dotted)
            plain = getattr(holder, name)
            counted = profile.wrapped(phase.name, plain)
            places = [(holder, name)] if isinstance(holder, type) else list(_borrowers(plain))
            undo += [(place, called, vars(place).get(called)) for place, called in places]
            for place, called in places:
                setattr(place, called, counted)
    try:
        yield profile
    finally:
        for place, called, plain in reversed(undo):
            if plain is None:  # it was inherited
                delattr(place, called)
            else:
                setattr(place, called, plain)


def _borrowers(function: object) -> Iterator[tuple[Any, str]]:
    """Yield every module of gieok that knows `function`, its own one included, and by which name."""
    for module in [each for name, each in sys.modules.items() if name.startswith("gieok.") and each is not None]:
        for name, value in list(vars(module).items()):
            if value is function:
                yield module, name
