"""What is noticed in a turn beside its claims: feelings, signs of the relationship, manners, people and places.

It is read from the words alone, outside of any lock, and kept with the turn's operation; what it does to the
relationship, the people and the scene is decided when the operation is carried out, the first time and in every
replay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gieok.domain.emotion import Felt

SpeechStyle = Literal["formal", "casual", "intimate"]
EntityKind = Literal["person", "pet", "character", "group", "thing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """Something said that moves a relationship."""

    name: str  #: "thanks", "praise", "insult" …: a rule of `domain.relationship`
    speaker: str
    words: str = ""  #: the words that showed it
    strength: float = 1.0  #: 0–1, how clearly


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How one speaker speaks to the other in a turn."""

    speaker: str
    style: SpeechStyle | None = None  #: None: the words do not tell
    address: str | None = None  #: what the other is called: 오빠, 선배, 민수야 → 민수
    perhaps_called: tuple[str, ...] = ()  #: words that may be a call; one that is used steadily is one
    asks_for: SpeechStyle | None = None  #: 말 놓자, 존댓말 써 주세요
    asks_to_be_called: str | None = None  #: 누나라고 불러


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """Somebody (or some being) that is spoken of."""

    name: str
    kind: EntityKind = "person"
    valence: float = 0.0  #: -1 to 1: how they are spoken of
    by: str = "user"
    note: str = ""  #: a short trait or interest that is told of them, if any
    note_kind: Literal["", "interest", "personality"] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """All that is noticed in one turn."""

    felt: tuple[Felt, ...] = ()
    signs: tuple[Sign, ...] = ()
    manners: tuple[Manner, ...] = ()
    mentions: tuple[Mention, ...] = ()
    place: str | None = None  #: where the scene is, if the turn says so
    daytime: str | None = None
    topics: tuple[str, ...] = ()  #: what it is about: nouns, and attributes that were told
    farewell: bool = False  #: somebody takes leave

    @property
    def speakers(self) -> frozenset[str]:
        return frozenset(manner.speaker for manner in self.manners)
