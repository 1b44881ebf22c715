"""The body of a request, read as JSON by the letter: what cannot be kept or counted is refused with its reason."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, Final, NoReturn

from fastapi import Request

from gieok.http.problems import Refused

_DIGITS: Final = 18  #: a longer whole number does not fit where it would be kept
_SIGNS: Final = 200_000  #: commas and brackets, in texts too; all others wait while they are read
_FIELDS: Final = 100  #: of one object; each that is not known would be told of


class StrictRequest(Request):
    """A request whose JSON is UTF-8, finite, and free of halves of letters."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = strict_json(await self.body())
        return self._json


def strict_json(body: bytes) -> Any:
    """Return what `body` says; raises `Refused`."""
    if sum(map(body.count, (b",", b"[", b"{"))) > _SIGNS:
        raise Refused(422, "too-many-parts", f"the body has more than {_SIGNS:,} parts; no field takes so many")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise Refused(400, "not-utf-8", f"the body is not UTF-8 at byte {cause.start}; send it as UTF-8") from cause
    try:
        value = json.loads(text, parse_constant=_not_json, parse_int=_whole, parse_float=_finite)
        _check_fields(value)
        if "\\u" in text:
            _check_letters(value)
    except json.JSONDecodeError as cause:
        what = f"{cause.msg.removesuffix(' at')}, at line {cause.lineno}, column {cause.colno}"
        raise Refused(400, "malformed-json", f"the body is not JSON: {what}") from cause
    except RecursionError as cause:
        raise Refused(400, "malformed-json", "the body is nested too deeply; no field takes more than a few") from cause
    return value


def _check_fields(value: Any) -> None:
    if not isinstance(value, dict):
        return
    if len(value) > _FIELDS:
        detail = f"an object in the body has {len(value):,} fields; no more than {_FIELDS} are read"
        raise Refused(422, "too-many-fields", f"{detail}, and /openapi.json lists those that are known")
    for each in value.values():
        _check_fields(each)


def _check_letters(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as cause:
        detail = "the body holds half of a surrogate pair (\\ud800 to \\udfff), which is no letter; send both halves"
        raise Refused(422, "lone-surrogate", detail) from cause


def _not_json(word: str) -> NoReturn:
    raise Refused(400, "malformed-json", f"the body holds {word}, which JSON does not have; leave the field out")


def _whole(digits: str) -> int:
    if (many := len(digits.lstrip("-"))) > _DIGITS:
        raise Refused(422, "number-too-large", f"a whole number in the body has {many} digits; 18 are enough")
    return int(digits)


def _finite(digits: str) -> float | int:
    number = float(digits)
    if number.is_integer() and abs(number) < 10**_DIGITS:
        return int(number)  # to JSON, 8 and 8.0 are one number
    if not isfinite(number):
        raise Refused(422, "number-too-large", "a number in the body is too large to be counted with")
    return number
