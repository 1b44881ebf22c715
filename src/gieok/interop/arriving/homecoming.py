"""Memories that gieok gave away in another system's format: they carry a mark, and come back as what they were."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.record_flaws import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER
from gieok.errors import InvalidImport, InvalidQuery
from gieok.interop.arriving.foreign import Record, digest, pieces, scope_of, speaker_of
from gieok.interop.arriving.macros import filled_in
from gieok.interop.arriving.shape import Known
from gieok.interop.marks import flaw_in_mark, without_name

MOST_TAGS: Final = 32
LONGEST_TAG: Final = 100
_NAMES: Final = ("user", "character", "world")


def coming_home(mark: Record, content: str, where: str, *, user: str | None, otherwise: Scope, pinned: bool) -> Known:
    """Return the memory that `mark` tells of, with its text as it stands there now.

    It goes where it was, or `otherwise`, if it does not say so; into the memories of a user only if they are named as
    `user`, since anybody can write a mark. Raises `InvalidImport` for others, and for a mark that cannot be read.
    """
    mark = {name: value for name, value in mark.items() if value is not None}
    flaw = flaw_in_mark(mark) or _trespass(mark.get("user"), user)
    if flaw is not None:
        raise InvalidImport(flaw, where=where)
    names = {name: mark.get(name) for name in _NAMES}
    key = _attribute(mark.get("attribute"), where)
    text = filled_in(without_name(mark, content), user=names["user"], character=names["character"] or CHARACTER)
    return Known(
        scope=scope_of(where, **names) if any(names.values()) else otherwise,
        origin=f"{mark.get('id', '')}/{digest(text)}",
        where=where,
        content=pieces(text or content)[0],
        about=speaker_of(mark.get("about", "world"), where),
        attribute=key,
        value=mark.get("value") if key is not None else None,
        type=mark.get("type"),
        said_by=speaker_of(mark["said_by"], where) if "said_by" in mark else None,
        polarity=mark.get("polarity", "+"),
        importance=mark.get("importance"),
        at=_moment(mark, "at"),
        valid_at=_moment(mark, "valid_at"),
        tags=tuple(tag[:LONGEST_TAG] for tag in mark.get("tags", ())[:MOST_TAGS]),
        pinned=pinned and mark.get("pinned") is not False,
    )


def _trespass(owner: str | None, user: str | None) -> str | None:
    if owner in (None, user):
        return None
    return "it is another user's" if user else f"it is of the user {shown(owner)}; say that it is theirs: --user NAME"


def _attribute(key: str | None, where: str) -> str | None:
    try:
        return None if key is None else attribute(key).key
    except InvalidQuery as cause:
        raise InvalidImport(f"{str(key)[:40]!r} is no attribute", where=where) from cause


def _moment(mark: Record, name: str) -> datetime | None:
    return datetime.fromisoformat(mark[name]) if name in mark else None
