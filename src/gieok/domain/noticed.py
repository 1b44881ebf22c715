"""What a turn shows beside its claims: feelings, relationship signs, speech styles, people and places.

It is read from the text alone, outside of any lock, and stored with the turn's operation. Its effect on relationship,
people and scene is decided when the operation is carried out, at first and in every replay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gieok.domain.emotion import Felt

SpeechStyle = Literal["formal", "casual", "intimate"]
EntityKind = Literal["person", "pet", "character", "group", "thing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Something said that changes the relationship."""

    name: str  #: "thanks", "praise", "insult" …: the name of a rule in `domain.relationship`
    speaker: str
    words: str = ""  #: the text that showed it
    strength: float = 1.0  #: 0–1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How one speaker addresses the other in a turn."""

    speaker: str
    style: SpeechStyle | None = None  #: None: unclear
    address: str | None = None  #: the form of address used: 오빠, 선배, 민수야 → 민수
    perhaps_called: tuple[str, ...] = ()  #: possible forms of address; one that is used repeatedly is accepted
    asks_for: SpeechStyle | None = None  #: 말 놓자, 존댓말 써 주세요
    asks_to_be_called: str | None = None  #: 누나라고 불러


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A person or being that is mentioned."""

    name: str
    kind: EntityKind = "person"
    valence: float = 0.0  #: -1 to 1, sentiment of the mention
    by: str = "user"
    note: str = ""  #: a short trait or interest stated about them, if any
    note_kind: Literal["", "interest", "personality"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """Everything noticed in one turn."""

    felt: tuple[Felt, ...] = ()
    signs: tuple[Sign, ...] = ()
    manners: tuple[Manner, ...] = ()
    mentions: tuple[Mention, ...] = ()
    place: str | None = None  #: place of the scene, if stated
    daytime: str | None = None
    topics: tuple[str, ...] = ()  #: nouns, and attributes of stated facts
    farewell: bool = False  #: a speaker says goodbye

    @property
    def speakers(self) -> frozenset[str]:
        return frozenset(manner.speaker for manner in self.manners)
