"""An event as a webhook is told of it: what happened, when, in whose memory, and to which memory.

What a memory says is left out unless the webhook asked for it: a letter may go far.
"""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from typing import Any

from gieok.bank.events import Event
from gieok.domain.desk import Webhook
from gieok.domain.emotion import Felt
from gieok.domain.manners import Manners
from gieok.domain.memory import Memory
from gieok.domain.relationship import Relationship, score
from gieok.domain.scene import Scene


def event_id(event: Event, place: int) -> str:
    """Return the id of the event at that place of its operation; it is the same however often it is told."""
    return f"{event.operation.id}-{place}"


def letter_body(event: Event, place: int, *, include_text: bool) -> str:
    """Return the JSON that a webhook gets."""
    operation, scope = event.operation, event.scope
    told = {
        "id": event_id(event, place),
        "event": event.name,
        "at": operation.moment.at.isoformat(),
        "recorded_at": operation.moment.recorded_at.isoformat(),
        "scope": {"user": scope.user, "character": scope.character, "world": scope.world},
        "operation": {"id": operation.id, "kind": operation.kind, "turn_id": operation.turn_id},
        "what": _shown(event.what, include_text=include_text),
        "before": _shown(event.before, include_text=include_text),
    }
    return json.dumps(told, ensure_ascii=False)


def wants(webhook: Webhook, event: Event) -> bool:
    return "*" in webhook.events or event.name in webhook.events


def signature(secret: str, body: str, seconds: int) -> str:
    """Return the header by which a receiver knows that a letter is from us, and not an old one."""
    signed = hmac.new(secret.encode(), f"{seconds}.{body}".encode(), sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def _shown(what: Any, *, include_text: bool) -> dict[str, Any] | None:
    match what:
        case None:
            return None
        case Memory():
            return _memory(what, include_text=include_text)
        case Relationship():
            return {"kind": "relationship", "level": what.level, "score": round(score(what), 1)}
        case Felt():
            return {
                "kind": "emotion",
                "speaker": what.speaker,
                "emotion": what.emotion,
                "intensity": round(what.intensity, 3),
            }
        case Scene():
            return {"kind": "scene", "id": what.id, **({"place": what.place} if include_text else {})}
        case Manners():
            return {"kind": "manners"}
        case tuple():
            return {"kind": "operations", "ids": list(what)}
    return {"kind": type(what).__name__.lower()}


def _memory(memory: Memory, *, include_text: bool) -> dict[str, Any]:
    shown = {
        "kind": "memory",
        "id": memory.id,
        "type": memory.content_type,
        "about": memory.subject,
        "attribute": memory.attribute,
        "version": memory.version,
    }
    return shown | {"content": memory.content, "value": memory.value} if include_text else shown
