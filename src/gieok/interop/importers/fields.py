"""Typed access to the fields of foreign records, and text conventions of chats and cards."""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from math import isfinite
from typing import Any, Final

from gieok.domain.json_text import kept
from gieok.domain.record import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_speaker
from gieok.errors import ErrorText, InvalidImport, InvalidInput, InvalidScope, InvalidText
from gieok.interop.importers.records import Whose

MOST_TAGS: Final = 32
LONGEST_TAG: Final = 100
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (0.0, 1.0))  #: minimum value, units per second
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_MONTHS: Final = "january february march april may june july august september october november december".split()
_DATES: Final = (
    re.compile(  # 2023-6-19 @14h 20m 30s 123ms
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2}) ?@ ?"
        r"(?P<hour>\d{1,2})h ?(?P<minute>\d{1,2})m ?(?P<second>\d{1,2})s(?: ?(?P<millisecond>\d{1,3})ms)?"
    ),
    re.compile(  # June 19, 2023 2:20pm
        r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2}), (?P<year>\d{4}),? "
        r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) ?(?P<half>am|pm)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<year>\d{4})년 (?P<month>\d{1,2})월 (?P<day>\d{1,2})일 "
        r"(?P<half>오전|오후) (?P<hour>\d{1,2}):(?P<minute>\d{2})"
    ),
)
_PARAGRAPHS: Final = re.compile(r"\n[ \t]*\n")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。…])\s+|\n")
_NAMES: Final = re.compile(r"\{\{\s*(user|char|bot)\s*\}\}|<(user|char|bot)>", re.IGNORECASE)
_COMMENTS: Final = re.compile(r"\{\{\s*(?://|comment:|hidden_key:)[^{}]{0,2000}\}\}", re.IGNORECASE)
_HANGUL: Final = re.compile(r"[가-힣]")


class Row:
    """The fields of one record and its place in the file. If several names are given, the first non-empty one is used.

    Every method raises `InvalidImport` with the place for a value of the wrong type.
    """

    __slots__ = ("fields", "where")

    def __init__(self, fields: Any, where: str = "") -> None:
        self.where = where
        if not isinstance(fields, Mapping):
            raise self.error(ErrorText("import.not_object", fields=shown(fields)))
        self.fields: Mapping[str, Any] = fields

    def error(self, flaw: str) -> InvalidImport:
        return InvalidImport(flaw, where=self.where or None)

    def within(self, place: str) -> str:
        """Return the place of a part of this record."""
        return f"{self.where}, {place}" if self.where else place

    def get(self, *names: str) -> Any:
        values = [self.fields.get(name) for name in names]
        return next((value for value in values if value), values[-1])

    def row(self, name: str) -> Row:
        """Return the object in a field."""
        return Row(self.fields.get(name), self.within(name))

    def rows(self, name: str) -> Iterator[Row]:
        """Yield the objects of a list, numbered from 1."""
        parts = self.fields.get(name)
        if parts is not None and not isinstance(parts, list):
            raise self._wrong(name, parts, ErrorText("import.not_list"))
        for number, part in enumerate(parts or (), start=1):
            yield Row(part, self.within(f"{name} {number}"))

    def text(self, *names: str) -> str:
        """Return a stripped text; "" if there is none."""
        return self._text(self.get(*names), names[0])

    def name(self, *names: str) -> str | None:
        return self.text(*names) or None

    def texts(self, name: str) -> list[str]:
        """Return the texts of a list, or of a comma-separated text."""
        value = self.fields.get(name)
        parts = value.split(",") if isinstance(value, str) else [] if value is None else value
        if not isinstance(parts, list):
            raise self._wrong(name, value, ErrorText("import.not_texts"))
        return [text for part in parts if (text := self._text(part, name))]

    def choice(self, name: str, choices: Sequence[str]) -> str | None:
        value = self.name(name)
        if value is not None and value not in choices:
            raise self._wrong(name, value, ErrorText("import.none_of", known=", ".join(choices)))
        return value

    def items(self, name: str) -> list[Any]:
        """Return a list, a list as JSON text, or a comma-separated text."""
        value = self.fields.get(name)
        if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
            value = self.json(name)
        if value is None or value == "":
            return []
        if isinstance(value, str):
            return [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, list | Mapping):
            raise self._wrong(name, value, ErrorText("import.not_list"))
        return [value] if isinstance(value, Mapping) else value

    def words(self, *names: str) -> tuple[str, ...]:
        """Return the words of lists without duplicates."""
        return unique(self._text(part, name) for name in names for part in self.items(name))

    def json(self, name: str) -> Any:
        """Return the parsed JSON of a text field."""
        try:
            value = json.loads(self.fields[name])
        except (ValueError, RecursionError) as cause:
            raise self._wrong(name, self.fields[name], ErrorText("import.not_json")) from cause
        check_storable(value, self.where)
        return value

    def number(self, *names: str, default: float = 0.0) -> float:
        value = self.get(*names)
        if value is None or value == "":
            return default
        try:
            if isfinite(number := float(value)):
                return number
        except (TypeError, ValueError, OverflowError) as cause:
            raise self._wrong(names[0], value, ErrorText("import.not_number")) from cause
        raise self._wrong(names[0], value, ErrorText("import.not_number"))

    def count(self, *names: str) -> int:
        return max(int(self.number(*names)), 0)

    def share(self, *names: str, default: float = 0.0, top: int = 1) -> float:
        """Return a number on a scale up to `top` as 0–1."""
        number = self.number(*names, default=default) / top
        if not 0 <= number <= 1:
            raise self._wrong(names[0], self.get(*names), ErrorText("import.not_between", top=top))
        return number

    def importance(self, top: int = 1) -> float | None:
        """Return the importance on a scale up to `top` as 0–1; None: there is none."""
        return None if self.fields.get("importance") in (None, "") else self.share("importance", top=top)

    def moment(self, *names: str, zone: tzinfo | None = None) -> datetime | None:
        return moment_of(self.get(*names), self.where, zone)

    def vector(self, *names: str) -> tuple[float, ...] | None:
        """Return a vector from numbers, JSON or 32-bit floats; None: there is none."""
        value = self.get(*names)
        if not value:
            return None
        if isinstance(value, bytes):
            vector = tuple(array("f", value)) if len(value) % 4 == 0 else ()
        else:
            parts = Row({"a vector": value}, self.where).items("a vector")
            vector = tuple(Row({"a vector": part}, self.where).number("a vector") for part in parts)
        return vector if vector and all(map(isfinite, vector)) else None

    def _text(self, value: Any, name: str) -> str:
        if value is None:
            return ""
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            raise self._wrong(name, value, ErrorText("import.not_text"))
        return str(value).strip()

    def _wrong(self, name: str, value: Any, flaw: ErrorText) -> InvalidImport:
        return self.error(ErrorText("import.field", name=name, value=shown(value), flaw=flaw))


def check_storable(value: Any, where: str) -> None:
    """Raise `InvalidImport` if a store cannot hold `value`."""
    try:
        kept(value)
    except ValueError as cause:
        raise InvalidImport(str(cause), where=where or None) from cause


def unique(words: Iterable[str | None]) -> tuple[str, ...]:
    """Return the words without duplicates and empty ones."""
    return tuple(dict.fromkeys(word for word in words if word))


def importance_scale(rows: Iterable[Row]) -> int:
    """Return the maximum of the importance scale: 1, or 10 if any value is above 1."""
    values = (row.fields.get("importance") for row in rows)
    return 10 if any(isinstance(value, int | float) and value > 1 for value in values) else 1


def moment_of(value: Any, where: str, zone: tzinfo | None = None) -> datetime | None:
    """Return a time from ISO 8601, a chat format, or (milli-, micro-, nano-)seconds since 1970; None: there is none.

    Without a time zone it is UTC. For chats, `zone` is used instead, and 0 means no time.
    """
    if value is None or value == "" or (zone is not None and value == 0 and value is not False):
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, str) and not (_NUMBER.fullmatch(value.strip()) and (zone is None or len(value) > 8)):
            moment = _parsed_date(value.strip())
        else:
            number = float(value)
            moment = _EPOCH + timedelta(seconds=number / next(parts for least, parts in _UNITS if abs(number) >= least))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone or UTC)
        return moment if zone is None else checked_moment(moment)
    except (ValueError, TypeError, OverflowError, StopIteration, InvalidInput) as cause:
        raise InvalidImport(ErrorText("import.moment", value=shown(value)), where=where or None) from cause


def _parsed_date(text: str) -> datetime:
    match = next((match for pattern in _DATES if (match := pattern.fullmatch(text))), None)
    if match is None:
        return datetime.fromisoformat(text)
    parts = match.groupdict()
    hour, month = int(parts["hour"]), parts["month"].lower()
    if half := parts.get("half"):
        hour = hour % 12 + (12 if half.lower() in ("pm", "오후") else 0)
    if not month.isdigit():
        month = next((number for number, name in enumerate(_MONTHS, start=1) if name.startswith(month)), 0)
    return datetime(  # noqa: DTZ001  # the caller knows the zone
        int(parts["year"]), int(month), int(parts["day"]), hour, int(parts["minute"]),
        int(parts.get("second") or 0), int(parts.get("millisecond") or 0) * 1000,
    )  # fmt: skip


def scope_of(
    where: str, whose: Whose, *, user: str | None = None, character: str | None = None, world: str | None = None
) -> Scope:
    """Return the scope that a record names; missing names come from `whose`."""
    names = {"user": user or whose.user, "character": character or whose.character, "world": world or whose.world}
    if not any(names.values()):
        flaw = "nothing says whose it is; name it with --user, --character or --world"
        raise InvalidImport(flaw, where=where or None)
    try:
        return Scope(**{name: value or None for name, value in names.items()})
    except InvalidScope as cause:
        raise InvalidImport(ErrorText("import.names", cause=cause), where=where or None) from cause


def speaker_of(name: str, where: str) -> str:
    try:
        return checked_speaker(name)
    except InvalidText as cause:
        raise InvalidImport(str(cause), where=where or None) from cause


def required(what: str, name: str | None) -> str:
    """Return a required name that files may lack; raises `InvalidImport`, which names the option, if it is missing."""
    if not name:
        raise InvalidImport(ErrorText("import.who", what=what))
    return name


def digest(*parts: str | None) -> str:
    return hashlib.sha256("\x00".join(part or "" for part in parts).encode()).hexdigest()[:12]


def fill_names(text: str, *, user: str | None, character: str) -> str:
    """Return `text` with {{user}} and {{char}} replaced and comments removed; without `user`, with a generic word."""
    anybody = user or ("사용자" if _HANGUL.search(text) else "the user")

    def name(match: re.Match[str]) -> str:
        return anybody if (match[1] or match[2]).lower() == "user" else character

    return _NAMES.sub(name, _COMMENTS.sub("", text)).strip()


def pieces(text: str, most: int = LONGEST_UTTERANCE) -> list[str]:
    """Split a text into parts of at most `most` characters, at paragraph or sentence ends if possible."""
    if len(text) <= most:
        return [text]
    found: list[str] = []
    for part in _parts(text, most):
        if found and len(found[-1]) + len(part) + 2 <= most:
            found[-1] += f"\n\n{part}"
        else:
            found.append(part)
    return found


def _parts(text: str, most: int) -> Iterator[str]:
    for paragraph in _PARAGRAPHS.split(text):
        sentences = [paragraph] if len(paragraph) <= most else _SENTENCE_END.split(paragraph)
        for sentence in sentences:
            for start in range(0, len(sentence), most):
                if part := sentence[start : start + most].strip():
                    yield part
