"""What `--json` prints of relationships, people, scenes, feelings and upkeep. The keys are a contract.

Every key is always there, and an unknown value is null. Moments are ISO 8601 with an offset; axes, score and trust
are numbers of 0–100, intensity is one of 0–1, sentiment and valence are of -1 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gieok.cli.records import Record, decision_record, felt_record, iso, memory_record, scope_record
from gieok.domain.entity import Entity, Note
from gieok.domain.manners import Habit, Manners, Speech
from gieok.domain.relationship import Relationship, score
from gieok.domain.relationship_rules import AXES
from gieok.domain.scene import Scene

if TYPE_CHECKING:
    from gieok.bank.living import Feeling, Step
    from gieok.bank.relating import Regard
    from gieok.cli.look.decisions import Work
    from gieok.domain.memory import Memory
    from gieok.domain.upkeep import Kept
    from gieok.maintain.maintaining import Upkept


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
