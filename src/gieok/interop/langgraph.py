"""LangGraph's long-term store, backed by a bank.

A record is a document under its namespace and key, with personal data masked. Its searchable text is a memory in the
scope of the namespace, so that `search(…, query=…)` is a recall. Needs `pip install "gieok[langgraph]"`.
"""

from __future__ import annotations

import asyncio
import json
import operator
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from threading import Lock
from typing import Any, Final

from gieok.bank import MemoryBank
from gieok.domain.answer import Hit, Where
from gieok.domain.decision import Remember
from gieok.domain.json_text import storable
from gieok.domain.scope import LANGGRAPH, Scope, namespace_scope
from gieok.domain.server_state import Document
from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.errors import UnknownMemory
from gieok.ids import new_id
from gieok.interop.messages import as_json, masked

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        validate_op_namespace,
    )
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'gieok.interop.langgraph needs LangGraph\'s store; run: pip install "gieok[langgraph]"', name=missing.name
    ) from missing

WHOLE: Final = "$"  #: in a list of fields: the whole value
_ORDERINGS: Final = {"$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Return whether a value matches a filter; a missing field is None."""
    return all(_fits(value.get(name), each) for name, each in (wanted or {}).items())


def _fits(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compares(value, name, than) for name, than in wanted.items())
        return isinstance(value, Mapping) and all(_fits(value.get(name), each) for name, each in wanted.items())
    if isinstance(wanted, list | tuple):
        same_length = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same_length and all(_fits(*pair) for pair in zip(value, wanted, strict=True))
    return bool(value == wanted)


def _compares(value: Any, name: str, than: Any) -> bool:
    if name in ("$eq", "$ne"):
        return bool(value == than) == (name == "$eq")
    if name not in _ORDERINGS:
        raise ValueError(f"unknown operator {name!r} in a filter; there are $eq, $ne, {', '.join(_ORDERINGS)}")
    try:
        return bool(_ORDERINGS[name](float(value), float(than)))
    except (TypeError, ValueError):  # texts are compared, other types do not match
        return isinstance(value, str) and isinstance(than, str) and bool(_ORDERINGS[name](value, than))


def matches(namespace: Sequence[str], condition: MatchCondition) -> bool:
    """Return whether a namespace starts (or ends) with the pattern; * matches any label."""
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"unknown match type {condition.match_type!r}; there are prefix and suffix")
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(pattern in ("*", label) for label, pattern in zip(part, path, strict=True))


def text_of(value: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    """Return the searchable text of a record, one line per field of `fields`; None: empty."""
    lines: list[str] = []
    for path in fields:
        lines += _leaves(value) if path == WHOLE else get_text_at_path(value, path)
    return storable_text("\n".join(lines))


def _leaves(value: Any, name: str = "") -> Iterator[str]:
    """Yield the leaves of a value with their names, without JSON braces and quotes."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, str(key))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part, name)
    elif value is not None and value != "":
        said = value if isinstance(value, str) else json.dumps(value)
        yield f"{name}: {said}" if name else said


def storable_text(text: str) -> str | None:
    """Return `text` in storable form, truncated if too long; None: it is empty."""
    readable = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", readable)[:LONGEST_UTTERANCE].strip() or None


ScopeOf = Callable[[tuple[str, ...]], Scope]
own_scope = namespace_scope  #: ("민수", "memories") is user=민수.memories world=langgraph

_MORE: Final = 2  #: hits requested per record, since some are other memories
_AT_LEAST: Final = 50
_COMPARED: Final = 24  #: best hits that are compared
_SAME_WORDS: Final = 0.9  #: share of common letter pairs above which two records are equal


class GieokStore(BaseStore):
    """A `langgraph.store.base.BaseStore` over a bank. Thread-safe; whoever opened the bank closes it.

    `scope_of` returns the scope of a namespace; by default each has its own. `fields` are searchable unless a put
    overrides them; "$" is the whole value. `ttl` is LangGraph's TTLConfig.
    """

    supports_ttl = True

    def __init__(
        self,
        bank: MemoryBank,
        *,
        scope_of: ScopeOf = own_scope,
        fields: Sequence[str] = (WHOLE,),
        ttl: TTLConfig | None = None,
    ) -> None:
        self.ttl_config = ttl
        self._bank = bank
        self._scope_of = scope_of
        self._fields = tuple(fields)
        self._writing = Lock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations: reads see the state before all puts; of several puts to one key, the last is used.

        Nothing is written if one of them is invalid.
        """
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        now = self._bank.clock.now()
        mask = self._bank.services.mask
        puts = {
            (tuple(op.namespace), op.key): op._replace(value=masked(op.value, lambda text: mask(text).text))
            for op in asked
            if isinstance(op, PutOp)
        }
        kept = {name: None if op.value is None else self._document(op, now) for name, op in puts.items()}
        results = [self._answer(op, now) for op in asked]
        for (namespace, key), document in kept.items():
            if document is None:
                self._drop(namespace, key)
            else:
                self._put(document, puts[namespace, key], now)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run `batch` in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Delete all expired records and return their number. A read deletes those it finds."""
        now = self._bank.clock.now()
        kept = self._bank.store.server.documents()
        over = [document for document in kept if _is_ours(document) and _expired(document, now)]
        for document in over:
            self._drop(document.namespace, document.key)
        return len(over)

    def _answer(self, op: Op, now: datetime) -> Result:
        if isinstance(op, GetOp):
            return self._get(op, now)
        if isinstance(op, SearchOp):
            return self._search(op, now)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op, now)
        if isinstance(op, PutOp):
            return None
        raise ValueError(f"unknown operation {type(op).__name__}; there are GetOp, SearchOp, PutOp, ListNamespacesOp")

    def _get(self, op: GetOp, now: datetime) -> Item | None:
        document = self._bank.store.server.document(op.namespace, op.key)
        if document is None:
            return None
        if _expired(document, now):
            self._drop(document.namespace, document.key)
            return None
        if op.refresh_ttl:
            self._refresh([document], now)
        return Item(value=json.loads(document.value), **_place(document))

    def _search(self, op: SearchOp, now: datetime) -> list[SearchItem]:
        values = {
            document: value
            for document in self._records(op.namespace_prefix, now)
            if passes(value := json.loads(document.value), op.filter)
        }
        found = sorted(values, key=lambda document: document.updated_at, reverse=True)
        query = storable_text(op.query or "")
        scores = {} if query is None else self._scores(found, query)
        found.sort(key=lambda document: scores.get(document.memory_id or "", float("-inf")), reverse=True)
        page = found[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            self._refresh(page, now)
        return [
            SearchItem(value=values[document], score=scores.get(document.memory_id or ""), **_place(document))
            for document in page
        ]

    def _namespaces(self, op: ListNamespacesOp, now: datetime) -> list[tuple[str, ...]]:
        found = {document.namespace for document in self._records((), now)}
        fitting = (name for name in found if all(matches(name, each) for each in op.match_conditions or ()))
        shown = sorted({name if op.max_depth is None else name[: op.max_depth] for name in fitting})
        return shown[op.offset : op.offset + op.limit]

    def _scores(self, documents: Sequence[Document], query: str) -> dict[str, float]:
        by_scope: defaultdict[Scope, list[str]] = defaultdict(list)
        for document in documents:
            if document.memory_id is not None:
                by_scope[document.scope].append(document.memory_id)
        scores: dict[str, float] = {}
        for scope, ids in by_scope.items():
            k = max(_AT_LEAST, _MORE * len(ids))
            hits = self._bank.mind(scope).recall(query, k=k, where=Where(kind="memory"))
            heard = {hit.item.id: hit.score for hit in hits}
            scores |= {memory_id: heard[memory_id] for memory_id in ids if memory_id in heard}
            scores |= self._duplicate_scores(scope, [each for each in ids if each not in heard], hits)
        return scores

    def _duplicate_scores(self, scope: Scope, ids: Sequence[str], hits: Sequence[Hit]) -> dict[str, float]:
        """Return scores for records that duplicate a hit, since a recall returns only one of them.

        It drops equal texts everywhere, and nearly equal ones among the best hits.
        """
        if not ids:
            return {}
        with self._bank.store.view(scope) as view:
            silent = [memory for memory in view.memories_by_id(ids).values() if not memory.hidden]
        words = {_pairs(hit.text): hit.score for hit in reversed(hits)}
        best = [_pairs(hit.text) for hit in hits[:_COMPARED]]
        found: dict[str, float] = {}
        for memory in silent:
            own = _pairs(memory.content)
            same = own if own in words else next((each for each in best if _alike(own, each) >= _SAME_WORDS), None)
            if same is not None:
                found[memory.id] = words[same]
        return found

    def _document(self, op: PutOp, now: datetime) -> Document:
        """Return the document of a put.

        Raises `TypeError` for a value that JSON cannot hold, `InvalidText` for a name that cannot be stored.
        """
        return Document(
            namespace=tuple(storable(list(op.namespace))),
            key=storable(op.key),
            value=as_json(op.value or {}),
            scope=self._scope_of(tuple(op.namespace)),
            created_at=now,
            updated_at=now,
            until=_after(now, op.ttl),
            ttl=op.ttl,
        )

    def _put(self, document: Document, op: PutOp, now: datetime) -> None:
        fields = () if op.index is False else self._fields if op.index is None else op.index
        text = text_of(op.value or {}, fields)
        desk = self._bank.store.server
        with self._writing:
            old = desk.document(document.namespace, document.key)
            if old is not None and _expired(old, now):  # a new record
                self._forget(desk.drop_document(old.namespace, old.key))
                old = None
            memory_id = None if text is None else self._memory(document.scope, text, old)
            desk.put_document(replace(document, memory_id=memory_id))
            if old is not None and old.memory_id != memory_id:
                self._forget(old)

    def _memory(self, scope: Scope, text: str, old: Document | None) -> str:
        """Return the memory for `text`: the old one if it matches, else a new one for this record alone.

        It is a note with a unique value, so that it is never merged or pruned.
        """
        if old is not None and old.memory_id is not None and old.scope == scope:
            with self._bank.store.view(scope) as view:
                known = view.memories_by_id([old.memory_id]).get(old.memory_id)
            if known is not None and known.content == text and not known.hidden and known.invalid_at is None:
                return known.id
        mind = self._bank.mind(scope)
        decision = mind.remember(text, attribute="note", value=new_id(), origin="import", tags=(LANGGRAPH,))
        assert isinstance(decision, Remember), "no other memory has this value"
        return decision.memory.id

    def _drop(self, namespace: tuple[str, ...], key: str) -> None:
        with self._writing:
            self._forget(self._bank.store.server.drop_document(namespace, key))

    def _forget(self, document: Document | None) -> None:
        """Forget the memory of a deleted or replaced record."""
        if document is not None and document.memory_id is not None:
            with suppress(UnknownMemory):  # already undone
                self._bank.mind(document.scope).forget(document.memory_id)

    def _refresh(self, documents: Iterable[Document], now: datetime) -> None:
        desk = self._bank.store.server
        for each in documents:
            if each.ttl is None:
                continue
            with self._writing:
                current = desk.document(each.namespace, each.key)
                if current is not None and current.ttl is not None:
                    desk.put_document(replace(current, until=_after(now, current.ttl)))

    def _records(self, prefix: tuple[str, ...], now: datetime) -> Iterator[Document]:
        for document in self._bank.store.server.documents(prefix):
            if not _is_ours(document):
                continue
            if _expired(document, now):
                self._drop(document.namespace, document.key)
            else:
                yield document


def _place(document: Document) -> dict[str, Any]:
    return {name: getattr(document, name) for name in ("namespace", "key", "created_at", "updated_at")}


def _is_ours(document: Document) -> bool:
    """Return whether LangGraph stored it: its labels contain no period, those of other adapters do."""
    return not any("." in label for label in document.namespace)


def _expired(document: Document, now: datetime) -> bool:
    return document.until is not None and document.until <= now


def _after(now: datetime, minutes: float | None) -> datetime | None:
    """Return the time that many minutes from now; None: never, or beyond the calendar."""
    try:
        return None if minutes is None else now + timedelta(minutes=minutes)
    except OverflowError:
        return None


def _pairs(text: str) -> frozenset[str]:
    letters = [letter for letter in text.casefold() if letter.isalnum()]
    return frozenset(one + other for one, other in pairwise(letters)) or frozenset(letters)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    together = one | other
    return len(one & other) / len(together) if together else 0.0
