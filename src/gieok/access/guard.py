"""The guard: every HTTP request and websocket passes it before the application.

It checks Host, Origin and key in this order, then the limits of the key, then the size of the body. The application
sees only requests that pass, with a `Caller` and without the key. `X-Forwarded-*` is ignored.

Pages of the inspector cannot send a key: a browser logs in with one once and is recognised by a cookie. Its value is
256 random bits; only its digest is kept, in this process alone, with the id of the key. It opens pages, never the API.
Revoking a key ends its sessions; a restart ends all.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final
from urllib.parse import quote, unquote_plus

from gieok.access.caller import App, Caller, Message, Receive, Refused, Send, TurnedAway, acting_for, let_in
from gieok.access.hosts import Host, ServeSettings, host_of, origin_of, rules_of
from gieok.access.keys import FRESH_SECONDS, PREFIX, KeyAdmission, Keyring, RateLimiter, UsageCounter, digest
from gieok.domain.server_state import AccessKey, Bounds
from gieok.ports import ServerStore

LOGIN: Final = "/login"
LOGOUT: Final = "/logout"
IDLE_SECONDS: Final = 12 * 3600.0  #: a session ends so long after its last activity
LONGEST_SECONDS: Final = 7 * 24 * 3600.0  #: … and so long after it began
_MOST: Final = 10_000  #: sessions at a time; the one that was idle the longest ends first
_MOST_OF_A_KEY: Final = 100  #: so that one key cannot end the sessions of others
_LOOK: Final = "/look/"  #: style sheets and pictures: they hold nobody's data
_PARTS: Final = ("/_nicegui/", "/_nicegui_ws/", _LOOK, "/favicon.ico")  #: what an open page loads


def needs_no_key(path: str) -> bool:
    """Whether a page opens before the login: the login itself, and what it shows."""
    return path in (LOGIN, LOGOUT) or path.startswith(_LOOK)


def is_page_asset(path: str) -> bool:
    """Whether a path is a part of a page: it does not count as a use of a key, and the login does not lead there."""
    return path.startswith(_PARTS)


def cookie_name(kind: str, scope: Mapping[str, Any]) -> str:
    """Return the name of a cookie of this server: browsers send the cookies of all ports of a host to each."""
    server = scope.get("server")
    return f"gieok_{kind}_{server[1]}" if server and server[1] else f"gieok_{kind}"


def cookie_in(scope: Mapping[str, Any], kind: str = "visit") -> str | None:
    """Return the value of a cookie of this server; None: it was not sent, or is empty."""
    name = cookie_name(kind, scope)
    sent = ";".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == b"cookie")
    pairs = (part.strip().partition("=") for part in sent.split(";"))
    return next((value for key, _, value in pairs if key == name and value), None)


@dataclass(slots=True)
class _Session:
    key_id: str
    begun: float
    seen: float


class BrowserSessions:
    """The sessions of a server. Safe to use from many threads."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = threading.Lock()
        self._known: dict[str, _Session] = {}  #: by digest, the longest idle first

    def __len__(self) -> int:
        return len(self._known)

    def begin(self, key_id: str) -> str:
        """Start a session; return the value of its cookie."""
        secret = secrets.token_urlsafe(32)
        now = self._ticks()
        with self._lock:
            self._known[digest(secret)] = _Session(key_id, now, now)
            same = [name for name, session in self._known.items() if session.key_id == key_id]
            for name in same[:-_MOST_OF_A_KEY]:
                del self._known[name]
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        return secret

    def key_id(self, secret: str, *, lives: bool = False) -> str | None:
        """Return the id of the key that a session began with; None: there is no such session.

        `lives`: it counts as activity of the browser.
        """
        name, now = digest(secret), self._ticks()
        with self._lock:
            session = self._known.get(name)
            if session is None:
                return None
            if now - session.seen > IDLE_SECONDS or now - session.begun > LONGEST_SECONDS:
                del self._known[name]
                return None
            if lives:
                session.seen = now
                self._known[name] = self._known.pop(name)
            return session.key_id

    def end(self, secret: str) -> None:
        with self._lock:
            self._known.pop(digest(secret), None)


SOCKET_KEY: Final = "gieok.key."  #: prefix of a subprotocol that is a key: pages cannot set headers of a websocket
_BEARER: Final = re.compile(r"bearer(?:[ \t]+(.*))?", re.IGNORECASE)
BODY_SECONDS: Final = 60.0  #: that a body may take: a client that sends a byte now and then would stay for ever


class Headers:
    """The headers of an ASGI scope."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._all = [(name.lower(), value.decode("latin-1").strip(" \t")) for name, value in scope["headers"]]

    def names(self) -> Iterator[str]:
        return (name.decode("latin-1") for name, _ in self._all)

    def every(self, name: str) -> list[str]:
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
            offered = _protocols(",".join(self.every("sec-websocket-protocol")))
            found |= {each.removeprefix(SOCKET_KEY) for each in offered if each.startswith(SOCKET_KEY)}
        return found


def without_key(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return a scope without the key, so that nothing behind the guard can log it or send it on."""
    headers: Pairs = []
    for name, value in scope["headers"]:
        text, kind = value.decode("latin-1"), name.lower()
        if kind == b"sec-websocket-protocol":
            text = ", ".join(each for each in _protocols(text) if not each.startswith(SOCKET_KEY))
            if text:
                headers.append((name, text.encode("latin-1")))
        elif kind not in (b"authorization", b"x-api-key") or PREFIX not in text:
            headers.append((name, value))
    inside = {**scope, "headers": headers}
    if "subprotocols" in inside:
        inside["subprotocols"] = [each for each in inside["subprotocols"] if not each.startswith(SOCKET_KEY)]
    return inside


def _protocols(value: str) -> list[str]:
    return [each.strip(" \t") for each in value.split(",")]


MOST_HEADERS: Final = 100
LONGEST_HEAD: Final = 65_536  #: bytes of an address and its headers


def head_size(scope: Mapping[str, Any]) -> int:
    target = len(scope.get("raw_path") or b"") + len(scope.get("query_string", b""))
    return target + sum(len(name) + len(value) for name, value in scope["headers"])


class Disconnected(Exception):
    """The client disconnected before the whole body was there."""


async def read_body(headers: Headers, receive: Receive, *, limit: int, seconds: float = BODY_SECONDS) -> bytes:
    """Return the body. Raises `TurnedAway` as soon as it is larger than `limit` or takes longer than `seconds`.

    Raises `Disconnected` where it ends early. A Content-Length that is too large is refused at once.
    """
    for announced in headers.every("content-length"):
        if not (announced.isascii() and announced.isdigit() and len(announced) < 20 and int(announced) <= limit):
            raise TurnedAway("too_large", limit=limit)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Disconnected
                body += message.get("body", b"")
                if len(body) > limit:
                    raise TurnedAway("too_large", limit=limit)
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError as cause:
        raise TurnedAway("too_slow") from cause


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives `body`, and then what `receive` gives."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


#: What says whose memory is meant, and what a write depends on. Of two, one reader takes the first, another the last.
_ONCE_IN_QUERY: Final = frozenset({"user", "character", "world"})
_ONCE_IN_HEADERS: Final = frozenset(
    "x-gieok-user x-gieok-character x-gieok-world x-gieok-session x-openwebui-user-id x-openwebui-chat-id "
    "idempotency-key if-match".split()
)


def check_once(headers: Headers, query: bytes) -> None:
    """Raise `TurnedAway` where a request names a part of its scope twice, even if both say the same."""
    named = (unquote_plus(part.partition("=")[0]) for part in query.decode("latin-1").split("&"))
    counted = Counter(name for name in named if name in _ONCE_IN_QUERY)
    counted.update(name for name in headers.names() if name in _ONCE_IN_HEADERS)
    if (doubled := next((name for name, times in counted.items() if times > 1), None)) is not None:
        raise TurnedAway("sent_twice", what=doubled)


_METHODS: Final = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_EXPOSED: Final = b"ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id"
_ASKED: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1000}")
_SECONDS: Final = b"600"  #: that a browser may cache a preflight

Pairs = list[tuple[bytes, bytes]]


def preflight_headers(origin: str, sent: Headers) -> Pairs:
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


OPEN_PATHS: Final = frozenset({"/healthz", "/readyz"})  #: health checks need no key
#: Clients there expect errors in OpenAI's form; some leave "/v1" out.
OPENAI_PATHS: Final = (
    "/v1/chat/completions", "/v1/models", "/v1/completions", "/v1/embeddings", "/v1/moderations", "/v1/responses",
    "/v1/rerank", "/v1/audio", "/v1/images", "/v1/files", "/v1/batches", "/v1/assistants", "/v1/threads", "/v1/v1",
)  # fmt: skip
_POLICY: Final = 1008  #: the close code of a websocket for "policy violation"
_LOGIN_BYTES: Final = 4_096  #: more than a form with a key takes
_LONGEST_QUERY: Final = 2_000  #: that the login page leads back to

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


@dataclass(slots=True)
class _Request:
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
        path = self.path if self.path.startswith("/v1/") else f"/v1{self.path}"
        return any(path == each or path.startswith(f"{each}/") for each in OPENAI_PATHS)


class Guard:
    """An ASGI application that passes on to another only what is allowed."""

    def __init__(
        self,
        app: App,
        server: ServerStore,
        *,
        settings: ServeSettings,
        address: str,
        refused: Refused,
        openai_refused: Refused,
        fresh_seconds: float = FRESH_SECONDS,
        body_seconds: float = BODY_SECONDS,
        is_page: Callable[[str], bool] = lambda path: False,
        pace: RateLimiter | None = None,
    ) -> None:
        """Guard `app`, which listens on `address`. Raises `InvalidSetting`.

        `refused` makes the answer of a refusal; `openai_refused` does so for clients of the proxy. Keys are read again
        after `fresh_seconds`; a body must be there within `body_seconds`. `is_page` says for a path whether it is a
        page, which the cookie of a browser session opens. `pace` counts the requests of each key.
        """
        self.rules = rules_of(settings, address)
        self.sessions = BrowserSessions()
        self._app = app
        keys = Keyring(server, fresh_seconds=fresh_seconds)
        per_minute = settings.serve_per_minute
        self._register = KeyAdmission(keys, UsageCounter(server), pace or RateLimiter(), per_minute=per_minute)
        self._refused, self._openai_refused, self._body_seconds = refused, openai_refused, body_seconds
        self._most, self._running = settings.serve_at_once, Counter[str]()
        self._is_page = is_page

    async def log_in(self, token: str) -> str:
        """Start a browser session with this key, and return its cookie. Raises `TurnedAway`.

        Wrong keys are not throttled: they cannot be guessed, and throttling would only lock out their owners.
        """
        return self.sessions.begin((await self._register.admit(token)).id)

    def log_out(self, cookie: str) -> None:
        self.sessions.end(cookie)

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
                    await self._refuse(asked, turned, receive, send)
            case other:
                raise ValueError(f"the guard passes http and websocket only, not {other!r}")

    async def _pass_on(self, asked: _Request, receive: Receive, send: Send) -> None:
        if len(asked.scope["headers"]) > MOST_HEADERS or head_size(asked.scope) > LONGEST_HEAD:
            raise TurnedAway("large_head", count=MOST_HEADERS, limit=LONGEST_HEAD)
        if not asked.path.startswith("/"):  # "GET http://elsewhere/…": a target may name a host of its own
            raise TurnedAway("bad_target")
        host = host_of(asked.headers.get("host") or "")
        if host is None:
            raise TurnedAway("bad_host")
        if not self.rules.allows(host):
            raise TurnedAway("wrong_host")
        self._check_origin(asked, host)
        is_preflight = asked.method == "OPTIONS" and bool(asked.headers.every("access-control-request-method"))
        if asked.allowed_origin is not None and is_preflight:
            headers = preflight_headers(asked.allowed_origin, asked.headers)
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        check_once(asked.headers, bytes(asked.scope.get("query_string", b"")))
        inside = without_key(asked.scope)
        caller = await self._caller(asked)
        let_in(inside, caller)
        with self._counting(caller):
            await self._admit(asked, inside, caller, receive, send)

    @contextmanager
    def _counting(self, caller: Caller) -> Iterator[None]:
        """Count a request of a key as under way. Raises `TurnedAway` where it is one too many."""
        if caller.key is None or caller is ANONYMOUS:
            yield
            return
        if self._running[caller.name] >= self._most:
            raise TurnedAway("too_many_at_once", limit=self._most)
        self._running[caller.name] += 1
        try:
            yield
        finally:
            self._running[caller.name] -= 1
            if not self._running[caller.name]:
                del self._running[caller.name]

    async def _admit(
        self, asked: _Request, inside: MutableMapping[str, Any], caller: Caller, receive: Receive, send: Send
    ) -> None:
        if not asked.is_socket:
            is_login = self._is_page(asked.path) and needs_no_key(asked.path)
            # A health check has no body.
            limit = 0 if asked.path in OPEN_PATHS else _LOGIN_BYTES if is_login else self.rules.body_bytes
            try:
                body = await read_body(asked.headers, receive, limit=limit, seconds=self._body_seconds)
            except Disconnected:
                return
            receive = replay(body, receive)
        with acting_for(caller):
            await self._app(inside, receive, self._add_headers(asked, send))

    def _check_origin(self, asked: _Request, host: Host) -> None:
        named = asked.headers.every("origin")
        if not named and not _is_cross_site(asked):
            return
        origin = origin_of(named[0]) if len(named) == 1 else None
        if origin is not None and origin in self.rules.origins and not self._is_page(asked.path):
            # It sends a key; on a page the cookie would do, which browsers send by themselves.
            asked.allowed_origin = named[0]
        elif origin is None or not self.rules.is_own(origin, host, str(asked.scope.get("scheme", "http"))):
            raise TurnedAway("wrong_origin")

    async def _caller(self, asked: _Request) -> Caller:
        required = self.rules.keys_required
        if asked.path in OPEN_PATHS:
            return ANONYMOUS if required else Caller()
        if self._is_page(asked.path):
            return await self._visitor(asked)
        tokens = asked.headers.keys(of_socket=asked.is_socket)
        if len(tokens) > 1:
            raise TurnedAway("several_keys")
        token = next(iter(tokens), None)
        if token is None and required:
            raise TurnedAway("no_key")
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
        if not asked.opens_a_page:
            raise TurnedAway("no_key")
        query = bytes(asked.scope.get("query_string", b"")).decode("latin-1")
        back = f"{asked.path}?{query}" if 0 < len(query) <= _LONGEST_QUERY else asked.path
        raise TurnedAway("login_first", location=f"{LOGIN}?to={quote(back, safe='/')}")

    def _watch_shutdown(self, receive: Receive) -> Receive:
        async def received() -> Message:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await self._register.close()
            return message

        return received

    def _add_headers(self, asked: _Request, send: Send) -> Send:
        added = cors_headers(asked.allowed_origin) if asked.allowed_origin is not None else []
        added += [(b"vary", b"Origin")] if self.rules.origins else []

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":  # only the guard sets CORS headers
                given = message.get("headers", ())
                kept = [pair for pair in given if not pair[0].lower().startswith(b"access-control-")]
                message = {**message, "headers": [*kept, *added]}
            await send(message)

        return add_headers

    async def _refuse(self, asked: _Request, turned: TurnedAway, receive: Receive, send: Send) -> None:
        if asked.is_socket:
            await send({"type": "websocket.close", "code": _POLICY, "reason": turned.title})
            return
        answer = (self._openai_refused if asked.is_for_openai else self._refused)(turned)
        await answer(without_key(asked.scope), receive, self._add_headers(asked, send))


def _is_cross_site(asked: _Request) -> bool:
    """Whether a page of another origin loads this without an Origin header, as it does for a picture or a script.

    Browsers say so in Sec-Fetch-Site. Following a link to this server does not count.
    """
    sent = {name: asked.headers.get(f"sec-fetch-{name}") for name in ("site", "mode", "dest")}
    followed = asked.method in ("GET", "HEAD") and (sent["mode"], sent["dest"]) == ("navigate", "document")
    return sent["site"] in ("cross-site", "same-site") and not followed
