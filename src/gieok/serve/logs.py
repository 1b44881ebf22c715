"""The log of a server: one JSON object a line, or a short line for a person at a terminal.

It says what was done, how long it took and what went wrong, never what was said: an error is told by its kind and
where it happened, since its message may quote; scopes are hashed. `serve_log_text` lifts that.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2s
from queue import Full, Queue
from threading import Thread
from typing import Any, Final, TextIO
from urllib.parse import parse_qs

from gieok.domain.scope import Scope
from gieok.http import request_id

Masked = Callable[[str], str]
_SPOKEN: Final = ("message", "error", "path", "body")  #: facts that may quote somebody
_SALT: Final = secrets.token_bytes(16)  # another one at every start: names cannot be guessed from an old log
_QUIET: Final = ("httpx2", "httpcore2", "asyncio", "mcp", "openai")  #: they log what they send
_LINES: Final = 10_000  #: that wait to be written
_FAREWELL: Final = 2.0  #: seconds to write what is left
_TOLD_ALREADY: Final = "Exception in ASGI application"  #: by the front, with the request's id


def unnamed(scope: Scope) -> str:
    return _hashed(scope.user, scope.character, scope.world)


def unnamed_scope(query_string: bytes) -> str | None:
    """Return the scope that a query string names, unnamed; None: it names none."""
    given = parse_qs(query_string.decode("latin-1"), encoding="utf-8", errors="replace")
    # Of a name that is given twice the last counts, as it does for whoever answers.
    names = [given[name][-1] if name in given else None for name in ("user", "character", "world")]
    return _hashed(*names) if any(names) else None


def _hashed(*names: str | None) -> str:
    text = "\0".join(name or "" for name in names)
    return blake2s(text.encode("utf-8", "replace"), key=_SALT, digest_size=6).hexdigest()


class _Line(logging.Formatter):
    """What a record says, without names and words."""

    def __init__(self, *, log_text: bool, masked: Masked = lambda text: text) -> None:
        super().__init__()
        self._log_text = log_text
        self._masked = masked

    def facts(self, record: logging.LogRecord) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
            "request_id": request_id.current.get(),
            **getattr(record, "told", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            facts["error"] = self._error(record.exc_info[1])
        return {
            name: self._masked(fact) if name in _SPOKEN and isinstance(fact, str) else fact
            for name, fact in facts.items()
            if fact is not None
        }

    def _message(self, record: logging.LogRecord) -> str:
        if self._log_text or not isinstance(record.args, tuple):
            return record.getMessage()
        shown = tuple(self._shown(each) for each in record.args)
        return str(record.msg) % shown if shown else str(record.msg)

    def _shown(self, argument: object) -> object:
        if isinstance(argument, Scope):
            return f"scope {unnamed(argument)}"
        return type(argument).__name__ if isinstance(argument, BaseException) else argument

    def _error(self, error: BaseException) -> str:
        if self._log_text:
            return "".join(traceback.format_exception(error))
        told: list[str] = []
        cause: BaseException | None = error
        while cause is not None and len(told) < 10:
            frames = "".join(traceback.format_list(traceback.extract_tb(cause.__traceback__)))
            told.append(f"{frames}{type(cause).__module__}.{type(cause).__qualname__}")
            cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        return "\ncaused by\n".join(told)


class JsonLine(_Line):
    """One JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(self.facts(record), ensure_ascii=False, default=str)


class ShortLine(_Line):
    """For a person."""

    def format(self, record: logging.LogRecord) -> str:
        facts = self.facts(record)
        at = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        if "route" in facts:
            words = [f"{facts['status']}", f"{facts['method']:<6}", facts["route"], f"{facts['ms']:g} ms"]
            words += [f"{name}={facts[name]}" for name in ("key", "scope", "path", "body") if name in facts]
        else:
            words = [facts["level"], facts["message"]]
        words += [f"id={facts['request_id']}"] if "request_id" in facts else []
        return "\n".join(_printable(each) for each in (" ".join([at, *words]), *facts.get("error", "").splitlines()))


def _printable(line: str) -> str:
    """Return `line` without codes that a terminal obeys: an error may quote what was said."""
    return "".join(each if each.isprintable() else "\ufffd" for each in line)


def _news(record: logging.LogRecord) -> bool:
    return not (record.name == "uvicorn.error" and record.msg.startswith(_TOLD_ALREADY))


class _Written(logging.Handler):
    """Writes in a thread of its own: a slow reader of the log holds up nobody; what he cannot take is left out."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self._lines: Queue[str | None] = Queue(_LINES)
        self._left_out = 0
        self._thread = Thread(target=self._write, name="gieok-log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.put_nowait(self.format(record))
        except Full:
            self._left_out += 1
        except Exception:  # noqa: BLE001  # as logging's own do: a line that cannot be made breaks nothing else
            self.handleError(record)

    def close(self) -> None:
        with suppress(Full):
            self._lines.put_nowait(None)
            self._thread.join(_FAREWELL)
        super().close()

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            left_out, self._left_out = self._left_out, 0
            lost = f"{left_out} lines of the log were left out: nobody read them\n" if left_out else ""
            with suppress(OSError, ValueError):  # nobody reads it any more
                self._stream.write(f"{lost}{line}\n")
                self._stream.flush()


def start_logging(*, log_text: bool, to: TextIO | None = None, masked: Masked = lambda text: text) -> logging.Handler:
    """Have this process log to stderr; the result, closed, writes what is left.

    Words that may stand there do so as they are `masked`.
    """
    stream = to or sys.stderr
    handler = _Written(stream)
    handler.setFormatter((ShortLine if stream.isatty() else JsonLine)(log_text=log_text, masked=masked))
    handler.addFilter(_news)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in (*_QUIET, "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return handler
