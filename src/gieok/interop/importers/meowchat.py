"""The folder of a Chroma store, read from its SQLite file: documents, metadata, and vectors as far as they are there.

Chroma writes documents and their metadata into SQLite at once. Vectors stand there only until they are moved into
files of another shape; what has been moved is made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.turn import USER
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    count_of,
    files_in,
    importance_of,
    json_in,
    json_lines,
    moment_of,
    scale_of,
    scope_for,
    sound,
    tables_of,
    text_of,
    vector_of,
    words_of,
)
from gieok.interop.importers.files import named_values as named
from gieok.interop.importers.files import opened_tables as opened
from gieok.interop.importers.files import shown_values as shown
from gieok.interop.importers.records import Arrival, Known, LeftOut, Whose

if TYPE_CHECKING:
    import apsw


FILE: Final = "chroma.sqlite3"
_NEEDED: Final = ("collections", "segments", "embeddings", "embedding_metadata")
_DOCUMENT: Final = "chroma:document"
_DOCUMENTS: Final = """
SELECT embeddings.id, embeddings.embedding_id, collections.id, collections.name
FROM embeddings
JOIN segments ON segments.id = embeddings.segment_id
JOIN collections ON collections.id = segments.collection
ORDER BY embeddings.id
"""
_METADATA: Final = """
SELECT key, coalesce(string_value, int_value, float_value, bool_value) FROM embedding_metadata WHERE id = ? ORDER BY key
"""
_VECTORS: Final = """
SELECT id, topic, vector FROM embeddings_queue WHERE vector IS NOT NULL AND encoding = 'FLOAT32' ORDER BY seq_id
"""
_MADE_BY: Final = """
SELECT collection_id, str_value FROM collection_metadata
WHERE key IN ('embedding_model', 'embedder', 'model') AND str_value IS NOT NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One entry of a collection."""

    id: str
    where: str
    collection: str
    text: str
    metadata: dict[str, Any]
    vector: tuple[float, ...] | None
    embedder: str | None


def documents(folder: Path) -> Iterator[Document]:
    """Yield what stands in all collections of a store."""
    with opened(folder / FILE, within=folder) as connection:
        there = tables_of(connection)
        if missing := [name for name in _NEEDED if name not in there]:
            raise InvalidImport(f"{FILE} is no store of Chroma: it has no table {missing[0]}")
        vectors = _vectors(connection) if "embeddings_queue" in there else {}
        made_by = dict(_all(connection, _MADE_BY)) if "collection_metadata" in there else {}
        for number, name, collection_id, collection in _all(connection, _DOCUMENTS):
            where = f"entry {name} of {collection}"
            metadata = {str(key): value for key, value in _all(connection, _METADATA, (number,))}
            blob = vectors.get((collection_id, name))
            yield Document(
                id=str(name),
                where=where,
                collection=str(collection),
                text=str(metadata.pop(_DOCUMENT, "") or ""),
                metadata=metadata,
                vector=None if blob is None else vector_of(blob, where),
                embedder=made_by.get(collection_id),
            )


def _vectors(connection: apsw.Connection) -> dict[tuple[str, str], bytes]:
    """Return the latest vector of each entry; a topic ends with the id of its collection."""
    return {(str(topic).rpartition("/")[2], str(name)): vector for name, topic, vector in _all(connection, _VECTORS)}


def _all(connection: apsw.Connection, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(query, values)]


_COLLECTION: Final = "meow_memory_"  #: and whose it is
_LISTS: Final = ("memories", "items", "records", "results")
_SAFETY: Final = frozenset({"allergy", "chronic", "contraindication", "medication", "diet", "profile", "constraint"})
_TYPES: Final[dict[str, ContentType]] = {
    "allergy": "constraint", "chronic": "constraint", "contraindication": "constraint", "medication": "constraint",
    "diet": "constraint", "vaccination": "timeline", "vaccine": "timeline", "symptom": "event", "summary": "summary",
}  # fmt: skip
_WHOM: Final = ("pet", "cat", "cat_name", "pet_name", "subject")
Record = Mapping[str, Any]


def read_meowchat(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Yield what was known of each profile."""
    places = list(_places(path))
    top = scale_of(record.get("importance") for _, _, record in places)
    for where, owner, record in places:
        yield _arrival(record, owner, whose, top, where)


def _places(path: Path) -> Iterator[tuple[str, str | None, Record]]:
    """Yield every record with its place, and whose it is as far as that is told outside of it."""
    if path.is_file():
        yield from _in_file(path, None)
    elif (path / FILE).is_file():
        for document in documents(path):
            sound([document.text, document.metadata], document.where)
            owner = document.collection.removeprefix(_COLLECTION) if _is_own(document) else None
            told = {"id": document.id, "vector": document.vector, "embedder": document.embedder}
            yield document.where, owner, {**document.metadata, **told, "content": document.text}
    else:
        files = files_in(path, ".json", ".jsonl")
        if not files:
            raise InvalidImport(f"{str(path)!r} holds neither {FILE} nor files of JSON")
        for each in files:
            yield from _in_file(each, each.stem, f"{each.name}, ")


def _is_own(document: Document) -> bool:
    return document.collection.startswith(_COLLECTION)


def _in_file(path: Path, owner: str | None, prefix: str = "") -> Iterator[tuple[str, str | None, Record]]:
    if path.suffix == ".jsonl":
        for number, value in json_lines(path):
            where = f"{prefix}line {number}"
            yield where, owner, _record(value, where)
        return
    value = json_in(path)
    if isinstance(value, Mapping):
        listed = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
        profiles = (
            {text_of(value.get("user_id"), "user_id", path.name) or owner: listed} if listed is not None else value
        )
    else:
        profiles = {owner: value}
    for profile, records in profiles.items():
        if not isinstance(records, list):
            raise InvalidImport(f"{shown(profile)} is {shown(records)}, no list of memories")
        for number, each in enumerate(records, start=1):
            where = f"{prefix}memory {number}" + (f" of {profile}" if len(profiles) > 1 else "")
            yield where, profile, _record(each, where)


def _record(value: Any, where: str) -> Record:
    if not isinstance(value, Mapping):
        raise InvalidImport(f"it is {shown(value)}, no object", where=where)
    metadata = value.get("metadata")
    return {**metadata, **value} if isinstance(metadata, Mapping) else value


def _arrival(record: Record, owner: str | None, whose: Whose, top: int, where: str) -> Known | LeftOut:
    user = named(record.get("user_id"), "user_id", where) or owner
    scope = scope_for(whose, where, user=user)
    content = text_of(record.get("content") or record.get("summary_text") or record.get("text"), "content", where)
    if not content:
        return LeftOut(where=where, why="it says nothing", scope=scope)
    kind = text_of(record.get("type") or ("summary" if "summary_text" in record else ""), "type", where).casefold()
    tags = (*_words(record, "tags", where), *_words(record, "topic", where), *_words(record, "topics", where))
    at = moment_of(record.get("timestamp") or record.get("created_at") or _end_of(record), where)
    return Known(
        scope=scope,
        origin=named(record.get("id"), "id", where) or _origin(content, at),
        where=where,
        content=content,
        about=next((name for each in _WHOM if (name := named(record.get(each), each, where))), USER),
        type=_type(kind),
        importance=importance_of(record.get("importance"), top, where),
        at=at,
        tags=tuple(dict.fromkeys((*((kind,) if kind else ()), *tags))),
        pinned=kind in _SAFETY or record.get("pinned") in (True, 1),
        uses=count_of(record.get("uses") or record.get("hits"), "uses", where),
        vector=_vector(record, where),
        embedder=named(record.get("embedder") or record.get("embedding_model"), "embedder", where) or whose.embedder,
    )


def _vector(record: Record, where: str) -> tuple[float, ...] | None:
    known = record.get("vector")
    return known if isinstance(known, tuple) else vector_of(known or record.get("embedding"), where)


def _type(kind: str) -> ContentType:
    if kind in get_args(ContentType):
        return cast(ContentType, kind)
    return _TYPES.get(kind, "note")


def _end_of(record: Record) -> Any:
    span = record.get("span")
    if isinstance(span, Mapping):
        return span.get("end") or span.get("to")
    return span[-1] if isinstance(span, list) and span else None


def _origin(content: str, at: object) -> str:
    return hashlib.sha256(f"{at}\n{content}".encode()).hexdigest()


def _words(record: Record, name: str, where: str) -> tuple[str, ...]:
    return words_of(record.get(name), name, where)
