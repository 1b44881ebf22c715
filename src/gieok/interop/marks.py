"""The mark that gieok adds to memories in files of other systems, and how it is imported again."""

from __future__ import annotations

from typing import Any, Final, cast, get_args

from gieok.domain.attributes import ContentType, attribute
from gieok.domain.claim import Polarity
from gieok.domain.memory import Memory
from gieok.domain.record import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import ErrorText, InvalidQuery
from gieok.interop.importers.fields import LONGEST_TAG, MOST_TAGS, Row, digest, fill_names, pieces, scope_of, speaker_of
from gieok.interop.importers.records import ImportedMemory, Whose

MARK: Final = "gieok"  #: name of its field
_SCOPE: Final = ("user", "character", "world")


def mark_of(memory: Memory, scope: Scope) -> dict[str, Any]:
    """Return the fields of a memory beside its text, and whether it is pinned; empty fields are omitted."""
    known = {
        "id": memory.id,
        **{name: getattr(scope, name) for name in _SCOPE},
        "about": about(memory),
        "attribute": memory.attribute,
        "value": memory.surface or memory.value if memory.attribute else None,
        "type": memory.content_type,
        "said_by": memory.speaker,
        "polarity": memory.polarity,
        "importance": memory.importance,
        "at": memory.known_at.isoformat(),
        "valid_at": memory.valid_at.isoformat(),
        "tags": list(memory.tags),
    }
    return {name: value for name, value in known.items() if value is not None and value != []}


def about(memory: Memory) -> str:
    """Return the subject of a memory, as `remember` takes it."""
    return memory.subject_id if memory.subject == "other" else memory.subject


def with_name(memory: Memory) -> str:
    """Return the content of a memory, preceded by its subject's name unless it contains it."""
    name = _name_of(about(memory), memory.subject_id)
    return memory.content if not name or name in memory.content else f"{name}: {memory.content}"


def _name_of(whom: str, character: str) -> str:
    if whom == USER:
        return "{{user}}"
    if whom == CHARACTER:
        return "{{char}}" if character == CHARACTER else character
    return "" if whom == "world" else whom


def marked_memory(mark: Row, content: str, *, user: str | None, otherwise: Scope, pinned: bool) -> ImportedMemory:
    """Return the memory that `mark` describes, with its current text.

    It goes to the scope in the mark, else to `otherwise`. Anyone can write a mark, so a user's memory is accepted only
    if that user is given as `user`. Raises `InvalidImport`.
    """
    names = {name: mark.name(name) for name in _SCOPE}
    if names["user"] not in (None, user):
        other = ErrorText("import.confirm_user", user=shown(names["user"]))
        raise mark.error(ErrorText("import.of_other_user") if user else other)
    whom = mark.name("about") or "world"
    prefix = _name_of(whom, names["character"] or CHARACTER)
    plain = content.removeprefix(f"{prefix}: ") if prefix else content
    text = fill_names(plain, user=names["user"], character=names["character"] or CHARACTER)
    key, said_by = mark.name("attribute"), mark.name("said_by")
    try:
        key = key and attribute(key).key
    except InvalidQuery as cause:
        raise mark.error(ErrorText("import.attribute", name=shown(key))) from cause
    return ImportedMemory(
        scope=scope_of(mark.where, Whose(), **names) if any(names.values()) else otherwise,
        origin=f"{mark.text('id')}/{digest(text)}",
        where=mark.where,
        content=pieces(text or content)[0],
        about=speaker_of(whom, mark.where),
        attribute=key,
        value=mark.name("value") if key else None,
        type=cast("ContentType | None", mark.choice("type", get_args(ContentType))),
        said_by=said_by and speaker_of(said_by, mark.where),
        polarity=cast("Polarity", mark.choice("polarity", get_args(Polarity)) or "+"),
        importance=mark.importance(),
        at=mark.moment("at"),
        valid_at=mark.moment("valid_at"),
        tags=tuple(tag[:LONGEST_TAG] for tag in mark.texts("tags")[:MOST_TAGS]),
        pinned=pinned and mark.get("pinned") is not False,
    )
