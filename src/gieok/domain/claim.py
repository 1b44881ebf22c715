"""Claims: statements extracted from a turn, on which judgement decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gieok.domain.attributes import ContentType

Subject = Literal["user", "character", "world", "other"]
Polarity = Literal["+", "-"]
Act = Literal["assert", "prefer", "correct", "end", "retract"]
Saying = tuple[str, str, str | None, str | None]
Flaw = Literal[
    "ungrounded",  #: a model gave a value that nobody said
    "not_told",  #: … that comes from a question, wish or joke, or is about another person's life
    "unknown_attribute",  #: … with an attribute that does not exist
    "unsure",  #: … with low confidence
    "trifling",  #: … with low importance
    "rules_read_it",  #: … that the rules had read from the same words
]
Origin = Literal["rule", "model", "reflection", "person", "import"]
Kind = Literal["episodic", "semantic", "emotional", "insight"]
CONCLUSIONS: Final = frozenset({"insight", "summary", "profile"})  #: content types that upkeep derives


def claim_id(utterance_id: str, number: int) -> str:
    """Return the id of the `number`th claim of an utterance; it starts with the utterance's id."""
    return f"{utterance_id}-{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """Data of an imported memory beside its statement."""

    pinned: bool = False
    uses: int = 0
    mentions: int = 0
    strength: float = 1.0  #: 0–1
    kind: Kind | None = None  #: None: default of its type
    interpretation: str | None = None  #: the character's own view of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Common fields of claims and memories: who said what about whom, and how certain it is."""

    id: str  #: for a claim: the id of the memory it becomes, also when it is judged again later
    speaker: str  #: "user", "character", or a name
    subject: Subject
    subject_id: str  #: "user", "world", the character's or another person's name
    content: str  #: a short self-contained sentence
    content_type: ContentType
    attribute: str | None = None
    value: str | None = None  #: normalised
    surface: str | None = None  #: the value as said
    value_class: str | None = None  #: the kind of thing the value is ("animal", "food"), if known
    polarity: Polarity = "+"
    certainty: float = 1.0  #: 0–1, confidence of the reader and of the speaker
    importance: float = 0.5  #: 0–1
    emotion_intensity: float = 0.0  #: 0–1
    invalid_at: datetime | None = None  #: None: open-ended
    origin: Origin = "rule"
    extractor: str = ""  #: name and version of the reader, e.g. "korean/1"
    tags: tuple[str, ...] = ()
    details: tuple[str, ...] = ()  #: names, numbers and dates in it; free sentences that differ here differ
    doubtful: bool = False  #: unconfirmed; never pinned, and closes nothing until confirmed

    @property
    def topic(self) -> tuple[str, str, str | None]:
        """Subject, subject id and attribute."""
        return (self.subject, self.subject_id, self.attribute)

    @property
    def findable(self) -> str:
        """The text to search: for another person, it includes the name."""
        return findable(self.subject, self.subject_id, self.content)

    @property
    def saying(self) -> Saying:
        """A key for what it says, to count repetitions; equal statements have equal keys."""
        return (self.subject, self.subject_id, self.attribute, self.value if self.attribute else self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Statement):
    """A statement about one subject, not yet stored as a memory."""

    act: Act = "assert"
    instead_of: str | None = None  #: the normalised value it replaces, if the speaker names one
    valid_at: datetime | None = None  #: None: since it was said
    source_id: str | None = None  #: the utterance it was extracted from
    flaw: Flaw | None = None  #: why it must be rejected
    brought: Brought | None = None  #: set for a claim imported from another system
    direct: bool = True  #: said seriously, about now, in the speaker's own words; only such a claim ends a caution

    @property
    def outright(self) -> bool:
        """Whether a person or an import entered it; such claims need no promotion."""
        return self.origin in ("person", "import")


def findable(subject: Subject, subject_id: str, content: str) -> str:
    return content if subject != "other" or subject_id in content else f"{subject_id} {content}"
