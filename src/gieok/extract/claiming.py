"""From what a rule read, in whatever language, to a claim."""

from __future__ import annotations

from typing import Final, Protocol

from gieok.domain.attributes import attribute
from gieok.domain.claim import Act, Claim, Polarity, Subject
from gieok.domain.turn import Utterance

_OPINION_IMPORTANCE: Final = 0.5


class Read(Protocol):
    """What a rule read."""

    @property
    def attribute(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def surface(self) -> str: ...
    @property
    def polarity(self) -> Polarity: ...
    @property
    def act(self) -> Act: ...
    @property
    def instead_of(self) -> str | None: ...
    @property
    def past(self) -> bool: ...


class Somebody(Protocol):
    """Whom it was read of."""

    @property
    def subject(self) -> Subject: ...
    @property
    def subject_id(self) -> str: ...


class Thought(Protocol):
    """What somebody thinks of somebody."""

    @property
    def content(self) -> str: ...
    @property
    def core(self) -> str: ...


def stated(
    read: Read,
    about: Somebody,
    utterance: Utterance,
    *,
    content: str,
    value_class: str | None,
    certainty: float,
    extractor: str,
) -> Claim:
    """Return the claim that `read` is true of `about`, in the words of `content`."""
    schema = attribute(read.attribute)
    return Claim(
        id="",
        speaker=utterance.speaker,
        subject=about.subject,
        subject_id=about.subject_id,
        attribute=read.attribute,
        value=read.value,
        surface=read.surface,
        value_class=value_class,
        content=content,
        content_type=schema.content_type,
        polarity=read.polarity,
        act=read.act,
        instead_of=read.instead_of,
        certainty=certainty,
        importance=schema.importance,
        invalid_at=utterance.at if read.past else None,  # nobody said since when; only that it is over
        source_id=utterance.id,
        extractor=extractor,
    )


def opined(thought: Thought, about: Somebody, utterance: Utterance, *, certainty: float, extractor: str) -> Claim:
    """Return the claim that the speaker thinks so of `about`."""
    return Claim(
        id="",
        speaker=utterance.speaker,
        subject=about.subject,
        subject_id=about.subject_id,
        content=thought.content,
        content_type="opinion",
        certainty=certainty,
        importance=_OPINION_IMPORTANCE,
        details=(thought.core,),
        source_id=utterance.id,
        extractor=extractor,
    )
