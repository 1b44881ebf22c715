"""Past one machine: the statements that spread a bank over the nodes of a Citus cluster, by user.

All that belongs to one user lies on one node, so that every question about a mind is answered there. What the whole
bank shares is small: the bank's own row is on every node, and what a server keeps stays with the coordinator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gieok.errors import BankUnavailable
from gieok.stores.postgres.connection import Connection

FIRST: Final = "scopes"
BESIDE: Final = (
    "turns", "items", "vectors", "staged_vectors", "keywords", "utterances", "memories", "operations", "candidates",
    "changes", "things", "moves", "leases", "traces", "provisions",
)  # fmt: skip
EVERYWHERE: Final = ("bank",)
FUNCTIONS: Final = ("quoted_lexeme(text)", "lexemes(text[])", "lexeme_query(text, boolean)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One statement, and what it is for."""

    sql: str
    why: str
    done: bool  #: it was carried out already


def plan(connection: Connection) -> list[Step]:
    """Return what is to be done, in order; what is done already is marked. Raises `BankUnavailable` without Citus."""
    ((there,),) = connection.script("SELECT count(*) FROM pg_extension WHERE extname = 'citus'")
    if not there:
        raise BankUnavailable(
            f"{connection.location} has no Citus; install it on every node, add it to shared_preload_libraries, "
            "and let its owner run: CREATE EXTENSION citus"
        )
    spread = {
        str(name).rsplit(".", 1)[-1]
        for (name,) in connection.script("SELECT logicalrelid::regclass::text FROM pg_dist_partition")
    }
    return steps(spread)


def steps(spread: set[str]) -> list[Step]:
    """Return all statements; `spread` are the tables that are spread already."""
    functions = [
        Step(sql=f"SELECT create_distributed_function('{each}')", why="every node builds the keyword index", done=False)
        for each in FUNCTIONS
    ]
    everywhere = [
        Step(sql=f"SELECT create_reference_table('{each}')", why="a row that every node reads", done=each in spread)
        for each in EVERYWHERE
    ]
    first = Step(sql=f"SELECT create_distributed_table('{FIRST}', 'owner')", why="by user", done=FIRST in spread)
    beside = [
        Step(
            sql=f"SELECT create_distributed_table('{each}', 'owner', colocate_with => '{FIRST}')",
            why="where its user's scopes are",
            done=each in spread,
        )
        for each in BESIDE
    ]
    return [*everywhere, first, *beside, *functions]


def apply(connection: Connection) -> list[Step]:
    """Carry out what is not done yet, and return it. Each statement stands for itself: what failed can go on later."""
    left = [step for step in plan(connection) if not step.done]
    for step in left:
        connection.script(step.sql)
    return left
