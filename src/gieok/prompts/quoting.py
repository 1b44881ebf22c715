r"""Memories and what people said, as data in a prompt.

Everything that users or characters wrote is JSON inside one section, `<data>` to `</data>`, which it cannot leave:
line ends are written `\n`, and whatever looks like a mark of the section or of a chat format is written with an
escape that a JSON reader undoes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NewType

from gieok.prompts.plain_text import seen

Language = Literal["ko", "en"]
Data = NewType("Data", str)  # text that may stand in a prompt as it is

_LONGEST: Final = 4_000  #: characters of one quoted text
_LONGEST_NAME: Final = 60
_MARK: Final = re.compile(r"[<＜](?=[|｜<＜!]|[^\W\d_]|\s*(?:/|(?i:data)))|\[(?=\s*/?\s*[A-Z_]{3,}\s*\])")
_ALIAS: Final = re.compile(r"\W*m?([0-9]{1,4})\W*", re.IGNORECASE)
_NOTHING: Final = Data("-")
_WEEKDAYS: Final[Mapping[Language, Sequence[str]]] = {
    "ko": tuple("월화수목금토일"),
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A memory to be quoted."""

    id: str
    text: str
    day: date | None = None  #: when it happened or was said
    about: str = ""  #: whom or what it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one speaker said."""

    speaker: str  #: as it is shown: a name
    text: str


def quoted(text: str, *, most: int = _LONGEST) -> Data:
    """Return `text` as a JSON string that no mark can be read in."""
    return _encoded(_short(text, most))


def named(name: str) -> Data:
    return quoted(" ".join(seen(name).split()), most=_LONGEST_NAME)


def dated(day: date, language: Language) -> Data:
    return _encoded(f"{day.isoformat()} ({_WEEKDAYS[language][day.weekday()]})")


def said(lines: Sequence[Line]) -> Data:
    """Return one JSON object a line, in the order of the talk; "-" for none."""
    rows = [{"speaker": _short(line.speaker, _LONGEST_NAME), "text": _short(line.text, _LONGEST)} for line in lines]
    return _rows(rows)


def remembered(memories: Sequence[Quoted]) -> Data:
    """Return one JSON object a memory, named m1, m2, … in their order; "-" for none."""
    return _rows([_row(f"m{number}", memory) for number, memory in enumerate(memories, start=1)])


def aliases(memories: Sequence[Quoted]) -> tuple[str, ...]:
    return tuple(f"m{number}" for number in range(1, len(memories) + 1))


def cited(listed: object, memories: Sequence[Quoted]) -> tuple[str, ...]:
    """Return the ids of the memories that a model names, each once; aliases that it made up are left out."""
    found = (named_by(alias, memories) for alias in (listed if isinstance(listed, list) else [listed]))
    return tuple(dict.fromkeys(id for id in found if id is not None))


def named_by(alias: object, memories: Sequence[Quoted]) -> str | None:
    """Return the id of the memory that a model calls `alias`, or None if there is none."""
    match = _ALIAS.fullmatch(alias[:20]) if isinstance(alias, str) else None
    number = int(match[1]) if match else 0
    return memories[number - 1].id if 0 < number <= len(memories) else None


def _row(alias: str, memory: Quoted) -> dict[str, str]:
    row = {"id": alias}
    if memory.day is not None:
        row["day"] = memory.day.isoformat()
    if memory.about:
        row["about"] = _short(memory.about, _LONGEST_NAME)
    row["text"] = _short(memory.text, _LONGEST)
    return row


def _rows(rows: Sequence[Mapping[str, str]]) -> Data:
    return Data("\n".join(_encoded(row) for row in rows)) or _NOTHING


def _short(text: str, most: int) -> str:
    text = seen(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _encoded(value: str | Mapping[str, str]) -> Data:
    written = json.dumps(value, ensure_ascii=False)
    return Data(_MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", written))
