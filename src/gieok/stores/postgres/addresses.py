"""The address of a bank on a server: postgresql://user:password@host/database?schema=name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from gieok.errors import BankUnavailable

SCHEMES: Final = ("postgresql", "postgres")
DEFAULT_SCHEMA: Final = "gieok"
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
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
        # A plan that is to serve all scopes reads the words of a large one five times as slowly as a plan of its own.
        plans = "-c plan_cache_mode=force_custom_plan"
        return {
            "options": f"-c search_path={self.schema},public {timeouts} {idle} {plans}",
            "application_name": "gieok",
            "connect_timeout": max(int(seconds), 2),
            **_KEEPALIVE,
        }


def is_address(location: str) -> bool:
    return location.split("://", 1)[0] in SCHEMES and "://" in location


def address_of(location: str) -> Address:
    """Return the parts of an address. Raises `BankUnavailable`."""
    try:
        parts = urlsplit(location)
        query = parse_qsl(parts.query, keep_blank_values=True)
        hidden = parts.password
    except ValueError as cause:
        raise BankUnavailable("this is no address of a server; write postgresql://user@host/database") from cause
    schema = dict(query).get("schema", DEFAULT_SCHEMA)
    if not _NAME.fullmatch(schema):
        raise BankUnavailable("the schema in an address is a name of small letters, digits and _: ?schema=team_a")
    rest = urlencode([(name, value) for name, value in query if name != "schema"], quote_via=quote)
    conninfo = urlunsplit((parts.scheme, parts.netloc, parts.path, rest, ""))
    netloc = parts.netloc.replace(f":{hidden}@", "@", 1) if hidden else parts.netloc
    named = "" if schema == DEFAULT_SCHEMA else f"schema={schema}"
    return Address(conninfo=conninfo, schema=schema, shown=urlunsplit((parts.scheme, netloc, parts.path, named, "")))
