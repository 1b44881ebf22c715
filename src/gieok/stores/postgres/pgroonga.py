"""PGroonga, where a server has it: one more index over the same words, which ranks them by itself.

Nothing is written for it: it indexes what `keywords` holds. Without it, words are counted, and recall weighs them.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psycopg
from psycopg import errors

from gieok.errors import BankUnavailable, ErrorText, GieokError
from gieok.stores.postgres.errors import translated
from gieok.stores.tables.connection import queries_in

if TYPE_CHECKING:
    from gieok.stores.postgres.connection import Connection

log = logging.getLogger(__name__)

AUTO: Final = "auto"  #: where it is installed
COUNTED: Final = "tsvector"  #: never
WANTED: Final = "pgroonga"  #: or the bank is not opened
OLDEST: Final = (3, 2, 2)  #: before, a query beside an autovacuum could bring the server down
QUERIES: Final = queries_in(Path(__file__).with_suffix(".sql"))
_DELIMITER: Final = "\ufffe"  #: parts words for Groonga, whatever else does
_ABSENT: Final = (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege)


class _Found(NamedTuple):
    """The extension as a database has it."""

    version: str
    schema: str
    in_sight: bool
    indexed: bool
    spread: bool  #: over a cluster


def quoted(term: str) -> str:
    """Return a query that finds exactly `term`: in quotes nothing is an operator but a quote and a backslash."""
    return '"' + term.replace(_DELIMITER, "\ufffd").replace("\\", "\\\\").replace('"', '\\"') + '"'


def ready(connection: Connection, schema: str, keyword: str) -> bool:
    """Return whether words are to be ranked by PGroonga, whose index is made if it is not there yet.

    Raises `BankUnavailable` if it is wanted and cannot be had.
    """
    if keyword == COUNTED:
        return False
    if keyword == WANTED:
        _ask_for_it(connection)
    found = _found(connection)
    lacking = _lacking(found)
    if found is None or lacking:
        if keyword == WANTED:
            raise BankUnavailable(f'{connection.location}: {lacking}; or set keyword = "{AUTO}"')
        return False
    if found.indexed:
        return True
    try:
        _make_index(connection, schema)
    except GieokError as trouble:
        if keyword == WANTED:
            raise
        log.warning("words are counted, since PGroonga's index cannot be made: %s", trouble)
        return False
    return True


def _ask_for_it(connection: Connection) -> None:
    if _found(connection) is not None:
        return
    connection.begin()
    try:
        connection.hold("pgroonga")
        connection.raw.execute("CREATE EXTENSION IF NOT EXISTS pgroonga SCHEMA public")
        connection.script("COMMIT")
    except _ABSENT as trouble:
        raise BankUnavailable(ErrorText("postgres.pgroonga", location=connection.location, auto=AUTO)) from trouble
    except psycopg.Error as trouble:
        raise translated(trouble, connection.location) from trouble
    finally:
        connection.end()


def _found(connection: Connection) -> _Found | None:
    """Look within a transaction: one that is under way, or one of its own."""
    outside = not connection.in_transaction
    if outside:
        connection.begin()
    rows = connection.script(QUERIES["find_pgroonga"])
    if outside:
        connection.end()
    return _Found(*rows[0]) if rows else None


def _lacking(found: _Found | None) -> str:
    """Return why PGroonga cannot be used, and what to do; '': it can."""
    oldest = ".".join(map(str, OLDEST))
    if found is None:
        return "PGroonga is not installed; let the database's owner run: CREATE EXTENSION pgroonga"
    if tuple(int(digits) for digits in re.findall(r"\d+", found.version)[:3]) < OLDEST:
        return (
            f"PGroonga {found.version} is too old; install {oldest} or later, and run: ALTER EXTENSION pgroonga UPDATE"
        )
    if not found.in_sight:
        return f"PGroonga is in the schema {found.schema}; make it in public: CREATE EXTENSION pgroonga SCHEMA public"
    if found.spread:
        return "on a Citus cluster words are counted"
    return ""


def _make_index(connection: Connection, schema: str) -> None:
    """Make it under the lock that migrations take: of several processes that want it, one makes it."""
    connection.begin()
    try:
        connection.hold(schema)
        found = _found(connection)
        if found is not None and not found.indexed:
            connection.script("SET LOCAL statement_timeout = 0")  # a large bank takes its time
            connection.script(QUERIES["make_text_function"])
            connection.script(QUERIES["make_index"])
        connection.script("COMMIT")
    finally:
        connection.end()
