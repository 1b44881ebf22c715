"""What became of a turn, as rows of words: what was remembered, changed, heard again or passed over, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

from gieok.domain.answer import Observed
from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.worth import Promotion
from gieok.web.wording import Words

Kind = Literal["remember", "supersede", "reinforce", "retract", "ignore"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One decision."""

    kind: Kind
    content: str  #: what is believed now; of what was ignored or taken back, what was claimed
    old: tuple[str, ...] = ()  #: what it took the place of
    whose: str = ""  #: whom it is about
    memory_id: str | None = None
    why: str = ""
    parts: tuple[tuple[str, float], ...] = ()  #: what its score is made of, each 0–1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """All decisions of a turn; where there are none, why."""

    rows: tuple[Outcome, ...]
    silence: str = ""


def outcomes(observed: Observed, silence: Sequence[str], scope: Scope, words: Words, *, threshold: float) -> Outcomes:
    """Return what to show; `silence` are the moods of the words, `threshold` the score from which on one remembers."""
    told = _Telling(scope, words, threshold)
    rows = tuple(told.of(decision) for decision in observed.decisions)
    return Outcomes(rows=rows, silence="" if rows else _silence(observed, silence, words))


def named(who: str, scope: Scope, words: Words) -> str:
    """Return whom a speaker or a subject's id means."""
    if who == "user":
        return scope.user or words("shared.subjects.user")
    if who in ("character", scope.character):
        return scope.character or words("shared.subjects.character")
    return words("shared.subjects.world") if who == "world" else who


def kind_named(key: str | None, content_type: str, words: Words) -> str:
    """Return what kind of thing is known: the name of its attribute, else of its type."""
    if key is None:
        return words.some("shared.types").get(content_type, content_type)
    if key.startswith("favorite."):
        return words.some("shared.favorites").get(key.removeprefix("favorite."), words("shared.attributes.favorite"))
    return words.some("shared.attributes").get(key, key)


def _silence(observed: Observed, moods: Sequence[str], words: Words) -> str:
    if observed.unread:
        return words("talk.silence.unread")
    known = words.some("talk.moods")
    found = ", ".join(known[each] for each in moods if each in known)
    return words("talk.silence.mood", mood=found) if found else words("talk.silence.statement")


@dataclass(frozen=True, slots=True)
class _Telling:
    scope: Scope
    words: Words
    threshold: float

    def of(self, decision: Decision) -> Outcome:
        match decision:
            case Remember():
                return self._row("remember", decision.memory, self._worth(decision), decision.promotion)
            case Supersede():
                why = self._turned(decision.claim, decision.closed)
                old = tuple(memory.content for memory in decision.closed)
                return self._row("supersede", decision.memory, why, decision.promotion, old)
            case Reinforce():
                return self._row("reinforce", decision.memory, self._again(decision.memory))
            case Retract():
                return self._row("retract", decision.memory, self.words("talk.why.retract"))
            case Ignore():
                return self._ignored(decision)

    def _row(
        self, kind: Kind, memory: Memory, why: str, promotion: Promotion | None = None, old: tuple[str, ...] = ()
    ) -> Outcome:
        return Outcome(
            kind=kind,
            content=memory.content,
            old=old,
            whose=named(memory.subject_id, self.scope, self.words),
            memory_id=memory.id,
            why=why,
            parts=_parts(promotion, self.words),
        )

    def _worth(self, decision: Remember) -> str:
        kind = kind_named(decision.memory.attribute, decision.memory.content_type, self.words)
        score, least = f"{decision.promotion.score:.2f}", f"{self.threshold:.2f}"
        return self.words("talk.why.remember", kind=kind, score=score, threshold=least)

    def _again(self, memory: Memory) -> str:
        return self.words("talk.why.reinforce", n=memory.mentions + 1)

    def _turned(self, claim: Claim, closed: tuple[Memory, ...]) -> str:
        if claim.act in ("correct", "prefer", "end"):
            return self.words(f"talk.why.{claim.act}")
        if any(memory.polarity != claim.polarity for memory in closed):
            return self.words("talk.why.opposite")
        if claim.attribute is not None and attribute(claim.attribute).single:
            kind = kind_named(claim.attribute, claim.content_type, self.words)
            return self.words("talk.why.single", kind=kind)
        return self.words("talk.why.newer")

    def _ignored(self, decision: Ignore) -> Outcome:
        claim, words = decision.claim, self.words
        why = words(f"shared.reasons.{decision.why}")
        if decision.why == "below_threshold" and decision.promotion is not None:
            score, least = f"{decision.promotion.score:.2f}", f"{self.threshold:.2f}"
            why = words("talk.why.below", score=score, threshold=least)
        return Outcome(
            kind="ignore",
            content=claim.content,
            whose=named(claim.subject_id, self.scope, words),
            why=why,
            parts=_parts(decision.promotion, words),
        )


def _parts(promotion: Promotion | None, words: Words) -> tuple[tuple[str, float], ...]:
    if promotion is None:
        return ()
    names = (field.name for field in fields(promotion) if field.name != "score")
    return tuple((words(f"talk.parts.{name}"), float(getattr(promotion, name))) for name in names)
