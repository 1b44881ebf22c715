"""What is wrong with a request of the wrong form, in words for whoever wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gieok.domain.attributes import SCHEMA

#: pydantic's name of a mistake, and what to say; the fields are those of its `ctx`.
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "string_type": "must be text",
    "string_too_short": "is empty; leave it out or give it at least {min_length} character(s)",
    "string_too_long": "is too long; at most {max_length} characters fit",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_long": "holds too many; at most {max_length} are taken at once",
    "too_short": "holds too few; give at least {min_length}",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be a JSON object, sent with Content-Type: application/json",
    "model_type": "must be a JSON object",
    "literal_error": "must be one of {expected}",
    "value_error": "{error}",
}


def misread(mistakes: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return each mistake as where it is ("body.text") and what it is. What was sent is not repeated."""
    return [{"where": ".".join(str(part) for part in each["loc"]), "what": _what(each)} for each in mistakes]


def _what(mistake: Mapping[str, Any]) -> str:
    kind, facts = mistake["type"], mistake.get("ctx") or {}
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(facts.get("pattern", ""), f"must match {facts.get('pattern')}")
    if kind == "extra_forbidden":
        return "is not known here; /openapi.json lists the fields"
    words = _WORDS.get(kind)
    return words.format(**facts) if words is not None else str(mistake["msg"])


#: One line that is not blank; what a name may be.
NAME: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: The same without a slash: it stands in an address.
PLAIN_ID: Final = r"^[^/\x00-\x1f\x7f-\x9f\u2028\u2029]*[^/.\s\x00-\x1f\x7f-\x9f][^/\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: A text that is not blank.
TEXT: Final = r"^[^\x00]*[^\s\x00-\x1f][^\x00]*$"
#: A name of the schema.
ATTRIBUTE: Final = rf"^({'|'.join(sorted(SCHEMA))}|favorite\.[^\x00-\x1f\x7f-\x9f]+)$"
#: A word for a request that may be sent again.
ONCE: Final = r"^[!-~]+$"

PATTERNS: Final[Mapping[str, str]] = {
    NAME: "must be one line with at least one visible character",
    PLAIN_ID: "must be one line with at least one visible character and no slash",
    TEXT: "has no visible character, or holds a NUL",
    ATTRIBUTE: f"is not in the schema; known: {', '.join(sorted(SCHEMA))}, and favorite.<anything>",
    ONCE: "must be 1 to 255 visible ASCII characters, such as a UUID",
}
