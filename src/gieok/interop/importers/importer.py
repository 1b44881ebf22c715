"""Whether a thing can be kept at all, before the first is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from gieok.bank import MemoryBank
from gieok.bank.arriving import Door, Keepsake
from gieok.bank.telling import Outright
from gieok.domain.attributes import attribute
from gieok.domain.claim import Brought
from gieok.domain.entity import RULES, Face, Note
from gieok.domain.relationship import Relationship, level_after, score
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_speaker, checked_text
from gieok.errors import InvalidImport, InvalidInput, InvalidQuery
from gieok.interop.importers.cards import put_beside
from gieok.interop.importers.files import Timing, fingerprint
from gieok.interop.importers.records import (
    Acquaintance,
    Arrival,
    Count,
    Exchange,
    Known,
    LeftOut,
    Reader,
    Report,
    Sprites,
    Standing,
    What,
    Whose,
)


def checked(item: Arrival) -> Arrival:
    """Return `item` as it can be kept, or as left out if it is too long or says nothing.

    Raises `InvalidImport` where it is broken.
    """
    if isinstance(item, LeftOut | Sprites):
        return item
    try:
        match item:
            case Exchange():
                return _exchange(item)
            case Known():
                return _known(item)
            case Acquaintance():
                return _acquaintance(item)
            case Standing():
                return _standing(item)
    except InvalidInput as cause:
        if isinstance(cause, InvalidImport):
            raise
        raise InvalidImport(str(cause), where=item.where) from cause


def _exchange(item: Exchange) -> Exchange | LeftOut:
    text, reply = _said(item.text), _said(item.reply)
    if text is None and reply is None:
        return LeftOut(where=item.where, why="it says nothing", scope=item.scope)
    if long := _too_long(item.where, item.scope, (text, reply)):
        return long
    for line, name in ((text, "text"), (reply, "reply")):
        if line is not None:
            checked_text(line, name)
    if item.speaker is not None:
        checked_speaker(item.speaker)
    _check_moments(at=item.at)
    return item if (text, reply) == (item.text, item.reply) else replace(item, text=text, reply=reply)


def _known(item: Known) -> Known | LeftOut:
    if not item.content.strip():
        return LeftOut(where=item.where, why="it says nothing", scope=item.scope)
    if long := _too_long(item.where, item.scope, (item.content, item.interpretation)):
        return long
    for text, name in ((item.content, "content"), (item.interpretation, "interpretation"), (item.value, "value")):
        if text is not None:
            checked_text(text, name)
    for somebody in (item.about, item.said_by):
        if somebody is not None:
            checked_speaker(somebody)
    for tag in item.tags:
        checked_text(tag, "a tag")
    if item.attribute is not None:
        attribute(item.attribute)
    shares = (item.importance, item.certainty, item.emotion_intensity, item.strength)
    if any(share is not None and not 0 <= share <= 1 for share in shares):
        raise InvalidImport("importance, certainty, emotion and strength lie between 0 and 1", where=item.where)
    _check_moments(at=item.at, valid_at=item.valid_at, invalid_at=item.invalid_at)
    return item


def _acquaintance(item: Acquaintance) -> Acquaintance:
    checked_speaker(item.name)
    for text in (*item.topics, *((item.summary,) if item.summary else ())):
        checked_text(text, "what is told of somebody")
    if item.sentiment is not None and not -1 <= item.sentiment <= 1:
        raise InvalidImport(f"sentiment is {item.sentiment}, not between -1 and 1", where=item.where)
    _check_moments(first_seen=item.first_seen, last_seen=item.last_seen)
    return item


def _standing(item: Standing) -> Standing:
    axes = (item.trust, item.affection, item.respect, item.rivalry, item.familiarity)
    if not all(0 <= axis <= 100 for axis in axes):
        raise InvalidImport("each axis of a relationship lies between 0 and 100", where=item.where)
    _check_moments(met_at=item.met_at, last_at=item.last_at)
    return item


def _said(text: str | None) -> str | None:
    return text if text is not None and text.strip() else None


def _too_long(where: str, scope: Scope, texts: Iterable[str | None]) -> LeftOut | None:
    longest = max((len(text) for text in texts if text is not None), default=0)
    if longest <= LONGEST_UTTERANCE:
        return None
    why = f"it has more than {LONGEST_UTTERANCE:,} characters"
    return LeftOut(where=where, why=why, scope=scope)


def _check_moments(**moments: datetime | None) -> None:
    for name, moment in moments.items():
        if moment is not None:
            checked_moment(moment, name)


READERS: Final[dict[str, str]] = {
    "social": "gieok.interop.importers.social:read_social",
    "synk": "gieok.interop.importers.synk:read_synk",
    "meowchat": "gieok.interop.importers.meowchat:read_meowchat",
    "vtuber": "gieok.interop.importers.vtuber:read_vtuber",
    "mem0": "gieok.interop.importers.mem0:read_mem0",
    "sillytavern": "gieok.interop.importers.sillytavern:read_chat",
    "worldinfo": "gieok.interop.importers.sillytavern:read_world_info",
    "risuai": "gieok.interop.importers.risu:read_risu",
    "card": "gieok.interop.importers.cards:read_card",
}


def reader_of(kind: str) -> Reader:
    """Return what reads sources of a kind; raises `InvalidQuery` for an unknown one."""
    if kind not in READERS:
        raise InvalidQuery(f"unknown kind of source {kind!r}; choose one of {', '.join(READERS)}")
    module, _, name = READERS[kind].partition(":")
    return cast(Reader, getattr(import_module(module), name))


Progress = Callable[[int, int], None]  #: how many things are done, of how many
Thing = Exchange | Known | Acquaintance | Standing
_NOBODY: Final = Whose()
_MOMENT: Final = timedelta(seconds=1)


def arrive(
    bank: MemoryBank,
    kind: str,
    path: str | os.PathLike[str],
    *,
    whose: Whose = _NOBODY,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Take in what another system remembers, and return what became of it. Twice is the same as once.

    What came in before stays as it is by now: superseded, corrected, forgotten, erased. A broken source raises
    `InvalidImport`, which names the place, before anything is written; a dry run writes nothing.
    """
    source = Path(path)
    reader = reader_of(kind)
    if not source.exists():
        raise InvalidImport(f"there is no file or folder {str(source)!r}")
    mover = _Mover(bank, kind, source, whose, reader)
    total = mover.survey(dry_run=dry_run)
    if not dry_run:
        mover.take_in(total, progress or _unseen)
    return mover.report(dry_run=dry_run)


class _Mover:
    """One source on its way into one bank."""

    def __init__(self, bank: MemoryBank, kind: str, source: Path, whose: Whose, reader: Reader) -> None:
        self._bank = bank
        self._kind = kind
        self._source = source
        self._whose = whose
        self._reader = reader
        self._timing = Timing(datetime.fromtimestamp(source.stat().st_mtime, UTC))
        self._doors: dict[Scope, Door] = {}
        self._count = Count()
        self._faces: list[Path] = []

    def survey(self, *, dry_run: bool) -> int:
        """Walk through all of it, and return how many things can come in."""
        total = 0
        seen: set[tuple[Scope, str]] = set()
        for item in self._walked():
            if isinstance(item, LeftOut):
                self._count.leave_out(item)
            if isinstance(item, LeftOut | Sprites):
                continue
            if isinstance(item, Exchange):
                self._timing.survey(item)
            total += 1
            if dry_run:
                known = (item.scope, item.origin) in seen or self._door(item.scope).knows(item.origin)
                seen.add((item.scope, item.origin))
                self._count.add(item.scope, _what(item), new=not known)
        return total

    def take_in(self, total: int, progress: Progress) -> None:
        """Walk through it again, and take each thing in."""
        whole = f"source {fingerprint(self._source)}"
        done = 0
        progress(done, total)
        for item in self._things():
            if isinstance(item, Sprites):
                self._faces += put_beside(self._bank.settings.bank, item, self._count)
                continue
            door = self._door(item.scope)
            new = not door.knows(whole) and self._taken_in(door, item)
            self._count.add(item.scope, _what(item), new=new)
            done += 1
            progress(done, total)
        for door in self._doors.values():
            door.close(whole, whole)

    def report(self, *, dry_run: bool) -> Report:
        return Report(
            kind=self._kind,
            path=self._source,
            dry_run=dry_run,
            scopes=self._count.scopes(),
            left_out=tuple(self._count.left_out),
            faces=tuple(self._faces),
        )

    def _walked(self) -> Iterator[Arrival]:
        try:
            yield from map(checked, self._reader(self._source, self._whose))
        except OSError as cause:
            raise InvalidImport(f"{str(self._source)!r} cannot be read ({cause.strerror or cause})") from cause

    def _things(self) -> Iterator[Thing | Sprites]:
        try:
            for item in self._walked():
                if not isinstance(item, LeftOut):
                    yield item
        except InvalidImport as cause:
            changed = f"{str(self._source)!r} changed while it was imported ({cause.flaw})"
            raise InvalidInput(f"{changed}; what came in stays, import it again") from cause

    def _door(self, scope: Scope) -> Door:
        if scope not in self._doors:
            self._doors[scope] = Door(self._bank, scope, self._kind)
        return self._doors[scope]

    def _taken_in(self, door: Door, item: Thing) -> bool:
        match item:
            case Exchange():
                return door.hear(
                    item.origin,
                    item.text,
                    item.reply,
                    at=self._timing.moment(item),
                    speaker=item.speaker,
                    session=item.session,
                    channel=item.channel,
                )
            case Known():
                return door.remember(item.origin, _keepsake(item, self._bank.embedder.name))
            case Acquaintance():
                return door.meet(item.origin, _face(item, self._bank.clock.now()))
            case Standing():
                return door.stand(item.origin, _relationship(item), item.last_at)


def _what(item: Thing) -> What:
    match item:
        case Exchange():
            return "exchanges"
        case Known():
            return "memories" if item.believed else "candidates"
        case Acquaintance():
            return "people"
        case Standing():
            return "relationships"


def _keepsake(item: Known, embedder: str) -> Keepsake:
    start = item.valid_at
    if item.invalid_at is not None and (start or item.at or item.invalid_at) >= item.invalid_at:
        start = item.invalid_at - _MOMENT  # it is over, and nobody says since when it was so
    same = item.vector is not None and embedder in (item.embedder, f"{item.embedder}-{len(item.vector)}")
    return Keepsake(
        what=Outright(
            content=item.content,
            about=item.about,
            attribute=item.attribute,
            value=item.value,
            type=item.type,
            said_by=item.said_by,
            polarity=item.polarity,
            importance=item.importance,
            valid_at=start,
            invalid_at=item.invalid_at,
            tags=item.tags,
            origin="import",
        ),
        brought=Brought(
            pinned=item.pinned,
            uses=item.uses,
            mentions=item.mentions,
            strength=item.strength,
            kind=item.kind,
            interpretation=item.interpretation,
        ),
        at=item.at,
        certainty=item.certainty,
        emotion_intensity=item.emotion_intensity,
        believed=item.believed,
        vector=item.vector if same else None,
    )


def _face(item: Acquaintance, now: datetime) -> Face:
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


def _relationship(item: Standing) -> Relationship:
    begun = Relationship(
        trust=item.trust,
        affection=item.affection,
        respect=item.respect,
        rivalry=item.rivalry,
        familiarity=item.familiarity,
        met_at=item.met_at,
        last_at=item.last_at or item.met_at,
    )
    return replace(begun, level=level_after(score(begun), begun.level))


def _unseen(done: int, total: int) -> None:
    """Nobody watches."""
