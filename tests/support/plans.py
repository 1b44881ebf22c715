"""How a server goes about asking for the weights of words, on a bank with many rows."""

from __future__ import annotations

from gieok.stores.postgres import pgroonga
from gieok.stores.postgres.connection import address_of, spelt
from support.postgres import connected

_FILL = """
WITH scope AS (
    INSERT INTO scopes (owner, character, world) VALUES (%(owner)s, 'x', '') RETURNING id
), item AS (
    INSERT INTO items (owner, id, scope_id, public_id, kind, searchable)
    SELECT %(owner)s, (id << 24) + number, id, 'i' || number, 'utterance', true
    FROM scope, generate_series(1, %(rows)s) AS number
    RETURNING id, scope_id
)
INSERT INTO keywords (owner, id, terms)
SELECT %(owner)s, id, lexemes(ARRAY[scope_id || 'x라면', scope_id || 'x말' || id %% 97]) FROM item
"""


def filled(location: str, rows: int) -> None:
    """Put two scopes of two users into the bank, with `rows` items together, and let the server learn of it."""
    address = address_of(location)
    with connected(address) as connection:
        for owner, share in (("민수", max(rows // 50, 1)), ("지영", rows - max(rows // 50, 1))):
            connection.execute(_FILL, {"owner": owner, "rows": share})
        connection.execute("ANALYZE keywords")


def plan_of_the_weights(location: str) -> str:
    """Return how the words of the first scope would be looked for."""
    address = address_of(location)
    values = {"owner": "민수", "low": 1 << 24, "high": (2 << 24) - 1, "most": 100, "words": '["\\"1x라면\\""]'}
    with connected(address) as connection:
        connection.execute("BEGIN READ ONLY")
        connection.execute(pgroonga.QUERIES["before_weights"].encode())
        rows = connection.execute(b"EXPLAIN " + spelt(pgroonga.QUERIES["word_weights"]), values).fetchall()
        return "\n".join(line for (line,) in rows)
