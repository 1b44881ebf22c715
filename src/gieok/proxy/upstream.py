"""The endpoint behind the proxy: requests are edited in place, so that all else is passed on byte for byte."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, NoReturn

import httpx2

from gieok import errors
from gieok.bank import MemoryBank
from gieok.bank.models import Upstream
from gieok.proxy.lines import LEADING

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_LONGEST_NUMBER: Final = 18  #: digits; longer ones are passed on, but nobody here counts with them


Messages = Callable[[list[Any]], list[Any]]
_ONCE: Final = frozenset({"model", "user"})  #: they say whose memory is meant


class Unreadable(ValueError):
    """The body is not a JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """A request for a completion."""

    text: str
    fields: Mapping[str, Any]  #: of a repeated field the last
    model: tuple[int, int] | None  #: position of the name of the model
    messages: tuple[Any, ...]
    places: tuple[tuple[int, int], ...]  #: positions of the messages

    @property
    def beside_messages(self) -> int:
        """How many characters the body has beside the messages: tools and the like."""
        return len(self.text) - (self.places[-1][1] - self.places[0][0] if self.places else 0)

    def reply_tokens(self) -> int | None:
        """Return the limit of the reply, if the client sets one."""
        for name in ("max_completion_tokens", "max_tokens"):
            most = self.fields.get(name)
            if isinstance(most, int) and not isinstance(most, bool) and most > 0:
                return most
        return None

    def passed_on(self, *, model: str | None, placed: Messages = list, shown: Callable[[str], str] = str) -> bytes:
        """Return the body with another `model` (None: as it is) and its messages as they are `placed`.

        What was said, but no instruction, goes on as the model is `shown` it: without what is private. `placed` may
        change messages and put one before the others.
        """
        changes = [(*self.model, _json(model))] if model is not None and self.model is not None else []
        messages = placed([_shown(message, shown) for message in self.messages])
        first = messages[: len(messages) - len(self.messages)]
        for message, sent, (start, end) in zip(self.messages, messages[len(first) :], self.places, strict=True):
            if sent is not message:
                changes.append((start, end, _json(sent)))
        changes += [(self.places[0][0], self.places[0][0], f"{_json(each)},") for each in first]
        parts: list[str] = []
        done = 0
        for start, end, instead in sorted(changes):
            parts += (self.text[done:start], instead)
            done = end
        return "".join((*parts, self.text[done:])).encode("utf-8", "surrogatepass")


def _shown(message: Any, shown: Callable[[str], str]) -> Any:
    """Return `message` with its words as they are `shown`; the very same where none are others."""
    if not isinstance(message, Mapping) or message.get("role") in LEADING:
        return message
    content = message.get("content")
    if isinstance(content, str):
        words: Any = shown(content)
    elif isinstance(content, list):
        words = [
            {**part, "text": shown(part["text"])}
            if isinstance(part, Mapping) and isinstance(part.get("text"), str)
            else part
            for part in content
        ]
    else:
        return message
    return message if words == content else {**message, "content": words}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(digits: str) -> int:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else 0


# Line breaks within a string are no JSON, but some clients send them and some endpoints take them.
_READER: Final = json.JSONDecoder(parse_int=_number, strict=False)


def read(data: bytes) -> CompletionRequest:
    """Read a body. Raises `Unreadable`."""
    try:
        return _read(data.decode("utf-8"))
    except (ValueError, IndexError, RecursionError) as cause:  # IndexError: it ends too early
        raise Unreadable("the body is not a JSON object in UTF-8") from cause


def _read(text: str) -> CompletionRequest:
    fields: dict[str, Any] = {}
    model: tuple[int, int] | None = None
    messages: list[Any] = []
    places: list[tuple[int, int]] = []
    at = _after(text, _blank(text, 0), "{")
    at = _blank(text, at)
    while text[at] != "}":
        name, at = _READER.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError("a name is a string")
        if name in fields and name in _ONCE:
            raise ValueError(f"{name} is named twice")
        at = _blank(text, _after(text, _blank(text, at), ":"))
        if name == "messages" and text[at] == "[":
            messages, places, end = _list(text, at)
            fields[name] = messages
        else:
            fields[name], end = _READER.raw_decode(text, at)
            if name == "messages":
                messages, places = [], []
        if name == "model":
            model = (at, end)
        at = _next(text, end, "}")
    if _blank(text, at + 1) != len(text):
        raise ValueError("there is more behind it")
    return CompletionRequest(text=text, fields=fields, model=model, messages=tuple(messages), places=tuple(places))


def _list(text: str, at: int) -> tuple[list[Any], list[tuple[int, int]], int]:
    values: list[Any] = []
    places: list[tuple[int, int]] = []
    at = _blank(text, at + 1)
    while text[at] != "]":
        value, end = _READER.raw_decode(text, at)
        values.append(value)
        places.append((at, end))
        at = _next(text, end, "]")
    return values, places, at + 1


def _next(text: str, end: int, closing: str) -> int:
    """Return where the next value begins, or where `closing` stands."""
    at = _blank(text, end)
    if text[at] == closing:
        return at
    at = _blank(text, _after(text, at, ","))
    if text[at] == closing:
        raise ValueError("a comma too many")
    return at


def _after(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise ValueError(f"{sign} is missing")
    return at + 1


def _blank(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.end()


_STATUSES: Final[tuple[tuple[type[errors.GieokError], int, str], ...]] = (
    (errors.Forbidden, 403, "permission_error"),
    (errors.ModelFailed, 502, "upstream_error"),
    (errors.SettingsError, 503, "configuration_error"),
    (errors.BankError, 503, "memory_error"),
    (errors.GieokError, 400, "invalid_request_error"),
)
#: The words of such an error may name files.
_NO_BANK: Final = "the bank cannot be read or written now; whoever runs the server finds the reason in its log"


class ProxyError(Exception):
    """An error in OpenAI's form; its text says what to do."""

    def __init__(self, status: int, message: str, *, kind: str, code: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.code = status, kind, code

    @property
    def body(self) -> bytes:
        error: dict[str, Any] = {"message": str(self), "type": self.kind, "param": None, "code": self.code}
        return json.dumps({"error": error}, ensure_ascii=False).encode()

    @classmethod
    def of(cls, error: errors.GieokError) -> ProxyError:
        status, kind = next((status, kind) for each, status, kind in _STATUSES if isinstance(error, each))
        told = _NO_BANK if isinstance(error, errors.BankError) else str(error)
        return cls(status, told, kind=kind, code=type(error).__name__)


_KNOWN: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("errors.toml").read_text(encoding="utf-8")
)


def known_error(code: str) -> ProxyError:
    return ProxyError(**_KNOWN[code], code=code)


Headers = Sequence[tuple[bytes, bytes]]  #: as they came; names in lower case

log = logging.getLogger(__name__)

_CONNECT: Final = 10.0  #: seconds
_LISTING: Final = 2.0  #: seconds that a list of models is waited for
_LONGEST_LIST: Final = 4_000_000  #: bytes
_SILENCE: Final = 10  #: times `llm_seconds`: a model may think for long before it says a word
_AT_ONCE: Final = 200  #: connections
_KEPT: Final = 20
_IDLE: Final = 60.0
_HOP_BY_HOP: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
     b"trailer", b"transfer-encoding", b"upgrade")
)  # fmt: skip
#: A client's key and what it says about itself are for gieok.
_NOT_SENT: Final = _HOP_BY_HOP | frozenset(
    (b"authorization", b"api-key", b"x-api-key", b"cookie", b"host", b"content-length", b"content-encoding",
     b"accept-encoding", b"expect", b"forwarded", b"origin", b"referer", b"via")
)  # fmt: skip
_NOT_SENT_FAMILIES: Final = (
    b"x-gieok-", b"x-openwebui-", b"x-forwarded-", b"x-real-", b"sec-", b"cf-", b"access-control-"
)  # fmt: skip
#: The server writes its own; cookies and the like are for the endpoint's address.
_NOT_RETURNED: Final = _HOP_BY_HOP | frozenset(
    (b"content-length", b"date", b"server", b"set-cookie", b"alt-svc", b"strict-transport-security")
)


class UpstreamClient:
    """The connections to the endpoint of the settings. Nothing is opened before the first request."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self.known: Upstream | None = None  #: once it was found
        self._client: httpx2.AsyncClient | None = None

    def found(self) -> Upstream:
        """Return where chats go. Raises `ProxyError`.

        It blocks, the first time: certificates are read, and a model file may have to be loaded.
        """
        found = self.known or self._bank.upstream()
        if found is None:
            raise known_error("no_upstream")
        if self._client is None:
            silence = _SILENCE * self._bank.settings.llm_seconds
            self._client = httpx2.AsyncClient(
                timeout=httpx2.Timeout(silence, connect=min(_CONNECT, silence), pool=None),
                limits=httpx2.Limits(max_connections=_AT_ONCE, max_keepalive_connections=_KEPT, keepalive_expiry=_IDLE),
                trust_env=not found.here,
            )
        self.known = found
        return found

    async def send(
        self, upstream: Upstream, body: bytes, headers: Headers, *, path: str = "chat/completions"
    ) -> httpx2.Response:
        """Return the answer to a request as soon as it begins; whoever reads it closes it. Raises `ProxyError`."""
        request = self._opened.build_request("POST", upstream.at(path), content=body, headers=_sent(headers, upstream))
        try:
            return await self._opened.send(request, auth=upstream.login, stream=True)
        except httpx2.HTTPError as cause:
            raise self.connection_error(upstream, cause) from cause

    async def models(self, upstream: Upstream) -> list[Any]:
        """Return the models that the endpoint lists; nothing if it is slow or the list is endless."""
        try:
            async with asyncio.timeout(_LISTING):
                told = json.loads(await self._listed(upstream), parse_constant=_not_json)
        except (httpx2.HTTPError, TimeoutError, ValueError, RecursionError):
            return []
        listed = told.get("data") if isinstance(told, Mapping) else None
        return listed if isinstance(listed, list) else []

    async def _listed(self, upstream: Upstream) -> bytes:
        """Return what the endpoint says when it is asked for its models. Raises `ValueError` where that is no list."""
        request = self._opened.build_request("GET", upstream.at("models"), headers=_sent((), upstream))
        response = await self._opened.send(request, auth=upstream.login, stream=True)
        try:
            told = bytearray()
            async for piece in response.aiter_bytes():
                told += piece
                if len(told) > _LONGEST_LIST:
                    raise ValueError("it has no end")
        finally:
            await response.aclose()
        if not response.is_success:
            raise ValueError("it was refused")
        return bytes(told)

    def connection_error(self, upstream: Upstream, cause: httpx2.HTTPError) -> ProxyError:
        """Return the error for a connection that failed; it holds no secrets."""
        log.warning("the model at %s cannot be asked: %s", upstream.shown, type(cause).__name__)
        is_silent = isinstance(cause, httpx2.TimeoutException)
        not_there = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
        if is_silent and not not_there:
            seconds = self._bank.settings.llm_seconds
            told = (
                f"the model at {upstream.shown} fell silent for {_SILENCE * seconds:g} seconds, {_SILENCE} times "
                f"llm_seconds = {seconds:g}; for a model that is slow, set llm_seconds higher"
            )
        else:
            what = "cannot be reached" if not_there else "hung up"
            told = f"the model at {upstream.shown} {what}; see that it runs there and that proxy_url (or llm) is right"
        return ProxyError(502, told, kind="upstream_error", code="upstream_unreachable")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    @property
    def _opened(self) -> httpx2.AsyncClient:
        assert self._client is not None, "an endpoint is found before it is asked"
        return self._client


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _sent(headers: Headers, upstream: Upstream) -> list[tuple[bytes, bytes]]:
    named = {each.strip().lower() for name, value in headers if name == b"connection" for each in value.split(b",")}
    passed = [
        (name, value)
        for name, value in headers
        if name not in _NOT_SENT and name not in named and not name.startswith(_NOT_SENT_FAMILIES)
    ]
    key = [(b"authorization", f"Bearer {upstream.key}".encode())] if upstream.key else []
    return [*passed, *key, (b"accept-encoding", b"identity")]


def returned(response: httpx2.Response) -> list[tuple[bytes, bytes]]:
    return [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in _NOT_RETURNED]
