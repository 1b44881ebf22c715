"""Who says what in the messages of a client, and which requests are of the client's own.

Clients put names before lines (groups, several people), instructions into user messages, and some the whole
conversation into one message. They also ask for titles, tags and summaries: that is no conversation.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Final

LEADING: Final = ("system", "developer")
_THINKS: Final = "<think>"
_THOUGHT: Final = "</think>"
_PICTURES: Final = {"image_url": "[그림]", "input_audio": "[소리]", "file": "[파일]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one message says, or a part of it."""

    role: str  #: "user": to the character; "assistant": by the character; else a tool's
    text: str = ""
    speaker: str | None = None  #: who says it to the character, if not the user
    calls: bool = False  #: a tool is called


def message_text(message: Mapping[str, Any]) -> str:
    """Return the text of a message; a placeholder for pictures without text."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        refusal = message.get("refusal")
        return refusal if isinstance(refusal, str) else ""
    parts = [part for part in content if isinstance(part, Mapping)]
    texts = [text for part in parts if isinstance(text := part.get("text", part.get("refusal")), str)]
    if any(text.strip() for text in texts):  # clients drop pictures later on, so that the text alone counts
        return "\n".join(texts)
    return " ".join(_PICTURES[kind] for part in parts if (kind := part.get("type")) in _PICTURES)


def spoken_part(reply: str) -> str:
    """Return a reply without the model's thoughts, which some endpoints send along and clients leave out."""
    if _THOUGHT in reply:
        return reply.rpartition(_THOUGHT)[2]
    return "" if reply.lstrip().startswith(_THINKS) else reply


def _words(section: str) -> dict[str, str]:
    told = tomllib.loads(files(__package__).joinpath("clients.toml").read_text(encoding="utf-8"))
    return {name: "|".join(each) for name, each in told[section].items()}


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{words})(?![a-z])", re.IGNORECASE)


_TASK: Final = {name: _any_of(words) for name, words in _words("task").items() if name != "opening"}
_OPENING: Final = re.compile(_words("task")["opening"], re.IGNORECASE)
_INSTRUCTION: Final = re.compile(rf"\[\s*(?:{_words('bracket')['instruction']})\b[^\[\]]*\]", re.IGNORECASE)
_START: Final = re.compile(rf"\[\s*(?:{_words('bracket')['start']})[^\[\]]*\]", re.IGNORECASE)
_LABEL: Final = re.compile(_words("label")["words"], re.IGNORECASE)
_PARAGRAPHS: Final = re.compile(r"\n{2,}")
_NAMED: Final = re.compile(r"\s*(\w[^\n:：,!?。\"“”*<>\[\](){}]{0,39}?) ?[:：]\s+(?=\S)")
_MOST_WORDS: Final = 4  #: of a name
#: a document of the client before the user's words
_MATERIAL: Final = re.compile(r"\s*#{1,4} *task\b.*</context>", re.IGNORECASE | re.DOTALL)
_QUERY: Final = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)


def said_part(text: str) -> str:
    """Return what the user said of a user message: without instructions and documents that the client put there."""
    if (material := _MATERIAL.match(text)) is not None:
        text = text[material.end() :]
        query = _QUERY.search(text)
        text = query[1] if query else text
    if "[" not in text:
        return text
    return "\n\n".join(each for each in _PARAGRAPHS.split(text) if not _INSTRUCTION.fullmatch(each.strip()))


def lines_in(
    messages: Sequence[Any],
    *,
    character: str | None = None,
    user: str | None = None,
    replies: Callable[[], Collection[str]] = tuple,
) -> list[Line]:
    """Return the lines of a conversation with `character`, without instructions.

    `replies` returns the replies of the character that are known, with single spaces: no name stands before those.
    """
    told = [each for each in messages if isinstance(each, Mapping)]
    spoken = [each for each in told if each.get("role") not in LEADING]
    lines = [_line(each) for each in spoken]
    if character is None:
        return lines
    instructions = "\n".join(message_text(each) for each in told if each.get("role") in LEADING)
    cast = _Cast(character, user, instructions)
    if [line.role for line in lines] == ["user"] and (parts := cast.dialogue(message_text(spoken[0]))):
        return parts
    return cast.named(lines, replies, prescribed=bool(spoken) and messages[-1] is spoken[-1])


def _line(message: Mapping[str, Any]) -> Line:
    role, name = str(message.get("role")), message.get("name")
    if role not in ("user", "assistant"):
        return Line(role=role)
    text = message_text(message)
    return Line(
        role=role,
        text=said_part(text) if role == "user" else spoken_part(text),
        speaker=name if isinstance(name, str) and name.strip() else None,
        calls=bool(message.get("tool_calls") or message.get("function_call")),
    )


def _name_before(text: str) -> tuple[str | None, str]:
    """Return the name before a line, if there is one, and the line."""
    found = _NAMED.match(text)
    if found is None or len(found[1].split()) > _MOST_WORDS or _LABEL.fullmatch(found[1]):
        return None, text
    return found[1], text[found.end() :]


class _Cast:
    """Who speaks in a conversation with `character`."""

    def __init__(self, character: str, user: str | None, instructions: str) -> None:
        self._character, self._user, self._instructions = character, user, instructions

    def dialogue(self, text: str) -> list[Line]:
        """Return the lines of a conversation that is written into one message; nothing: it is none."""
        paragraphs = [each.strip() for each in _PARAGRAPHS.split(text) if each.strip()]
        start = max((at for at, each in enumerate(paragraphs) if _START.fullmatch(each)), default=None)
        spoken = [each for each in paragraphs[0 if start is None else start + 1 :] if not _INSTRUCTION.fullmatch(each)]
        named = [_name_before(each) for each in spoken]
        names = [name for name, _ in named if name is not None]
        others = [name for name in names if not self._is_own(name)]
        if start is not None and not others:
            return [Line(role="user", text="\n\n".join(spoken))]
        if not others or (start is None and len(others) == len(names) and (self._user not in names or len(spoken) < 2)):
            return []
        user = self._user if self._user in names else others[-1]
        before = "\n".join((self._instructions, *paragraphs[: 0 if start is None else start + 1]))
        lines: list[Line] = []
        for (name, words), whole in zip(named, spoken, strict=True):
            if name is not None and self._is_own(name):
                lines.append(Line(role="assistant", text=words))
            elif name is not None and (name == user or names.count(name) > 1 or name in before):
                lines.append(Line(role="user", text=words, speaker=None if name == user else name))
            elif lines:
                lines[-1] = replace(lines[-1], text=f"{lines[-1].text}\n\n{whole}")
        return lines

    def named(self, lines: Sequence[Line], replies: Callable[[], Collection[str]], *, prescribed: bool) -> list[Line]:
        """Return the lines with those who said them; names before the words are taken off.

        `prescribed`: the last line may be the beginning of a reply.
        """
        by_character = [line for line in lines if line.role == "assistant" and line.text.strip() and not line.calls]
        asked = [line for line in by_character if line.speaker is None]
        if prescribed and asked and lines[-1] is asked[-1] and _name_before(asked[-1].text)[0] is None:
            asked.pop()
        before = [_name_before(line.text)[0] for line in asked]
        named_before = bool(before) and all(before)
        if named_before:
            known = replies()
            named_before = not any(" ".join(line.text.split()) in known for line in asked)
        names = {name for name in before if name is not None} if named_before else set()
        names |= {line.speaker for line in by_character if line.speaker is not None}
        others = {name for name in names if self._is_other(name, names)}
        users = self._users(lines, in_group=named_before)
        found: list[Line] = []
        for line in lines:
            if line.role == "assistant" and line.text.strip():
                found += self._parts(line, others, split=named_before)
            elif line.role == "user":
                name, words = (line.speaker, line.text) if line.speaker else _name_before(line.text)
                mine = name is None or name not in users
                found.append(
                    replace(line, text=line.text if mine else words, speaker=None if mine else users.get(name or ""))
                )
            else:
                found.append(replace(line, speaker=None))
        return found

    def _parts(self, line: Line, others: Collection[str], *, split: bool) -> Iterator[Line]:
        """Yield what each said of a line; clients join the lines of several characters."""
        if line.speaker is not None or not split:
            other = line.speaker in others
            yield replace(line, role="user" if other else "assistant", speaker=line.speaker if other else None)
            return
        parts: list[Line] = []
        for paragraph in _PARAGRAPHS.split(line.text):
            name, words = _name_before(paragraph)
            if parts and (name is None or not (name in others or self._is_own(name))):
                parts[-1] = replace(parts[-1], text=f"{parts[-1].text}\n\n{paragraph}")
            elif name in others:
                parts.append(Line(role="user", text=words, speaker=name))
            else:
                parts.append(replace(line, text=paragraph if name is None else words))
        yield from parts

    def _users(self, lines: Sequence[Line], *, in_group: bool) -> dict[str, str | None]:
        """Return the names of those who speak to the character, each with the speaker that it means; None: the user."""
        said = [line for line in lines if line.role == "user" and line.text.strip()]
        before = [_name_before(line.text)[0] for line in said if line.speaker is None]
        names = {name for name in before if name is not None and (name == self._user or (in_group and all(before)))}
        names |= {line.speaker for line in said if line.speaker is not None}
        several = len(names) > 1
        return {name: name if several and name != self._user else None for name in names}

    def _is_own(self, name: str) -> bool:
        """Whether `name` is the character's; some clients write `_` for each letter that is not Latin."""
        own, spelt = self._character.casefold(), name.casefold().strip()
        return spelt == own or spelt == re.sub(r"[^a-z0-9_]", "_", own) or not spelt.strip("_")

    def _is_other(self, name: str, names: Collection[str]) -> bool:
        """Whether `name` is somebody else's. The one name of a chat may be the character's, spelt in another script."""
        if self._is_own(name):
            return False
        spelt = any(map(self._is_own, names)) or self._character in self._instructions
        return spelt or len(names) > 1 or name.isascii() == self._character.isascii()


_HEAD: Final = 700  #: characters of a request in which it says what it wants
_SENTENCES: Final = 6
_END: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_HEADING: Final = re.compile(
    r"^#{1,4} *(?:task|instructions?|guidelines?|output|작업|지시|과제)\b", re.IGNORECASE | re.M
)
_QUOTED: Final = re.compile(
    r"<(?:chat_?history|conversation|history|messages|transcript|dialogue)>|^[^\w\n]*(?:user|assistant|human|ai|bot|response)[^\w\n]*:",
    re.IGNORECASE | re.MULTILINE,
)
_LIMITS: Final = 2


def is_task(messages: Sequence[Any]) -> bool:
    """Whether a request is the client's own: it wants a title, tags or a summary of a conversation, or the like."""
    told = [each for each in messages if isinstance(each, Mapping)]
    roles = [each.get("role") for each in told]
    if not told or roles[-1] not in ("user", *LEADING):
        return False
    last = message_text(told[-1])
    if _asks_about_talk(last) or _asks_about_talk(_PARAGRAPHS.split(last.strip())[-1]):
        return True
    is_alone = roles[-1] == "user" and set(roles[:-1]) <= {*LEADING} and len(roles) > 1
    return is_alone and bool(_QUOTED.search(last)) and _asks_about_talk(message_text(told[0]), quoted=True)


def _asks_about_talk(text: str, *, quoted: bool = False) -> bool:
    head = text.strip()[:_HEAD]
    quoted = quoted or bool(_QUOTED.search(text))
    bracketed = head.startswith("[") and text.rstrip().endswith("]")
    opened = _OPENING.match(head.lstrip("[( ")) is not None
    formed = quoted or bracketed or opened or bool(_HEADING.search(head))
    if not formed and len(set(map(str.lower, _TASK["limit"].findall(text)))) < _LIMITS:
        return False
    for sentence in _END.split(head)[:_SENTENCES]:
        made, product = _TASK["make"].search(sentence), _TASK["product"].search(sentence)
        if made and product and (quoted or opened or _TASK["talk"].search(sentence)):
            return True
    return False
