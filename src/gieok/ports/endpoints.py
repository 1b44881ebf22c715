"""OpenAI-compatible endpoints: URLs, keys, clients and cool-downs."""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from gieok.errors import ErrorText, InvalidSetting

if TYPE_CHECKING:
    from openai import OpenAI

_MAX_REST: Final = 600.0  #: maximum seconds, whatever the endpoint requests
_LARGEST_ERROR: Final = 4_000  #: bytes of an error body that are read
_FIRST_REST: Final = 1.0  #: seconds after the first failure; doubled after each further one
_NUMBER: Final = re.compile(r"-?[0-9]{1,12}(\.[0-9]{0,6})?")
_CREDENTIALS: Final = re.compile(r"//[^/\s]*@")  #: a password may contain an @
_QUERY: Final = re.compile(r"(://[^\s?]*)\?[^\s'\"]*")  #: it may contain a key
_THIS_MACHINE: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A model provider."""

    url: str
    url_variable: str | None = None  #: environment variable with another URL
    key_variables: tuple[str, ...] = ()  #: environment variables for the key; the first one set is used
    needs_key: bool = False
    start: str = "check the network"  #: what to do if the endpoint does not respond


PROVIDERS: Final[Mapping[str, Provider]] = {
    name: Provider(**{**told, "key_variables": tuple(told.get("key_variables", ()))})
    for name, told in tomllib.loads(Path(__file__).with_name("providers.toml").read_text(encoding="utf-8")).items()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An endpoint with its key."""

    provider: str
    url: str = field(repr=False)  #: may contain a password
    key: str | None = field(default=None, repr=False)

    @property
    def shown(self) -> str:
        """The URL without a password."""
        return without_secrets(self.url, self.key)

    @property
    def key_variable(self) -> str:
        return PROVIDERS[self.provider].key_variables[0]

    @property
    def lacks_key(self) -> bool:
        """Whether a required key is missing. A custom URL may be a proxy that has the key."""
        home = PROVIDERS[self.provider]
        return home.needs_key and self.key is None and self.url == home.url

    @property
    def here(self) -> bool:
        """Whether it is on this machine, so that the proxy of the environment is not used."""
        return urlsplit(self.url).hostname in _THIS_MACHINE


def endpoint(
    provider: str, *, url: str | None = None, key: str | None = None, environment: Mapping[str, str]
) -> Endpoint:
    """Return the endpoint of `provider`, one of `PROVIDERS`; missing arguments are read from its variables.

    A key from a variable belongs to the provider and is not sent to a given `url`. Raises `InvalidSetting`.
    """
    home = PROVIDERS[provider]
    elsewhere = environment.get(home.url_variable) if home.url_variable else None
    held = next((environment[name] for name in home.key_variables if environment.get(name)), None)
    opens = ((key or (held if url is None else None)) or "").strip()
    if not opens.isascii() or not opens.isprintable():
        raise InvalidSetting(ErrorText("model.key_characters", provider=provider))
    place = (url or elsewhere or home.url).strip()
    try:
        parts = urlsplit(place)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise InvalidSetting(ErrorText("model.url", shown=without_secrets(place, None)))
    return Endpoint(provider=provider, url=place.rstrip("/"), key=opens or None)


def without_secrets(text: str, key: str | None) -> str:
    """Return `text` without `key`, and without the logins and queries of URLs."""
    return _QUERY.sub(r"\1", _CREDENTIALS.sub("//", text.replace(key, "…") if key else text))


def login_in(url: str) -> tuple[str, tuple[str, str] | None]:
    """Return `url` without its login, and the login, so that a logged URL shows no password."""
    parts = urlsplit(url)
    if "@" not in parts.netloc:
        return url, None
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return bare, (unquote(parts.username or ""), unquote(parts.password or ""))


def new_client(url: str, key: str | None, *, login: tuple[str, str] | None, **options: Any) -> OpenAI:
    """Return a client for a URL without a login. It does not retry."""
    import openai

    http = openai.DefaultHttpxClient(
        auth=login,
        trust_env=urlsplit(url).hostname not in _THIS_MACHINE,  # do not use the proxy of the environment
        headers={"Accept-Encoding": "identity"},  # a few bytes may unpack to gigabytes
        **options,
    )
    # The client requires a key; servers without keys ignore it.
    return openai.OpenAI(base_url=url, api_key=key or "none", max_retries=0, http_client=http)


class ErrorStatus(Exception):
    """An error response of an endpoint."""

    def __init__(self, code: int, detail: str, retry_after: str | None) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.retry_after = retry_after  #: the Retry-After header


def raise_for_error(response: Any, seconds: float) -> None:
    """Raise `ErrorStatus` for an error response after its headers have arrived. A hook for `new_client`.

    Only the beginning of the body is read, for at most `seconds`; the client would read all of it.
    """
    if response.status_code < 400:
        return
    body, enough = b"", time.monotonic() + seconds
    for piece in response.iter_bytes():
        body += piece[:_LARGEST_ERROR]
        if len(body) >= _LARGEST_ERROR or time.monotonic() > enough:
            break
    response.close()
    text = body.decode(errors="replace")
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        error = value.get("error", value) if isinstance(value, dict) else value
        text = str(error.get("message", error) if isinstance(error, dict) else error)
    raise ErrorStatus(response.status_code, text, response.headers.get("retry-after"))


class Cooldown:
    """A pause in calls to an endpoint, shared by all callers and threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = Lock()
        self._until = 0.0
        self._failures = 0
        self.why = ""  #: the last failure

    @property
    def left(self) -> float:
        """Seconds until the next call is allowed; 0.0: now."""
        return max(0.0, self._until - self._now())

    def rest(self, seconds: float, why: str) -> float:
        """Pause after a 429 for `seconds`; return the length of the pause."""
        seconds = min(max(seconds, 0.0), _MAX_REST)
        with self._lock:
            self.why = why
            self._until = max(self._until, self._now() + seconds)
        return seconds

    def failed(self, longest: float, why: str) -> float:
        """Pause after a failure: one second, doubled after each further failure."""
        with self._lock:
            seconds = min(_FIRST_REST * 2 ** min(self._failures, 16), longest)
            self._failures += 1
        return self.rest(seconds, why)

    def answered(self) -> None:
        with self._lock:
            self._failures = 0


_COOLDOWNS: Final[dict[tuple[str, str], Cooldown]] = {}
_COOLDOWNS_LOCK: Final = Lock()


def shared_cooldown(url: str, what: str) -> Cooldown:
    """Return the cool-down of this process for `what` at `url`."""
    with _COOLDOWNS_LOCK:
        return _COOLDOWNS.setdefault((url.rstrip("/"), what), Cooldown())


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header; None: invalid."""
    if value is None:
        return None
    if _NUMBER.fullmatch(value.strip()):
        return max(0.0, float(value))
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return None
    aware = until if until.tzinfo is not None else until.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
