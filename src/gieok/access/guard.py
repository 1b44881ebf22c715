"""The guard at the door: whoever asks for something, by http or by websocket, passes here first.

Host, Origin and key are checked in this order, then how much the key may still ask for, then how much is sent. What
is behind sees a request only when all is well, with a `Caller` and without the key. `X-Forwarded-*` is not looked at.
Where there are pages, a browser that has shown its key is let in by the cookie of its visit, to the pages alone.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from gieok.access import cors, refusals
from gieok.access.acting import acting_for
from gieok.access.caller import Caller, let_in
from gieok.access.headers import BODY_SECONDS, Gone, Headers, read_whole, replayed, without_key
from gieok.access.hosts import Host, host_of, origin_of
from gieok.access.keys import FRESH_SECONDS, PREFIX, Keyring
from gieok.access.refusals import App, Message, Receive, Refusal, Refused, Send, TurnedAway
from gieok.access.register import Pace, Register, Tally
from gieok.access.rules import OPEN_PATHS, OPENAI_PATHS, Rules, ServeSettings, rules_of
from gieok.access.visits import LOGIN, Visits, cookie_in, is_part, opens_without_key
from gieok.domain.desk import AccessKey, Bounds
from gieok.ports import Desk

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
        if asked.allowed_origin is not None and cors.is_preflight(asked.method, asked.headers):
            headers = cors.preflight_headers(asked.allowed_origin, asked.headers)
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
        added = cors.allowing(asked.allowed_origin) if asked.allowed_origin is not None else []

        async def answering(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = cors.answered(message.get("headers", ()), added=added, vary=bool(self.rules.origins))
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
