"""What a server tells about itself: its metrics, in the text format of Prometheus, and its log.

Every server has its own registry of metrics, whose labels hold only fixed words. The log is JSON lines, or short lines
at a terminal. It holds what was done, how long it took and what went wrong, never what was said: an error is logged by
its type and traceback, since its message may quote a user; scopes are hashed. The setting `serve_log_text` adds texts.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import tomllib
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2s
from importlib.resources import files
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Final, TextIO
from urllib.parse import parse_qs

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from gieok.domain.scope import Scope
from gieok.http import request_id

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

_KINDS: Final = tomllib.loads(files(__package__).joinpath("metrics.toml").read_text(encoding="utf-8"))
_SLOW: Final = _KINDS["times"]["model"]["buckets"]
_LAGS: Final = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1.0)


class Metrics:
    """Counts and times what a bank and its server do. Implements the bank's `Watch`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._times = {
            what: Histogram(
                kind["name"], kind["help"], kind["labels"], buckets=kind["buckets"], registry=self._registry
            )
            for what, kind in _KINDS["times"].items()
        }
        self._counts = {
            what: Counter(kind["name"], kind["help"], kind["labels"], registry=self._registry)
            for what, kind in _KINDS["counts"].items()
        }
        self._requests = Counter("gieok_requests", "Requests", ("method", "route", "status"), registry=self._registry)
        self._request_seconds = Histogram(
            "gieok_request_seconds",
            "From a request to the first byte of its answer",
            ("method", "route"),
            buckets=_SLOW,
            registry=self._registry,
        )
        self._lags = Histogram(
            "gieok_event_loop_lag_seconds",
            "How late a heartbeat of the event loop was",
            buckets=_LAGS,
            registry=self._registry,
        )
        self._blocked = Gauge(
            "gieok_event_loop_blocked_longest_seconds",
            "The longest that this process held up its event loop since the start, waits for a processor left out",
            registry=self._registry,
        )
        self._longest = 0.0

    def took(self, what: str, part: str, seconds: float) -> None:
        if (times := self._times.get(what)) is not None:
            times.labels(part).observe(seconds)

    def counted(self, what: str, part: str, by: float = 1.0) -> None:
        if (count := self._counts.get(what)) is not None:
            count.labels(*part.split("/", len(_KINDS["counts"][what]["labels"]) - 1)).inc(by)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request; `route` is its template, never its path."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(method, route).observe(seconds)

    def beat(self, late: float, queued: float) -> None:
        """Record how late a heartbeat was, and for how much of that it waited for a processor."""
        self._lags.observe(late)
        if late - queued > self._longest:
            self._longest = late - queued
            self._blocked.set(self._longest)

    def gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Show what `read` returns whenever the metrics are read."""
        Gauge(name, about, registry=self._registry).set_function(read)

    def text(self) -> bytes:
        return generate_latest(self._registry)


def of_workers(texts: Mapping[int, bytes]) -> bytes:
    """Return the metrics of several processes as one text: each figure has the label `worker`."""
    families: dict[str, tuple[list[str], list[str]]] = {}  #: what is told of each, and its figures
    for worker, text in sorted(texts.items()):
        about: list[str] = []
        figures: list[str] = []
        for line in text.decode().splitlines():
            if line.startswith("#"):
                name = line.split(" ", 3)[2]
                about, figures = families.setdefault(name, ([], []))
                if line not in about:
                    about.append(line)
            else:
                figure, _, value = line.rpartition(" ")
                name, labelled, labels = figure.partition("{")
                figures.append(f'{name}{{worker="{worker}"{"," + labels if labelled else "}"} {value}')
    return "".join(f"{line}\n" for about, figures in families.values() for line in (*about, *figures)).encode()


Masked = Callable[[str], str]
_TEXTS: Final = ("message", "error", "path", "body")  #: fields that may quote a user
_SALT: Final = secrets.token_bytes(16)  # new at every start: names cannot be guessed from an old log
_QUIET: Final = ("httpx2", "httpcore2", "asyncio", "mcp", "openai")  #: they log what they send
_LINES: Final = 10_000  #: that may wait to be written
_LINES_AT_ONCE: Final = 500  #: that are written together
_GATHER_SECONDS: Final = 0.01  #: that the first of them waits for others
_CLOSE_SECONDS: Final = 2.0  #: to write what is left
_LOGGED_ALREADY: Final = "Exception in ASGI application"  #: by `RequestLog`, with the id of the request


def hashed_scope(scope: Scope) -> str:
    return _hashed(scope.user, scope.character, scope.world)


def hashed_query_scope(query_string: bytes) -> str | None:
    """Return a hash of the scope that a query string names; None: it names none."""
    given = parse_qs(query_string.decode("latin-1"), encoding="utf-8", errors="replace")
    # Of a repeated parameter the last counts, as in the routes.
    names = [given[name][-1] if name in given else None for name in ("user", "character", "world")]
    return _hashed(*names) if any(names) else None


def _hashed(*names: str | None) -> str:
    text = "\0".join(name or "" for name in names)
    return blake2s(text.encode("utf-8", "replace"), key=_SALT, digest_size=6).hexdigest()


class _Formatter(logging.Formatter):
    """The fields of a log record, without names and texts."""

    def __init__(self, *, log_text: bool, masked: Masked = lambda text: text) -> None:
        super().__init__()
        self._log_text, self._masked = log_text, masked

    def fields(self, record: logging.LogRecord) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
            "request_id": request_id.current.get(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            fields["error"] = self._error(record.exc_info[1])
        return {
            name: self._masked(value) if name in _TEXTS and isinstance(value, str) else value
            for name, value in fields.items()
            if value is not None
        }

    def _message(self, record: logging.LogRecord) -> str:
        if self._log_text or not isinstance(record.args, tuple):
            return record.getMessage()
        shown = tuple(self._shown(each) for each in record.args)
        return str(record.msg) % shown if shown else str(record.msg)

    def _shown(self, argument: object) -> object:
        if isinstance(argument, Scope):
            return f"scope {hashed_scope(argument)}"
        return type(argument).__name__ if isinstance(argument, BaseException) else argument

    def _error(self, error: BaseException) -> str:
        if self._log_text:
            return "".join(traceback.format_exception(error))
        parts: list[str] = []
        cause: BaseException | None = error
        while cause is not None and len(parts) < 10:
            frames = "".join(traceback.format_list(traceback.extract_tb(cause.__traceback__)))
            parts.append(f"{frames}{type(cause).__module__}.{type(cause).__qualname__}")
            cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        return "\ncaused by\n".join(parts)


class JsonFormatter(_Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(self.fields(record), ensure_ascii=False, default=str)


class ShortFormatter(_Formatter):
    """A short line for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        fields = self.fields(record)
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        if "route" in fields:
            words = [f"{fields['status']}", f"{fields['method']:<6}", fields["route"], f"{fields['ms']:g} ms"]
            words += [f"{name}={fields[name]}" for name in ("key", "scope", "path", "body") if name in fields]
        else:
            words = [fields["level"], fields["message"]]
        words += [f"id={fields['request_id']}"] if "request_id" in fields else []
        text = "\n".join([" ".join([at, *words]), *fields.get("error", "").splitlines()])
        # Without terminal control codes: an error may quote what was said.
        return "".join(each if each.isprintable() or each == "\n" else "\ufffd" for each in text)


class _QueuedHandler(logging.Handler):
    """Writes in a thread of its own, so that a slow reader of the log delays nothing; what does not fit is dropped.

    What comes within a few milliseconds is written together: a thread that wakes up for each line slows down the rest.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._dropped = 0
        self._closing = Event()
        self._thread = Thread(target=self._write, name="gieok-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if self._lines.qsize() < _LINES:
                self._lines.put(self.format(record))
            else:
                self._dropped += 1
        except Exception:  # noqa: BLE001  # like logging's own handlers: a line that cannot be formatted breaks nothing else
            self.handleError(record)

    def close(self) -> None:
        self._closing.set()
        self._lines.put(None)
        self._thread.join(_CLOSE_SECONDS)
        super().close()

    def _write(self) -> None:
        lines: list[str | None] = []
        while None not in lines:
            lines = [self._lines.get()]
            self._closing.wait(_GATHER_SECONDS)
            with suppress(Empty):
                while len(lines) < _LINES_AT_ONCE:
                    lines.append(self._lines.get_nowait())
            dropped, self._dropped = self._dropped, 0
            lost = f"{dropped} lines of the log were dropped: nobody read them\n" if dropped else ""
            with suppress(OSError, ValueError):  # the stream is closed
                self._stream.write(lost + "".join(f"{line}\n" for line in lines if line is not None))
                self._stream.flush()


def start_logging(
    *, log_text: bool, to: TextIO | None = None, masked: Masked = lambda text: text, queued: bool = True
) -> logging.Handler:
    """Log this process to stderr; closing the handler writes what is left. `masked` is applied to texts.

    Unless it is `queued`, it needs no thread, and waits for whoever reads the log.
    """
    stream = to or sys.stderr
    handler = _QueuedHandler(stream) if queued else logging.StreamHandler(stream)
    handler.setFormatter((ShortFormatter if stream.isatty() else JsonFormatter)(log_text=log_text, masked=masked))
    handler.addFilter(lambda line: not (line.name == "uvicorn.error" and line.msg.startswith(_LOGGED_ALREADY)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in (*_QUIET, "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return handler
