"""The address of a bank on a server: postgresql://user:password@host/database?schema=name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from gieok.errors import BankUnavailable

SCHEMES: Final = ("postgresql", "postgres")
DEFAULT_SCHEMA: Final = "gieok"
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HOST: Final = re.compile(r"\[[^]]*\]|[^:]*")
_PORT: Final = re.compile(r"(:[0-9]*)?")
_NO_SIGN: Final = re.compile(r"%(?!(?!00)[0-9A-Fa-f]{2})")  #: a % that stands for nothing
_KEEPALIVE: Final = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
_WAITING: Final = 0.8  #: of the time of a statement, that it may wait for others: then it is known what it waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a bank is kept on a server."""

    conninfo: str  #: as libpq takes it; it may hold a password
    schema: str  #: that its tables are in
    shown: str  #: the same without a password

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    def options(self, seconds: float) -> dict[str, Any]:
        """Return what every connection is opened with; no statement may take longer than `seconds`."""
        timeouts = f"-c statement_timeout={int(seconds * 1000)} -c lock_timeout={int(seconds * _WAITING * 1000)}"
        idle = f"-c idle_in_transaction_session_timeout={int(max(seconds, 60) * 1000)}"
        return {
            "options": f"-c search_path={self.schema},public {timeouts} {idle}",
            "application_name": "gieok",
            "connect_timeout": max(int(seconds), 2),
            **_KEEPALIVE,
        }


def is_address(location: str) -> bool:
    return location.split("://", 1)[0] in SCHEMES and "://" in location


def address_of(location: str, environment: Mapping[str, str] | None = None) -> Address:
    """Return the parts of an address. Raises `BankUnavailable`.

    A server on another machine is spoken to under TLS, unless the address (or PGSSLMODE) says otherwise.
    """
    try:
        parts = urlsplit(_quoted(location))
        query = parse_qsl(parts.query, keep_blank_values=True)
        hidden = parts.password
    except ValueError:  # its words may hold the password
        raise BankUnavailable("this is no address of a server; write postgresql://user@host/database") from None
    if _is_cut(parts):
        raise BankUnavailable(
            "the address cannot be told apart; percent-encode the password in it: / is %2F, @ is %40, % is %25"
        )
    schema = dict(query).get("schema", DEFAULT_SCHEMA)
    if not _NAME.fullmatch(schema):
        raise BankUnavailable("the schema in an address is a name of small letters, digits and _: ?schema=team_a")
    handed_on = [(name, value) for name, value in query if name != "schema"]
    handed_on += _tls(parts.netloc, dict(handed_on), os.environ if environment is None else environment)
    rest = urlencode(handed_on, quote_via=quote)
    conninfo = _put_together(parts.scheme, parts.netloc, parts.path, rest)
    netloc = parts.netloc.replace(f":{hidden}@", "@", 1) if hidden else parts.netloc
    named = "" if schema == DEFAULT_SCHEMA else f"schema={schema}"
    return Address(conninfo=conninfo, schema=schema, shown=_put_together(parts.scheme, netloc, parts.path, named))


def _quoted(location: str) -> str:
    """Return an address whose signs mean to everybody what they mean to libpq, which takes # ? [ ] in a password."""
    scheme, _, rest = location.replace("#", "%23").partition("://")
    who, at, where = rest.partition("@")
    if at and "/" not in who:
        who = who.replace("?", "%3F").replace("[", "%5B").replace("]", "%5D")
    return f"{scheme}://{who}{at}{where}"


def _is_cut(parts: SplitResult) -> bool:
    """Whether a part of a password would be taken for something else: it would be shown, or libpq would quote it."""
    who, _, hosts = parts.netloc.rpartition("@")
    astray = "@" in who or "@" in parts.path or any("@" in each.partition("=")[0] for each in parts.query.split("&"))
    ports = (_HOST.sub("", each, count=1) for each in hosts.split(","))
    return astray or not all(map(_PORT.fullmatch, ports)) or _NO_SIGN.search(parts.netloc) is not None


def _put_together(scheme: str, netloc: str, path: str, query: str) -> str:
    """Return an address with its two slashes, also where no host is named: a socket of this machine is meant."""
    return f"{scheme}://{netloc}{path}" + (f"?{query}" if query else "")


def _tls(netloc: str, query: Mapping[str, str], environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what is to be added to an address so that nothing leaves this machine in plain."""
    if "sslmode" in query or "service" in query or environment.get("PGSSLMODE") or environment.get("PGSERVICE"):
        return []
    if all(_is_here(host) for host in _hosts(netloc, query, environment)):
        return []
    proven = query.get("sslrootcert") or environment.get("PGSSLROOTCERT")
    return [("sslmode", "verify-full" if proven else "require")]


def _hosts(netloc: str, query: Mapping[str, str], environment: Mapping[str, str]) -> list[str]:
    """Return the hosts that libpq would call, several of them where the address names several."""
    named = unquote(netloc.rpartition("@")[2])
    hosts = [_without_port(each) for each in named.split(",")] if named else []
    outright = query.get("hostaddr") or query.get("host")
    if outright is not None:
        return outright.split(",")
    if any(hosts):
        return hosts
    return (environment.get("PGHOSTADDR") or environment.get("PGHOST") or "").split(",")


def _without_port(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_here(host: str) -> bool:
    """Whether it is this machine: a socket in a folder, no name at all, localhost or a loopback address."""
    if not host or host.startswith(("/", "@")) or host.lower() in ("localhost", "localhost."):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
