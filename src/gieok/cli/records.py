"""What `--json` prints. The keys are a contract: every key is always there, and an unknown value is null.

Moments are ISO 8601 with an offset; scores, importance and strength are numbers of 0–1.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from gieok.domain.answer import Block, Context, Hit, Observed
from gieok.domain.decision import Decision, Ignore, Retract, Supersede
from gieok.domain.emotion import Felt, one_hot
from gieok.domain.memory import Memory
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.turn import Utterance
from gieok.ports import ScopeSummary

Record = dict[str, Any]


def scope_record(scope: Scope) -> Record:
    return {"user": scope.user, "character": scope.character, "world": scope.world}


def summary_record(summary: ScopeSummary) -> Record:
    return {
        **scope_record(summary.scope),
        "turns": summary.turns,
        "utterances": summary.utterances,
        "memories": summary.memories,
        "latest_at": iso(summary.latest_at),
    }


def memory_record(memory: Memory) -> Record:
    return {
        "id": memory.id,
        "content": memory.content,
        "type": memory.content_type,
        "kind": memory.kind,
        "speaker": memory.speaker,
        "subject": memory.subject,
        "subject_id": memory.subject_id,
        "attribute": memory.attribute,
        "value": memory.value,
        "surface": memory.surface,
        "polarity": memory.polarity,
        "certainty": memory.certainty,
        "importance": memory.importance,
        "strength": memory.strength,
        "mentions": memory.mentions,
        "uses": memory.uses,
        "pinned": memory.pinned,
        "origin": memory.origin,
        "valid_at": iso(memory.valid_at),
        "invalid_at": iso(memory.invalid_at),
        "known_at": iso(memory.known_at),
        "recorded_at": iso(memory.recorded_at),
        "closed_by": memory.closed_by,
        "forgotten_at": iso(memory.forgotten_at),
        "sources": list(memory.sources),
        "tags": list(memory.tags),
        "version": memory.version,
    }


def utterance_record(utterance: Utterance) -> Record:
    return {
        "id": utterance.id,
        "turn_id": utterance.turn_id,
        "speaker": utterance.speaker,
        "text": utterance.text,
        "at": iso(utterance.at),
        "session": utterance.session,
    }


def hit_record(hit: Hit) -> Record:
    """Return a hit; `memory` or `utterance` is what was found, and the other one is null.

    `contributions` is what each part adds to the score, with `--explain`.
    """
    item = hit.item
    return {
        "text": hit.text,
        "score": hit.score,
        "parts": {name: getattr(hit.parts, name) for name in PART_NAMES},
        "contributions": None if hit.contributions is None else dict(hit.contributions),
        "why": [{"source": found.source, "rank": found.rank} for found in hit.why],
        "scope": scope_record(hit.scope),
        "memory": memory_record(item) if isinstance(item, Memory) else None,
        "utterance": None if isinstance(item, Memory) else utterance_record(item),
    }


def observed_record(observed: Observed) -> Record:
    """Return what became of a turn; `level` is null unless the relationship reached another one."""
    return {
        "turn_id": observed.turn.id,
        "number": observed.turn.number,
        "at": iso(observed.turn.at),
        "session": observed.turn.session,
        "unread": observed.unread,
        "again": observed.again,
        "pii": list(observed.pii),
        "ask": list(observed.ask),
        "decisions": [decision_record(decision) for decision in observed.decisions],
        "emotions": [felt_record(felt) for felt in observed.emotions],
        "level": _level(observed),
    }


def felt_record(felt: Felt) -> Record:
    """Return a feeling; `one_hot` is the contract's object for a screen."""
    return {
        "speaker": felt.speaker,
        "emotion": felt.emotion,
        "intensity": felt.intensity,
        "valence": felt.valence,
        "by": felt.by,
        "one_hot": one_hot(felt.emotion),
    }


def decision_record(decision: Decision) -> Record:
    """Return a decision; `closed` are the memories that a new one superseded, `why` is the reason to ignore."""
    promotion = None if isinstance(decision, Retract) else getattr(decision, "promotion", None)
    return {
        "decision": type(decision).__name__.lower(),
        "content": decision.claim.content,
        "memory": None if isinstance(decision, Ignore) else memory_record(decision.memory),
        "closed": _memories(decision.closed) if isinstance(decision, Supersede) else [],
        "promotion": None if promotion is None else promotion.score,
        "why": decision.why if isinstance(decision, Ignore) else None,
    }


def context_record(context: Context) -> Record:
    return {
        "query": context.query,
        "text": context.text,
        "tokens": context.tokens,
        "budget": context.budget,
        "messages": [{"role": message.role, "content": message.content} for message in context.messages],
        "blocks": [_block(block) for block in context.blocks],
        "items": list(context.items),
        "degraded": list(context.degraded),
    }


def _level(observed: Observed) -> Record | None:
    for move in observed.moves:
        before, after = move.before, move.after
        if isinstance(before, Relationship) and isinstance(after, Relationship) and before.level != after.level:
            return {"before": before.level, "after": after.level}
    return None


def _block(block: Block) -> Record:
    return {
        "name": block.name,
        "text": block.text,
        "tokens": block.tokens,
        "items": list(block.items),
        "shortened": list(block.shortened),
        "left_out": [{"id": each.item_id, "why": each.why} for each in block.left_out],
    }


def _memories(memories: Iterable[Memory]) -> list[Record]:
    return [memory_record(memory) for memory in memories]


def iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
