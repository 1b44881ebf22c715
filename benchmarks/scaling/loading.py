"""Loading many turns at once: the rows that observing them one by one would have written, thousands to a transaction.

Every claim is judged and every entry written by the engine's own rules and SQL; what is saved is one sync to the disk
for each turn, and reading the words, whose terms and vectors are given. For benchmarks only: nothing guards the bank
against a crash meanwhile, and a claim is judged without regard to what the scope already believes: give claims that
neither repeat nor contradict one another, with attributes (a free one is weighed by what is near it).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.claim import Claim
from gieok.domain.judgement import Moment
from gieok.domain.operation import Learn, Operation
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.ids import new_id
from gieok.ports import Entry, IndexEntry
from gieok.ports.store import entry
from gieok.stores.sqlite.file import open_for_writing
from gieok.stores.tables.scopes import find_scope
from gieok.stores.tables.write import write_entry

_ENTRIES_TO_A_TRANSACTION: Final = 10_000
_CACHE_KIB: Final = 512 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A turn, what it claims, and what makes its utterances and claims findable."""

    turn: Turn
    claims: tuple[Claim, ...]  #: each new to its scope, see above
    index: Mapping[str, IndexEntry]  #: by the ids of utterances and claims


class Loader:
    """Writes to a bank in a file that nobody else has open."""

    def __init__(self, path: Path, *, embedder: str, dimension: int) -> None:
        self._embedder = embedder
        self._connection = open_for_writing(path, None, embedder=embedder, dimension=dimension, create=True)
        for pragma, value in (("synchronous", "OFF"), ("foreign_keys", 0), ("secure_delete", 0)):
            self._connection.pragma(pragma, value)
        self._connection.pragma("cache_size", -_CACHE_KIB)
        self._connection.script("BEGIN IMMEDIATE")
        self._carrier = OperationApplier()
        self._written = 0

    def load(self, scope: Scope, turns: Iterable[Heard]) -> None:
        """Let `scope` have heard `turns`, in order, after what it heard before."""
        now = find_scope(self._connection, scope)
        number, version = now.turn_number, now.version
        for heard in turns:
            number += 1
            write_entry(
                self._connection, scope, self._judged(heard, number), seen_version=version, embedder=self._embedder
            )
            version += 1
            self._written += 1
            if self._written % _ENTRIES_TO_A_TRANSACTION == 0:
                self._connection.script("COMMIT; BEGIN IMMEDIATE")

    def _judged(self, heard: Heard, number: int) -> Entry:
        turn = replace(heard.turn, number=number)
        asked = Operation(
            id=new_id(),
            kind="observe",
            moment=Moment(at=turn.at, recorded_at=turn.recorded_at, turn_number=number, channel=turn.channel),
            who="loader",
            request=Learn(claims=heard.claims),
            turn_id=turn.id,
        )
        return entry(self._carrier.carried_out(asked, WorkingState()), heard.index, turn=turn)

    def close(self) -> None:
        """Commit, and leave the bank as any other that was closed."""
        self._connection.script("COMMIT")
        self._connection.pragma("wal_checkpoint", "TRUNCATE")
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
