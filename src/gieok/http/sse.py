"""Server-sent events: one event as it goes over the wire."""

from __future__ import annotations

import json
from typing import Any, Final

MEDIA_TYPE: Final = "text/event-stream; charset=utf-8"
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
COMMENT: Final = b": still here\n\n"  #: keeps a quiet connection open


def event(name: str, data: Any, *, id: str | None = None) -> bytes:
    """Return an event; `data` goes as JSON, which holds no line break."""
    lines = [f"id: {id}"] if id is not None else []
    lines += [f"event: {name}", f"data: {json.dumps(data, ensure_ascii=False)}", "", ""]
    return "\n".join(lines).encode()


def schema(*names: str) -> dict[str, Any]:
    """Return what a document says of an event of one of these names."""
    return {
        "type": "object",
        "required": ["event", "data"],
        "properties": {
            "event": {"type": "string", "enum": list(names)},
            "data": {"type": "string", "contentMediaType": "application/json"},
            "id": {"type": "string"},
        },
    }
