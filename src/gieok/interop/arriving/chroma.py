"""The folder of a Chroma store, read from its SQLite file: documents, metadata, and vectors as far as they are there.

Chroma writes documents and their metadata into SQLite at once. Vectors stand there only until they are moved into
files of another shape; what has been moved is made anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gieok.errors import InvalidImport
from gieok.interop.arriving.tables import opened, tables_of
from gieok.interop.arriving.values import vector_of

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
