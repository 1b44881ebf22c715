"""Memory stores of other systems: exports of mem0, and Meow Chat's store as JSON or in a Chroma folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.record import shown
from gieok.domain.turn import USER
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers.fields import Row, check_storable, importance_scale, scope_of, unique
from gieok.interop.importers.files import LARGEST_STORE, files_in, json_file, json_lines, open_sqlite, table_names
from gieok.interop.importers.records import ImportedMemory, Item, Skipped, Whose
from gieok.interop.marks import MARK, marked_memory

_MEM0_LISTS: Final = ("results", "memories", "data")
_MEM0_METADATA: Final = frozenset(
    {MARK, "importance", "category", "categories", "tags", "pinned", "valid_at", "invalid_at"}
)
_MEM0_PINNED: Final = "caution"  #: a category that is in every context


def read_mem0(path: Path, whose: Whose) -> Iterator[Item]:
    """Read the output of mem0's `get_all`: `{"results": […]}`, a list, or one memory per line."""
    if path.suffix in (".jsonl", ".ndjson"):
        rows = list(json_lines(path, most=LARGEST_STORE))
    else:
        value = json_file(path, most=LARGEST_STORE)
        if isinstance(value, Mapping):
            value = next((value[name] for name in _MEM0_LISTS if name in value), value)
        if not isinstance(value, list):
            raise InvalidImport(ErrorText("import.mem0"))
        rows = [Row(part, f"memory {number}") for number, part in enumerate(value, start=1)]
    metadata = [_mem0_metadata(row) for row in rows]
    top = importance_scale(metadata)
    for row, extra in zip(rows, metadata, strict=True):
        yield _mem0_memory(row, extra, whose, top)
        for name in sorted(extra.fields.keys() - _MEM0_METADATA):
            yield Skipped(where=row.where, why=ErrorText("skip.metadata", name=shown(name)))


def _mem0_metadata(row: Row) -> Row:
    metadata = row.get("metadata")
    if isinstance(metadata, str) and metadata.strip():
        metadata = row.json("metadata")
    if metadata and not isinstance(metadata, Mapping):
        raise row.error(ErrorText("import.metadata", metadata=shown(metadata)))
    return Row(metadata or {}, row.where)


def _mem0_memory(row: Row, metadata: Row, whose: Whose, top: int) -> ImportedMemory:
    content, identity = row.text("memory", "text", "data"), row.name("id")
    if not content or identity is None:
        raise row.error(ErrorText("import.lacks", value="memory" if identity else "id"))
    user, agent, run = row.name("user_id"), row.name("agent_id"), row.name("run_id")
    alone = run if user is None and agent is None else None  # as in gieok.interop.mem0
    scope = scope_of(row.where, whose, user=user, character=agent, world=alone)
    pinned = bool(metadata.get("pinned"))
    if isinstance(mark := metadata.get(MARK), Mapping):
        own = Row(mark, row.where)
        return marked_memory(own, content, user=scope.user or "", otherwise=scope, pinned=pinned)
    categories = (*row.words("categories"), *metadata.words("categories", "category"))
    return ImportedMemory(
        scope=scope,
        origin=identity,
        where=row.where,
        content=content,
        type="fact",
        said_by="character" if row.get("actor_id", "role") == "assistant" else None,
        importance=metadata.importance(top),
        at=row.moment("created_at"),
        valid_at=metadata.moment("valid_at"),
        invalid_at=metadata.moment("invalid_at") or row.moment("expiration_date"),
        tags=unique((*categories, *metadata.words("tags"), run and f"run:{run}")),
        pinned=pinned or _MEM0_PINNED in categories,
        vector=row.vector("embedding", "vector"),
        embedder=whose.embedder,
    )


_CHROMA: Final = "chroma.sqlite3"
_CHROMA_TABLES: Final = ("collections", "segments", "embeddings", "embedding_metadata")
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
_EMBEDDERS: Final = """
SELECT collection_id, str_value FROM collection_metadata
WHERE key IN ('embedding_model', 'embedder', 'model') AND str_value IS NOT NULL
"""
_COLLECTION: Final = "meow_memory_"  #: prefix, followed by the user
_MEOW_LISTS: Final = ("memories", "items", "records", "results")
_MEOW_SUBJECTS: Final = ("pet", "cat", "cat_name", "pet_name", "subject")
_MEOW_PINNED: Final = frozenset(
    {"allergy", "chronic", "contraindication", "medication", "diet", "profile", "constraint"}
)
_MEOW_TYPES: Final[dict[str, ContentType]] = {
    "allergy": "constraint", "chronic": "constraint", "contraindication": "constraint", "medication": "constraint",
    "diet": "constraint", "vaccination": "timeline", "vaccine": "timeline", "symptom": "event", "summary": "summary",
    **{type: type for type in get_args(ContentType)},
}  # fmt: skip

Owned = tuple[str | None, Row]  #: the owner of a record, if known from outside it, and the record


def read_meowchat(path: Path, whose: Whose) -> Iterator[Item]:
    """Read the JSON store (a file, or a folder with one file per profile), or the folder of a Chroma store."""
    if path.is_file():
        found = list(_meow_file(path, None))
    elif (path / _CHROMA).is_file():
        found = list(_chroma(path))
    else:
        files = files_in(path, ".json", ".jsonl")
        if not files:
            raise InvalidImport(ErrorText("import.meowchat", path=str(path), chroma=_CHROMA))
        found = [each for file in files for each in _meow_file(file, file.stem, f"{file.name}, ")]
    top = importance_scale(row for _, row in found)
    for owner, row in found:
        yield _meow_memory(row, owner, whose, top)


def _meow_file(path: Path, owner: str | None, prefix: str = "") -> Iterator[Owned]:
    if path.suffix == ".jsonl":
        for row in json_lines(path, most=LARGEST_STORE, prefix=prefix):
            yield owner, _meow_row(row)
        return
    value = json_file(path, most=LARGEST_STORE)
    profiles: Mapping[str | None, Any] = {owner: value}
    if isinstance(value, Mapping):
        listed = next((value[name] for name in _MEOW_LISTS if isinstance(value.get(name), list)), None)
        profiles = value if listed is None else {Row(value, path.name).text("user_id") or owner: listed}
    for profile, records in profiles.items():
        if not isinstance(records, list):
            raise InvalidImport(ErrorText("import.profile", profile=shown(profile), records=shown(records)))
        for number, record in enumerate(records, start=1):
            where = f"{prefix}memory {number}" + (f" of {profile}" if len(profiles) > 1 else "")
            yield profile, _meow_row(Row(record, where))


def _meow_row(row: Row) -> Row:
    """Return a record merged with its metadata, and with type and time of a summary if it has none."""
    metadata = row.get("metadata")
    fields = {**metadata, **row.fields} if isinstance(metadata, Mapping) else dict(row.fields)
    span = fields.get("span")
    if isinstance(span, Mapping):
        fields["span_end"] = span.get("end") or span.get("to")
    elif isinstance(span, list) and span:
        fields["span_end"] = span[-1]
    if "summary_text" in fields:
        fields["type"] = fields.get("type") or "summary"
    return Row(fields, row.where)


def _chroma(folder: Path) -> Iterator[Owned]:
    """Yield the documents of a Chroma store. Vectors outside its SQLite file are not read."""
    with open_sqlite(folder / _CHROMA, within=folder) as connection:
        tables = table_names(connection)
        if missing := [name for name in _CHROMA_TABLES if name not in tables]:
            raise InvalidImport(ErrorText("import.chroma", chroma=_CHROMA, missing=missing[0]))
        vectors: dict[tuple[Any, Any], Any] = {}
        if "embeddings_queue" in tables:
            for name, topic, vector in connection.execute(_VECTORS):  # a topic ends with the id of its collection
                vectors[str(topic).rpartition("/")[2], str(name)] = vector
        made_by = dict(connection.execute(_EMBEDDERS)) if "collection_metadata" in tables else {}
        for number, name, collection_id, collection in connection.execute(_DOCUMENTS).fetchall():
            fields = {str(key): value for key, value in connection.execute(_METADATA, (number,))}
            fields["content"] = str(fields.pop("chroma:document", "") or "")
            where, owner = f"entry {name} of {collection}", str(collection)
            check_storable(fields, where)
            fields |= {
                "id": str(name),
                "vector": vectors.get((collection_id, name)),
                "embedder": made_by.get(collection_id),
            }
            yield owner.removeprefix(_COLLECTION) if owner.startswith(_COLLECTION) else None, Row(fields, where)


def _meow_memory(row: Row, owner: str | None, whose: Whose, top: int) -> ImportedMemory | Skipped:
    scope = scope_of(row.where, whose, user=row.name("user_id") or owner)
    content = row.text("content", "summary_text", "text")
    if not content:
        return Skipped(where=row.where, why=ErrorText("skip.empty"), scope=scope)
    kind = (row.text("type") if row.get("type") else "").casefold()
    at = row.moment("timestamp", "created_at", "span_end")
    return ImportedMemory(
        scope=scope,
        origin=row.name("id") or hashlib.sha256(f"{at}\n{content}".encode()).hexdigest(),
        where=row.where,
        content=content,
        about=row.name(*_MEOW_SUBJECTS) or USER,
        type=_MEOW_TYPES.get(kind, "note"),
        importance=row.importance(top),
        at=at,
        tags=unique((kind, *row.words("tags", "topic", "topics"))),
        pinned=kind in _MEOW_PINNED or row.get("pinned") in (True, 1),
        uses=row.count("uses", "hits"),
        vector=row.vector("vector", "embedding"),
        embedder=row.name("embedder", "embedding_model") or whose.embedder,
    )
