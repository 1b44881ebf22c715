"""A conversation through a mind: every line observed, then every question recalled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Final

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Aid, Hit, Observed, Where
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidText
from gieok_evals.retrieval.datasets import PACE, Conversation, Line, Query

DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to rank: a preset, other weights, or something left out."""

    name: str = DEFAULT
    preset: str | None = None  #: None: the settings as they are
    weights: Mapping[str, float] = field(default_factory=dict)  #: in place of the settings'
    without: tuple[Aid, ...] = ()
    switches: tuple[str, ...] = ()  #: settings that let a model help, e.g. "rerank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for one question."""

    conversation: str
    query: Query
    ranking: tuple[str, ...]  #: ids of lines, best first, each once
    parts: tuple[Parts, ...] = ()  #: of their scores, parallel to `ranking`, where they are kept
    held: float | None = None  #: share of the evidence that stands in a context, where one was asked for …
    tokens: int = 0  #: … and what the context takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How questions are put."""

    depth: int  #: how many lines to rank
    with_memories: bool = False  #: memories are ranked, too, each for the line it was read from
    keep_parts: bool = False
    contexts: bool = False  #: also look what a context holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A conversation that a mind has heard."""

    scope: Scope
    conversation: Conversation
    now: datetime  #: after the last line
    line_of: Mapping[str, str]  #: by the id of an utterance

    def answer(self, bank: MemoryBank, query: Query, way: Way, asking: Asking) -> Answer:
        """Ask the mind in `bank`, which may be another handle of the bank that it heard the conversation in."""
        hits = bank.mind(self.scope).recall(
            query.text,
            k=asking.depth + 1,  # one may be the question itself
            at=self.now,
            where=Where(kind=None if asking.with_memories else "utterance", without=way.without),
            weights=dict(way.weights) or None,
        )
        ranked = list(self._ranked(hits, query).items())[: asking.depth]
        answer = Answer(
            conversation=self.conversation.id,
            query=query,
            ranking=tuple(line for line, _ in ranked),
            parts=tuple(parts for _, parts in ranked) if asking.keep_parts else (),
        )
        return self._with_context(answer, bank, way) if asking.contexts else answer

    def _with_context(self, answer: Answer, bank: MemoryBank, way: Way) -> Answer:
        query = answer.query
        context = bank.mind(self.scope).context(query.text, at=self.now, weights=dict(way.weights) or None)
        lines = {self.line_of.get(item_id) for item_id in context.items}
        lines.update(self._ranked(context.hits, query))
        return replace(answer, held=len(lines & set(query.evidence)) / len(query.evidence), tokens=context.tokens)

    def _ranked(self, hits: Iterable[Hit], query: Query) -> dict[str, Parts]:
        """Return the lines that `hits` stand for, best first, each once; the question itself is none of them."""
        ranked: dict[str, Parts] = {}
        for hit in hits:
            source = next(iter(hit.item.sources), "") if isinstance(hit.item, Memory) else hit.item.id
            line = self.line_of.get(source)
            if line is not None and line != query.itself:
                ranked.setdefault(line, hit.parts)
        return ranked


def play(bank: MemoryBank, conversation: Conversation, *, progress: Callable[[], None]) -> Played:
    """Let a mind of `bank` hear every line; `progress` is called after each."""
    user, character = _parties(conversation.lines)
    mind = bank.scope(user=user, character=character)
    line_of: dict[str, str] = {}
    now = _moment(conversation.lines[0], bank.settings.zone)
    for line in conversation.lines:
        at = _moment(line, bank.settings.zone)
        try:
            observed = _said(mind, line, at)
        except InvalidText as cause:
            raise InvalidText(f"turn {line.id!r} of conversation {conversation.id!r}: {cause}") from cause
        line_of |= {utterance.id: line.id for utterance in observed.turn.utterances}
        now = max(now, at)
        progress()
    return Played(scope=mind.key, conversation=conversation, now=now + PACE, line_of=line_of)


def _said(mind: Mind, line: Line, at: datetime) -> Observed:
    user, character = mind.key.user, mind.key.character
    replied = line.speaker == character
    return mind.observe(
        None if replied else line.text,
        reply=line.text if replied else None,
        at=at,
        session=line.session or None,
        turn_id=line.id,
        speaker=None if line.speaker in (user, character) else line.speaker,
    )


def _parties(lines: Iterable[Line]) -> tuple[str, str]:
    """Return who is the user, and who the character that remembers: the first two to speak."""
    speakers = list(dict.fromkeys(line.speaker for line in lines))
    if USER in speakers:
        speakers = [USER, *(name for name in speakers if name != USER)]
    user, character, *_ = [*speakers, CHARACTER]
    return user, character


def _moment(line: Line, zone: tzinfo) -> datetime:
    return line.at if line.at.tzinfo else line.at.replace(tzinfo=zone)
