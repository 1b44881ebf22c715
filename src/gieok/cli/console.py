"""The terminal: its language, what values are called in it, and where a command writes.

Answers go to stdout, everything else to stderr. What people said may hold codes that move a terminal's cursor, rename
its window or turn the writing round. None of them gets there.
"""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from gieok import errors
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.words import LANGUAGES, Language, Words, words_in

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.spinner import Spinner

    from gieok.bank import MemoryBank, Mind
    from gieok.settings import Settings

DIM: Final = "bright_black"
_TURNING: Final = r"\u202a-\u202e\u2066-\u2069"  #: they turn round what stands behind them, also what is not theirs
_CONTROLS: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}]")  #: all but tab and line feed
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")
_RAW_IN_JSON: Final = re.compile(rf"[\x7f-\x9f\ud800-\udfff{_TURNING}]")  #: what `json` leaves as it is


def terminal_language() -> Language:
    """Return GIEOK_LANGUAGE, else `language` in the settings file, else Korean in a Korean locale, else English."""
    chosen = os.environ.get("GIEOK_LANGUAGE") or _language_in_file()
    for language in LANGUAGES:
        if language == chosen:
            return language
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return "ko" if locale.lower().startswith("ko") else "en"


def _language_in_file() -> object:
    path = Path(os.environ.get("GIEOK_CONFIG") or "gieok.toml")
    try:  # a file that cannot be read is reported by the command that needs its settings
        return tomllib.loads(path.read_text(encoding="utf-8")).get("language")
    except (OSError, ValueError):
        return None


def terminal_words() -> Words:
    return words_in(terminal_language())


def texts_of(surface: str) -> Callable[..., str]:
    """Return what gives the text `<surface>.<key>` in the language of the terminal."""
    return lambda key, /, **values: terminal_words()(f"{surface}.{key}", **values)


text: Final = texts_of("cli")


def plain(said: str) -> str:
    """Return `said` without its control characters, and with � for what cannot be written."""
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", said))


class Screen(Console):
    """A console on which nothing but our own styles is more than letters."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):  # control characters are 0 wide: the layout still fits
            yield segment if segment.is_control else Segment(plain(segment.text), segment.style)


def answers() -> Console:
    """Return the console for what was asked for. What people said is shown as it stands: no markup, no emoji codes."""
    return Screen(markup=False, emoji=False, highlight=False)


def asides() -> Console:
    """Return the console for progress and errors, so that stdout stays fit for a pipe."""
    return Screen(stderr=True, markup=False, emoji=False, highlight=False)


def show(value: Any, view: Callable[[], RenderableType], as_json: bool, *, soft_wrap: bool = False) -> None:
    """Print `value` as a JSON record, or else what `view` makes of it."""
    if as_json:
        from gieok.cli.records import record

        print_json(record(value))
    else:
        answers().print(view(), soft_wrap=soft_wrap)


def print_json(record: Any) -> None:
    """Write `record`, and nothing else, to stdout."""
    holds_all = "utf" in (sys.stdout.encoding or "utf-8").lower()

    def as_text(value: Any) -> str:
        return value.isoformat() if isinstance(value, datetime) else str(value)

    written = json.dumps(record, ensure_ascii=not holds_all, indent=2, default=as_text)
    sys.stdout.write(_RAW_IN_JSON.sub(lambda raw: f"\\u{ord(raw[0]):04x}", written) + "\n")


def complain(trouble: str) -> None:
    asides().print(Text.assemble(("gieok: ", "bold red"), (trouble, "red")), soft_wrap=True)


class _LogLine(logging.Handler):
    """What a library logs while a command runs: a line on stderr, without a traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        cause = record.exc_info[1] if record.exc_info else None
        asides().print(f"{record.getMessage()}: {cause}" if cause else record.getMessage(), soft_wrap=True)


def ready_streams() -> None:
    """Make every text writable: letters that a terminal or a file cannot hold become a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    logging.lastResort = _LogLine(logging.WARNING)


@contextmanager
def waiting(words: str) -> Iterator[Spinner]:
    """Show `words` with a spinner, from the first moment on: what loads may hold it still for a while."""
    from rich.live import Live
    from rich.spinner import Spinner

    spinner = Spinner("dots", text=Text(words), style="green")
    with Live(spinner, console=asides(), transient=True, refresh_per_second=12.5):
        yield spinner


def progress() -> Progress:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = asides()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def wake(bank: MemoryBank) -> None:
    """Load morphology and encoder. Without a working encoder only words are searched, and the answer says so."""
    from gieok.language import morphemes

    with suppress(errors.EmbedderFailed):
        if morphemes.loaded():  # by a resident process, with the encoder
            bank.embedder.warm()
            return
        with waiting(text("loading.morphology")) as shown:
            morphemes.warm()
            shown.update(text=Text(text("loading.encoder")))
            bank.embedder.warm()


def explained(trouble: errors.GieokError | OSError) -> str:
    match trouble:
        case errors.UnknownMemory():
            return text("errors.unknown_memory", id=repr(trouble.memory_id))
        case errors.UnknownPerson():
            return text("errors.unknown_person", name=repr(trouble.name))
        case errors.TurnChanged():
            return text("errors.turn_changed", id=repr(trouble.turn_id), quoted=shlex.quote(trouble.turn_id))
        case errors.UnknownVersion():
            quoted = shlex.quote(trouble.memory_id)
            return text("errors.unknown_version", id=repr(trouble.memory_id), version=trouble.version, quoted=quoted)
        case errors.UnknownTurn():
            return text("errors.unknown_turn", id=repr(trouble.turn_id))
        case errors.UnknownScope() if trouble.known:
            return text("errors.unknown_scope", scope=trouble.scope, known=", ".join(trouble.known))
        case errors.UnknownScope():
            return text("errors.unknown_scope_in_empty_bank", scope=trouble.scope)
        case errors.UnderHold():
            reason = f": {trouble.why}" if trouble.why else ""
            return text("errors.under_hold", scope=trouble.scope, by=trouble.by, reason=reason)
        case OSError():
            where = "" if trouble.filename is None else f"{trouble.filename}: "
            full = trouble.errno == errno.ENOSPC
            return where + text("errors.disk_full" if full else "errors.system", trouble=trouble.strerror or trouble)
    return trouble.in_language(terminal_words())


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of one language, for one scope and one time zone."""

    words: Words
    scope: Scope | None  #: None: of no scope
    zone: ZoneInfo

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text `cli.<key>`."""
        return self.words(f"cli.{key}", **values)

    def label(self, table: str, name: str) -> str:
        return self.words.label(table, name)

    def named(self, who: str) -> str:
        """Return whom a speaker or subject id means."""
        user, character = (self.scope.user, self.scope.character) if self.scope else (None, None)
        if who == "user":
            return user or self.label("subjects", who)
        if who in ("character", character):
            return character or self.label("subjects", "character")
        return self.label("subjects", who) if who == "world" else who

    def subject_matter(self, memory: Memory) -> str:
        """Return the attribute of `memory`, or the type of one that has none."""
        key = memory.attribute
        return self.label("types", memory.content_type) if key is None else self.words.attribute(key)

    def day(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d}"

    def moment(self, at: datetime, *, seconds: bool = False) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}" + (f":{at:%S}" if seconds else "")


def terms_for(mind: Mind) -> Terms:
    return Terms(terminal_words(), mind.key, mind.bank.settings.zone)


def terms_under(settings: Settings) -> Terms:
    return Terms(terminal_words(), None, settings.zone)
