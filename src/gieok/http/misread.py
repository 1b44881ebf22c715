"""What is wrong with a request of the wrong form, in words for whoever wrote it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from pydantic import BaseModel

from gieok.domain.attributes import SCHEMA

#: pydantic's name of a mistake, and what to say; the fields are those of its `ctx`.
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is missing; give it",
    "string_type": "must be text",
    "string_too_short": "is too short; it takes at least {min_length} character(s), else leave it out",
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


def misread(mistakes: Sequence[Mapping[str, Any]], body: object = None) -> list[dict[str, str]]:
    """Return each mistake as where it is ("body.text") and what it is. What was sent is not repeated.

    `body` is what the request should have held: a model, whose fields are suggested for misspelt ones.
    """
    return [{"where": ".".join(str(part) for part in each["loc"]), "what": _what(each, body)} for each in mistakes]


def _what(mistake: Mapping[str, Any], body: object) -> str:
    kind, facts = mistake["type"], mistake.get("ctx") or {}
    if kind == "missing" and mistake["loc"] == ("body",):
        return "is missing; send a JSON object with Content-Type: application/json"
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(facts.get("pattern", ""), f"must match {facts.get('pattern')}")
    if kind == "extra_forbidden":
        return f"is not known here; {_meant(mistake['loc'], body)}"
    words = _WORDS.get(kind)
    return words.format(**facts) if words is not None else str(mistake["msg"])


def _meant(place: Sequence[Any], body: object) -> str:
    """Return what a field that is not there may have been meant to be."""
    known = _fields(body, place[1:-1])
    if not known:
        return "/openapi.json lists the fields"
    meant = difflib.get_close_matches(str(place[-1]), known, n=1)
    return f"did you mean {meant[0]}?" if meant else f"known here: {', '.join(known)}"


def _fields(kind: object, path: Sequence[Any]) -> list[str]:
    """Return the fields of the model that `path` leads to from `kind`; empty: it leads to none, or to several."""
    models = [each for each in (kind, *get_args(kind)) if isinstance(each, type) and issubclass(each, BaseModel)]
    if len(models) != 1:
        return []
    fields = models[0].model_fields
    if not path:
        return list(fields)
    return _fields(fields[path[0]].annotation, path[1:]) if path[0] in fields else []


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
    TEXT: "must have at least one visible character, and no NUL",
    ATTRIBUTE: f"is not in the schema; known: {', '.join(sorted(SCHEMA))}, and favorite.<anything>",
    ONCE: "must be 1 to 255 visible ASCII characters, such as a UUID",
}
