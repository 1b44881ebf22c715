"""What `--json` prints. The keys are a contract: every key is always there, and an unknown value is null.

Moments are ISO 8601 with an offset; scores, importance and strength are numbers of 0–1.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gieok.domain.answer import Block, Context, Hit, Observed
from gieok.domain.decision import Decision, Ignore, Retract, Supersede
from gieok.domain.emotion import Felt, one_hot
from gieok.domain.entity import Entity, Note
from gieok.domain.memory import Memory
from gieok.domain.relationship import AXES, Habit, Manners, Relationship, Speech, score
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES
from gieok.domain.turn import Utterance
from gieok.ports import ScopeSummary

if TYPE_CHECKING:
    from gieok.bank.history import Feeling, Regard, Step
    from gieok.cli.look.memories import Work
    from gieok.domain.memory import Memory
    from gieok.domain.upkeep import Kept, Upkept


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


def relationship_record(relationship: Relationship) -> Record:
    return {
        "level": relationship.level,
        "score": score(relationship),
        **{axis: relationship.axis(axis) for axis in AXES},
        "turns": relationship.turns,
        "met_at": iso(relationship.met_at),
        "last_at": iso(relationship.last_at),
    }


def step_record(step: Step) -> Record:
    return {
        "at": iso(step.at),
        "turn_id": step.turn_id,
        "scene": step.scene,
        "before": None if step.before is None else relationship_record(step.before),
        "after": relationship_record(step.relationship),
        "causes": [
            {
                "cause": c.name,
                "speaker": c.speaker or None,
                "words": c.words or None,
                "axis": c.axis,
                "amount": c.amount,
            }
            for c in step.causes
        ],
    }


def manners_record(manners: Manners) -> Record:
    return {who: _speech(manners.of(who)) for who in ("user", "character")}


def feeling_record(feeling: Feeling) -> Record:
    return {"at": iso(feeling.at), "turn_id": feeling.turn_id, **felt_record(feeling.felt)}


def entity_record(entity: Entity) -> Record:
    return {
        "id": entity.id,
        "name": entity.name,
        "display_name": entity.display_name,
        "aliases": list(entity.aliases),
        "kind": entity.kind,
        "summary": entity.summary or None,
        "interests": _notes(entity.interests),
        "personality": _notes(entity.personality),
        "interactions": entity.interactions,
        "first_seen": iso(entity.first_seen),
        "last_seen": iso(entity.last_seen),
        "sentiment": entity.sentiment,
        "sentiment_label": entity.sentiment_label(),
        "trust": entity.trust,
    }


def profile_record(entity: Entity, facts: Iterable[Memory], regards: Iterable[Regard]) -> Record:
    return {
        **entity_record(entity),
        "facts": [memory_record(memory) for memory in facts],
        "trajectory": [
            {
                "at": iso(regard.at),
                "turn_id": regard.turn_id,
                "sentiment": regard.entity.sentiment,
                "trust": regard.entity.trust,
            }
            for regard in regards
        ],
    }


def scene_record(scene: Scene) -> Record:
    return {
        "id": scene.id,
        "session": scene.session,
        "started_at": iso(scene.started_at),
        "last_at": iso(scene.last_at),
        "ended_at": iso(scene.ended_at),
        "ended_by": scene.ended_by,
        "place": scene.place,
        "daytime": scene.daytime,
        "participants": list(scene.participants),
        "tone": scene.tone,
        "valence": scene.valence,
        "topics": list(scene.topics),
        "turns": scene.turns,
    }


def upkept_record(upkept: Upkept) -> Record:
    return {
        "scope": scope_record(upkept.scope),
        "dry_run": upkept.dry_run,
        "busy": upkept.busy,
        "passes": list(upkept.passes),
        "kept": [_kept(each) for each in upkept.kept],
    }


def work_record(work: Work) -> Record:
    """Return what models did in a scope; `asked` and `failed` are kinds of thought."""
    pondered = work.done.pondered
    return {
        "scope": scope_record(work.scope),
        "directed": work.done.directed,
        "note": work.note or None,
        "read": [
            {"turn_id": each.turn.id, "decisions": [decision_record(decision) for decision in each.decisions]}
            for each in work.done.read
        ],
        "left_open": work.left_open,
        "asked": [] if pondered is None else list(pondered.asked),
        "failed": [] if pondered is None else list(pondered.failed),
        "kept": [] if pondered is None else [_kept(each) for each in pondered.kept],
    }


def _kept(kept: Kept) -> Record:
    from gieok.domain.upkeep import what_became

    return {
        "action": kept.action,
        "why": kept.why,
        "changes": [
            {
                "what": what_became(change),
                "before": None if change.before is None else memory_record(change.before),
                "after": None if change.after is None else memory_record(change.after),
            }
            for change in kept.changes
        ],
    }


def _speech(speech: Speech) -> Record:
    return {"style": _habit(speech.style), "address": _habit(speech.address)}


def _habit(habit: Habit | None) -> Record | None:
    if habit is None:
        return None
    return {"value": habit.value, "since": iso(habit.at), "asked_by": habit.asked_by}


def _notes(notes: Iterable[Note]) -> list[str]:
    return [note.text for note in notes]
