"""What the two are called, and how close they are, for a model that is asked about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.living import PAIR
from gieok.domain.memory import Memory, by_truth
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope
from gieok.domain.things import Life
from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.language.living_wording import closeness
from gieok.ports import MemoryFilter, View
from gieok.prompts.quoting import Language, Line

_NAMELESS: Final = {"ko": ("상대", "캐릭터"), "en": ("the user", "the character")}
_MOST_SAID_OF_IT: Final = 8  #: memories that tell who the character is


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The two who talk."""

    user: str
    character: str
    closeness: str  #: "": they have not met

    @property
    def names(self) -> tuple[str, str]:
        return (self.user, self.character)

    def named(self, speaker: str) -> str:
        return {USER: self.user, CHARACTER: self.character}.get(speaker, speaker)

    def about(self, memory: Memory) -> str:
        return {"user": self.user, "character": self.character}.get(memory.subject, memory.subject_id)

    def lines(self, said: Iterable[Utterance]) -> list[Line]:
        return [Line(speaker=self.named(each.speaker), text=each.text) for each in said]


def parties(view: View, scope: Scope, at: datetime, language: Language) -> Parties:
    """Return what `view` knows of the two."""
    known = view.memories(MemoryFilter(subject="user", attribute="name", current_at=at))
    called = max((memory for memory in known if memory.polarity == "+"), key=by_truth, default=None)
    user, character = _NAMELESS[language]
    relationship = Life(view.things_by_key([("relationship", PAIR)]).items()).get(Relationship, PAIR)
    return Parties(
        user=(called.surface or called.value or user) if called is not None else user,
        character=scope.character or character,
        closeness="" if relationship is None else closeness(relationship, language),
    )


def persona(view: View, at: datetime) -> str:
    """Return who the character is, by what `view` knows of it."""
    known = view.memories(MemoryFilter(subject="character", current_at=at))
    told = sorted((memory for memory in known if memory.attribute), key=lambda memory: -memory.importance)
    return "\n".join(memory.content for memory in told[:_MOST_SAID_OF_IT])
