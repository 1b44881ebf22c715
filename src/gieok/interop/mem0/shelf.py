"""What a caller of mem0's keeps beside a memory: metadata, the runs it was said in, a role, a last day.

Each is a document of the memory's scope under the memory's id, so that it is found without knowing whose it is, and
goes with whatever is erased of that scope.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from threading import Lock
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.domain.server_state import Document
from gieok.errors import InvalidQuery
from gieok.interop.messages import as_json, masked

_MEMORIES: Final = ("mem0.memories",)
_RUNS: Final = "mem0.runs"
_RESERVED: Final = ("user_id", "agent_id", "run_id", "actor_id")  #: whose it is says the call, never its metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is kept beside one memory."""

    metadata: Mapping[str, Any] = field(default_factory=dict)
    runs: tuple[str, ...] = ()  #: in which it was said, the latest last
    role: str | None = None
    actor_id: str | None = None
    expiration_date: str | None = None  #: the last day on which it is found, "2026-11-16"
    updated_at: str | None = None  #: when somebody last changed what stands here

    def joined(self, more: Beside) -> Beside:
        """Return this with `more`, which counts where both say something."""
        said = {each.name: getattr(more, each.name) for each in fields(Beside) if getattr(more, each.name)}
        runs = (*(run for run in self.runs if run not in more.runs), *more.runs)
        return replace(self, **{**said, "metadata": {**self.metadata, **more.metadata}, "runs": runs})


NOTHING: Final = Beside()


class Shelf:
    """The documents beside the memories of a bank."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._writing = Lock()

    def checked(self, metadata: object, beside: str) -> dict[str, Any]:
        """Return metadata that can be kept, with personal data masked as everywhere; raises `InvalidQuery`.

        What is said `beside` it may tell what a bare number is.
        """
        if metadata is None:
            return {}
        if not isinstance(metadata, Mapping):
            raise InvalidQuery(f"metadata must be a dict, not {type(metadata).__name__}; nothing was kept")
        own = {key: value for key, value in metadata.items() if key not in _RESERVED}
        try:
            return dict(json.loads(as_json(self.masked(own, beside))))
        except (TypeError, ValueError) as cause:
            raise InvalidQuery(f"metadata must be what JSON can hold: {cause}; nothing was kept") from cause

    def masked(self, value: Any, beside: str) -> Any:
        """Return what somebody says of metadata as it would be kept; ids stay as they are."""
        mask = self._bank.services.mask
        return masked(value, lambda text: mask(text, (), beside).text, whole=_RESERVED)

    def scope_of(self, memory_id: str) -> Scope | None:
        """Return whose memory it is; None: nothing was kept beside it."""
        document = self._bank.store.desk.document(_MEMORIES, memory_id)
        return None if document is None else document.scope

    def beside(self, memory_id: str) -> Beside:
        document = self._bank.store.desk.document(_MEMORIES, memory_id)
        return NOTHING if document is None else _read(document)

    def add(self, scope: Scope, memory_id: str, more: Beside) -> None:
        """Keep `more` beside a memory, over what is there."""
        with self._writing:
            self._put(scope, memory_id, self.beside(memory_id).joined(more))

    def put(self, scope: Scope, memory_id: str, beside: Beside) -> None:
        """Keep this beside a memory, and nothing else."""
        with self._writing:
            self._put(scope, memory_id, beside)

    def note_run(self, run: str, scope: Scope) -> None:
        """Remember in which scopes a run took place."""
        if self._bank.store.desk.document((_RUNS, run), str(scope)) is None:
            self._bank.store.desk.put_document(self._document((_RUNS, run), str(scope), {}, scope, None))

    def scopes_of(self, run: str) -> list[Scope]:
        return [document.scope for document in self._bank.store.desk.documents((_RUNS, run))]

    def _put(self, scope: Scope, memory_id: str, beside: Beside) -> None:
        told = {each.name: getattr(beside, each.name) for each in fields(Beside)}
        value = {name: part for name, part in told.items() if part}
        self._bank.store.desk.put_document(self._document(_MEMORIES, memory_id, value, scope, memory_id))

    def _document(
        self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any], scope: Scope, memory_id: str | None
    ) -> Document:
        now: datetime = self._bank.clock.now()
        return Document(
            namespace=namespace,
            key=key,
            value=as_json(value),
            scope=scope,
            memory_id=memory_id,
            created_at=now,
            updated_at=now,
        )


def _read(document: Document) -> Beside:
    told = json.loads(document.value)
    return Beside(**{**told, "runs": tuple(told.get("runs", ()))})
