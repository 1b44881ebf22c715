"""Where the command writes: answers on stdout, everything else on stderr.

What people said may hold codes that move a terminal's cursor, rename its window or turn the writing round. None of
them gets there.
"""

from __future__ import annotations

import errno
import io
import json
import logging
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.console import Console, ConsoleOptions, RenderableType
from rich.live import Live
from rich.segment import Segment
from rich.spinner import Spinner
from rich.text import Text

from gieok.errors import (
    GieokError,
    TurnChanged,
    UnderHold,
    UnknownMemory,
    UnknownPerson,
    UnknownScope,
    UnknownTurn,
    UnknownVersion,
)

if TYPE_CHECKING:
    from gieok.bank import MemoryBank


_TURNING: Final = r"\u202a-\u202e\u2066-\u2069"  #: they turn round what stands behind them, also what is not theirs
_CONTROLS: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}]")  #: all but tab and line feed
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")
_RAW_IN_JSON: Final = re.compile(rf"[\x7f-\x9f\ud800-\udfff{_TURNING}]")  #: what `json` leaves as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class WakingWords:
    """What is said while something loads."""

    commands: str
    morphology: str
    encoder: str
    rehearsal: str


WAKING: Final = {
    "ko": WakingWords(
        commands="기억을 깨우는 중…",
        morphology="기억을 깨우는 중… (1/2) 형태소 분석기",
        encoder="기억을 깨우는 중… (2/2) 문장 인코더",
        rehearsal="기억을 깨우는 중… 마지막 점검",
    ),
    "en": WakingWords(
        commands="Waking the memory …",
        morphology="Waking the memory … (1/2) morphology",
        encoder="Waking the memory … (2/2) sentence encoder",
        rehearsal="Waking the memory … a last check",
    ),
}


def plain(text: str) -> str:
    """Return `text` without its control characters, and with � for what cannot be written."""
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


class Screen(Console):
    """A console on which nothing but our own styles is more than letters."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):  # control characters are 0 wide: the layout still fits
            yield segment if segment.is_control else Segment(plain(segment.text), segment.style)


def answers() -> Console:
    """Return the console for what was asked for. What people said is shown as it stands: no markup, no emoji codes."""
    return Screen(markup=False, emoji=False, highlight=False)


def asides() -> Console:
    """Return the console for progress and complaints, so that stdout stays fit for a pipe."""
    return Screen(stderr=True, markup=False, emoji=False, highlight=False)


def complain(trouble: str) -> None:
    asides().print(Text.assemble(("gieok: ", "bold red"), (trouble, "red")), soft_wrap=True)


class _Remark(logging.Handler):
    """What a library logs while a command runs: a line on stderr, without the way through the code."""

    def emit(self, record: logging.LogRecord) -> None:
        cause = record.exc_info[1] if record.exc_info else None
        asides().print(f"{record.getMessage()}: {cause}" if cause else record.getMessage(), soft_wrap=True)


def ready_streams() -> None:
    """Have everything be written somehow: letters that a terminal or a file cannot hold become a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    logging.lastResort = _Remark(logging.WARNING)


@contextmanager
def waiting(words: str) -> Iterator[Spinner]:
    """Show `words` with something that turns, from the first moment on: what loads may not let it turn for a while."""
    spinner = Spinner("dots", text=Text(words), style="green")
    with Live(spinner, console=asides(), transient=True, refresh_per_second=12.5):
        yield spinner


def print_json(record: Any) -> None:
    """Write `record`, and nothing else, to stdout."""
    holds_all = "utf" in (sys.stdout.encoding or "utf-8").lower()
    text = json.dumps(record, ensure_ascii=not holds_all, indent=2)
    sys.stdout.write(_RAW_IN_JSON.sub(lambda raw: f"\\u{ord(raw[0]):04x}", text) + "\n")


def wake(bank: MemoryBank) -> None:
    """Load morphology and encoder, with a word on stderr about the wait.

    Without a working encoder words alone are searched, and the answer says so.
    """
    from contextlib import suppress

    from gieok.errors import EmbedderFailed
    from gieok.language import morphemes

    words = WAKING[bank.settings.language]
    with waiting(words.morphology) as shown:
        morphemes.warm()
        shown.update(text=Text(words.encoder))
        with suppress(EmbedderFailed):
            bank.embedder.warm()


def told(trouble: GieokError | OSError) -> str:
    """Return what to tell the person at the terminal."""
    match trouble:
        case UnknownMemory():
            return f"no memory {trouble.memory_id!r} in this scope; `gieok facts --history` lists what there is"
        case UnknownPerson():
            return f"nobody goes by {trouble.name!r} in this scope; `gieok people` lists whom it knows"
        case TurnChanged():
            rewind = f"gieok rewind {shlex.quote(trouble.turn_id)}"
            return (
                f"turn {trouble.turn_id!r} was observed with another text; "
                f"use a new --turn-id, or take it back first: {rewind}"
            )
        case UnknownVersion():
            return (
                f"memory {trouble.memory_id!r} has no version {trouble.version}; "
                f"gieok history {shlex.quote(trouble.memory_id)} lists those it has"
            )
        case UnknownTurn():
            return f"{trouble}; `gieok trace` names the last turn, `gieok emotions --json` all of them"
        case UnknownScope() if trouble.known:
            return f"{trouble}; name all that stands in one of the brackets, by -u, -c and -w"
        case UnderHold():
            return str(trouble).replace("bank.release(scope)", "gieok hold --release")
        case OSError(errno=errno.ENOSPC):
            return f"{_where(trouble)}there is no room left on the disk; free some space and try again"
        case OSError():
            return f"{_where(trouble)}{trouble.strerror or trouble}; check the path and its permissions"
    return str(trouble)


def _where(trouble: OSError) -> str:
    return "" if trouble.filename is None else f"{trouble.filename}: "
