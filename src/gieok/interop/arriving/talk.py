"""Messages of a chat, one after the other, as exchanges: what was said and what the character answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from gieok.domain.scope import Scope
from gieok.interop.arriving.foreign import digest, pieces
from gieok.interop.arriving.shape import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing that one of them said."""

    where: str
    number: int  #: its place in the chat
    text: str
    at: datetime | None
    by_user: bool
    name: str | None = None  #: who said it, if it was not the user; None: the character


def exchanges(
    messages: Iterable[Message], *, scope: Scope, chat: str, session: str, channel: str
) -> Iterator[Exchange]:
    """Yield a chat as the character of `scope` lived it: their messages are replies, others' are heard as theirs."""
    pending: Message | None = None

    def exchange(said: Message | None, reply: Message | None) -> Iterator[Exchange]:
        first = said or reply
        assert first is not None, "an exchange has something that was said"
        speaker = said.name if said is not None and not said.by_user else None
        answered = reply.at if reply is not None else None
        began = first.at or answered
        texts = pieces(said.text) if said is not None else []
        replies = pieces(reply.text) if reply is not None else []
        ahead: list[str | None] = [None] * (len(texts) - 1 if texts and replies else 0)
        parts = zip_longest(texts, [*ahead, *replies])
        for part, (text, answer) in enumerate(parts, start=1):
            yield Exchange(
                scope=scope,
                origin=f"{chat}/{first.number}.{part}/{digest(text, answer)}",
                where=first.where,
                text=text,
                reply=answer,
                at=began if text is not None else answered,
                speaker=speaker if text is not None else None,
                session=session,
                channel=channel,
            )

    for message in messages:
        if not message.by_user and message.name in (None, scope.character):
            yield from exchange(pending, message)
            pending = None
            continue
        if pending is not None:
            yield from exchange(pending, None)
        pending = message
    if pending is not None:
        yield from exchange(pending, None)
