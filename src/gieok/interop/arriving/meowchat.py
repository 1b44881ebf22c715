"""The memory of Meow Chat: its JSON store (a file, or a folder of them), or its Chroma folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.turn import USER
from gieok.errors import InvalidImport
from gieok.interop.arriving import chroma
from gieok.interop.arriving.files import files_in, json_in, json_lines
from gieok.interop.arriving.shape import Arrival, Known, LeftOut, Whose
from gieok.interop.arriving.values import (
    count_of,
    importance_of,
    moment_of,
    named,
    scale_of,
    scope_for,
    shown,
    sound,
    text_of,
    vector_of,
    words_of,
)

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
    elif (path / chroma.FILE).is_file():
        for document in chroma.documents(path):
            sound([document.text, document.metadata], document.where)
            owner = document.collection.removeprefix(_COLLECTION) if _is_own(document) else None
            told = {"id": document.id, "vector": document.vector, "embedder": document.embedder}
            yield document.where, owner, {**document.metadata, **told, "content": document.text}
    else:
        files = files_in(path, ".json", ".jsonl")
        if not files:
            raise InvalidImport(f"{str(path)!r} holds neither {chroma.FILE} nor files of JSON")
        for each in files:
            yield from _in_file(each, each.stem, f"{each.name}, ")


def _is_own(document: chroma.Document) -> bool:
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
