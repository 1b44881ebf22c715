"""The events of a turn as they go over the wire: a name, and what JSON can hold. The keys are a contract."""

from __future__ import annotations

from typing import Any

from gieok.conversation.events import (
    ContextBuilt,
    Delta,
    Done,
    Emotion,
    Event,
    Failed,
    MemoryUpdate,
    RelationshipUpdate,
)
from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Felt, one_hot, sprite_label
from gieok.domain.manners import Manners
from gieok.domain.memory import Memory
from gieok.domain.record import to_record
from gieok.domain.relationship import Relationship, score
from gieok.domain.relationship_rules import AXES
from gieok.domain.things import Move, Thing

Wired = tuple[str, dict[str, Any]]  # an event's name and its data

_DONE_WITH = {
    Remember: "remembered",
    Reinforce: "reinforced",
    Supersede: "superseded",
    Retract: "retracted",
    Ignore: "ignored",
}


def wired(event: Event, turn_id: str) -> Wired:
    """Return an event of the turn `turn_id` as it is sent."""
    match event:
        case ContextBuilt(context=context):
            told = {"tokens": context.tokens, "budget": context.budget, "items": list(context.items)}
            return "context", {"turn_id": turn_id, **told, "degraded": list(context.degraded)}
        case Delta(text=text):
            return "delta", {"text": text}
        case Failed(failure=failure, message=message, detail=detail):
            return "failed", {"failure": failure, "message": message, "detail": detail}
        case Emotion(felt=felt):
            return "emotion", _felt(felt)
        case MemoryUpdate(observed=observed):
            return "memory_update", _update(observed)
        case RelationshipUpdate(moves=moves):
            return "relationship", {"moves": [_move(move) for move in moves]}
        case Done(turn=turn, reply=reply, cut_off=cut_off):
            return "done", {"turn_id": turn.id, "reply": reply, "cut_off": cut_off}


def _felt(felt: Felt) -> dict[str, Any]:
    return {
        "emotion": felt.emotion,
        "one_hot": one_hot(felt.emotion),
        "intensity": felt.intensity,
        "label": sprite_label(felt.emotion, felt.intensity),
        "valence": felt.valence,
        "by": felt.by,
    }


def _update(observed: Observed) -> dict[str, Any]:
    return {
        "turn_id": observed.turn.id,
        "unread": observed.unread,
        "again": observed.again,
        "decisions": [_decision(decision) for decision in observed.decisions],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "decision": _DONE_WITH[type(decision)],
        "content": decision.claim.content,
        "memory": None if isinstance(decision, Ignore) else _memory(decision.memory),
        "closed": [_memory(memory) for memory in decision.closed] if isinstance(decision, Supersede) else [],
        "why": decision.why if isinstance(decision, Ignore) else None,
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "content": memory.content,
        "type": memory.content_type,
        "subject": memory.subject,
        "subject_id": memory.subject_id,
        "attribute": memory.attribute,
        "value": memory.value,
        "pinned": memory.pinned,
    }


def _move(move: Move) -> dict[str, Any]:
    return {
        "kind": move.kind,
        "before": _thing(move.before),
        "after": _thing(move.after),
        "causes": [to_record(cause) for cause in move.causes],
    }


def _thing(thing: Thing | None) -> dict[str, Any] | None:
    if isinstance(thing, Relationship):
        axes = {str(axis): thing.axis(axis) for axis in AXES}
        return {"level": thing.level, "score": score(thing), **axes, "turns": thing.turns}
    if isinstance(thing, Manners):
        return {who: to_record(thing.of(who)) for who in ("user", "character")}
    return None
