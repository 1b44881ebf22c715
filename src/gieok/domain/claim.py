"""What somebody claims in a turn: the unit that extraction proposes and judgement decides on."""

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
    "not_told",  #: … or out of a question, a wish, a joke, or of somebody else's life
    "unknown_attribute",  #: … or of something there is no name for
    "unsure",  #: … or was not sure enough of it
    "trifling",  #: … or thought little of it
    "rules_read_it",  #: … or of what the reader has read in the same words
]
Origin = Literal["rule", "model", "reflection", "person", "import"]
Kind = Literal["episodic", "semantic", "emotional", "insight"]
CONCLUSIONS: Final = frozenset({"insight", "summary", "profile"})  #: content types that upkeep makes of others


def claim_id(utterance_id: str, number: int) -> str:
    """Return the id of the `number`th claim read from an utterance; it begins with the utterance's."""
    return f"{utterance_id}-{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What another system says of a memory that moves in, beside what it tells."""

    pinned: bool = False
    uses: int = 0
    mentions: int = 0
    strength: float = 1.0  #: 0–1
    kind: Kind | None = None  #: None: as any other of its type
    interpretation: str | None = None  #: the character's own view of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What claims and memories have in common: who says what of whom, and how surely."""

    id: str  #: of a claim: the memory's id if it is remembered, also when it is judged again later
    speaker: str  #: "user", "character", or a name
    subject: Subject
    subject_id: str  #: "user", "world", the character's or another's name
    content: str  #: a short self-contained sentence
    content_type: ContentType
    attribute: str | None = None
    value: str | None = None  #: normalised
    surface: str | None = None  #: the value as it was said
    value_class: str | None = None  #: what kind of thing the value is ("animal", "food"), if known
    polarity: Polarity = "+"
    certainty: float = 1.0  #: 0–1, how sure the reading is and the speaker sounded
    importance: float = 0.5  #: 0–1
    emotion_intensity: float = 0.0  #: 0–1
    invalid_at: datetime | None = None  #: None: open-ended
    origin: Origin = "rule"
    extractor: str = ""  #: name and version of the reader, e.g. "korean/1"
    tags: tuple[str, ...] = ()
    details: tuple[str, ...] = ()  #: names, numbers and dates in it; two free sentences that differ here differ
    doubtful: bool = False  #: it may be so; never pinned, and it closes nothing until it is confirmed

    @property
    def topic(self) -> tuple[str, str, str | None]:
        """What it speaks of: subject, subject id and attribute."""
        return (self.subject, self.subject_id, self.attribute)

    @property
    def findable(self) -> str:
        """The words that it is found by: of another it is asked by the name."""
        return findable(self.subject, self.subject_id, self.content)

    @property
    def saying(self) -> Saying:
        """What it says, so that hearing it again can be counted; a claim that says the same has an equal one."""
        return (self.subject, self.subject_id, self.attribute, self.value if self.attribute else self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Statement):
    """One thing said of one subject, not yet believed."""

    act: Act = "assert"
    instead_of: str | None = None  #: the normalised value that it replaces, where the speaker names one
    valid_at: datetime | None = None  #: None: from when it was said
    source_id: str | None = None  #: the utterance it was read from
    flaw: Flaw | None = None  #: why it must not be believed, whatever it says
    brought: Brought | None = None  #: where it comes from another system
    direct: bool = True  #: said in earnest, of now, in the speaker's own words; nothing else ends a caution

    @property
    def outright(self) -> bool:
        """Whether a person or an import said it to be remembered; such claims need no promotion."""
        return self.origin in ("person", "import")


def findable(subject: Subject, subject_id: str, content: str) -> str:
    return content if subject != "other" or subject_id in content else f"{subject_id} {content}"
