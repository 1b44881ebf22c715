"""The formats in which memories leave, and the file that one of them is written to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from gieok.bank import MemoryBank
from gieok.bank.disclosing import Exported, write_whole
from gieok.domain.scope import Scope
from gieok.errors import InvalidQuery, UnknownUser
from gieok.interop.leaving.lorebooks import card_lorebook, world_info
from gieok.interop.leaving.mem0 import mem0_results
from gieok.interop.leaving.memories import memory_lines

Writer = Callable[[MemoryBank, Sequence[Scope]], Iterator[bytes]]

OWN: Final = "zip"  #: gieok's own: everything, also for people
WRITERS: Final[Mapping[str, Writer]] = {
    "jsonl": memory_lines,
    "lorebook": card_lorebook,
    "worldinfo": world_info,
    "mem0": mem0_results,
}
FORMATS: Final = (OWN, *WRITERS)


def leave(
    bank: MemoryBank,
    format: str,
    to: str | os.PathLike[str],
    *,
    user: str | None = None,
    character: str | None = None,
    world: str | None = None,
) -> Exported:
    """Write what is remembered of a user into a file; without a user the canon of a character or a world.

    A file that is there is replaced, but only by a whole one. Raises `UnknownUser` where nothing is kept, and
    `InvalidQuery` for a format that there is none of; gieok's own needs a user.
    """
    if format not in FORMATS:
        raise InvalidQuery(f"unknown format {format!r}; choose one of {', '.join(FORMATS)}")
    if format == OWN:
        if user is None:
            raise InvalidQuery("whose memories? name a user: --user NAME; canon leaves as jsonl, lorebook or worldinfo")
        return bank.export(user=user, character=character, world=world, to=to)
    scopes = _scopes(bank, Scope(user=user, character=character, world=world))
    target = Path(to)
    write_whole(target, WRITERS[format](bank, scopes))
    return Exported(path=target, scopes=tuple(scopes), size_bytes=target.stat().st_size)


def _scopes(bank: MemoryBank, asked: Scope) -> list[Scope]:
    found = [
        summary.scope
        for summary in bank.scopes()
        if summary.scope.user == asked.user
        and asked.character in (None, summary.scope.character)
        and asked.world in (None, summary.scope.world)
    ]
    if not found:
        raise UnknownUser(str(asked))
    return found
