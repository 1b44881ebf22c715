"""Import of a source into a bank: everything is checked before the first write, and each item is imported once."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from gieok.bank import MemoryBank
from gieok.bank.adapters import ForeignMemory, ScopeImport
from gieok.bank.inputs import Exchange, NewMemory
from gieok.bank.mind import STORED_TOGETHER
from gieok.bank.privacy import write_whole
from gieok.domain.attributes import attribute
from gieok.domain.claim import Brought
from gieok.domain.entity import RULES, Face, Note
from gieok.domain.relationship import Relationship, level_after, score
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_speaker, checked_text
from gieok.errors import ErasedBefore, ErrorText, InvalidImport, InvalidInput, InvalidQuery
from gieok.interop.importers.files import fingerprint
from gieok.interop.importers.records import (
    AXES,
    WHATS,
    Faces,
    ImportedMemory,
    ImportedPerson,
    ImportedRelationship,
    ImportedTurn,
    Item,
    Reader,
    Report,
    ScopeReport,
    Skipped,
    Stored,
    Tally,
    What,
    Whose,
)

READERS: Final[dict[str, str]] = {
    "social": "databases:read_social",
    "synk": "synk:read_synk",
    "meowchat": "stores:read_meowchat",
    "vtuber": "databases:read_vtuber",
    "mem0": "stores:read_mem0",
    "sillytavern": "chats:read_chat",
    "worldinfo": "lorebooks:read_world_info",
    "risuai": "chats:read_risu",
    "card": "cards:read_card",
}
Progress = Callable[[int, int], None]  #: called with (done, total)
_NOBODY: Final = Whose()
_SECOND: Final = timedelta(seconds=1)


def reader_of(kind: str) -> Reader:
    """Return the reader for a kind of source; raises `InvalidQuery` for an unknown one."""
    if kind not in READERS:
        raise InvalidQuery(ErrorText("import.kind", kind=kind, known=", ".join(READERS)))
    module, _, name = READERS[kind].partition(":")
    return cast(Reader, getattr(import_module(f"gieok.interop.importers.{module}"), name))


def import_file(
    bank: MemoryBank,
    kind: str,
    path: str | os.PathLike[str],
    *,
    whose: Whose = _NOBODY,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Import the memories of another system and return a report. Importing again changes nothing.

    Items imported before keep their current state: superseded, corrected, forgotten, erased. Data that was erased in a
    scope, from whatever source, is skipped. A broken source raises `InvalidImport`, which names the place, before
    anything is written. A dry run writes nothing.
    """
    source, reader = Path(path), reader_of(kind)
    if not source.exists():
        raise InvalidImport(ErrorText("import.no_source", source=str(source)))
    importing = _Import(bank, kind, source, whose, reader)
    total = importing.survey(dry_run=dry_run)
    if not dry_run:
        importing.write(total, progress or (lambda done, total: None))
    return importing.report(dry_run=dry_run)


arrive = import_file  #: the name in 0.1.0


class _Import:
    """The import of one source into one bank."""

    def __init__(self, bank: MemoryBank, kind: str, source: Path, whose: Whose, reader: Reader) -> None:
        self._bank = bank
        self._kind = kind
        self._source = source
        self._whose = whose
        self._reader = reader
        self._timing = Timing(datetime.fromtimestamp(source.stat().st_mtime, UTC))
        self._targets: dict[Scope, ScopeImport] = {}
        self._counts: dict[Scope, Counter[tuple[What, bool]]] = {}
        self._skipped: list[Skipped] = []
        self._faces: list[Path] = []
        self._turns: dict[Scope, list[tuple[ImportedTurn, datetime]]] = {}  #: to be stored
        self._unread: Counter[Scope] = Counter()  #: stored, but not read yet
        self._held: set[Scope] = set()  #: scopes with earlier erasures
        self._progress: Progress = lambda done, total: None
        self._done = self._total = 0

    def survey(self, *, dry_run: bool) -> int:
        """Read the source completely; return the number of items to import."""
        total = 0
        seen: set[tuple[Scope, str]] = set()
        for item in self._items():
            if isinstance(item, Skipped):
                self._skip(item)
            if isinstance(item, Skipped | Faces):
                continue
            if isinstance(item, ImportedTurn):
                self._timing.survey(item)
            total += 1
            if dry_run:
                known = (item.scope, item.origin) in seen or self._target(item.scope).has(item.origin)
                seen.add((item.scope, item.origin))
                self._count(item, new=not known)
        return total

    def write(self, total: int, progress: Progress) -> None:
        """Read the source again and import every item. Turns are stored in batches; then their facts are read."""
        whole = f"source {fingerprint(self._source)}"
        self._progress, self._total = progress, total
        self._step(0)
        try:
            for item in self._items():
                if isinstance(item, Faces):
                    self._write_faces(item)
                elif not isinstance(item, Skipped):
                    self._import(item, whole)
            for scope in [*self._targets]:
                self._read_turns(scope)
        except InvalidImport as cause:
            changed = ErrorText("import.changed", source=str(self._source), flaw=cause.flaw)
            raise InvalidInput(changed) from cause
        for scope, target in self._targets.items():
            if scope not in self._held:
                target.finish(whole, whole)

    def _write_faces(self, item: Faces) -> None:
        if folder := write_faces(self._bank.settings.bank, item):
            self._faces.append(folder)
        else:
            self._skip(Skipped(where=item.where, why=ErrorText("skip.no_album")))

    def _import(self, item: Stored, whole: str) -> None:
        target = self._target(item.scope)
        if target.has(whole):
            self._count(item, new=False)
            self._step(1)
        elif isinstance(item, ImportedTurn):
            waiting = self._turns.setdefault(item.scope, [])
            waiting.append((item, self._timing.moment(item)))
            if len(waiting) >= STORED_TOGETHER:
                self._store_turns(item.scope)
        else:
            self._read_turns(item.scope)  # before people and the relationship
            self._write(target, item)
            self._step(1)

    def _step(self, done: int, more: int = 0) -> None:
        self._done, self._total = self._done + done, self._total + more
        self._progress(self._done, self._total)

    def _store_turns(self, scope: Scope) -> None:
        """Store the waiting turns of a scope; each adds one item to do: reading it."""
        waiting = self._turns.pop(scope, [])
        turns = [(item.origin, _exchange(item, at)) for item, at in waiting]
        fates = self._target(scope).add_turns(turns) if turns else []
        for (item, _), fate in zip(waiting, fates, strict=True):
            if fate == "erased":
                self._skip_erased(item)
            else:
                self._count(item, new=fate == "new")
        new = fates.count("new")
        self._unread[scope] += new
        self._step(len(waiting), more=new)

    def _read_turns(self, scope: Scope) -> None:
        self._store_turns(scope)
        before, left = self._done, self._unread.pop(scope, 0)
        self._target(scope).read(lambda done: self._step(before + min(done, left) - self._done))
        self._step(before + left - self._done)

    def _skip_erased(self, item: Stored) -> None:
        self._held.add(item.scope)
        self._skip(Skipped(where=item.where, why=ErrorText("skip.erased"), scope=item.scope))

    def report(self, *, dry_run: bool) -> Report:
        skipped, scopes = Counter(each.scope for each in self._skipped), list[ScopeReport]()
        for scope, counts in self._counts.items():
            tallies = {what: Tally(new=counts[what, True], there=counts[what, False]) for what in WHATS}
            found = {what: tally for what, tally in tallies.items() if tally.new or tally.there}
            scopes.append(ScopeReport(scope=scope, tallies=found, skipped=skipped[scope]))
        return Report(
            kind=self._kind,
            path=self._source,
            dry_run=dry_run,
            scopes=tuple(scopes),
            skipped=tuple(self._skipped),
            faces=tuple(self._faces),
        )

    def _items(self) -> Iterator[Item]:
        try:
            yield from map(checked, self._reader(self._source, self._whose))
        except OSError as cause:
            why, source = cause.strerror or cause, str(self._source)
            raise InvalidImport(ErrorText("import.source_unreadable", source=source, strerror=why)) from cause

    def _target(self, scope: Scope) -> ScopeImport:
        if scope not in self._targets:
            self._targets[scope] = ScopeImport(self._bank, scope, self._kind)
        return self._targets[scope]

    def _count(self, item: Stored, *, new: bool) -> None:
        self._counts.setdefault(item.scope, Counter())[item.what, new] += 1

    def _skip(self, item: Skipped) -> None:
        self._skipped.append(item)
        if item.scope is not None:
            self._counts.setdefault(item.scope, Counter())

    def _write(self, target: ScopeImport, item: Stored) -> None:
        try:
            self._count(item, new=self._is_new(target, item))
        except ErasedBefore:
            self._skip_erased(item)

    def _is_new(self, target: ScopeImport, item: Stored) -> bool:
        match item:
            case ImportedMemory():
                return target.add_memory(item.origin, _foreign_memory(item, self._bank.embedder.name))
            case ImportedPerson():
                return target.add_person(item.origin, _face(item, self._bank.clock.now()))
            case ImportedRelationship():
                return target.set_relationship(item.origin, _relationship(item), item.last_at)
            case _:
                raise AssertionError("turns are stored many at a time")


def _exchange(item: ImportedTurn, at: datetime) -> Exchange:
    return {
        "text": item.text,
        "reply": item.reply,
        "at": at,
        "session": item.session,
        "speaker": item.speaker,
        "channel": item.channel,
    }


_MOMENTS: Final = frozenset({"at", "valid_at", "invalid_at", "first_seen", "last_seen", "met_at", "last_at"})
_SPEAKERS: Final = frozenset({"speaker", "about", "said_by", "name"})
_TEXTS: Final = frozenset({"text", "reply", "content", "interpretation", "value", "summary"})
_LISTS: Final = frozenset({"tags", "topics"})
_RANGES: Final = {
    **dict.fromkeys(("importance", "certainty", "emotion_intensity", "strength"), (0, 1)),
    "sentiment": (-1, 1),
    **dict.fromkeys(AXES, (0, 100)),
}


def checked(item: Item) -> Item:
    """Return `item` in storable form, or as skipped if it is empty or too long; raises `InvalidImport` if broken."""
    texts: list[str | None] = []
    match item:
        case Skipped() | Faces():
            return item
        case ImportedTurn():
            item = replace(item, text=_visible(item.text), reply=_visible(item.reply))
            texts = [item.text or item.reply, item.reply]
        case ImportedMemory():
            texts = [_visible(item.content), item.interpretation]
    if texts and not texts[0]:
        return Skipped(where=item.where, why=ErrorText("skip.empty"), scope=item.scope)
    if any(text and len(text) > LONGEST_UTTERANCE for text in texts):
        why = ErrorText("skip.long", most=LONGEST_UTTERANCE)
        return Skipped(where=item.where, why=why, scope=item.scope)
    try:
        for field in fields(item):
            _check(field.name, getattr(item, field.name))
    except InvalidInput as cause:
        raise InvalidImport(str(cause), where=item.where) from cause
    return item


def _visible(text: str | None) -> str | None:
    return text if text and text.strip() else None


def _check(name: str, value: Any) -> None:
    if value is None:
        return
    if name in _MOMENTS:
        checked_moment(value, name)
    elif name in _SPEAKERS:
        checked_speaker(value)
    elif name in _TEXTS:
        checked_text(value, name)
    elif name in _LISTS:
        for part in value:
            checked_text(part, name)
    elif name == "attribute":
        attribute(value)
    elif name in _RANGES:
        low, high = _RANGES[name]
        if not low <= value <= high:
            raise InvalidInput(ErrorText("import.range", name=name, value=value, low=low, high=high))


def _shared(kind: type, item: ImportedMemory) -> dict[str, Any]:
    """Return the fields of `item` that `kind` has, too."""
    own = {field.name for field in fields(item)}
    return {field.name: getattr(item, field.name) for field in fields(kind) if field.name in own}


def _foreign_memory(item: ImportedMemory, embedder: str) -> ForeignMemory:
    start = item.valid_at
    if item.invalid_at is not None and (start or item.at or item.invalid_at) >= item.invalid_at:
        start = item.invalid_at - _SECOND  # it has ended, and its start is unknown
    same = item.vector is not None and embedder in (item.embedder, f"{item.embedder}-{len(item.vector)}")
    shared = _shared(ForeignMemory, item) | {"vector": item.vector if same else None}
    memory = NewMemory(**_shared(NewMemory, item) | {"valid_at": start, "origin": "import"})
    return ForeignMemory(what=memory, brought=Brought(**_shared(Brought, item)), **shared)


def _face(item: ImportedPerson, now: datetime) -> Face:
    last = item.last_seen or item.first_seen or now
    often = sorted(item.topics.items(), key=lambda topic: -topic[1])[: RULES.most_notes]
    sentiment = item.sentiment or 0.0
    return Face(
        name=item.name,
        channel=item.platform,
        summary=item.summary or "",
        interests=tuple(Note(text=topic, times=max(times, 1)) for topic, times in often),
        interactions=item.meetings,
        felt=max(item.meetings, 1) if sentiment else 0,
        sentiment=sentiment,
        first_seen=min(item.first_seen or last, last),
        last_seen=last,
    )


def _relationship(item: ImportedRelationship) -> Relationship:
    axes = {axis: getattr(item, axis) for axis in AXES}
    begun = Relationship(**axes, met_at=item.met_at, last_at=item.last_at or item.met_at)
    return replace(begun, level=level_after(score(begun), begun.level))


class Timing:
    """Assigns times to turns without one. It learns in a first pass (`survey`) for a second one (`moment`)."""

    def __init__(self, written_at: datetime) -> None:
        """`written_at` is the time of the source: if no turn has a time, all are before it."""
        self._written_at = written_at
        self._undated: Counter[Scope] = Counter()  #: turns before the first one with a time
        self._first: dict[Scope, datetime] = {}
        self._last: dict[Scope, datetime] = {}

    def survey(self, item: ImportedTurn) -> None:
        if item.scope in self._first:
            return
        if item.at is None:
            self._undated[item.scope] += 1
        else:
            self._first[item.scope] = item.at

    def moment(self, item: ImportedTurn) -> datetime:
        moment, last = item.at, self._last.get(item.scope)
        if moment is None and last is not None:
            moment = last + _SECOND
        elif moment is None:
            moment = self._first.get(item.scope, self._written_at) - _SECOND * (self._undated[item.scope] or 1)
        self._last[item.scope] = moment
        return moment


FACES: Final = "faces.json"
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 100


def write_faces(bank: str, item: Faces) -> Path | None:
    """Write the pictures of a character beside the bank file and return the folder; None: the bank is not a file.

    Existing files stay unchanged.
    """
    if "://" in bank or bank.startswith(":"):
        return None
    folder = Path(f"{bank}.faces") / file_name(item.character)
    folder.mkdir(parents=True, exist_ok=True)
    names = {name: file_name(name) for name in item.pictures}
    for name, picture in item.pictures.items():
        _write_file(folder / names[name], picture)
    faces = {emotion: names.get(picture, picture) for emotion, picture in item.faces.items()}
    _write_file(folder / FACES, json.dumps(faces, ensure_ascii=False, indent=2).encode())
    return folder


def file_name(name: str) -> str:
    """Return a name that is valid on any file system; a changed name gets a hash, so that it stays unique."""
    safe = _UNSAFE.sub("_", name).strip(".")
    if safe == name and len(safe) <= _LONGEST_NAME:
        return safe
    stem, dot, suffix = safe[-_LONGEST_NAME:].rpartition(".")
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{stem}-{mark}.{suffix}" if dot else f"{suffix}-{mark}"


def _write_file(path: Path, data: bytes) -> None:
    if not path.exists():
        write_whole(path, iter((data,)))
