"""What `--json` prints. The keys are a contract: every key is always there, and an unknown value is null.

Moments are ISO 8601 with an offset; scores, importance and strength are numbers of 0–1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import one_hot
from gieok.domain.erasure import Certificate
from gieok.domain.memory import Memory
from gieok.domain.record import decision_name, promotion_of, to_record
from gieok.domain.relationship import Relationship, score
from gieok.domain.upkeep import what_became

Record = dict[str, Any]

#: The keys of each class, in order. `type=content_type` takes another attribute, `at=turn.at` a part of one (null where
#: that is None), `summary?` is null where it is empty, `**felt` stands for all keys of that value.
_KEYS: Final[Mapping[str, str]] = {
    "Scope": "user character world",
    "Bounds": "user character world",
    "ScopeSummary": "**scope turns utterances memories latest_at",
    "Memory": "id content type=content_type kind speaker subject subject_id attribute value surface polarity certainty "
    "importance strength mentions uses pinned origin valid_at invalid_at known_at recorded_at closed_by forgotten_at "
    "sources tags version",
    "Utterance": "id turn_id speaker text at session",
    "Hit": "text score parts contributions why scope memory utterance",
    "Parts": "recency importance relevance keyword strength graph",
    "Found": "source rank",
    "Observed": "turn_id=turn.id number=turn.number at=turn.at session=turn.session unread again pii ask decisions "
    "emotions level",
    "Felt": "speaker emotion intensity valence by one_hot",
    "Context": "query text tokens budget messages blocks items degraded",
    "Message": "role content",
    "Block": "name text tokens items shortened left_out",
    "LeftOut": "id=item_id why",
    "Relationship": "level score trust affection respect rivalry familiarity turns met_at last_at",
    "Step": "at turn_id scene before after=relationship causes",
    "Cause": "cause=name speaker? words? axis amount",
    "Manners": "user character",
    "Speech": "style address",
    "Habit": "value since=at asked_by",
    "Feeling": "at turn_id **felt",
    "Entity": "id name display_name aliases kind summary? interests personality interactions first_seen last_seen "
    "sentiment sentiment_label trust",
    "Regard": "at turn_id sentiment=entity.sentiment trust=entity.trust",
    "Scene": "id session started_at last_at ended_at ended_by place daytime participants tone valence topics turns",
    "Upkept": "scope dry_run busy passes kept",
    "Kept": "action why changes",
    "Change": "what before after",
    "ModelWork": "scope directed=done.directed note? read left_open asked failed kept",
    "Version": "version=number operation=operation_id number=operation act at recorded_at actor who why turn_id before "
    "after",
    "Actor": "kind name",
    "Verified": "sound chains deeds findings",
    "Finding": "scope=chain.scope chain=chain.mark number since what",
    "AccessKey": "id name role bounds home per_minute per_day created_at revoked_at",
    "Backup": "path kind made_at bytes=size sha256 encrypted scopes fresh rows=counts removed",
    "Restored": "location backup made_at files scopes rows=counts taken_back set_aside",
    "Copied": "scopes fresh rows moving different erased outlived ahead",
    "Erasure": "dry_run counts scopes held certificates",
    "TakenIn": "**scope fate counts",
    "Exported": "path size_bytes scopes",
    "Check": "name state detail remedy?",
}


def _scope_names(name: str) -> Callable[[Any], list[str]]:
    return lambda value: [str(scope) for scope in getattr(value, name)]


def _level(observed: Observed) -> Record | None:
    """Return the levels before and after; None unless the relationship reached another one."""
    for move in observed.moves:
        match move.before, move.after:
            case Relationship(level=before), Relationship(level=after) if before != after:
                return {"before": before, "after": after}
    return None


_COMPUTED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "Hit.memory": lambda hit: hit.item if isinstance(hit.item, Memory) else None,
    "Hit.utterance": lambda hit: None if isinstance(hit.item, Memory) else hit.item,
    "Observed.level": _level,
    "Felt.one_hot": lambda felt: one_hot(felt.emotion),
    "Relationship.score": score,
    "Entity.interests": lambda entity: [note.text for note in entity.interests],
    "Entity.personality": lambda entity: [note.text for note in entity.personality],
    "Entity.sentiment_label": lambda entity: entity.sentiment_label(),
    "Change.what": what_became,
    "ModelWork.read": lambda work: [{"turn_id": each.turn.id, "decisions": each.decisions} for each in work.done.read],
    "ModelWork.asked": lambda work: work.done.pondered.asked if work.done.pondered else [],
    "ModelWork.failed": lambda work: work.done.pondered.failed if work.done.pondered else [],
    "ModelWork.kept": lambda work: work.done.pondered.kept if work.done.pondered else [],
    **{f"Copied.{name}": _scope_names(name) for name in ("moving", "different", "erased", "outlived", "ahead")},
    "Erasure.held": _scope_names("held"),
    "Erasure.scopes": lambda erasure: [{"scope": str(each.scope), "counts": each.counts} for each in erasure.scopes],
}


def record(value: Any) -> Any:
    """Return `value` as JSON can hold it; an object by the keys of its class."""
    keys = _KEYS.get(type(value).__name__)
    if keys is not None:
        return _by_keys(value, keys)
    match value:
        case Remember() | Reinforce() | Supersede() | Retract() | Ignore():
            return _decision(value)
        case Certificate():
            return {**to_record(value), "proven": value.proven, "intact": value.intact}
        case datetime():
            return value.isoformat()
        case PurePath():
            return str(value)
        case Mapping():
            return {str(key): record(part) for key, part in value.items()}
        case list() | tuple():
            return [record(each) for each in value]
    return value


def _by_keys(value: Any, keys: str) -> Record:
    found: Record = {}
    for word in keys.split():
        key, _, path = word.removesuffix("?").partition("=")
        compute = _COMPUTED.get(f"{type(value).__name__}.{key}")
        part = record(compute(value) if compute else _part(value, path or key.removeprefix("**")))
        if key.startswith("**"):
            found |= part
        else:
            found[key] = (part or None) if word.endswith("?") else part
    return found


def _part(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = None if value is None else getattr(value, name)
    return value


def _decision(decision: Decision) -> Record:
    """Return a decision; `closed` are the memories that a new one superseded, `why` is the reason to ignore."""
    promotion = promotion_of(decision)
    return {
        "decision": decision_name(decision),
        "content": decision.claim.content,
        "memory": None if isinstance(decision, Ignore) else record(decision.memory),
        "closed": record(decision.closed) if isinstance(decision, Supersede) else [],
        "promotion": None if promotion is None else promotion.score,
        "why": decision.why if isinstance(decision, Ignore) else None,
    }
