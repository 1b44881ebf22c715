"""How the two speak to each other: polite, casual or intimate, and what they call each other.

One odd sentence changes nothing. A style changes when it was asked for and is followed, or when most of the latest
utterances that tell agree on another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal

from gieok.domain.judgement import Moment
from gieok.domain.noticed import Manner, SpeechStyle

Party = Literal["user", "character"]
Matter = Literal["style", "address"]

_OTHER: Final[dict[str, Party]] = {"user": "character", "character": "user"}
_HEARD: Final = 8  #: utterances that are kept in mind
_WINDOW: Final = 4  #: of the last so many that tell …
_AGREE: Final = 3  #: … so many agree on a change
_SETTLE: Final = 2  #: utterances that settle the first style
_SWEET: Final = 3  #: intimate ones among those heard, for few sentences hold an endearment
_CALLED: Final = 2  #: times of the last three that somebody is called something else
_PATIENCE: Final = 20  #: turns after which a request that nobody followed is void
ANYBODY: Final = frozenset("너 니 야 당신 you".split())  #: said to anybody: no form of address worth a change


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """What is in force, since when, and who asked for it."""

    value: str
    at: datetime
    turn_number: int
    asked_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How one of the two speaks to the other."""

    style: Habit | None = None  #: its value is a `SpeechStyle`
    address: Habit | None = None
    styles_heard: tuple[SpeechStyle, ...] = ()  #: of the latest utterances that tell, the newest last
    addresses_heard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What somebody asked for and the other has not done yet."""

    by: str
    value: str
    turn_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How the two speak to each other now."""

    user: Speech = field(default_factory=Speech)
    character: Speech = field(default_factory=Speech)
    asked_style: Request | None = None  #: concerns both
    asked_names: tuple[Request, ...] = ()  #: at most one of each

    def of(self, speaker: str) -> Speech:
        return self.character if speaker == "character" else self.user


@dataclass(frozen=True, slots=True, kw_only=True)
class MannerChange:
    """One of the two speaks to the other in a new way."""

    speaker: str
    what: Matter
    before: str | None  #: None: the first that is known, hardly an event
    after: str
    at: datetime
    turn_number: int
    asked_by: str | None = None  #: None: it came by itself
    mutual: bool = False  #: of a style: the other speaks so already


def after(manners: Manners, heard: Sequence[Manner], moment: Moment) -> tuple[Manners, tuple[MannerChange, ...]]:
    """Return the manners after the utterances `heard` in one turn, and what changed."""
    changes: list[MannerChange] = []
    for manner in heard:
        if manner.speaker not in _OTHER:
            continue  # somebody else in the room
        manners = _asked(manners, manner, moment)
        for change in (*_style_changes(manners, manner, moment), *_address_changes(manners, manner, moment)):
            manners = _with(manners, change)
            changes.append(change)
        manners = _remembering(manners, manner)
    return manners, tuple(changes)


def _asked(manners: Manners, manner: Manner, moment: Moment) -> Manners:
    if manner.asks_for is not None:
        wish = Request(by=manner.speaker, value=manner.asks_for, turn_number=moment.turn_number)
        manners = replace(manners, asked_style=wish)
    if manner.asks_to_be_called is not None:
        wish = Request(by=manner.speaker, value=manner.asks_to_be_called, turn_number=moment.turn_number)
        others = (each for each in manners.asked_names if each.by != manner.speaker)
        manners = replace(manners, asked_names=(*others, wish))
    return manners


def _style_changes(manners: Manners, manner: Manner, moment: Moment) -> Iterator[MannerChange]:
    speech = manners.of(manner.speaker)
    now = speech.style.value if speech.style else None
    if manner.style is None or manner.style == now:
        return
    wish = _open(manners.asked_style, moment)
    follows = wish is not None and _meets(manner.style, wish.value) and not (now and _meets(now, wish.value))
    style = manner.style if follows else _agreed((*speech.styles_heard, manner.style)[-_HEARD:], now)
    if style is None or style == now:
        return
    other = manners.of(_OTHER[manner.speaker]).style
    yield MannerChange(
        speaker=manner.speaker,
        what="style",
        before=now,
        after=style,
        at=moment.at,
        turn_number=moment.turn_number,
        asked_by=wish.by if wish is not None and follows else None,
        mutual=other is not None and other.value == style,
    )


def _address_changes(manners: Manners, manner: Manner, moment: Moment) -> Iterator[MannerChange]:
    speech = manners.of(manner.speaker)
    now = speech.address.value if speech.address else None
    if manner.address is None or manner.address == now:
        return
    wish = next((each for each in manners.asked_names if each.by != manner.speaker), None)
    follows = wish is not None and wish.value == manner.address
    often = (*speech.addresses_heard, manner.address)[-3:].count(manner.address) >= _CALLED
    if follows or now is None or now in ANYBODY or (often and manner.address not in ANYBODY):
        yield MannerChange(
            speaker=manner.speaker,
            what="address",
            before=now,
            after=manner.address,
            at=moment.at,
            turn_number=moment.turn_number,
            asked_by=wish.by if wish is not None and follows else None,
        )


def _open(wish: Request | None, moment: Moment) -> Request | None:
    """Return the request unless it was let pass too long ago."""
    return wish if wish is not None and moment.turn_number - wish.turn_number <= _PATIENCE else None


def _meets(style: str, wanted: str) -> bool:
    return (style == "formal") == (wanted == "formal")


def _agreed(heard: Sequence[SpeechStyle], now: str | None) -> SpeechStyle | None:
    """Return the style that the latest utterances agree on."""
    enough = _AGREE if now is not None else _SETTLE
    latest = heard[-_WINDOW:]
    if latest.count("formal") >= enough:
        return "formal"
    if sum(each != "formal" for each in latest) < enough:
        return None
    sweet = heard.count("intimate")
    if sweet >= _SWEET or (now == "intimate" and (sweet or len(heard) < _HEARD)):
        return "intimate"
    return "casual"


def _with(manners: Manners, change: MannerChange) -> Manners:
    habit = Habit(value=change.after, at=change.at, turn_number=change.turn_number, asked_by=change.asked_by)
    speech = manners.of(change.speaker)
    if change.what == "address":
        return _put(manners, change.speaker, replace(speech, address=habit))
    # What was said before the change must not lead back.
    return _put(manners, change.speaker, replace(speech, style=habit, styles_heard=()))


def _remembering(manners: Manners, manner: Manner) -> Manners:
    speech = manners.of(manner.speaker)
    if manner.style is not None:
        speech = replace(speech, styles_heard=(*speech.styles_heard, manner.style)[-_HEARD:])
    if manner.address is not None:
        speech = replace(speech, addresses_heard=(*speech.addresses_heard, manner.address)[-_HEARD:])
    return _put(manners, manner.speaker, speech)


def _put(manners: Manners, speaker: str, speech: Speech) -> Manners:
    return replace(manners, character=speech) if speaker == "character" else replace(manners, user=speech)
