"""What mem0 exports (`get_all`): `{"results": […]}`, a list, or one memory on each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    coming_home,
    importance_of,
    json_in,
    json_lines,
    moment_of,
    parsed,
    scale_of,
    scope_for,
    text_of,
    vector_of,
    words_of,
)
from gieok.interop.importers.files import named_values as named
from gieok.interop.importers.files import shown_values as shown
from gieok.interop.importers.records import Arrival, Known, LeftOut, Whose
from gieok.interop.messages import MARK

_LISTS: Final = ("results", "memories", "data")
_IMPORTANT: Final = "caution"  #: a category that belongs into every context
_METADATA: Final = frozenset({MARK, "importance", "category", "categories", "tags", "pinned", "valid_at", "invalid_at"})
Place = tuple[str, Mapping[str, Any]]


def read_mem0(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Yield the memories of an export."""
    places = list(_places(path))
    top = scale_of(_metadata(record, where).get("importance") for where, record in places)
    for where, record in places:
        yield _known(record, whose, top, where)
        yield from _left_behind(record, where)


def _places(path: Path) -> Iterator[Place]:
    if path.suffix in (".jsonl", ".ndjson"):
        found: Iterable[tuple[str, Any]] = ((f"line {number}", value) for number, value in json_lines(path))
    else:
        found = ((f"memory {number}", value) for number, value in enumerate(_listed(json_in(path)), start=1))
    for where, record in found:
        if not isinstance(record, Mapping):
            raise InvalidImport(f"it is {shown(record)}, no object", where=where)
        yield where, record


def _listed(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        value = next((value[name] for name in _LISTS if name in value), value)
    if not isinstance(value, list):
        raise InvalidImport('it is no export of mem0: neither a list nor {"results": […]}')
    return value


def _metadata(record: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    metadata = record.get("metadata")
    if isinstance(metadata, str) and metadata.strip():
        metadata = parsed(metadata, "metadata", where)
    if metadata is not None and metadata != "" and not isinstance(metadata, Mapping):
        raise InvalidImport(f"metadata is {shown(metadata)}, no object", where=where)
    return metadata or {}


def _known(record: Mapping[str, Any], whose: Whose, top: int, where: str) -> Known:
    content = text_of(record.get("memory") or record.get("text") or record.get("data"), "memory", where)
    identity = named(record.get("id"), "id", where)
    if not content or identity is None:
        raise InvalidImport(f"it has no {'memory' if identity else 'id'}", where=where)
    metadata = _metadata(record, where)
    categories = (*_words(record, "categories", where), *_words(metadata, "categories", where))
    categories += _words(metadata, "category", where)
    run = named(record.get("run_id"), "run_id", where)
    tags = (*categories, *_words(metadata, "tags", where), *((f"run:{run}",) if run else ()))
    user, agent = (named(record.get(name), name, where) for name in ("user_id", "agent_id"))
    alone = run if user is None and agent is None else None  # as gieok.interop.mem0 has it
    scope = scope_for(whose, where, user=user, character=agent, world=alone)
    if isinstance(mark := metadata.get(MARK), Mapping):  # gieok wrote it
        pinned = bool(metadata.get("pinned"))
        return coming_home(dict(mark), content, where, user=scope.user or "", otherwise=scope, pinned=pinned)
    said = record.get("actor_id") or record.get("role")
    return Known(
        scope=scope,
        origin=identity,
        where=where,
        content=content,
        type="fact",
        said_by="character" if said == "assistant" else None,
        importance=importance_of(metadata.get("importance"), top, where),
        at=moment_of(record.get("created_at"), where),
        valid_at=moment_of(metadata.get("valid_at"), where),
        invalid_at=moment_of(metadata.get("invalid_at") or record.get("expiration_date"), where),
        tags=tuple(dict.fromkeys(tags)),
        pinned=bool(metadata.get("pinned")) or _IMPORTANT in categories,
        vector=vector_of(record.get("embedding") or record.get("vector"), where),
        embedder=whose.embedder,
    )


def _words(record: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    return words_of(record.get(name), name, where)


def _left_behind(record: Mapping[str, Any], where: str) -> Iterator[LeftOut]:
    for name in sorted(_metadata(record, where).keys() - _METADATA):
        yield LeftOut(where=where, why=f"metadata {shown(name)} has no place in a memory")
