"""Whether a thing can be kept at all, before the first is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from gieok.domain.attributes import attribute
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_moment, checked_speaker, checked_text
from gieok.errors import InvalidImport, InvalidInput
from gieok.interop.arriving.shape import Acquaintance, Arrival, Exchange, Known, LeftOut, Sprites, Standing


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
