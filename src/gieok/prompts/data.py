r"""Memories and utterances as data in a prompt.

Text by users or characters is JSON inside one section, `<data>` to `</data>`, which it cannot leave: line breaks are
written `\n`, and anything that resembles a tag of the section or of a chat format is written as a JSON escape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NewType

from gieok.domain.answer import Message, Task

_LINE_ENDS: Final = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
#: invisible characters, for a regular expression's character class
UNSEEN: Final = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
)
_UNSEEN: Final = re.compile(f"[{UNSEEN}]")
_SENTENCE_END: Final = re.compile(r"[.!?。…](?=[\s\"'”’)\]]|$)|\n")
_SLOT: Final = re.compile(r"\{\{([a-z_]+)\}\}")
Language = Literal["ko", "en"]
Data = NewType("Data", str)  # text that may be inserted into a prompt as it is
_LONGEST: Final = 4_000  #: characters of one quoted text
_LONGEST_NAME: Final = 60
_MARK: Final = re.compile(
    r"[<＜](?=[|｜<＜!_]|[^\W\d_]|\s*(?:/|(?i:data)))|\[(?=\||e~\[|\s*/?\s*[a-z]?[A-Z][A-Z0-9_]{2,40}\s*\])|"
    r"\](?=~!?b[\[\]])"
)
_ALIAS: Final = re.compile(r"\W*m?([0-9]{1,4})\W*", re.IGNORECASE)
_NOTHING: Final = Data("-")
_WEEKDAYS: Final[Mapping[Language, Sequence[str]]] = {
    "ko": tuple("월화수목금토일"),
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
}


def seen(text: str) -> str:
    """Return `text` without invisible characters."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text)).strip()


def cut(text: str, most: int) -> str:
    """Return at most `most` characters of `text`: whole sentences if one ends there, else with "…"."""
    if len(text) <= most:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text[:most])]
    return text[: ends[-1]].rstrip() if ends else text[: most - 1].rstrip() + "…"


@cache
def document(task: Task, language: Language) -> str:
    return files(__package__).joinpath(f"{task}.{language}.md").read_text(encoding="utf-8")


def slots(text: str) -> frozenset[str]:
    return frozenset(_SLOT.findall(text))


def rendered(task: Task, language: Language, **data: Data) -> tuple[Message, ...]:
    """Return the document of `task` with its slots filled by `data`; the names must match exactly."""
    text = document(task, language)
    if slots(text) != data.keys():
        raise KeyError(f"{task}.{language}.md has the slots {sorted(slots(text))}, not {sorted(data)}")
    told, given = text.split("\n---\n")
    return (Message(role="system", content=_filled(told, data)), Message(role="user", content=_filled(given, data)))


def _filled(text: str, data: dict[str, Data]) -> str:
    return _SLOT.sub(lambda slot: data[slot[1]], text).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A memory to quote."""

    id: str
    text: str
    day: date | None = None  #: when it happened or was said
    about: str = ""  #: its subject or topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One utterance."""

    speaker: str  #: the displayed name
    text: str


def quoted(text: str, *, most: int = _LONGEST) -> Data:
    """Return `text` as a JSON string that cannot contain a tag."""
    return _encoded(_short(text, most))


def named(name: str) -> Data:
    return quoted(" ".join(seen(name).split()), most=_LONGEST_NAME)


def dated(day: date, language: Language) -> Data:
    return _encoded(f"{day.isoformat()} ({_WEEKDAYS[language][day.weekday()]})")


def said(lines: Sequence[Line]) -> Data:
    """Return one JSON object per line of the conversation; "-" if there are none."""
    rows = [{"speaker": _short(line.speaker, _LONGEST_NAME), "text": _short(line.text, _LONGEST)} for line in lines]
    return _rows(rows)


def table(rows: Sequence[Sequence[str | int]]) -> Data:
    """Return one JSON list per row, texts shortened; "-" if there are none."""
    shown = ([_short(each, _LONGEST) if isinstance(each, str) else each for each in row] for row in rows)
    return Data("\n".join(map(_encoded, shown))) or _NOTHING


def remembered(memories: Sequence[Quoted]) -> Data:
    """Return one JSON object per memory, numbered m1, m2, …; "-" if there are none."""
    rows = []
    for alias, memory in zip(aliases(memories), memories, strict=True):
        row = {"id": alias}
        if memory.day is not None:
            row["day"] = memory.day.isoformat()
        if memory.about:
            row["about"] = _short(memory.about, _LONGEST_NAME)
        rows.append(row | {"text": _short(memory.text, _LONGEST)})
    return _rows(rows)


def aliases(memories: Sequence[Quoted]) -> tuple[str, ...]:
    return tuple(f"m{number}" for number in range(1, len(memories) + 1))


def cited(listed: object, memories: Sequence[Quoted]) -> tuple[str, ...]:
    """Return the ids of the memories that a model cites, each once; invented aliases are dropped."""
    found = (named_by(alias, memories) for alias in (listed if isinstance(listed, list) else [listed]))
    return tuple(dict.fromkeys(id for id in found if id is not None))


def named_by(alias: object, memories: Sequence[Quoted]) -> str | None:
    """Return the id of the memory with `alias`; None: there is none."""
    match = _ALIAS.fullmatch(alias[:20]) if isinstance(alias, str) else None
    number = int(match[1]) if match else 0
    return memories[number - 1].id if 0 < number <= len(memories) else None


def _rows(rows: Sequence[Mapping[str, str]]) -> Data:
    return Data("\n".join(_encoded(row) for row in rows)) or _NOTHING


def _short(text: str, most: int) -> str:
    text = seen(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _encoded(value: str | Mapping[str, str] | Sequence[str | int]) -> Data:
    written = json.dumps(value, ensure_ascii=False)
    return Data(_MARK.sub(lambda mark: f"\\u{ord(mark[0]):04x}", written))
