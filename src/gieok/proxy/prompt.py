"""Where memory stands in the prompt of a model.

What seldom changes stands in the first system message. What belongs to a turn stands before the words of its user
message, inside of it, and stands there again as long as the client shows that message: models do not read again what
begins as the last prompt did. No message is put between those of the client, as strict chat templates would refuse it.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from gieok.domain.answer import Block, Context, Item
from gieok.domain.memory import Memory
from gieok.proxy.lines import LEADING
from gieok.settings import MemoryPlace
from gieok.words import Language

_CLOSING: Final = re.compile(r"</(?=\s*memory)", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_LATIN: Final = re.compile(r"[A-Za-z]")
_HANGUL: Final = re.compile(r"[가-힣]")
_SESSIONS: Final = 200  #: that are cached
_SUMMARY: Final = "summary"  #: how a context names the summary


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a context, or several that belong together."""

    text: str
    ids: tuple[str, ...] = ()  #: of the items that it tells of


Part = tuple[str, Sequence[Line]]  #: a heading, and lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is told of memory for one turn."""

    preface: str = ""
    stable: tuple[Part, ...] = ()  #: what seldom changes
    parts: tuple[Part, ...] = ()  #: the rest

    @property
    def text(self) -> str:
        """All of it; empty if nothing is told."""
        told = _written((*self.stable, *self.parts))
        return f"{self.preface}\n\n{told}" if told and self.preface else told


def told_by(context: Context) -> Told:
    """Return what `context` says."""
    preface = ""
    stable: list[Part] = []
    parts: list[Part] = []
    for block in context.blocks:
        heading, lines = _lines(block)
        if block.name == "preface":
            preface = block.text
        elif block.name == "pinned" or (block.name == "summary" and not block.shortened):
            stable.append((heading, lines))
        elif block.text and block.name != "message":
            parts.append((heading, lines))
    return Told(preface=preface, stable=tuple(stable), parts=tuple(parts))


def _lines(block: Block) -> tuple[str, list[Line]]:
    """Return the heading and the lines of a block, each with its items, where a block has a line for each."""
    heading, *lines = block.text.split("\n")
    if len(lines) == len(block.items):
        return heading, [Line(line, (id,)) for line, id in zip(lines, block.items, strict=True)]
    if block.items:
        return heading, [Line("\n".join(lines), block.items)]
    return heading, [Line(line) for line in lines]


def _written(parts: Iterable[Part]) -> str:
    told = ((heading, *(line.text for line in lines)) for heading, lines in parts if lines)
    return "\n\n".join("\n".join(filter(None, each)) for each in told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """What is added to the messages of one request."""

    stable: str = ""  #: to the first system message
    beside: Mapping[int, str] = field(default_factory=dict)  #: to user messages, by their numbers

    def __bool__(self) -> bool:
        return bool(self.stable or self.beside)


@dataclass(frozen=True, slots=True)
class _Written:
    """What was written somewhere in a prompt."""

    text: str
    lines: frozenset[str]
    tokens: int
    known: Mapping[str, object]  #: what each item that it tells of said then, and until when it was true


@dataclass(frozen=True, slots=True)
class _Session:
    """What was told in a session."""

    stable: _Written
    stage: int
    beside: Mapping[int, _Written]


_NOTHING: Final = _Written("", frozenset(), 0, {})
_NEW: Final = _Session(_NOTHING, -1, {})


class ToldBefore:
    """What was told in each session, and where: the next prompt begins with the same.

    Whoever asks holds the lock of the session.
    """

    def __init__(self, count: Callable[[str], int], place: MemoryPlace) -> None:
        self._count, self._place = count, place
        self._sessions: OrderedDict[Hashable, _Session] = OrderedDict()
        self._lock = Lock()

    def placement(
        self,
        session: Hashable,
        said: Sequence[Any],
        told: Told,
        *,
        stage: int,
        room: int,
        shown: Set[str],
        items: Callable[[Sequence[str]], Mapping[str, Item]],
        fence: str,
        anew: bool,
    ) -> Placement:
        """Return where `told` stands in the messages `said`.

        The stable part stays as it was until the session has reached another `stage`; what has come to it meanwhile
        stands beside the newest user message, unless the client shows what it was read from (`shown` are utterances).
        Lines that stand beside an earlier message are not repeated. `items` returns what may still be told: what tells
        of anything else, or of what has changed since, goes. If all of it takes more than `room` tokens, or with
        `anew`, nothing stands beside earlier messages.
        """
        keys = _keys(said)
        if self._place == "system" or not keys:
            return Placement(stable=told.text)
        newest = keys[max(keys)]
        with self._lock:
            before = self._sessions.get(session, _NEW)
        earlier = {key: before.beside[key] for key in keys.values() if key in before.beside}
        ids = [id for _, lines in (*told.stable, *told.parts) for line in lines for id in line.ids]
        ids += [id for each in (before.stable, *earlier.values()) for id in each.known]
        found = items([*dict.fromkeys(ids)])
        now = {
            id: (item.content, item.invalid_at) if isinstance(item, Memory) else item.text for id, item in found.items()
        }
        earlier = {} if anew else {key: each for key, each in earlier.items() if each.known.items() <= now.items()}
        holds = before.stage == stage and before.stable.known.items() <= now.items()
        stable = before.stable if holds else self._stable(told, fence, now)
        seen = {
            id for id, item in found.items() if isinstance(item, Memory) and item.sources and shown >= {*item.sources}
        }
        parts = self._beside(told, stable, seen)
        again = earlier.pop(newest, None)
        if again is None or _role(said[-1]) == "user":  # else tools were called meanwhile, say
            again = self._new(parts, earlier.values(), now)
        if earlier and stable.tokens + sum(each.tokens for each in earlier.values()) + again.tokens > room:
            earlier, again = {}, self._new(parts, (), now)
        beside = {**earlier, newest: again}
        self._put(session, _Session(stable, stage, beside))
        told_beside = {at: beside[key].text for at, key in keys.items() if key in beside}
        return Placement(stable=stable.text, beside={at: text for at, text in told_beside.items() if text})

    def _stable(self, told: Told, fence: str, now: Mapping[str, object]) -> _Written:
        text = _written(told.stable) if self._place == "merge" else ""
        if not text:
            return _NOTHING
        text = f"{told.preface} {fence}\n\n{text}"
        known = {id: now[id] for _, lines in told.stable for line in lines for id in line.ids if id in now}
        return _Written(text, frozenset(), self._count(text), known)

    def _beside(self, told: Told, stable: _Written, seen: Collection[str]) -> list[Part]:
        """Return what stands beside the newest user message, if nothing of it stands beside another."""
        if self._place != "merge":
            return [("", [Line(told.preface)]), *told.stable, *told.parts] if told.text else []
        known = {_SUMMARY, *stable.known}  # a summary tells what is known of the turns, and waits
        later = [(heading, [line for line in lines if not {*line.ids} <= known]) for heading, lines in told.stable]
        found = [
            (heading, [line for line in lines if not line.ids or {*line.ids} - {*seen}])
            for heading, lines in (*later, *told.parts)
        ]
        opening: list[Part] = [("", [Line(told.preface)])] if _written(found) and not stable.text else []
        return [*opening, *found]

    def _new(self, parts: Sequence[Part], earlier: Iterable[_Written], now: Mapping[str, object]) -> _Written:
        """Return what is new of `parts`."""
        heard = {line for each in earlier for line in each.lines}
        found = [(heading, [each for each in lines if _alike(each.text) not in heard]) for heading, lines in parts]
        new = [line for _, lines in found for line in lines]
        text = _written(found)
        known = {id: now[id] for line in new for id in line.ids if id in now}
        return _Written(text, frozenset(_alike(line.text) for line in new), self._count(text), known)

    def _put(self, session: Hashable, told: _Session) -> None:
        with self._lock:
            self._sessions[session] = told
            self._sessions.move_to_end(session)
            while len(self._sessions) > _SESSIONS:
                self._sessions.popitem(last=False)


def _alike(line: str) -> str:
    """Return what is compared: that two are at 7 instead of 6 is no news, but what is remembered is."""
    return line if line.startswith("- ") else _DIGITS.sub("0", line)


def _keys(said: Sequence[Any]) -> dict[int, int]:
    """Return what tells user messages apart, by their numbers: their content, and that of the message before."""
    keys: dict[int, int] = {}
    before = ""
    for at, message in enumerate(said):
        if isinstance(message, Mapping) and message.get("role") not in LEADING:
            content = str(message.get("content"))
            if message.get("role") == "user":
                keys[at] = hash((before, content))
            before = content
    return keys


def placed(messages: Sequence[Any], added: Placement) -> list[Any]:
    """Return `messages` with what is added; where no system message can hold it, with one more at the beginning."""
    said = list(messages)
    if not said:
        return said
    for at, text in added.beside.items():
        said[at] = _with_text(said[at], f"<memory>\n{_CLOSING.sub('‹/', text)}\n</memory>", before=True)
    if added.stable and _role(said[0]) in LEADING:
        said[0] = _with_text(said[0], added.stable, before=False)
    elif added.stable:
        said.insert(0, {"role": LEADING[0], "content": added.stable})
    return said


def _role(message: Any) -> Any:
    return message.get("role") if isinstance(message, Mapping) else None


def _with_text(message: Mapping[str, Any], text: str, *, before: bool) -> Mapping[str, Any]:
    """Return `message` with `text` before or after its own, which may be a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        part = {"type": "text", "text": text}
        return {**message, "content": [part, *content] if before else [*content, part]}
    own = content if isinstance(content, str) else ""
    return {**message, "content": "\n\n".join(filter(None, (text, own) if before else (own, text)))}


def talk_language(texts: Iterable[str], default: str) -> Language:
    """Return the language of a conversation; `default` where it has neither Hangul nor Latin letters."""
    whole = "\n".join(texts)
    korean, latin = len(_HANGUL.findall(whole)), len(_LATIN.findall(whole))
    if not korean and not latin:
        return "en" if default == "en" else "ko"
    return "ko" if korean * 3 >= latin else "en"  # a syllable is two or three letters
