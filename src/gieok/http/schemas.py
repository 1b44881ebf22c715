"""The OpenAPI schemas of answers: pydantic models that are made from the shapes of records.

An endpoint returns domain values, and its return annotation says which. `answer_model` turns the annotation into the
model that the document shows, and `json_bytes` writes what was returned.
"""

from __future__ import annotations

import tomllib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Final, Generic, TypeVar, Union, get_args, get_origin

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.config import JsonDict
from pydantic_core import to_json, to_jsonable_python

from gieok.records import SHAPES, Shape, add_shape, record, shape_of

Item = TypeVar("Item")
Kind = TypeVar("Kind", bound=type)
_TEXTS: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("descriptions.toml").read_text(encoding="utf-8")
)


def answer(keys: str | None = None, *, name: str | None = None) -> Callable[[Kind], Kind]:
    """Give a dataclass of the API a record with all of its fields, or with `keys`."""

    def add(kind: Kind) -> Kind:
        add_shape(kind, keys or " ".join(field.name for field in fields(kind)), name=name)
        return kind

    return add


@answer()
@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list."""

    items: list[Item]
    next: str | None  #: a cursor; None: this is the last page


def json_bytes(value: Any) -> bytes:
    return to_json(record(value), inf_nan_mode="null")


def jsonable(value: Any) -> Any:
    return to_jsonable_python(record(value))


def answer_model(annotation: Any) -> Any:
    """Return the type that the document shows for a return annotation; `Response` classes are left out of unions."""
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [answer_model(each) for each in get_args(annotation) if not _is_response(each)]
        return Union[tuple(dict.fromkeys(parts))]  # noqa: UP007  # made of a tuple
    if _is_response(annotation):
        return annotation
    return _model_type(annotation)


def _is_response(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Response)


def _model_type(hint: Any) -> Any:
    """Return a type of the domain with models in the place of dataclasses and lists in the place of tuples."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(dict.fromkeys(map(_model_type, inner)))]  # noqa: UP007  # made of a tuple
    if origin in (tuple, list):
        return list[_model_type(inner[0])]  # type: ignore[misc]  # made at run time
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[inner[0], inner[1]]  # type: ignore[valid-type]  # made at run time
    if origin is Page:
        return _page_model(_model_type(inner[0]))
    if isinstance(hint, type) and (hint in SHAPES or hint.__module__.startswith("gieok.")):
        return _model(shape_of(hint))
    return hint


@cache
def _page_model(item: type[BaseModel]) -> type[BaseModel]:
    name = item.__name__.removesuffix("Count") + "Page"
    following = Field(description=_TEXTS["Page"]["next"])
    return create_model(name, __doc__=_TEXTS[name]["doc"], items=(list[item], ...), next=(str | None, following))  # type: ignore[valid-type]  # made at run time


_MODELS: Final[dict[str, type[BaseModel]]] = {}


def _model(shape: Shape) -> type[BaseModel]:
    if shape.name not in _MODELS:
        texts = _TEXTS.get(shape.name, {})
        examples: JsonDict | None = {"examples": [texts["example"]]} if "example" in texts else None
        _MODELS[shape.name] = create_model(
            shape.name,
            __doc__=texts.get("doc") or shape.source.__doc__,
            __config__=ConfigDict(json_schema_extra=examples),
            **_fields(shape),
        )
    return _MODELS[shape.name]


def _fields(shape: Shape) -> dict[str, Any]:
    texts = _TEXTS.get(shape.name, {})
    found: dict[str, Any] = {}
    for key, hint in shape.types().items():
        if key.startswith("**"):
            found |= _fields(shape_of(hint))
        else:
            found[key] = (
                _model_type(hint),
                Field(description=texts.get(key), examples=texts.get("examples", {}).get(key)),
            )
    return found
