"""RisuAI: a chat, or all chats of a character, as JSON, with what its memory (HypaV3 and before) made of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    Message,
    Record,
    digest,
    exchanges,
    filled_in,
    json_file,
    named,
    pieces,
    record_of,
    records_at,
    scope_of,
    speaker_of,
    text_at,
    texts_at,
    within,
)
from gieok.interop.importers.files import moment_of_moments as moment_of
from gieok.interop.importers.records import Arrival, Known, LeftOut, Whose
from gieok.interop.importers.sillytavern import Shelf, arrivals, risu_entries

CHANNEL: Final = "risuai"
MOST_CHATS: Final = 10_000
_FILE_NAME: Final = re.compile(r"(?P<name>.+?)_(?:all_chats_)?\d{4}-\d{2}-\d{2}T[\w\-]*(?:_chat)?")
_IMPORTANT: Final = 0.8


def read_risu(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Read a chat or all chats of a character. The file names neither the user nor, but for its own name, them."""
    export = record_of(json_file(path))
    named_so = _FILE_NAME.fullmatch(path.stem)
    scope = scope_of(
        user=named("user", whose.user, "--user"),
        character=named("character", whose.character or (named_so and named_so["name"]), "--character"),
        world=whose.world,
    )
    for place, chat in _chats(export):
        yield from _chat(chat, place, scope, whose.zone)


def _chats(export: Record) -> Iterator[tuple[str, Record]]:
    match export.get("type"):
        case "risuChat":
            yield "", record_of(export.get("data"), "data")
        case "risuAllChats":
            chats = export.get("data")
            if not isinstance(chats, list) or len(chats) > MOST_CHATS:
                raise InvalidImport(f"is no list of at most {MOST_CHATS:,} chats", where="data")
            for number, chat in enumerate(chats, start=1):
                yield f"chat {number}", record_of(chat, f"chat {number}")
        case _:
            raise InvalidImport("it is no chat of RisuAI: its type is neither risuChat nor risuAllChats")


def _chat(chat: Record, place: str, scope: Scope, zone: tzinfo) -> Iterator[Arrival]:
    where = place or None
    if "message" not in chat:
        raise InvalidImport("has no messages", where=where or "data")
    name = text_at(chat, "name", where)
    own = text_at(chat, "id", where) or digest(name, place)
    messages: list[Message] = []
    times: dict[str, datetime | None] = {}
    for found in _messages(chat, where, scope, times, zone):
        if isinstance(found, Message):
            messages.append(found)
        else:
            yield found
    yield from exchanges(messages, scope=scope, chat=own[:100], session=(name or own)[:200], channel=CHANNEL)
    if text_at(chat, "note", where):
        yield LeftOut(where=within(where, "note"), why="it is an instruction to a model")
    shelf = Shelf(scope=scope, character=scope.character or "")
    yield from arrivals(risu_entries(chat.get("localLore"), within(where, "localLore")), shelf)
    yield from _summaries(chat, where, scope, times)


def _messages(
    chat: Record, where: str | None, scope: Scope, times: dict[str, datetime | None], zone: tzinfo
) -> Iterator[Message | LeftOut]:
    numbered = list(records_at(chat, "message", where))
    hidden_until = max((number for number, record in numbered if record.get("disabled") == "allBefore"), default=0)
    speakers = Counter(record["saying"] for _, record in numbered if isinstance(record.get("saying"), str))
    usual = speakers.most_common(1)[0][0] if len(speakers) > 1 else None
    for number, record in numbered:
        place = within(where, f"message {number}")
        why_not = _why_not(record, hidden_until >= number, usual)
        if record.get("role") not in ("user", "char"):
            raise InvalidImport("was said by neither user nor char", where=place)
        try:
            at = moment_of(record.get("time"), zone)
        except ValueError as cause:
            raise InvalidImport(f"its time, {cause}", where=place) from cause
        if isinstance(record.get("chatId"), str):
            times[record["chatId"]] = at
        text = filled_in(text_at(record, "data", place), user=scope.user, character=scope.character or "")
        if why_not is not None or not text:
            yield LeftOut(where=place, why=why_not or "it says nothing")
            continue
        name = text_at(record, "name", place)
        other = record.get("otherUser") is True
        yield Message(
            where=place,
            number=number,
            text=text,
            at=at,
            by_user=record["role"] == "user" and not other,
            name=speaker_of(name or "other user", place) if other or (name and usual is not None) else None,
        )


def _why_not(record: Record, hidden: bool, usual: object) -> str | None:
    if hidden or record.get("disabled") is True:
        return "it was hidden from the model"
    if record.get("isComment") is True:
        return "it is a comment"
    another = usual is not None and record.get("role") == "char" and record.get("saying") not in (None, usual)
    return "another of a group said it, whom the file does not name" if another and not record.get("name") else None


def _summaries(
    chat: Record, where: str | None, scope: Scope, times: Mapping[str, datetime | None]
) -> Iterator[Arrival]:
    """Yield what its memory holds: of several generations the latest that has anything."""
    for field, part in (("hypaV3Data", "summaries"), ("hypaV2Data", "mainChunks")):
        data = chat.get(field)
        if data is None:
            continue
        place = within(where, field)
        found = list(records_at(record_of(data, place), part, place))
        categories = _categories(record_of(data, place), place)
        for number, summary in found:
            yield from _summary(summary, within(place, f"{part} {number}"), scope, times, categories)
        if found:
            return
    yield from _supa(text_at(chat, "supaMemoryData", where), within(where, "supaMemoryData"), scope)


def _summary(
    summary: Record,
    where: str,
    scope: Scope,
    times: Mapping[str, datetime | None],
    categories: Mapping[str, str],
) -> Iterator[Arrival]:
    text = text_at(summary, "text", where)
    if not text:
        yield LeftOut(where=where, why="it says nothing")
        return
    told = [at for memo in texts_at(summary, "chatMemos", where) if (at := times.get(memo)) is not None]
    important = summary.get("isImportant") is True
    category = categories.get(text_at(summary, "categoryId", where))
    tags = [*texts_at(summary, "tags", where), *([category] if category else [])]
    yield from _known(text, where, scope, at=max(told, default=None), important=important, tags=tags)


def _categories(data: Record, where: str) -> dict[str, str]:
    return {
        text_at(category, "id", where): text_at(category, "name", where)
        for _, category in records_at(data, "categories", where)
    }


def _supa(text: str, where: str, scope: Scope) -> Iterator[Arrival]:
    """Yield the one summary of SupaMemory, which stands below the id of the message it reaches to."""
    last, _, summary = text.partition("\n")
    if last.startswith("hypa:"):
        yield LeftOut(where=where, why="it is the memory of an old RisuAI; save the chat with a newer one first")
    elif summary.strip():
        yield from _known(summary.strip(), where, scope, at=None, important=False, tags=())


def _known(
    text: str, where: str, scope: Scope, *, at: datetime | None, important: bool, tags: Sequence[Any]
) -> Iterator[Known]:
    content = filled_in(text, user=scope.user, character=scope.character or "") or text
    for piece in pieces(content):
        yield Known(
            scope=scope,
            origin=f"summary/{digest(piece)}",
            where=where,
            content=piece,
            type="summary",
            importance=_IMPORTANT if important else None,
            at=at,
            tags=tuple(tag[:100] for tag in tags if tag)[:32],
            pinned=important,
        )
