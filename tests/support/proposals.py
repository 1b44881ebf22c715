"""What a scripted model answers when it is asked to read a stretch of conversation."""

import json
from collections.abc import Sequence
from typing import Any


def fact(attribute: str, value: str, quote: str, line: int = 1, who: str = "user", **fields: Any) -> dict[str, Any]:
    """Return one fact of an "extract" answer; by default it holds now and the model is sure."""
    told = {"line": line, "who": who, "attribute": attribute, "value": value, "quote": quote}
    return {**told, "act": "is", "when": "", "sure": 1.0, **fields}


def answer(*facts: dict[str, Any], right: Sequence[str] = (), wrong: Sequence[str] = ()) -> str:
    return json.dumps({"facts": facts, "right": list(right), "wrong": list(wrong)}, ensure_ascii=False)
