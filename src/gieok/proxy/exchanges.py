"""A client's messages as what was said: exchanges of the user and the character, and the words to be answered.

What a client tells the model beside that (instructions, tools and what they gave) is no part of the talk.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gieok.domain.turn import LONGEST_UTTERANCE

AsKept = Callable[[str], str]

_BROKEN: Final = re.compile(r"[\x00\ud800-\udfff]")
_THINKS: Final = "<think>"
_THOUGHT: Final = "</think>"
_BESIDE: Final = ("system", "developer")
_MOST: Final = 2_000  #: exchanges of one request that are looked at; no model's window holds so many
_PICTURES: Final = {"image_url": "[그림]", "input_audio": "[소리]", "file": "[파일]"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the user said, what the character said, or the one answered by the other."""

    text: str | None = None
    reply: str | None = None
    key: tuple[str, str] = field(init=False, repr=False, compare=False)
    """What is compared: clients trim what they show, and lay it out anew."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (laid_out(self.text), laid_out(self.reply)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """Words of the user that are to be answered."""

    text: str
    begun: str = ""  #: how the client has the answer begin, as it came


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A client's conversation."""

    exchanges: tuple[Exchange, ...] = ()
    pending: Pending | None = None  #: None: what comes back is no part of the talk, or shows up in the next request

    @property
    def first(self) -> str | None:
        """The first words of the user."""
        said = next((each.text for each in self.exchanges if each.text), None)
        return said or (self.pending.text if self.pending is not None else None)


def fit(text: str | None) -> str | None:
    """Return `text` as an utterance can be kept: whole letters, not too long; None: nothing is left.

    What was made fit stays as it is.
    """
    if not text:
        return None
    text = unicodedata.normalize("NFC", _BROKEN.sub("\ufffd", text)).strip()
    return text[:LONGEST_UTTERANCE].rstrip() or None


def aloud(reply: str) -> str:
    """Return what a reply says aloud: some endpoints send the thoughts of a model along, and clients leave them out."""
    if _THOUGHT in reply:
        return reply.rpartition(_THOUGHT)[2]
    return "" if reply.lstrip().startswith(_THINKS) else reply


def laid_out(text: str | None) -> str:
    """Return `text` with single spaces, as it is compared."""
    return " ".join(text.split()) if text else ""


def told(messages: Sequence[Any], as_kept: AsKept = str) -> Told:
    """Return what `messages` say, of very many the last; `as_kept` is what becomes of a text before it is kept."""
    spoken = [each for each in messages if isinstance(each, Mapping) and each.get("role") not in _BESIDE]
    exchanges: list[Exchange] = []
    provisional = False  #: the reply so far came with a call of a tool: what comes of that is the reply
    for message in spoken:
        role = message.get("role")
        if role not in ("user", "assistant"):
            continue
        words = fit(words_of(message) if role == "user" else aloud(words_of(message)))
        words = as_kept(words) if words else None
        if words and role == "user":
            exchanges.append(Exchange(text=words))
            provisional = False
        elif words:
            last = exchanges[-1] if exchanges else None
            if last is not None and last.text and (last.reply is None or provisional):
                exchanges[-1] = Exchange(text=last.text, reply=words)
            else:
                exchanges.append(Exchange(reply=words))
            provisional = calls(message)
    return _with_pending(
        exchanges[-_MOST:], spoken, ends=bool(messages) and bool(spoken) and messages[-1] is spoken[-1]
    )


def calls(message: Mapping[str, Any]) -> bool:
    """Whether a message calls a tool."""
    return bool(message.get("tool_calls") or message.get("function_call"))


def _with_pending(exchanges: list[Exchange], spoken: Sequence[Mapping[str, Any]], *, ends: bool) -> Told:
    last = spoken[-1] if spoken else {}
    role = last.get("role")
    rest, open_one = tuple(exchanges[:-1]), exchanges[-1] if exchanges else Exchange()
    if open_one.text is None or (role == "user" and open_one.reply is not None):
        return Told(exchanges=tuple(exchanges))
    if role in ("user", "tool", "function"):
        return Told(exchanges=rest, pending=Pending(text=open_one.text))
    if role == "assistant" and ends and open_one.reply and not calls(last):
        return Told(exchanges=rest, pending=Pending(text=open_one.text, begun=aloud(words_of(last))))
    return Told(exchanges=tuple(exchanges))


def words_of(message: Mapping[str, Any]) -> str:
    """Return what a message says; of pictures without words, that there are some."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        refusal = message.get("refusal")
        return refusal if isinstance(refusal, str) else ""
    parts = [part for part in content if isinstance(part, Mapping)]
    texts = [text for part in parts if isinstance(text := part.get("text", part.get("refusal")), str)]
    if any(text.strip() for text in texts):  # clients drop pictures later on: with words, the words are what was said
        return "\n".join(texts)
    return " ".join(_PICTURES[kind] for part in parts if (kind := part.get("type")) in _PICTURES)
