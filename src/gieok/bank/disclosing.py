"""What a user gets to see of all that is kept of them: an answer in plain words, and everything in one file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from gieok.bank.roll import every_scope
from gieok.domain.record import to_record
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankError, InvalidExport, UnknownUser
from gieok.export.about_me import AboutMe as AboutMe
from gieok.export.about_me import Group as Group
from gieok.export.about_me import Told as Told
from gieok.export.about_me import about_me, called
from gieok.export.archive import Label, packed, unpacked
from gieok.export.page import Chapter, page
from gieok.ports import Line, Store, TakenIn

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.bank.mind import Mind
    from gieok.bank.services import Services
    from gieok.domain.turn import Turn

_AT_ONCE: Final = 200  #: turns of a page that are in memory together


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What stands in a file."""

    path: Path
    scopes: tuple[Scope, ...]
    size_bytes: int


class Disclosing:
    """The part of a `Mind` that tells its user what it knows of them."""

    _bank: MemoryBank
    key: Scope

    def about_me(self) -> AboutMe:
        """Return what is remembered of the user, in plain words for the user: `str(mind.about_me())`.

        Everything in it has a number, and its parts have the ids that `forget` takes. What belongs to canon or to the
        character alone is not in it. Writes nothing.
        """
        settings = self._bank.settings
        mind = self._bank.mind(self.key)
        facts = mind.facts()
        return about_me(
            facts,
            character=self.key.character,
            between=_between(mind, called(facts, settings.language)),
            language=settings.language,
            zone=settings.zone,
            present=mind.present(),
        )


def _between(mind: Mind, user: str) -> list[str]:
    """Return how the two stand, and how they speak to each other by now."""
    from gieok.language.wording import change_sentence, level_words

    language = mind.bank.settings.language
    relationship = mind.relationship()
    if not relationship.turns:
        return []
    names = {"user": user, "character": mind.key.character or ("캐릭터" if language == "ko" else "the character")}
    latest = {(step.change.speaker, step.change.what): step.change for step in mind.manner_changes()}
    mutual = any(change.mutual and change.before is not None for change in latest.values())
    told = [
        change_sentence(change, names, "en" if language == "en" else "ko")
        for change in latest.values()
        if change.what != "style" or change.before is not None or not mutual
    ]
    return [level_words(relationship.level, language), *dict.fromkeys(told)]


class Exporting:
    """The part of a `MemoryBank` that hands a user all that is kept of them, and takes it in again."""

    store: Store
    services: Services

    def scopes_of(self, user: str, *, character: str | None = None, world: str | None = None) -> list[Scope]:
        """Return the scopes of a user, with this character and in this world if they are named."""
        return list(every_scope(self.store, [Bounds(user=user, character=character, world=world)]))

    def export(
        self,
        *,
        user: str,
        to: str | os.PathLike[str],
        character: str | None = None,
        world: str | None = None,
    ) -> Exported:
        """Write all that is kept of a user into one file, which `import_export` takes, and a person can read.

        It is all of one moment. Canon and what is kept of others is not in it. A file that is there is replaced, but
        only by a whole one. Raises `UnknownUser` where nothing is kept of the user.
        """
        target = Path(to)
        scopes = self.scopes_of(user, character=character, world=world)
        pieces = self.exported(user=user, character=character, world=world)
        write_whole(target, pieces)
        return Exported(path=target, scopes=tuple(scopes), size_bytes=target.stat().st_size)

    def exported(self, *, user: str, character: str | None = None, world: str | None = None) -> Iterator[bytes]:
        """Return the file that `export` writes, piece by piece; raises `UnknownUser` at once."""
        asked = Scope(user=user, character=character, world=world)
        scopes = self.scopes_of(asked.user or user, character=asked.character, world=asked.world)
        if not scopes:
            raise UnknownUser(str(asked))
        return _exported(cast("MemoryBank", self), asked.user or user, scopes)

    def import_export(
        self, path: str | os.PathLike[str], *, user: str | None = None, dry_run: bool = False
    ) -> list[TakenIn]:
        """Take in a file that `export` wrote, with all ids, history and relationships, and return what became of it.

        What is kept here already stays as it is, so that the same file twice is the same as once. A broken file
        raises `InvalidExport`, which names the line, and nothing is imported. With `user` only if it is theirs.
        """
        with unpacked(path) as parcel:
            if user is not None and Scope(user=user).user != parcel.user:
                raise InvalidExport("the file is another user's")
            taken = self.store.take_in(parcel.lines, dry_run=dry_run)
        if not dry_run:
            for each in taken:
                self._embed(each)
        return taken

    def _embed(self, taken: TakenIn) -> None:
        """Make the vectors of what has come in; where the embedder is down, upkeep makes them later."""
        if taken.fate == "new":
            self.services.fill_in_vectors(taken.scope, most=sum(taken.counts.values()))


def _exported(bank: MemoryBank, user: str, scopes: Sequence[Scope]) -> Iterator[bytes]:
    settings = bank.settings
    label = Label(
        user=user,
        at=bank.clock.now(),
        language=settings.language,
        embedder=bank.embedder.name,
    )
    documents = (to_record(each) for each in bank.store.desk.documents() if each.scope in scopes)
    chapters = (_chapter(bank, scope) for scope in scopes)
    pages = page(chapters, user=user, at=label.at, language=settings.language, zone=settings.zone)
    with closing(_lines(bank.store, scopes)) as lines:
        yield from packed(label, scopes, lines, documents, pages)


def _lines(store: Store, scopes: Sequence[Scope]) -> Generator[Line, None, None]:
    """Yield what is carried out, and let go of its connection behind the last: what follows needs one of its own."""
    with store.carried(scopes) as lines:
        yield from lines


def _chapter(bank: MemoryBank, scope: Scope) -> Chapter:
    mind = bank.mind(scope)
    steps = mind.course()
    return Chapter(
        scope=scope,
        present=mind.present(),
        memories=tuple(mind.timeline()),
        course=tuple((step.at, step.relationship) for step in steps),
        levels=tuple((step.at, step.relationship) for step in mind.level_changes()),
        manners=tuple((step.at, step.change) for step in mind.manner_changes()),
        people=tuple(mind.entities()),
        turns=_turns(mind),
    )


def _turns(mind: Mind) -> Iterator[Turn]:
    """Yield the turns in force, oldest first."""
    number = 1
    while turns := [turn for turn in mind.turns(_AT_ONCE, before=number + _AT_ONCE) if turn.number >= number]:
        yield from turns
        number = turns[-1].number + 1


def write_whole(target: Path, pieces: Iterator[bytes]) -> None:
    """Put a file in its place once all of it is written; only its owner may read it."""
    folder = target.parent
    if not folder.is_dir():
        raise BankError(f"there is no folder {str(folder)!r}; nothing was exported, make it first")
    handle, name = tempfile.mkstemp(dir=folder, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:  # whatever ends it, also Ctrl-C: half a file is none; it is raised again
        Path(name).unlink(missing_ok=True)
        raise
