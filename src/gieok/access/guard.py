"""The guard: every HTTP request and websocket passes it before the application.

It checks Host, Origin and key in this order, then the limits of the key, then the size of the body. The application
sees only requests that pass, with a `Caller` and without the key. `X-Forwarded-*` is ignored. Pages of the inspector
are opened by the cookie of a browser session that began with a key; the cookie opens nothing else.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from gieok.access import refusals
from gieok.access.browser_sessions import LOGIN, BrowserSessions, cookie_in, is_page_asset, needs_no_key
from gieok.access.caller import Caller, acting_for, let_in
from gieok.access.hosts import Host, Rules, ServeSettings, host_of, origin_of, rules_of
from gieok.access.keys import FRESH_SECONDS, PREFIX, KeyAdmission, Keyring, RateLimiter, UsageCounter
from gieok.access.refusals import TOO_SLOW, App, Message, Receive, Refusal, Refused, Send, TurnedAway, too_large
from gieok.domain.server_state import AccessKey, Bounds
from gieok.ports import ServerStore

SOCKET_KEY: Final = "gieok.key."  #: prefix of a subprotocol that is a key: pages cannot set headers of a websocket
_BEARER: Final = re.compile(r"bearer(?:[ \t]+(.*))?", re.IGNORECASE)
BODY_SECONDS: Final = 60.0  #: that a body may take: a client that sends a byte now and then would stay for ever


class Headers:
    """The headers of an ASGI scope."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._all = [(name.lower(), value.decode("latin-1").strip(" \t")) for name, value in scope["headers"]]

    def every(self, name: str) -> list[str]:
        """Return the values of all headers of that name (in lower case)."""
        wanted = name.encode("ascii")
        return [value for name, value in self._all if name == wanted]

    def get(self, name: str) -> str | None:
        """Return the value of the only header of that name; None: there is none, or there are several."""
        values = self.every(name)
        return values[0] if len(values) == 1 else None

    def keys(self, *, of_socket: bool) -> set[str]:
        """Return everything that was sent as a key. A key in the query does not count: it would end up in logs."""
        bearers = (_BEARER.fullmatch(value) for value in self.every("authorization"))
        found = {bearer[1] or "" for bearer in bearers if bearer} | set(self.every("x-api-key"))
        if of_socket:
            found |= {each.removeprefix(SOCKET_KEY) for each in self._protocols() if each.startswith(SOCKET_KEY)}
        return found

    def _protocols(self) -> list[str]:
        return _protocols(",".join(self.every("sec-websocket-protocol")))


def without_key(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return a scope without the key, so that nothing behind the guard can log it or send it on."""
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


class Disconnected(Exception):
    """The client disconnected before the whole body was there."""


async def read_body(headers: Headers, receive: Receive, *, limit: int, seconds: float = BODY_SECONDS) -> bytes:
    """Return the body. Raises `TurnedAway` as soon as it is larger than `limit` or takes longer than `seconds`.

    Raises `Disconnected` where it ends early. A Content-Length that is too large is refused at once.
    """
    if any(_content_length(value) > limit for value in headers.every("content-length")):
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
            raise Disconnected
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise TurnedAway(too_large(limit))
        if not message.get("more_body", False):
            return b"".join(parts)


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives `body`, and then what `receive` gives."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _content_length(value: str) -> float:
    """Return a length; an invalid one counts as infinite."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 20 else float("inf")


_METHODS: Final = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_EXPOSED: Final = b"ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id"
_ASKED: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1000}")
_SECONDS: Final = b"600"  #: that a browser may cache a preflight

Pairs = list[tuple[bytes, bytes]]


def is_preflight(method: str, headers: Headers) -> bool:
    return method == "OPTIONS" and bool(headers.every("access-control-request-method"))


def preflight_headers(origin: str, sent: Headers) -> Pairs:
    """Return the CORS headers that answer a preflight of a page of an allowed origin."""
    headers = [
        *cors_headers(origin),
        (b"access-control-allow-methods", _METHODS),
        (b"access-control-max-age", _SECONDS),
        (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
    ]
    asked = ", ".join(sent.every("access-control-request-headers"))
    if _ASKED.fullmatch(asked):
        headers.append((b"access-control-allow-headers", asked.encode("ascii")))
    if sent.get("access-control-request-private-network") == "true":
        headers.append((b"access-control-allow-private-network", b"true"))
    return headers


def cors_headers(origin: str) -> Pairs:
    """Return the CORS headers that let pages of an origin (spelt as they sent it) read an answer."""
    return [(b"access-control-allow-origin", origin.encode("ascii")), (b"access-control-expose-headers", _EXPOSED)]


def response_headers(given: Iterable[tuple[bytes, bytes]], *, added: Pairs, vary: bool) -> Pairs:
    """Return the headers of an answer: only the guard sets CORS headers. `vary`: they depend on the origin."""
    kept = [pair for pair in given if not pair[0].lower().startswith(b"access-control-")]
    return [*kept, *added, *([(b"vary", b"Origin")] if vary else [])]


OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})  #: health checks need no key
OPENAI_PATHS: Final = ("/v1/chat/completions", "/v1/models")  #: clients there expect errors in OpenAI's form
_POLICY: Final = 1008  #: the close code of a websocket for "policy violation"
_LOGIN_BYTES: Final = 4_096  #: more than a form with a key takes
_LONGEST_QUERY: Final = 2_000  #: that the login page leads back to
IsPage = Callable[[str], bool]  #: by its path


def no_pages(path: str) -> bool:
    return False


#: The caller of health checks, which need no key: no scope has an empty name, so it opens none.
ANONYMOUS: Final = Caller(
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
    desk: ServerStore,
    *,
    settings: ServeSettings,
    address: str,
    refused: Refused,
    openai_refused: Refused,
    fresh_seconds: float = FRESH_SECONDS,
    body_seconds: float = BODY_SECONDS,
    is_page: IsPage = no_pages,
) -> Guard:
    """Return `app`, which listens on `address`, behind a guard. Raises `InvalidSetting`.

    `refused` makes the answer of a refusal; `openai_refused` does so for clients of the proxy. Keys are read again
    after `fresh_seconds`; a body must be there within `body_seconds`. `is_page` says for a path whether it is a page,
    which the cookie of a browser session opens.
    """
    rules = rules_of(settings, address)
    keys = Keyring(desk, fresh_seconds=fresh_seconds)
    register = KeyAdmission(keys, UsageCounter(desk), RateLimiter(), per_minute=settings.serve_per_minute)
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
class _Request:
    """A request that is being checked."""

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
        """Whether a browser will show the answer as a page; a client that does not say counts as one."""
        shown = self.headers.get("sec-fetch-dest") in (None, "document")
        return shown and self.method == "GET" and not self.is_socket and not is_page_asset(self.path)

    @property
    def is_for_openai(self) -> bool:
        return any(self.path == each or self.path.startswith(f"{each}/") for each in OPENAI_PATHS)


class Guard:
    """An ASGI application that passes on to another only what is allowed."""

    def __init__(
        self,
        app: App,
        *,
        rules: Rules,
        register: KeyAdmission,
        refused: Refused,
        openai_refused: Refused,
        body_seconds: float = BODY_SECONDS,
        is_page: IsPage = no_pages,
    ) -> None:
        self.rules = rules
        self.sessions = BrowserSessions()
        self._app = app
        self._register = register
        self._refused = refused
        self._openai_refused = openai_refused
        self._body_seconds = body_seconds
        self._is_page = is_page

    async def log_in(self, token: str) -> str:
        """Start a browser session with this key, and return its cookie. Raises `TurnedAway`.

        Wrong keys are not throttled: they cannot be guessed, and throttling would only lock out their owners.
        """
        return self.sessions.begin((await self._register.admit(token)).id)

    def log_out(self, cookie: str) -> None:
        self.sessions.end(cookie)

    @property
    def asks_for_keys(self) -> bool:
        return self.rules.keys_required

    async def visitor(self, cookie: str | None, *, counts: bool = False) -> Caller | None:
        """Return the caller of a browser session, with the key as it is now; None: a login is needed first.

        `counts`: it counts as a use of the key. Raises `TurnedAway` where that is one too many.
        """
        if not self.rules.keys_required:
            return Caller()
        key_id = self.sessions.key_id(cookie) if cookie is not None else None
        if cookie is None or key_id is None:
            return None
        key = await self._register.known(key_id, counts=counts)
        if key is None:
            self.sessions.end(cookie)
            return None
        return Caller(key=key)

    def lives(self, cookie: str | None) -> bool:
        """Keep a browser session alive; return whether it is known, without checking its key."""
        return not self.rules.keys_required or (
            cookie is not None and self.sessions.key_id(cookie, lives=True) is not None
        )

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "lifespan":
                try:
                    await self._app(scope, self._watch_shutdown(receive), send)
                finally:
                    self._register.shut()
            case "http" | "websocket":
                asked = _Request(scope, Headers(scope))
                try:
                    await self._pass_on(asked, receive, send)
                except TurnedAway as turned:
                    await self._refuse(asked, turned.refusal, receive, send)
            case other:
                raise ValueError(f"the guard passes http and websocket only, not {other!r}")

    async def _pass_on(self, asked: _Request, receive: Receive, send: Send) -> None:
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
                body = await read_body(
                    asked.headers, receive, limit=self._most_bytes(asked), seconds=self._body_seconds
                )
            except Disconnected:
                return
            receive = replay(body, receive)
        with acting_for(caller):
            await self._app(inside, receive, self._add_headers(asked, send))

    def _most_bytes(self, asked: _Request) -> int:
        if asked.path in OPEN_PATHS:
            return 0  # a health check has no body
        if self._is_page(asked.path) and needs_no_key(asked.path):
            return _LOGIN_BYTES
        return self.rules.body_bytes

    def _checked_host(self, asked: _Request) -> Host:
        if not asked.path.startswith("/"):  # "GET http://elsewhere/…": a target may name a host of its own
            raise TurnedAway(refusals.BAD_TARGET)
        host = host_of(asked.headers.get("host") or "")
        if host is None:
            raise TurnedAway(refusals.BAD_HOST)
        if not self.rules.allows(host):
            raise TurnedAway(refusals.WRONG_HOST)
        return host

    def _check_origin(self, asked: _Request, host: Host) -> None:
        named = asked.headers.every("origin")
        if not named and not _is_cross_site(asked):
            return
        origin = origin_of(named[0]) if len(named) == 1 else None
        if origin is not None and origin in self.rules.origins and not self._is_page(asked.path):
            asked.allowed_origin = named[
                0
            ]  # it sends a key; on a page the cookie would do, which browsers send by themselves
        elif origin is None or not self.rules.is_own(origin, host, str(asked.scope.get("scheme", "http"))):
            raise TurnedAway(refusals.WRONG_ORIGIN)

    async def _caller(self, asked: _Request) -> Caller:
        required = self.rules.keys_required
        if asked.path in OPEN_PATHS:
            return ANONYMOUS if required else Caller()
        if self._is_page(asked.path):
            return await self._visitor(asked)
        tokens = asked.headers.keys(of_socket=asked.is_socket)
        if len(tokens) > 1:
            raise TurnedAway(refusals.SEVERAL_KEYS)
        token = next(iter(tokens), None)
        if token is None and required:
            raise TurnedAway(refusals.NO_KEY)
        if token is None or (not required and asked.is_for_openai and not token.startswith(PREFIX)):
            return Caller()  # OpenAI clients insist on a key, so people give them a dummy
        return Caller(key=await self._register.admit(token))

    async def _visitor(self, asked: _Request) -> Caller:
        if needs_no_key(asked.path):
            return ANONYMOUS if self.rules.keys_required else Caller()
        cookie = cookie_in(asked.scope)
        visitor = await self.visitor(cookie, counts=not is_page_asset(asked.path)) if self.lives(cookie) else None
        if visitor is not None:
            return visitor
        if asked.opens_a_page:
            raise TurnedAway(refusals.login_first(f"{LOGIN}?to={_quoted(asked.scope)}"))
        raise TurnedAway(refusals.NO_KEY)

    def _watch_shutdown(self, receive: Receive) -> Receive:
        async def received() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._register.close()
            return message

        return received

    def _add_headers(self, asked: _Request, send: Send) -> Send:
        added = cors_headers(asked.allowed_origin) if asked.allowed_origin is not None else []

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = response_headers(message.get("headers", ()), added=added, vary=bool(self.rules.origins))
                message = {**message, "headers": headers}
            await send(message)

        return add_headers

    async def _refuse(self, asked: _Request, refusal: Refusal, receive: Receive, send: Send) -> None:
        if asked.is_socket:
            await send({"type": "websocket.close", "code": _POLICY, "reason": refusal.title})
            return
        answer = (self._openai_refused if asked.is_for_openai else self._refused)(refusal)
        await answer(without_key(asked.scope), receive, self._add_headers(asked, send))


def _quoted(scope: MutableMapping[str, Any]) -> str:
    """Return the address of a request, quoted for a query."""
    query = bytes(scope.get("query_string", b"")).decode("latin-1")
    return quote(f"{scope['path']}?{query}" if 0 < len(query) <= _LONGEST_QUERY else str(scope["path"]), safe="/")


def _is_cross_site(asked: _Request) -> bool:
    """Whether a page of another origin loads this without an Origin header, as it does for a picture or a script.

    Browsers say so in Sec-Fetch-Site. Following a link to this server does not count.
    """
    sent = {name: asked.headers.get(f"sec-fetch-{name}") for name in ("site", "mode", "dest")}
    followed = asked.method in ("GET", "HEAD") and (sent["mode"], sent["dest"]) == ("navigate", "document")
    return sent["site"] in ("cross-site", "same-site") and not followed
