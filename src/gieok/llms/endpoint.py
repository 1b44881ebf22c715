"""A chat model behind an OpenAI-compatible endpoint."""

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
from urllib.parse import urlsplit
from weakref import WeakSet

from gieok.domain.answer import Failure, Message
from gieok.errors import ModelFailed
from gieok.ports import Completion
from gieok.ports.endpoints import login_in, retry_after, shared_cooldown, without_secrets

Form = Literal["json_schema", "json_object", "plain"]
_WEAKER: Final[Mapping[Form, Form]] = {"json_schema": "json_object", "json_object": "plain"}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
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

    def request(self, wanted: Wanted) -> dict[str, Any]:
        """Return the body of the request."""
        messages = [{"role": each.role, "content": _SURROGATE.sub("\ufffd", each.content)} for each in wanted.messages]
        body: dict[str, Any] = {"model": wanted.model, "messages": messages, self.limit: wanted.most_tokens}
        if wanted.stream:
            body["stream"] = True
            if self.usage:
                body["stream_options"] = {"include_usage": True}
        if wanted.schema is None:
            return body
        if self.steady:
            body["temperature"] = 0
        if self.form == "json_schema":
            shape = {"name": "answer", "schema": wanted.schema, "strict": _is_strict(wanted.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
            return body
        if self.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        schema = json.dumps(wanted.schema, ensure_ascii=False)
        body["messages"] = _told_dialect(messages, f"Answer with JSON of this schema and nothing else:\n{schema}")
        return body

    def plainer(self, wanted: Wanted, complaint: str) -> Dialect | None:
        """Return how to put it after the endpoint refused the request as it was; None: it was as plain as can be.

        What the complaint names goes first.
        """
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.steady and wanted.schema is not None and "temperature" in complaint:
            return replace(self, steady=False)
        if self.usage and wanted.stream:
            return replace(self, usage=False)
        if wanted.schema is not None and self.form in _WEAKER:
            return replace(self, form=_WEAKER[self.form])
        return None


def _told_dialect(messages: list[dict[str, str]], order: str) -> list[dict[str, str]]:
    """Return `messages` with `order` in the system message; many templates take only one, at the head."""
    if messages and messages[0]["role"] == "system":
        head, *rest = messages
        return [{**head, "content": f"{head['content']}\n\n{order}"}, *rest]
    return [{"role": "system", "content": order}, *messages]


def _is_strict(schema: object) -> bool:
    """Whether every object in `schema` is closed and requires all of its fields, which "strict" endpoints ask for."""
    if isinstance(schema, Mapping):
        closed = schema.get("type") != "object" or (
            schema.get("additionalProperties") is False
            and set(schema.get("required", ())) == set(schema.get("properties", {}))
        )
        return closed and all(_is_strict(each) for each in schema.values())
    return not isinstance(schema, list) or all(_is_strict(each) for each in schema)


#: What may go well when it is tried again.
PASSING: Final[frozenset[Failure]] = frozenset({"unreachable", "timeout", "server_error"})
_TOO_MANY: Final = 429
_REQUEST_TIMEOUT: Final = 408
_OF_A_MESSAGE: Final = 400  #: characters of what an endpoint says that are told on


class Refusal(Exception):
    """The endpoint answered with an error."""

    def __init__(self, code: int, detail: str, retry_after: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"HTTP {self.code}: {self.detail}"

    @property
    def limited(self) -> bool:
        return self.code == _TOO_MANY

    @property
    def about_the_request(self) -> bool:
        """Whether the endpoint does not understand something that was sent."""
        return self.code in (400, 422)


class Unusable(Exception):
    """What came back is no answer."""

    def __init__(self, failure: Failure, detail: str) -> None:
        super().__init__(failure)
        self.failure: Failure = failure
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


def http_library() -> Any:
    """Return the HTTP library that the installed `openai` speaks through: httpx in older ones, httpx2 in newer."""
    import openai

    client = openai.DefaultHttpxClient.__base__
    return importlib.import_module(str(client.__module__))


@contextmanager
def translated(model: str, hushed: Callable[[str], str] = str) -> Iterator[None]:
    """Raise whatever the client, its HTTP library or the reading of an answer raises as `ModelFailed`.

    `hushed` takes secrets out of what is told of it.
    """
    import openai

    http = http_library()
    try:
        yield
    except Refusal as error:
        error.detail = hushed(error.detail)[:_OF_A_MESSAGE]
        raise ModelFailed(_by_code(error.code), model, str(error)) from error
    except Unusable as error:
        error.detail = hushed(error.detail)[:_OF_A_MESSAGE]
        raise ModelFailed(error.failure, model, str(error)) from error
    except (http.TimeoutException, openai.APITimeoutError) as error:
        raise ModelFailed("timeout", model, _said_failing(error)) from error
    except (http.HTTPError, http.StreamError, http.InvalidURL, openai.APIConnectionError, OSError) as error:
        raise ModelFailed("unreachable", model, _said_failing(error)) from error
    except openai.OpenAIError as error:
        raise ModelFailed("refused", model, _said_failing(error)) from error


def _by_code(code: int) -> Failure:
    if code == _TOO_MANY:
        return "rate_limited"
    if code == _REQUEST_TIMEOUT:
        return "timeout"
    return "server_error" if code >= 500 else "refused"


def _said_failing(error: Exception) -> str:
    """Return what the innermost error says: the client's own words for it are "Connection error."."""
    cause = error.__cause__ or error
    return str(cause) or type(cause).__name__


_DICE: Final = Random()  # its own: those of the program that uses this are not thrown
_LONGEST_PAUSE: Final = 8.0
_LARGEST: Final = 10_000_000  #: bytes of a whole answer
_OF_AN_ERROR: Final = 4_000  #: bytes that are read of an error's body
_LONGEST_WAIT: Final = 86_400.0  #: seconds; sockets know no endless ones
_NO_KEY: Final = "none"  #: the client insists on one; servers without keys do not look at it
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_CONNECTED: Final = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds and counts; every bound holds at once."""

    seconds: float = 30.0  #: for a whole answer, or for the beginning of a stream; with all retries
    connect: float = 5.0
    stall: float = 10.0  #: between two pieces of an answer
    stream: float = 300.0  #: for a whole stream, however steadily its bits come
    retries: int = 2  #: after a failure that may pass
    pause: float = 0.5  #: before the first retry; it doubles

    def pause_before(self, retry: int) -> float:
        """Return how long to wait before the `retry`-th retry (from 0), with jitter."""
        # Callers that failed together should not come back together.
        return min(self.pause * 2.0**retry, _LONGEST_PAUSE) * _DICE.uniform(0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arriving:
    """An answer that begins to come in."""

    events: bool  #: a stream of events, else one body
    pieces: Iterator[bytes]

    def body(self) -> bytes:
        """Return all of it; more than any answer could be is not waited for."""
        data = bytearray()
        for piece in self.pieces:
            data += piece
            if len(data) > _LARGEST:
                raise Unusable("too_long", f"a body of more than {_LARGEST:,} bytes")
        return bytes(data)


class Wire:
    """One endpoint. The client is made at the first request, which takes most of a second."""

    def __init__(self, *, url: str, key: str | None, patience: Patience) -> None:
        self._url, self._login = login_in(url)
        self._key = key
        self._patience = patience
        self._client: Any = None
        self._closed = False
        self._lock = threading.Lock()
        self._sockets: WeakSet[socket.socket] = WeakSet()

    def ready(self) -> None:
        """Load the client; that takes a second once, which is none of the endpoint's."""
        self._opened()

    @contextmanager
    def send(self, body: dict[str, Any], *, until: float, lasting: float) -> Iterator[Arriving]:
        """Send a request and give what arrives; leaving the block hangs up.

        The answer must begin `until` then and end `lasting` then, both by `time.monotonic`.
        """
        client = self._opened()
        patience = self._patience
        left = min(max(until - time.monotonic(), 0.001), _LONGEST_WAIT)
        wait = _timeout(connect=min(patience.connect, left), read=left)
        with client.chat.completions.with_streaming_response.create(**body, timeout=wait) as response:
            events = "event-stream" in response.headers.get("content-type", "")
            yield Arriving(events=events, pieces=_in_time(response.iter_bytes(), lasting))

    def without_secrets(self, text: str) -> str:
        """Return `text` without the key, which endpoints like to quote."""
        return without_secrets(text, self._key)

    def close(self) -> None:
        """Hang up, also on answers that are waited for: whoever waits is told at once, and so is the other end."""
        with self._lock:
            client, self._client, self._closed = self._client, None, True
            sockets = list(self._sockets)
        for each in sockets:  # closing one that another thread reads from would not even be noticed at the other end
            with suppress(OSError):  # it is closed already
                each.shutdown(socket.SHUT_RDWR)
        if client is not None:
            client.close()

    def _opened(self) -> Any:
        with self._lock:
            if self._closed:
                raise Unusable("unreachable", "it was closed")
            if self._client is None:
                self._client = self._open()
            return self._client

    def _open(self) -> Any:
        import openai

        http = openai.DefaultHttpxClient(
            auth=self._login,
            event_hooks={"request": [self._follow], "response": [self._look_at]},
            # What runs on this machine is not behind the proxy that the environment names.
            trust_env=urlsplit(self._url).hostname not in _LOOPBACK,
            headers={"Accept-Encoding": "identity"},  # a few bytes may unpack to gigabytes
        )
        return openai.OpenAI(base_url=self._url, api_key=self._key or _NO_KEY, max_retries=0, http_client=http)

    def _follow(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._connected}

    def _connected(self, event: str, info: dict[str, Any]) -> None:
        found = info["return_value"].get_extra_info("socket") if event in _CONNECTED else None
        if isinstance(found, socket.socket):
            with self._lock:
                self._sockets.add(found)

    def _look_at(self, response: Any) -> None:
        """Meet an answer whose headers have come: refuse errors here, before the client reads all of their bodies."""
        waits = response.request.extensions["timeout"]
        waits["read"] = min(waits["read"], self._patience.stall)
        if response.status_code < 400:
            return
        text, enough = b"", time.monotonic() + self._patience.stall
        for piece in response.iter_bytes():
            text += piece[:_OF_AN_ERROR]
            if len(text) >= _OF_AN_ERROR or time.monotonic() > enough:
                break
        response.close()
        raise Refusal(response.status_code, _told(text), response.headers.get("retry-after"))


def _timeout(*, connect: float, read: float) -> Any:
    import openai

    return openai.Timeout(read, connect=connect)


def _in_time(pieces: Iterator[bytes], lasting: float) -> Iterator[bytes]:
    for piece in pieces:
        if time.monotonic() > lasting:
            raise Unusable("timeout", "it did not come to an end")
        yield piece


def _told(body: bytes) -> str:
    """Return what the body of an error says."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = value.get("error", value) if isinstance(value, dict) else value
    return str(error.get("message", error) if isinstance(error, dict) else error)


_LONGEST_LINE: Final = 1_000_000  #: bytes of one event
_BROKE_INSIDE: Final = 500  #: what an error without a code of its own is taken for
_OPENS: Final = "<think>"
_CLOSES: Final = "</think>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bit:
    """A piece of an answer, or the whole of it."""

    text: str = ""
    prompt_tokens: int = 0  #: 0: not told
    answer_tokens: int = 0


def whole(data: bytes) -> Bit:
    """Read the body of an answer that was not streamed."""
    try:
        return _bit(json.loads(data), "message")
    except (ValueError, RecursionError) as cause:
        raise Unusable("broken", f"no JSON came back: {data[:80].decode(errors='replace')!r}") from cause


def events(pieces: Iterator[bytes]) -> Iterator[Bit]:
    """Read the events of a stream as they come."""
    for line in _lines(pieces):
        if not line.startswith(b"data:"):
            continue
        data = line[len(b"data:") :].strip()
        if data == b"[DONE]":
            return
        try:
            yield _bit(json.loads(data), "delta")
        except (ValueError, RecursionError) as cause:
            raise Unusable("broken", f"no JSON in an event: {data[:80].decode(errors='replace')!r}") from cause


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held = bytearray()
    for piece in pieces:
        held += piece
        *lines, rest = held.split(b"\n")
        yield from (bytes(line.strip()) for line in lines)
        held = rest
        if len(held) > _LONGEST_LINE:
            raise Unusable("too_long", f"an event of more than {_LONGEST_LINE:,} bytes")
    yield bytes(held.strip())


def _bit(value: Any, where: str) -> Bit:
    """Read one object of the wire; `where` is "message" in a whole answer, "delta" in a stream."""
    if not isinstance(value, dict):
        raise Unusable("broken", f"no answer of a chat model came back: {str(value)[:80]!r}")
    if value.get("error"):
        raise _error_in(value["error"])
    choices, usage = value.get("choices"), value.get("usage")
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = choice.get(where) if isinstance(choice, dict) else None
    text = said.get("content") if isinstance(said, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    return Bit(
        text=text if isinstance(text, str) else "",
        prompt_tokens=_count(counts.get("prompt_tokens")),
        answer_tokens=_count(counts.get("completion_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _error_in(error: object) -> Refusal:
    """Return an error that came in an answer of which the status said that all is well."""
    code = error.get("code") if isinstance(error, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return Refusal(code if isinstance(code, int) and code >= 400 else _BROKE_INSIDE, str(message)[:400])


class Aloud:
    """Leaves the thoughts out of an answer that comes bit by bit; a tag may be spread over bits."""

    def __init__(self) -> None:
        self._held = ""  #: may be the beginning of a tag
        self._thinking = False
        self._begun = False  #: something was said; before that, blank space is part of the thinking

    def hear(self, bit: str) -> str:
        """Return what of `bit`, and of what was held back before, is said aloud."""
        text, aloud = self._held + bit, ""
        while True:
            tag = _CLOSES if self._thinking else _OPENS
            before, found, after = text.partition(tag)
            if not found:
                break
            aloud += "" if self._thinking else before
            text, self._thinking = after, not self._thinking
        kept = _tail(text, tag)
        self._held = text[len(text) - kept :]
        if not self._thinking:
            aloud += text[: len(text) - kept]
        return self._from_the_first_word(aloud)

    def end(self) -> str:
        """Return what was held back and turned out to be no tag."""
        rest, self._held = ("" if self._thinking else self._held), ""
        return self._from_the_first_word(rest)

    def _from_the_first_word(self, aloud: str) -> str:
        if not self._begun:
            aloud = aloud.lstrip()
            self._begun = bool(aloud)
        return aloud


def aloud(text: str) -> str:
    """Return a whole answer without thoughts, also where its template opened them before the answer began."""
    listening = Aloud()
    said = listening.hear(text) + listening.end()
    return said.rpartition(_CLOSES)[2].lstrip() if _CLOSES in said else said


def _tail(text: str, tag: str) -> int:
    """Return how many characters at the end of `text` may be the beginning of `tag`."""
    return next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)


_SHORTEST: Final = 1.0  #: seconds of a cool-down
_LONGEST: Final = 200_000  #: characters of an answer
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
        self._patience = patience or Patience()
        self._wire = Wire(url=url, key=key, patience=self._patience)
        self._cooldown = shared_cooldown(url, "chat")
        self._cooldown_seconds = cooldown
        self._dialect = dialect or Dialect()
        self._closed = threading.Event()

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        wanted = Wanted(model=self.name, messages=messages, schema=schema, most_tokens=most_tokens)

        def ask(dialect: Dialect, until: float) -> Completion:
            with (
                translated(self.name, self._wire.without_secrets),
                self._wire.send(dialect.request(wanted), until=until, lasting=until) as arriving,
            ):
                bit = whole(arriving.body())
                return _completion(_said(bit.text), bit)

        return self._persist(ask, wanted)

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        wanted = Wanted(model=self.name, messages=messages, most_tokens=most_tokens, stream=True)

        def begin(dialect: Dialect, until: float) -> tuple[str, Generator[str, None, Completion]]:
            bits = self._bits(dialect.request(wanted), until)
            return next(bits), bits

        first, rest = self._persist(begin, wanted)
        try:
            yield first
            return (yield from rest)
        finally:
            rest.close()

    def close(self) -> None:
        self._closed.set()
        self._wire.close()

    def _bits(self, body: dict[str, Any], until: float) -> Generator[str, None, Completion]:
        """Yield what is said aloud; there is always something, or it fails."""
        lasting = time.monotonic() + self._patience.stream
        listening, said, counts = Aloud(), "", Bit()
        with (
            translated(self.name, self._wire.without_secrets),
            self._wire.send(body, until=until, lasting=lasting) as arriving,
        ):
            for bit in _arriving_bits(arriving):
                counts = bit if bit.prompt_tokens or bit.answer_tokens else counts
                if text := listening.hear(bit.text):
                    said += text
                    yield text
                if len(said) > _LONGEST:
                    raise Unusable("too_long", f"more than {_LONGEST:,} characters")
            if text := listening.end():
                said += text
                yield text
            return _completion(_said(said), counts)

    def _persist(self, ask: Callable[[Dialect, float], Result], wanted: Wanted) -> Result:
        """Ask until it goes well: again after what may pass, in plainer words after what was not understood."""
        with translated(self.name, self._wire.without_secrets):
            self._wire.ready()
        until = time.monotonic() + self._patience.seconds
        dialect, retries = self._dialect, 0
        while True:
            self._respect_cooldown()
            try:
                result = ask(dialect, until)
            except ModelFailed as failed:
                cause = failed.__cause__
                plainer = _plainer(dialect, wanted, cause)
                if plainer is not None:
                    dialect = plainer
                    continue
                if isinstance(cause, Refusal) and cause.limited:
                    wait = retry_after(cause.retry_after, datetime.now(UTC))
                    self._cooldown.rest(self._cooldown_seconds if wait is None else max(wait, _SHORTEST), str(cause))
                if not self._may_try_again(failed, retries, until):
                    raise
                retries += 1
            else:
                self._dialect = dialect
                return result

    def _may_try_again(self, failed: ModelFailed, retries: int, until: float) -> bool:
        """Wait before the next try; False: there is none."""
        pause = self._patience.pause_before(retries)
        if failed.failure not in PASSING or retries >= self._patience.retries:
            return False
        return time.monotonic() + pause < until and not self._closed.wait(pause)

    def _respect_cooldown(self) -> None:
        left = self._cooldown.left
        if left > 0:
            raise ModelFailed("rate_limited", self.name, f"the endpoint had enough; it is left alone for {left:.0f} s")


def _arriving_bits(arriving: Arriving) -> Iterator[Bit]:
    """Read a stream, also from an endpoint that sends the whole answer at once instead."""
    if arriving.events:
        return events(arriving.pieces)
    return iter((whole(arriving.body()),))


def _said(text: str) -> str:
    said = aloud(text)
    if not said.strip():
        raise Unusable("empty", "it said nothing")
    if len(said) > _LONGEST:
        raise Unusable("too_long", f"more than {_LONGEST:,} characters")
    return said


def _completion(text: str, bit: Bit) -> Completion:
    return Completion(text=text, prompt_tokens=bit.prompt_tokens, answer_tokens=bit.answer_tokens)


def _plainer(dialect: Dialect, wanted: Wanted, cause: BaseException | None) -> Dialect | None:
    if isinstance(cause, Refusal) and cause.about_the_request:
        return dialect.plainer(wanted, cause.detail)
    return None
