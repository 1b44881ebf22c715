"""A chat model behind an OpenAI-compatible endpoint.

The client's own retries are not used: they know no deadline for all tries together, and retry a 429 at once.
"""

from __future__ import annotations

import importlib
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import Any, Final, Literal, TypeVar
from weakref import WeakSet

from gieok.domain.answer import Failure, Message
from gieok.errors import ModelFailed
from gieok.ports import Completion
from gieok.ports.endpoints import (
    ErrorStatus,
    login_in,
    new_client,
    raise_for_error,
    retry_after,
    shared_cooldown,
    without_secrets,
)

Form = Literal["json_schema", "json_object", "plain"]
_WEAKER: Final[Mapping[Form, Form]] = {"json_schema": "json_object", "json_object": "plain"}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of a model in one call."""

    model: str
    messages: Sequence[Message]
    most_tokens: int
    schema: Mapping[str, Any] | None = None
    stream: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an endpoint understands beyond messages."""

    form: Form = "json_schema"  #: how it is told to answer with JSON
    usage: bool = True  #: counts the tokens of a stream
    steady: bool = True  #: takes a temperature
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def request(self, question: Question) -> dict[str, Any]:
        messages = [
            {"role": each.role, "content": _SURROGATE.sub("\ufffd", each.content)} for each in question.messages
        ]
        body: dict[str, Any] = {"model": question.model, "messages": messages, self.limit: question.most_tokens}
        if question.stream:
            body["stream"] = True
            if self.usage:
                body["stream_options"] = {"include_usage": True}
        if question.schema is None:
            return body
        if self.steady:
            body["temperature"] = 0
        if self.form == "json_schema":
            shape = {"name": "answer", "schema": question.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
            return body
        if self.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        order = f"Answer with JSON of this schema and nothing else:\n{json.dumps(question.schema, ensure_ascii=False)}"
        if messages and messages[0]["role"] == "system":  # many templates take only one system message, at the head
            messages[0]["content"] += f"\n\n{order}"
        else:
            messages.insert(0, {"role": "system", "content": order})
        return body

    def simpler(self, question: Question, complaint: str) -> Dialect | None:
        """Return a simpler dialect after the endpoint refused a request; None: there is none.

        What the complaint names is dropped first.
        """
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.steady and question.schema is not None and "temperature" in complaint:
            return replace(self, steady=False)
        if self.usage and question.stream:
            return replace(self, usage=False)
        if question.schema is not None and self.form in _WEAKER:
            return replace(self, form=_WEAKER[self.form])
        return None


_RETRIED: Final[frozenset[Failure]] = frozenset({"unreachable", "timeout", "server_error"})
_LONGEST_DETAIL: Final = 400  #: characters of what an endpoint says that are passed on


class _Unusable(Exception):
    """What came back is an error (with a `code`), or no answer."""

    def __init__(
        self, failure: Failure, detail: str, *, code: int | None = None, retry_after: str | None = None
    ) -> None:
        super().__init__(failure)
        self.failure: Failure = failure
        self.detail = detail
        self.code = code
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.detail if self.code is None else f"HTTP {self.code}: {self.detail}"


def _error(code: int, detail: str, retry_after: str | None = None) -> _Unusable:
    by_code: Mapping[int, Failure] = {429: "rate_limited", 408: "timeout"}
    failure = by_code.get(code, "server_error" if code >= 500 else "refused")
    return _Unusable(failure, detail, code=code, retry_after=retry_after)


@contextmanager
def _translated(model: str, key: str | None) -> Iterator[None]:
    """Raise what the client, its HTTP library or the reading of an answer raises as `ModelFailed`, without secrets."""
    import openai

    # The HTTP library that the installed `openai` uses: httpx in older ones, httpx2 in newer.
    http = importlib.import_module(str(openai.DefaultHttpxClient.__base__.__module__))
    try:
        try:
            yield
        except ErrorStatus as error:
            raise _error(error.code, error.detail, error.retry_after) from None
    except _Unusable as error:
        error.detail = without_secrets(error.detail, key)[:_LONGEST_DETAIL]
        raise ModelFailed(error.failure, model, str(error)) from error
    except (http.TimeoutException, openai.APITimeoutError) as error:
        raise ModelFailed("timeout", model, _innermost(error)) from error
    except (http.HTTPError, http.StreamError, http.InvalidURL, openai.APIConnectionError, OSError) as error:
        raise ModelFailed("unreachable", model, _innermost(error)) from error
    except openai.OpenAIError as error:
        raise ModelFailed("refused", model, _innermost(error)) from error


def _innermost(error: Exception) -> str:
    """Return what the cause of an error says: the client itself says "Connection error."."""
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__


_RANDOM: Final = Random()  # its own, so that the program's random numbers stay as they are
_LONGEST_PAUSE: Final = 8.0
_LARGEST: Final = 10_000_000  #: bytes of a whole answer
_LONGEST_WAIT: Final = 86_400.0  #: seconds; sockets have no endless time-outs
_CONNECTED: Final = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds and counts; every bound holds at once."""

    seconds: float = 30.0  #: for a whole answer, or for the beginning of a stream; with all retries
    connect: float = 5.0
    stall: float = 10.0  #: between two pieces of an answer
    stream: float = 300.0  #: for a whole stream, however steadily its pieces come
    retries: int = 2  #: after a failure that may pass
    pause: float = 0.5  #: before the first retry; it doubles


class Connection:
    """The connections to one endpoint. The client is made at the first request, which takes most of a second."""

    def __init__(self, *, url: str, key: str | None, patience: Patience) -> None:
        self._url, self._login = login_in(url)
        self._key = key
        self._patience = patience
        self._client: Any = None
        self._closed = False
        self._lock = threading.Lock()
        self._sockets: WeakSet[socket.socket] = WeakSet()

    def client(self) -> Any:
        with self._lock:
            if self._closed:
                raise _Unusable("unreachable", "it was closed")
            if self._client is None:
                hooks = {"request": [self._trace], "response": [self._check_status]}
                self._client = new_client(self._url, self._key, login=self._login, event_hooks=hooks)
            return self._client

    @contextmanager
    def send(self, body: dict[str, Any], *, until: float, lasting: float) -> Iterator[tuple[bool, Iterator[bytes]]]:
        """Send a request; give whether events come back, and the pieces of the answer. Leaving the block hangs up.

        The answer must begin `until` then and end `lasting` then, both by `time.monotonic`.
        """
        import openai

        client = self.client()
        left = min(max(until - time.monotonic(), 0.001), _LONGEST_WAIT)
        timeout = openai.Timeout(left, connect=min(self._patience.connect, left))
        with client.chat.completions.with_streaming_response.create(**body, timeout=timeout) as response:
            events = "event-stream" in response.headers.get("content-type", "")

            def pieces() -> Iterator[bytes]:
                for piece in response.iter_bytes():
                    if time.monotonic() > lasting:
                        raise _Unusable("timeout", "it did not end in time")
                    yield piece

            yield events, pieces()

    def close(self) -> None:
        """Hang up, also on answers that are awaited: whoever waits fails at once, and the endpoint notices."""
        with self._lock:
            client, self._client, self._closed = self._client, None, True
            sockets = list(self._sockets)
        for each in sockets:  # closing a socket that another thread reads from would not be noticed at the other end
            with suppress(OSError):  # it is closed already
                each.shutdown(socket.SHUT_RDWR)
        if client is not None:
            client.close()

    def _trace(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._connected}

    def _connected(self, event: str, info: dict[str, Any]) -> None:
        found = info["return_value"].get_extra_info("socket") if event in _CONNECTED else None
        if isinstance(found, socket.socket):
            with self._lock:
                self._sockets.add(found)

    def _check_status(self, response: Any) -> None:
        timeouts = response.request.extensions["timeout"]
        timeouts["read"] = min(timeouts["read"], self._patience.stall)
        raise_for_error(response, self._patience.stall)


_LONGEST_EVENT: Final = 1_000_000  #: bytes
_LONGEST: Final = 200_000  #: characters of an answer
_SHORTEST_REST: Final = 1.0  #: seconds of a cool-down
_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"


def _whole(pieces: Iterator[bytes]) -> Completion:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > _LARGEST:
            raise _Unusable("too_long", f"a body of more than {_LARGEST:,} bytes")
    return _read(bytes(data), "message")


def _events(pieces: Iterator[bytes]) -> Iterator[Completion]:
    for line in _lines(pieces):
        if line.startswith(b"data:"):
            data = line[len(b"data:") :].strip()
            if data == b"[DONE]":
                return
            yield _read(data, "delta")


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held = bytearray()
    for piece in pieces:
        held += piece
        *lines, rest = held.split(b"\n")
        yield from (bytes(line.strip()) for line in lines)
        held = rest
        if len(held) > _LONGEST_EVENT:
            raise _Unusable("too_long", f"an event of more than {_LONGEST_EVENT:,} bytes")
    yield bytes(held.strip())


def _read(data: bytes, field: str) -> Completion:
    """Read one object; `field` is "message" in a whole answer, "delta" in a stream."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as cause:
        raise _Unusable("broken", f"no JSON came back: {data[:80].decode(errors='replace')!r}") from cause
    if not isinstance(value, dict):
        raise _Unusable("broken", f"no answer of a chat model came back: {str(value)[:80]!r}")
    if error := value.get("error"):  # though the status was good
        code = error.get("code") if isinstance(error, dict) else None
        message = error.get("message") if isinstance(error, dict) else error
        raise _error(code if isinstance(code, int) and code >= 400 else 500, str(message)[:_LONGEST_DETAIL])
    choices, usage = value.get("choices"), value.get("usage")
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = choice.get(field) if isinstance(choice, dict) else None
    text = said.get("content") if isinstance(said, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    asked, answered = (counts.get(name) for name in ("prompt_tokens", "completion_tokens"))
    return Completion(
        text=text if isinstance(text, str) else "",
        prompt_tokens=asked if isinstance(asked, int) and asked > 0 else 0,
        answer_tokens=answered if isinstance(answered, int) and answered > 0 else 0,
    )


class ThoughtFilter:
    """Removes thoughts (<think>…</think>) from an answer that comes in pieces; a tag may span several."""

    def __init__(self) -> None:
        self._held = ""  #: may be the beginning of a tag
        self._thinking = False
        self._begun = False  #: before the first word, white space belongs to the thoughts

    def feed(self, piece: str) -> str:
        """Return the visible part of `piece`, and of what was held back before."""
        text, visible = self._held + piece, ""
        while True:
            tag = _CLOSES if self._thinking else _OPENS
            before, found, after = text.partition(tag)
            if not found:
                break
            visible += "" if self._thinking else before
            text, self._thinking = after, not self._thinking
        held = next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)
        self._held = text[len(text) - held :]
        if not self._thinking:
            visible += text[: len(text) - held]
        return self._from_first_word(visible)

    def end(self) -> str:
        rest, self._held = ("" if self._thinking else self._held), ""
        return self._from_first_word(rest)

    def _from_first_word(self, visible: str) -> str:
        if not self._begun:
            visible = visible.lstrip()
            self._begun = bool(visible)
        return visible


def without_thoughts(text: str) -> str:
    """Return a whole answer without thoughts, also if its template opened them before the answer began."""
    thoughts = ThoughtFilter()
    said = thoughts.feed(text) + thoughts.end()
    return said.rpartition(_CLOSES)[2].lstrip() if _CLOSES in said else said


def _checked(said: str, counts: Completion) -> Completion:
    text = without_thoughts(said)
    if not text.strip():
        raise _Unusable("empty", "it said nothing")
    if len(text) > _LONGEST:
        raise _Unusable("too_long", f"more than {_LONGEST:,} characters")
    return replace(counts, text=text)


Result = TypeVar("Result")


class EndpointLlm:
    """Implements `gieok.ports.Llm` over one endpoint. Nothing is sent before the first question."""

    def __init__(
        self,
        model: str,
        *,
        url: str,
        key: str | None,
        patience: Patience | None = None,
        cooldown: float = 60.0,
        dialect: Dialect | None = None,
    ) -> None:
        self.name = model
        self._key = key
        self._patience = patience or Patience()
        self._connection = Connection(url=url, key=key, patience=self._patience)
        self._cooldown = shared_cooldown(url, "chat")
        self._cooldown_seconds = cooldown
        self._dialect = dialect or Dialect()
        self._closed = threading.Event()

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        question = Question(model=self.name, messages=messages, schema=schema, most_tokens=most_tokens)

        def ask(dialect: Dialect, until: float) -> Completion:
            with (
                _translated(self.name, self._key),
                self._connection.send(dialect.request(question), until=until, lasting=until) as (_, pieces),
            ):
                answer = _whole(pieces)
                return _checked(answer.text, answer)

        return self._retried(ask, question)

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        question = Question(model=self.name, messages=messages, most_tokens=most_tokens, stream=True)

        def begin(dialect: Dialect, until: float) -> tuple[str, Generator[str, None, Completion]]:
            pieces = self._streamed(dialect.request(question), until)
            return next(pieces), pieces

        first, rest = self._retried(begin, question)
        try:
            yield first
            return (yield from rest)
        finally:
            rest.close()

    def close(self) -> None:
        self._closed.set()
        self._connection.close()

    def _streamed(self, body: dict[str, Any], until: float) -> Generator[str, None, Completion]:
        """Yield the visible pieces of an answer; there is at least one, or it fails."""
        lasting = time.monotonic() + self._patience.stream
        thoughts, said, counts = ThoughtFilter(), "", Completion(text="")
        with (
            _translated(self.name, self._key),
            self._connection.send(body, until=until, lasting=lasting) as (is_stream, pieces),
        ):
            for each in _events(pieces) if is_stream else (_whole(pieces),):
                counts = each if each.prompt_tokens or each.answer_tokens else counts
                if text := thoughts.feed(each.text):
                    said += text
                    yield text
                if len(said) > _LONGEST:
                    raise _Unusable("too_long", f"more than {_LONGEST:,} characters")
            if text := thoughts.end():
                said += text
                yield text
            return _checked(said, counts)

    def _retried(self, ask: Callable[[Dialect, float], Result], question: Question) -> Result:
        """Ask until it goes well: again after what may pass, in a simpler dialect after what was not understood."""
        with _translated(self.name, self._key):
            self._connection.client()  # before the time counts: loading the client takes a second
        until = time.monotonic() + self._patience.seconds
        dialect, retries = self._dialect, 0
        while True:
            if (left := self._cooldown.left) > 0:
                detail = f"the endpoint is rate limited; it is not asked for another {left:.0f} s"
                raise ModelFailed("rate_limited", self.name, detail)
            try:
                result = ask(dialect, until)
            except ModelFailed as failed:
                cause = failed.__cause__
                if isinstance(cause, _Unusable) and cause.code in (400, 422):
                    simpler = dialect.simpler(question, cause.detail)
                    if simpler is not None:
                        dialect = simpler
                        continue
                if isinstance(cause, _Unusable) and cause.code == 429:
                    wait = retry_after(cause.retry_after, datetime.now(UTC))
                    rest = self._cooldown_seconds if wait is None else max(wait, _SHORTEST_REST)
                    self._cooldown.rest(rest, str(cause))
                # With jitter: callers that failed together should not come back together.
                pause = min(self._patience.pause * 2.0**retries, _LONGEST_PAUSE) * _RANDOM.uniform(0.5, 1.0)
                again = failed.failure in _RETRIED and retries < self._patience.retries
                if not again or time.monotonic() + pause >= until or self._closed.wait(pause):
                    raise
                retries += 1
            else:
                self._dialect = dialect
                return result
