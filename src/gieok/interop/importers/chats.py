"""Chats of SillyTavern and RisuAI."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import zip_longest
from pathlib import Path
from typing import Final

from gieok.domain.scope import Scope
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers.fields import Row, digest, fill_names, pieces, required, scope_of, speaker_of, unique
from gieok.interop.importers.files import json_file, json_lines
from gieok.interop.importers.lorebooks import Target, read_entries
from gieok.interop.importers.records import ImportedMemory, ImportedTurn, Item, Skipped, Whose

MOST_CHARACTERS: Final = 20  #: per group
MOST_CHATS: Final = 10_000  #: per folder or file
_EMPTY: Final = ErrorText("skip.empty")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a chat."""

    where: str
    number: int  #: index in the chat
    text: str
    at: datetime | None
    by_user: bool
    name: str | None = None  #: the speaker, if not the user; None: the character


def turns_of(
    messages: Iterable[Message], *, scope: Scope, chat: str, session: str, channel: str
) -> Iterator[ImportedTurn]:
    """Yield a chat from the view of `scope`'s character: its messages are replies, all others are said to it."""

    def turn(said: Message | None, reply: Message | None) -> Iterator[ImportedTurn]:
        first = said or reply
        assert first is not None, "a turn has one of the two"
        answered = reply.at if reply is not None else None
        texts = pieces(said.text) if said is not None else []
        replies = pieces(reply.text) if reply is not None else []
        ahead: list[str | None] = [None] * (len(texts) - 1 if texts and replies else 0)
        for part, (text, answer) in enumerate(zip_longest(texts, [*ahead, *replies]), start=1):
            yield ImportedTurn(
                scope=scope,
                origin=f"{chat}/{first.number}.{part}/{digest(text, answer)}",
                where=first.where,
                text=text,
                reply=answer,
                at=answered if text is None else first.at or answered,
                speaker=None if text is None or said is None or said.by_user else said.name,
                session=session,
                channel=channel,
            )

    pending: Message | None = None
    for message in messages:
        own = not message.by_user and message.name in (None, scope.character)
        if own or pending is not None:
            yield from turn(pending, message if own else None)
        pending = None if own else message
    if pending is not None:
        yield from turn(pending, None)


def read_chat(path: Path, whose: Whose) -> Iterator[Item]:
    """Read a chat of SillyTavern, or a folder of them."""
    if not path.is_dir():
        yield from _tavern_chat(path, "", whose)
        return
    files = sorted(path.glob("*.jsonl"))
    if not files or len(files) > MOST_CHATS:
        raise InvalidImport(ErrorText("import.many_chats", path=str(path), n=len(files), most_chats=MOST_CHATS))
    for file in files:
        yield from _tavern_chat(file, f"{file.name}, ", whose)


def _tavern_chat(path: Path, prefix: str, whose: Whose) -> Iterator[Item]:
    rows = json_lines(path, prefix=prefix)
    head = next(rows, Row({}, f"{prefix}line 1"))
    if "mes" in head.fields or not {"user_name", "character_name", "chat_metadata"} & head.fields.keys():
        raise head.error(ErrorText("import.sillytavern_head"))
    said: list[tuple[int, Row, str]] = []
    for number, row in enumerate(rows, start=1):
        if row.get("is_system") is True:
            yield Skipped(where=row.where, why=ErrorText("skip.hidden"))
        elif text := _chosen_text(row):
            said.append((number, row, text))
        else:
            yield Skipped(where=row.where, why=_EMPTY)
    if said:
        yield from _tavern_turns(said, head, path, prefix, whose)


def _tavern_turns(
    said: Sequence[tuple[int, Row, str]], head: Row, path: Path, prefix: str, whose: Whose
) -> Iterator[Item]:
    names = unique(row.text("name") for _, row, _ in said if not _by_user(row) and not _is_narrated(row))
    shown = _head_name(head, "user_name") or next((row.text("name") for _, row, _ in said if _by_user(row)), "")
    user = required("user", whose.user or shown)
    by_name = _head_name(head, "character_name")
    only = None
    if by_name or len(names) < 2:
        only = required("character", whose.character or by_name or next(iter(names), None))
    messages: list[Message] = []
    for number, row, text in said:
        at = None
        try:
            at = row.moment("send_date", zone=whose.zone)
        except InvalidImport:
            yield Skipped(where=row.where, why=ErrorText("skip.date", date=str(row.get("send_date"))[:40]))
        messages.append(_tavern_message(number, row, text, at, shown or user, only, names))
    for character in [only] if only is not None else _cast(names, whose):
        yield from turns_of(
            messages,
            scope=scope_of(prefix.rstrip(", "), Whose(user=user, character=character, world=whose.world)),
            chat=_tavern_id(head, path),
            session=path.stem[:200],
            channel="sillytavern",
        )


def _by_user(row: Row) -> bool:
    return row.get("is_user") is True


def _is_narrated(row: Row) -> bool:
    extra = row.get("extra")
    return isinstance(extra, dict) and extra.get("type") == "narrator"


def _chosen_text(row: Row) -> str:
    """Return the selected text among alternatives (swipes)."""
    swipes, chosen = row.get("swipes"), row.get("swipe_id")
    text = ""
    if isinstance(swipes, list) and isinstance(chosen, int) and 0 <= chosen < len(swipes):
        text = Row({f"swipe {chosen}": swipes[chosen]}, row.where).text(f"swipe {chosen}")
    return text or row.text("mes")


def _cast(names: Sequence[str], whose: Whose) -> list[str]:
    """Return the characters of a group who remember the chat: all, or the requested one."""
    if whose.character is not None and whose.character not in names:
        raise InvalidImport(ErrorText("import.no_character", character=whose.character, known=", ".join(names)[:200]))
    if whose.character is None and len(names) > MOST_CHARACTERS:
        raise InvalidImport(ErrorText("import.many_characters", n=len(names), most_characters=MOST_CHARACTERS))
    return [whose.character] if whose.character is not None else list(names)


def _tavern_message(
    number: int, row: Row, text: str, at: datetime | None, user: str, only: str | None, names: Sequence[str]
) -> Message:
    """Return a message with names filled in. With `only` one character, all non-narrated messages are theirs."""
    own = row.text("name")
    name = own if only is None else only
    if _is_narrated(row):
        name = own if own and own not in (only, *names) else "narrator"
    meant = own if not _by_user(row) and own else next(iter(names), user)
    return Message(
        where=row.where,
        number=number,
        text=fill_names(text, user=user, character=only or meant) or text,
        at=at,
        by_user=_by_user(row),
        name=None if _by_user(row) else speaker_of(name or "narrator", row.where),
    )


def _head_name(head: Row, field: str) -> str:
    name = head.text(field)
    return "" if name == "unused" else name


def _tavern_id(head: Row, path: Path) -> str:
    """Return an id of a chat that does not depend on its file name."""
    metadata = head.get("chat_metadata")
    integrity = metadata.get("integrity") if isinstance(metadata, dict) else None
    known = integrity or head.get("create_date")
    return str(known)[:100] if isinstance(known, str | int) else path.stem


_RISU_FILE: Final = re.compile(r"(?P<name>.+?)_(?:all_chats_)?\d{4}-\d{2}-\d{2}T[\w\-]*(?:_chat)?")
_IMPORTANT: Final = 0.8


def read_risu(path: Path, whose: Whose) -> Iterator[Item]:
    """Read a RisuAI chat, or all chats of a character, with its memory summaries (HypaV3 and older).

    The file does not name the user, and names the character only in its file name.
    """
    export = Row(json_file(path))
    named = _RISU_FILE.fullmatch(path.stem)
    user = required("user", whose.user)
    character = required("character", whose.character or (named and named["name"]))
    scope = scope_of("", Whose(user=user, character=character, world=whose.world))
    match export.get("type"):
        case "risuChat":
            yield from _risu_chat(Row(export.get("data"), "data"), "", scope, whose.zone)
        case "risuAllChats":
            chats = export.get("data")
            if not isinstance(chats, list) or len(chats) > MOST_CHATS:
                raise InvalidImport(ErrorText("import.chat_list", most_chats=MOST_CHATS), where="data")
            for number, chat in enumerate(chats, start=1):
                yield from _risu_chat(Row(chat, f"chat {number}"), f"chat {number}", scope, whose.zone)
        case _:
            raise InvalidImport(ErrorText("import.risuai"))


def _risu_chat(chat: Row, place: str, scope: Scope, zone: tzinfo) -> Iterator[Item]:
    if "message" not in chat.fields:
        raise chat.error(ErrorText("import.no_messages"))
    chat = Row(chat.fields, place)
    name = chat.text("name")
    own = chat.text("id") or digest(name, place)
    rows = list(chat.rows("message"))
    times = [row.moment("time", zone=zone) for row in rows]
    by_id = {row.get("chatId"): at for row, at in zip(rows, times, strict=True) if isinstance(row.get("chatId"), str)}
    messages: list[Message] = []
    hidden = max((number for number, row in enumerate(rows) if row.get("disabled") == "allBefore"), default=-1)
    speakers = Counter(row.get("saying") for row in rows if isinstance(row.get("saying"), str))
    usual = speakers.most_common(1)[0][0] if len(speakers) > 1 else None
    for number, (row, at) in enumerate(zip(rows, times, strict=True)):
        if row.get("role") not in ("user", "char"):
            raise row.error(ErrorText("import.risuai_role"))
        text = fill_names(row.text("data"), user=scope.user, character=scope.character or "")
        why = _why_risu_skipped(row, number <= hidden, usual) or (None if text else _EMPTY)
        if why is not None:
            yield Skipped(where=row.where, why=why)
            continue
        other, speaker = row.get("otherUser") is True, row.text("name")
        messages.append(
            Message(
                where=row.where,
                number=number + 1,
                text=text,
                at=at,
                by_user=row.get("role") == "user" and not other,
                name=speaker_of(speaker or "other user", row.where) if other or (speaker and usual) else None,
            )
        )
    yield from turns_of(messages, scope=scope, chat=own[:100], session=(name or own)[:200], channel="risuai")
    if chat.text("note"):
        yield Skipped(where=chat.within("note"), why=ErrorText("skip.instruction"))
    if (lore := chat.get("localLore")) is not None:
        yield from read_entries(lore, chat.within("localLore"), Target(scope=scope, character=scope.character or ""))
    yield from _risu_summaries(chat, scope, by_id)


def _why_risu_skipped(row: Row, hidden: bool, usual: object) -> str | None:
    if hidden or row.get("disabled") is True:
        return ErrorText("skip.hidden_from_model")
    if row.get("isComment") is True:
        return ErrorText("skip.comment")
    another = usual is not None and row.get("role") == "char" and row.get("saying") not in (None, usual)
    return ErrorText("skip.unnamed") if another and not row.get("name") else None


def _risu_summaries(chat: Row, scope: Scope, times: Mapping[str, datetime | None]) -> Iterator[Item]:
    """Yield the summaries of its newest memory format that has any."""
    for field, part in (("hypaV3Data", "summaries"), ("hypaV2Data", "mainChunks")):
        if chat.get(field) is None:
            continue
        data = chat.row(field)
        categories = {row.text("id"): row.text("name") for row in data.rows("categories")}
        summaries = list(data.rows(part))
        for row in summaries:
            told = [at for memo in row.texts("chatMemos") if (at := times.get(memo)) is not None]
            tags = (*row.texts("tags"), categories.get(row.text("categoryId")))
            important = row.get("isImportant") is True
            yield from _risu_summary(row.text("text"), row.where, scope, max(told, default=None), important, tags)
        if summaries:
            return
    last, _, summary = chat.text("supaMemoryData").partition("\n")  # the id of the last summarised message
    where = chat.within("supaMemoryData")
    if last.startswith("hypa:"):
        yield Skipped(where=where, why=ErrorText("skip.old_risuai"))
    elif summary.strip():
        yield from _risu_summary(summary.strip(), where, scope, None, False, ())


def _risu_summary(
    text: str, where: str, scope: Scope, at: datetime | None, important: bool, tags: Iterable[str | None]
) -> Iterator[Item]:
    if not text:
        yield Skipped(where=where, why=_EMPTY)
        return
    for piece in pieces(fill_names(text, user=scope.user, character=scope.character or "") or text):
        yield ImportedMemory(
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
