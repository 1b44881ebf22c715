"""The guard at the door: whoever asks for something, by http or by websocket, passes here first.

Host, Origin and key are checked in this order, then how much the key may still ask for, then how much is sent. What
is behind sees a request only when all is well, with a `Caller` and without the key. `X-Forwarded-*` is not looked at.
Where there are pages, a browser that has shown its key is let in by the cookie of its visit, to the pages alone.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any, Final, Protocol
from urllib.parse import quote

from gieok.access import refusals
from gieok.access.browser_sessions import LOGIN, Visits, cookie_in, is_part, opens_without_key
from gieok.access.caller import Caller, acting_for, let_in
from gieok.access.keys import FRESH_SECONDS, PREFIX, Keyring, Pace, Register, Tally
from gieok.access.refusals import TOO_SLOW, App, Message, Receive, Refusal, Refused, Send, TurnedAway, too_large
from gieok.domain.server_state import AccessKey, Bounds
from gieok.errors import InvalidSetting
from gieok.ports import Desk

SOCKET_KEY: Final = "gieok.key."  #: a subprotocol that begins so is a key: pages cannot set headers of a socket
_BEARER: Final = re.compile(r"bearer(?:[ \t]+(.*))?", re.IGNORECASE)
BODY_SECONDS: Final = 60.0  #: that a body may take: who sends a byte now and then would hold its place for ever


class Headers:
    """The headers of an ASGI scope."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._all = [(name.lower(), value.decode("latin-1").strip(" \t")) for name, value in scope["headers"]]

    def every(self, name: str) -> list[str]:
        """Return the values of all headers of that name (in small letters)."""
        wanted = name.encode("ascii")
        return [value for name, value in self._all if name == wanted]

    def get(self, name: str) -> str | None:
        """Return the value of the only header of that name; None: there is none, or there are several."""
        values = self.every(name)
        return values[0] if len(values) == 1 else None

    def keys(self, *, of_socket: bool) -> set[str]:
        """Return whatever was sent as a key. A query is no place for one: it ends up in logs and histories."""
        bearers = (_BEARER.fullmatch(value) for value in self.every("authorization"))
        found = {bearer[1] or "" for bearer in bearers if bearer} | set(self.every("x-api-key"))
        if of_socket:
            found |= {each.removeprefix(SOCKET_KEY) for each in self._protocols() if each.startswith(SOCKET_KEY)}
        return found

    def _protocols(self) -> list[str]:
        return _protocols(",".join(self.every("sec-websocket-protocol")))


def without_key(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return a scope without the key that opened it: nobody behind the guard can log it or send it on."""
    inside = dict(scope)
    inside["headers"] = [pair for pair in map(_cleaned, scope["headers"]) if pair is not None]
    if "subprotocols" in inside:
        inside["subprotocols"] = [each for each in inside["subprotocols"] if not each.startswith(SOCKET_KEY)]
    return inside


def _cleaned(header: tuple[bytes, bytes]) -> tuple[bytes, bytes] | None:
    name, value = header[0].lower(), header[1].decode("latin-1")
    if name in (b"authorization", b"x-api-key"):
        return None if PREFIX in value else header
    if name == b"sec-websocket-protocol":
        offered = [each for each in _protocols(value) if not each.startswith(SOCKET_KEY)]
        return (header[0], ", ".join(offered).encode("latin-1")) if offered else None
    return header


def _protocols(value: str) -> list[str]:
    return [each.strip(" \t") for each in value.split(",")]


class Gone(Exception):
    """Whoever asked hung up before they had sent everything."""


async def read_whole(headers: Headers, receive: Receive, *, limit: int, seconds: float = BODY_SECONDS) -> bytes:
    """Return the body. Raises `TurnedAway` as soon as it must be larger than `limit`, and `Gone` where it breaks off.

    A length that is announced counts at once; one that is not is found out by counting. After `seconds` it must be
    there.
    """
    if any(_announced(value) > limit for value in headers.every("content-length")):
        raise TurnedAway(too_large(limit))
    try:
        async with asyncio.timeout(seconds):
            return await _read(receive, limit)
    except TimeoutError as cause:
        raise TurnedAway(TOO_SLOW) from cause


async def _read(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise TurnedAway(too_large(limit))
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a way to receive `body`, and then what else may come."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _announced(value: str) -> float:
    """Return a length; what is none counts as without end."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 20 else float("inf")


_METHODS: Final = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_EXPOSED: Final = b"ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id"
_ASKED: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1000}")
_SECONDS: Final = b"600"  #: for which a browser remembers a preflight

Pairs = list[tuple[bytes, bytes]]


def is_preflight(method: str, headers: Headers) -> bool:
    return method == "OPTIONS" and bool(headers.every("access-control-request-method"))


def preflight_headers(origin: str, headers: Headers) -> Pairs:
    """Return what a page of an allowed origin is told when its browser asks what it may send."""
    told = [
        *allowing(origin),
        (b"access-control-allow-methods", _METHODS),
        (b"access-control-max-age", _SECONDS),
        (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
    ]
    asked = ", ".join(headers.every("access-control-request-headers"))
    if _ASKED.fullmatch(asked):
        told.append((b"access-control-allow-headers", asked.encode("ascii")))
    if headers.get("access-control-request-private-network") == "true":
        told.append((b"access-control-allow-private-network", b"true"))
    return told


def allowing(origin: str) -> Pairs:
    """Return what lets pages of an origin (as they spelt it) read an answer."""
    return [(b"access-control-allow-origin", origin.encode("ascii")), (b"access-control-expose-headers", _EXPOSED)]


def answered(given: Iterable[tuple[bytes, bytes]], *, added: Pairs, vary: bool) -> Pairs:
    """Return the headers of an answer as they leave; `vary`: whether they depend on who asks."""
    kept = [pair for pair in given if not pair[0].lower().startswith(b"access-control-")]
    return [*kept, *added, *([(b"vary", b"Origin")] if vary else [])]


_NAME: Final = r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_.-])?)"
_HOST: Final = re.compile(rf"{_NAME}(?::([0-9]{{1,5}}))?")
_ORIGIN: Final = re.compile(rf"([a-z][a-z0-9+.-]{{0,30}})://{_NAME}(?::([0-9]{{1,5}}))?")
_USUAL_PORTS: Final = {"http": 80, "https": 443}
_HIGHEST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A server as a client calls it."""

    name: str  #: in small letters; an IPv6 address in its shortest form, without brackets
    port: int | None = None  #: None: the usual one

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a web page comes from."""

    scheme: str
    host: Host

    def is_of(self, host: Host, schemes: frozenset[str]) -> bool:
        """Whether the page comes from the server that is called `host` by one of `schemes`."""
        usual = _USUAL_PORTS.get(self.scheme)
        ports = (self.host.port or usual, host.port or usual)
        return self.scheme in schemes and self.host.name == host.name and ports[0] == ports[1]


def host_of(text: str) -> Host | None:
    """Return what a Host header names; None: nothing that is a name."""
    found = _HOST.fullmatch(text.lower()) if text.isascii() else None
    return _host(found[1], found[2]) if found else None


def origin_of(text: str) -> Origin | None:
    """Return what an Origin header names; None: no origin ("null") or nothing that is one."""
    found = _ORIGIN.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        return None
    host = _host(found[2], found[3])
    if host is None:
        return None
    if host.port == _USUAL_PORTS.get(found[1]):
        host = Host(name=host.name)
    return Origin(scheme=found[1], host=host)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    if address == "localhost":
        return True
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _host(name: str, port: str | None) -> Host | None:
    number = None if port is None else int(port)
    if number is not None and not 0 < number <= _HIGHEST_PORT:
        return None
    if name.startswith("["):
        try:
            name = str(ip_address(name[1:-1]))
        except ValueError:
            return None
    return Host(name=name, port=number)


OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})  #: whoever asks whether a server is well has no key
OPENAI_PATHS: Final = ("/v1/chat/completions", "/v1/models")  #: clients there expect errors as OpenAI words them
_SCHEMES: Final = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class ServeSettings(Protocol):
    """What the settings say of the door."""

    @property
    def serve_hosts(self) -> str: ...
    @property
    def serve_origins(self) -> str: ...
    @property
    def serve_keys(self) -> str: ...
    @property
    def serve_body_kb(self) -> int: ...
    @property
    def serve_per_minute(self) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Who gets through the door."""

    loopback: bool  #: only this machine can reach the server
    hosts: frozenset[Host] = frozenset()  #: names that it is called by; one without a port holds for all ports
    origins: frozenset[Origin] = frozenset()  #: web pages that may talk to it, beside its own
    always_keys: bool = False
    body_bytes: int

    @property
    def keys_required(self) -> bool:
        return self.always_keys or bool(self.hosts) or not self.loopback

    def knows(self, host: Host) -> bool:
        """Whether the server goes by that name.

        On loopback this is what keeps a page out whose name was made to point here (DNS rebinding). Where keys are
        asked for and no names are set, any will do: a page has no key.
        """
        if not self.hosts and not self.loopback:
            return True
        return host.is_loopback or host in self.hosts or Host(name=host.name) in self.hosts

    def is_own(self, origin: Origin, host: Host, scheme: str) -> bool:
        """Whether a page comes from this server itself, as it was called.

        Behind a proxy of one's own (`serve_hosts`) a page may have come by https though the request did not.
        """
        schemes = {_SCHEMES.get(scheme, scheme)} | ({"https"} if self.hosts else set())
        return origin.is_of(host, frozenset(schemes))


def rules_of(settings: ServeSettings, address: str) -> Rules:
    """Return the rules for a server that listens on `address`. Raises `InvalidSetting`."""
    return Rules(
        loopback=is_loopback(address.strip("[]")),
        hosts=frozenset(_host_rules(each) for each in _listed(settings.serve_hosts)),
        origins=frozenset(_origin(each) for each in _listed(settings.serve_origins)),
        always_keys=settings.serve_keys == "always",
        body_bytes=settings.serve_body_kb * 1024,
    )


def _listed(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _host_rules(text: str) -> Host:
    host = host_of(_in_ascii(text))
    if host is None:
        raise InvalidSetting(
            f"serve_hosts: {text!r} is not a name like memory.example or memory.example:8443; "
            "leave out https:// and paths, and name each host"
        )
    return host


def _origin(text: str) -> Origin:
    scheme, mark, rest = text.rstrip("/").partition("://")
    origin = origin_of(f"{scheme}{mark}{_in_ascii(rest)}")
    if origin is None:
        raise InvalidSetting(
            f"serve_origins: {text!r} is not an origin like https://app.example or http://localhost:3000; "
            "name each one, without a path"
        )
    return origin


def _in_ascii(name: str) -> str:
    """Return a name as browsers send it: 기억.example is xn--ok0b195b.example."""
    try:
        return name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


_POLICY: Final = 1008  #: a websocket's word for "not allowed"
_LOGIN_BYTES: Final = 4_096  #: more than a form with a key takes
_LONGEST_QUERY: Final = 2_000  #: that is kept for after the login
IsPage = Callable[[str], bool]  #: by its path


def nothing_is_a_page(path: str) -> bool:
    return False


#: Whoever asks only whether the server is well, where others need a key: no scope has an empty name, so it opens none.
STRANGER: Final = Caller(
    key=AccessKey(
        id="stranger",
        name="stranger",
        role="reader",
        digest="",
        bounds=(Bounds(user=""),),
        created_at=datetime.min.replace(tzinfo=UTC),
    )
)


def guarded(
    app: App,
    desk: Desk,
    *,
    settings: ServeSettings,
    address: str,
    refused: Refused,
    openai_refused: Refused,
    fresh_seconds: float = FRESH_SECONDS,
    body_seconds: float = BODY_SECONDS,
    is_page: IsPage = nothing_is_a_page,
) -> Guard:
    """Put the guard before `app`, which is to listen on `address`. Raises `InvalidSetting`.

    `refused` words a refusal as an answer; `openai_refused` does so for clients of the proxy. After `fresh_seconds` it
    is known what other processes did with keys; within `body_seconds` a body must be there. `is_page` tells by its path
    what browsers open by the cookie of a visit.
    """
    rules = rules_of(settings, address)
    keys = Keyring(desk, fresh_seconds=fresh_seconds)
    register = Register(keys, Tally(desk), Pace(), per_minute=settings.serve_per_minute)
    return Guard(
        app,
        rules=rules,
        register=register,
        refused=refused,
        openai_refused=openai_refused,
        body_seconds=body_seconds,
        is_page=is_page,
    )


@dataclass(slots=True)
class _Asked:
    """A request at the door."""

    scope: MutableMapping[str, Any]
    headers: Headers
    allowed_origin: str | None = None  #: of a page elsewhere that may read the answer

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    @property
    def is_socket(self) -> bool:
        return bool(self.scope["type"] == "websocket")

    @property
    def method(self) -> str:
        return "GET" if self.is_socket else str(self.scope["method"])

    @property
    def opens_a_page(self) -> bool:
        """Whether a browser is about to show what it gets, or somebody asks who does not say."""
        shown = self.headers.get("sec-fetch-dest") in (None, "document")
        return shown and self.method == "GET" and not self.is_socket and not is_part(self.path)

    @property
    def is_for_openai(self) -> bool:
        return any(self.path == each or self.path.startswith(f"{each}/") for each in OPENAI_PATHS)


class Guard:
    """An ASGI application that lets those pass to another who may."""

    def __init__(
        self,
        app: App,
        *,
        rules: Rules,
        register: Register,
        refused: Refused,
        openai_refused: Refused,
        body_seconds: float = BODY_SECONDS,
        is_page: IsPage = nothing_is_a_page,
    ) -> None:
        self.rules = rules
        self.visits = Visits()
        self._app = app
        self._register = register
        self._refused = refused
        self._openai_refused = openai_refused
        self._body_seconds = body_seconds
        self._is_page = is_page

    async def log_in(self, token: str) -> str:
        """Return the cookie of a visit that begins with this key. Raises `TurnedAway`.

        Wrong keys are not slowed down: nobody guesses one, and whoever tried would only keep out who has it.
        """
        return self.visits.begin((await self._register.admit(token)).id)

    def log_out(self, cookie: str) -> None:
        self.visits.end(cookie)

    @property
    def asks_for_keys(self) -> bool:
        return self.rules.keys_required

    async def visitor(self, cookie: str | None, *, counts: bool = False) -> Caller | None:
        """Return who is visiting, as their key is now; None: they have to show one first. Raises `TurnedAway`.

        `counts`: it is a use of their key, which may be one too many.
        """
        if not self.rules.keys_required:
            return Caller()
        key_id = self.visits.key_id(cookie) if cookie is not None else None
        if cookie is None or key_id is None:
            return None
        key = await self._register.known(key_id, counts=counts)
        if key is None:
            self.visits.end(cookie)
            return None
        return Caller(key=key)

    def lives(self, cookie: str | None) -> bool:
        """Note a sign of life of a visitor; return whether they are known, without a look at their key."""
        return not self.rules.keys_required or (
            cookie is not None and self.visits.key_id(cookie, lives=True) is not None
        )

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "lifespan":
                try:
                    await self._app(scope, self._until_the_end(receive), send)
                finally:
                    self._register.shut()
            case "http" | "websocket":
                asked = _Asked(scope, Headers(scope))
                try:
                    await self._let_pass(asked, receive, send)
                except TurnedAway as turned:
                    await self._turn_away(asked, turned.refusal, receive, send)
            case other:
                raise ValueError(f"the guard knows http and websocket; {other!r} does not get past it")

    async def _let_pass(self, asked: _Asked, receive: Receive, send: Send) -> None:
        self._check_origin(asked, self._checked_host(asked))
        if asked.allowed_origin is not None and is_preflight(asked.method, asked.headers):
            headers = preflight_headers(asked.allowed_origin, asked.headers)
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        inside = without_key(asked.scope)
        caller = await self._caller(asked)
        let_in(inside, caller)
        if not asked.is_socket:
            try:
                body = await read_whole(
                    asked.headers, receive, limit=self._most_bytes(asked), seconds=self._body_seconds
                )
            except Gone:
                return
            receive = replayed(body, receive)
        with acting_for(caller):
            await self._app(inside, receive, self._answering(asked, send))

    def _most_bytes(self, asked: _Asked) -> int:
        if asked.path in OPEN_PATHS:
            return 0  # strangers have nothing to send …
        if self._is_page(asked.path) and opens_without_key(asked.path):
            return _LOGIN_BYTES  # … but a key
        return self.rules.body_bytes

    def _checked_host(self, asked: _Asked) -> Host:
        if not asked.path.startswith("/"):  # "GET http://elsewhere/…": a target may name a host of its own
            raise TurnedAway(refusals.BAD_TARGET)
        host = host_of(asked.headers.get("host") or "")
        if host is None:
            raise TurnedAway(refusals.BAD_HOST)
        if not self.rules.knows(host):
            raise TurnedAway(refusals.WRONG_HOST)
        return host

    def _check_origin(self, asked: _Asked, host: Host) -> None:
        named = asked.headers.every("origin")
        if not named and not _is_fetched_by_another_page(asked):
            return
        origin = origin_of(named[0]) if len(named) == 1 else None
        if origin is not None and origin in self.rules.origins and not self._is_page(asked.path):
            asked.allowed_origin = named[0]  # whoever comes with a key of their own; a cookie comes by itself
        elif origin is None or not self.rules.is_own(origin, host, str(asked.scope.get("scheme", "http"))):
            raise TurnedAway(refusals.WRONG_ORIGIN)

    async def _caller(self, asked: _Asked) -> Caller:
        required = self.rules.keys_required
        if asked.path in OPEN_PATHS:
            return STRANGER if required else Caller()
        if self._is_page(asked.path):
            return await self._visitor(asked)
        tokens = asked.headers.keys(of_socket=asked.is_socket)
        if len(tokens) > 1:
            raise TurnedAway(refusals.SEVERAL_KEYS)
        token = next(iter(tokens), None)
        if token is None and required:
            raise TurnedAway(refusals.NO_KEY)
        if token is None or (not required and asked.is_for_openai and not token.startswith(PREFIX)):
            return Caller()  # clients of OpenAI's cannot do without a key, though it be "unused"
        return Caller(key=await self._register.admit(token))

    async def _visitor(self, asked: _Asked) -> Caller:
        if opens_without_key(asked.path):
            return STRANGER if self.rules.keys_required else Caller()
        cookie = cookie_in(asked.scope)
        visitor = await self.visitor(cookie, counts=not is_part(asked.path)) if self.lives(cookie) else None
        if visitor is not None:
            return visitor
        if asked.opens_a_page:
            raise TurnedAway(refusals.elsewhere(f"{LOGIN}?to={_quoted(asked.scope)}"))
        raise TurnedAway(refusals.NO_KEY)

    def _until_the_end(self, receive: Receive) -> Receive:
        async def received() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._register.close()
            return message

        return received

    def _answering(self, asked: _Asked, send: Send) -> Send:
        added = allowing(asked.allowed_origin) if asked.allowed_origin is not None else []

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = answered(message.get("headers", ()), added=added, vary=bool(self.rules.origins))
                message = {**message, "headers": headers}
            await send(message)

        return answering

    async def _turn_away(self, asked: _Asked, refusal: Refusal, receive: Receive, send: Send) -> None:
        if asked.is_socket:
            await send({"type": "websocket.close", "code": _POLICY, "reason": refusal.title})
            return
        answer = (self._openai_refused if asked.is_for_openai else self._refused)(refusal)
        await answer(without_key(asked.scope), receive, self._answering(asked, send))


def _quoted(scope: MutableMapping[str, Any]) -> str:
    """Return what was asked for, to stand in a query."""
    query = bytes(scope.get("query_string", b"")).decode("latin-1")
    return quote(f"{scope['path']}?{query}" if 0 < len(query) <= _LONGEST_QUERY else str(scope["path"]), safe="/")


def _is_fetched_by_another_page(asked: _Asked) -> bool:
    """Whether a page of another origin asks without saying which, as it does for a picture or a script.

    Browsers tell it apart (Sec-Fetch-Site). Following a link to this server is no such thing.
    """
    told = {name: asked.headers.get(f"sec-fetch-{name}") for name in ("site", "mode", "dest")}
    followed = asked.method in ("GET", "HEAD") and (told["mode"], told["dest"]) == ("navigate", "document")
    return told["site"] in ("cross-site", "same-site") and not followed
