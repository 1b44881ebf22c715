"""What a scripted model answers when it is asked what a talk tells."""

import json
from typing import Any


def proposal(attribute: str, value: str, quote: str = "", **fields: Any) -> dict[str, Any]:
    """Return one proposal of an "extract" answer; by default the user's, sure and important."""
    return {
        "quote": quote,
        "subject": "user",
        "name": "",
        "attribute": attribute,
        "value": value,
        "content": value or quote,
        "type": "fact",
        "polarity": "+",
        "act": "assert",
        "importance": 0.8,
        "certainty": 1.0,
        **fields,
    }


def answer(*proposals: dict[str, Any]) -> str:
    return json.dumps({"memories": proposals}, ensure_ascii=False)
