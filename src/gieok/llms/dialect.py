"""How a request is put to an endpoint: all that it may understand, and less once it said that it does not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from gieok.domain.answer import Message

Form = Literal["json_schema", "json_object", "plain"]
_WEAKER: Final[Mapping[Form, Form]] = {"json_schema": "json_object", "json_object": "plain"}
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked of a model in one call."""

    model: str
    messages: Sequence[Message]
    most_tokens: int
    schema: Mapping[str, Any] | None = None
    stream: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an endpoint understands beyond messages."""

    form: Form = "json_schema"  #: how it is told to answer with JSON
    usage: bool = True  #: counts the tokens of a stream
    steady: bool = True  #: takes a temperature
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def request(self, wanted: Wanted) -> dict[str, Any]:
        """Return the body of the request."""
        messages = [{"role": each.role, "content": _SURROGATE.sub("\ufffd", each.content)} for each in wanted.messages]
        body: dict[str, Any] = {"model": wanted.model, "messages": messages, self.limit: wanted.most_tokens}
        if wanted.stream:
            body["stream"] = True
            if self.usage:
                body["stream_options"] = {"include_usage": True}
        if wanted.schema is None:
            return body
        if self.steady:
            body["temperature"] = 0
        if self.form == "json_schema":
            shape = {"name": "answer", "schema": wanted.schema, "strict": _is_strict(wanted.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
            return body
        if self.form == "json_object":
            body["response_format"] = {"type": "json_object"}
        schema = json.dumps(wanted.schema, ensure_ascii=False)
        body["messages"] = _told(messages, f"Answer with JSON of this schema and nothing else:\n{schema}")
        return body

    def plainer(self, wanted: Wanted, complaint: str) -> Dialect | None:
        """Return how to put it after the endpoint refused the request as it was; None: it was as plain as can be.

        What the complaint names goes first.
        """
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.steady and wanted.schema is not None and "temperature" in complaint:
            return replace(self, steady=False)
        if self.usage and wanted.stream:
            return replace(self, usage=False)
        if wanted.schema is not None and self.form in _WEAKER:
            return replace(self, form=_WEAKER[self.form])
        return None


def _told(messages: list[dict[str, str]], order: str) -> list[dict[str, str]]:
    """Return `messages` with `order` in the system message; many templates take only one, at the head."""
    if messages and messages[0]["role"] == "system":
        head, *rest = messages
        return [{**head, "content": f"{head['content']}\n\n{order}"}, *rest]
    return [{"role": "system", "content": order}, *messages]


def _is_strict(schema: object) -> bool:
    """Whether every object in `schema` is closed and requires all of its fields, which "strict" endpoints ask for."""
    if isinstance(schema, Mapping):
        closed = schema.get("type") != "object" or (
            schema.get("additionalProperties") is False
            and set(schema.get("required", ())) == set(schema.get("properties", {}))
        )
        return closed and all(_is_strict(each) for each in schema.values())
    return not isinstance(schema, list) or all(_is_strict(each) for each in schema)
