"""What adapters keep beside memories: records as JSON, with the personal data in their texts masked."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any


def masked(value: Any, mask: Callable[[str], str], *, whole: Collection[str] = ()) -> Any:
    """Return a record with every text in it masked; keys are names, and stay, as does what `whole` names."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, Mapping):
        return {key: part if key in whole else masked(part, mask, whole=whole) for key, part in value.items()}
    return [masked(part, mask, whole=whole) for part in value] if isinstance(value, list | tuple) else value


def as_json(value: Mapping[str, Any]) -> str:
    """Return `value` as JSON; lone surrogates, which no file can hold, as escapes."""
    text = json.dumps(dict(value), ensure_ascii=False)
    return json.dumps(dict(value)) if any("\ud800" <= letter <= "\udfff" for letter in text) else text
