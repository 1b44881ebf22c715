"""The public surface as plain JSON: what a caller, an operator, an HTTP client or an MCP client can name.

    PYTHONPATH=src:tests python tests/compat/surface.py

writes today's surface to `tests/compat/data/surface/`. Do so only for an addition that is to be kept from now on.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.main import get_command

import gieok

FOLDER = Path(__file__).parent / "data" / "surface"
#: Names that documents and examples import, by module; none named: all of its `__all__`.
DOCUMENTED: Mapping[str, tuple[str, ...]] = {
    "gieok": (),
    "gieok.aio": ("AsyncBank", "AsyncMind", "open", "rekey", "restore"),
    "gieok.conversation": ("Conversation",),
    "gieok.conversation.aio": ("AsyncConversation",),
    "gieok.conversation.events": (
        "ContextBuilt", "Delta", "Done", "Emotion", "Failed", "MemoryUpdate", "RelationshipUpdate",
    ),
    "gieok.interop.langgraph": ("GieokStore",),
    "gieok.interop.mem0": (),
    "gieok.interop.pipeline": ("MemoryPipeline",),
    "gieok.interop.social": ("SocialMemory",),
    "gieok.testing": (),
}  # fmt: skip
_WIDTH = 160
_TEXTS = ("title", "description", "examples", "example", "summary", "operationId", "tags")


def kept(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


# Python


def python_surface() -> dict[str, Any]:
    """Return every public name with what stands behind it, and every error with the kinds that it is of."""
    found: dict[str, Any] = {}
    for module, names in DOCUMENTED.items():
        home = importlib.import_module(module)
        for name in names or home.__all__:
            found[f"{module}.{name}"] = shape(getattr(home, name))
    errors = [each for each in vars(gieok.errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    beyond = {"object", "BaseException", "Exception"}
    found["gieok.errors"] = {
        each.__name__: sorted({base.__name__ for base in each.__mro__[1:]} - beyond) for each in errors
    }
    return found


def shape(value: Any) -> Any:
    """Return the signature of a call; of a class its fields, or how it is called, and its members."""
    if inspect.isclass(value):
        fields = [each.name for each in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
        made = {"fields": fields} if fields else {"call": signature(value)} if "__init__" in vars(value) else {}
        names = [name for name in dir(value) if not name.startswith("_") and name not in fields]
        return made | {"members": {name: shape(inspect.getattr_static(value, name)) for name in names}}
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if inspect.isfunction(value):
        return ("async " if inspect.iscoroutinefunction(value) else "") + signature(value)
    return "value"


def signature(call: Callable[..., Any]) -> str:
    """Return a signature without annotations, since names of types may change: `(query, *, k=None)`."""
    found = inspect.signature(call)
    bare = [
        each.replace(annotation=inspect.Parameter.empty, default=_Shown.of(each.default))
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    return str(found.replace(parameters=bare, return_annotation=inspect.Signature.empty))


class _Shown:
    """A default value as an expression; an ellipsis where it has none."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    @classmethod
    def of(cls, default: Any) -> Any:
        if default is inspect.Parameter.empty:
            return default
        try:
            ast.parse(repr(default), mode="eval")
        except SyntaxError:
            return cls("...")
        return cls(repr(default))


def stumbles(before: str, now: str) -> list[str]:
    """Return what a call that was written for the signature `before` would stumble over now."""
    if before.startswith("async ") != now.startswith("async ") or "value" in (before, now):
        return [f"was {before}, is {now}"] if before != now else []
    old, new = _parameters(before), _parameters(now)
    if {each.kind for each in old.values()} == {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}:
        return []  # it hands on whatever it is given
    found = [f"parameter {name} is gone" for name in old if name not in new]
    found += [
        f"parameter {each} is now {new[name]}"
        for name, each in old.items()
        if name in new and not _takes(new[name], each)
    ]
    found += [
        f"parameter {name} is new and required"
        for name, each in new.items()
        if name not in old and each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    placed = [name for name, each in old.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    if placed != [name for name, each in new.items() if each.kind is each.POSITIONAL_OR_KEYWORD][: len(placed)]:
        found.append(f"the order was {before}, is {now}")
    return found


def _takes(new: inspect.Parameter, old: inspect.Parameter) -> bool:
    same_kind = new.kind is old.kind or (old.kind is old.KEYWORD_ONLY and new.kind is new.POSITIONAL_OR_KEYWORD)
    return same_kind and (old.default is old.empty or new.default == old.default)


def _parameters(text: str) -> dict[str, inspect.Parameter]:
    """Return the parameters of a signature that `signature` wrote; defaults are kept as their text."""
    arguments = ast.parse(f"def call{text.removeprefix('async ')}: ...").body[0].args  # type: ignore[attr-defined]
    of = inspect.Parameter
    placed = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(placed) - len(arguments.defaults)) + arguments.defaults
    pairs = [(each, of.POSITIONAL_OR_KEYWORD, default) for each, default in zip(placed, defaults, strict=True)]
    pairs += [(arguments.vararg, of.VAR_POSITIONAL, None)] if arguments.vararg else []
    pairs += [
        (each, of.KEYWORD_ONLY, default)
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    pairs += [(arguments.kwarg, of.VAR_KEYWORD, None)] if arguments.kwarg else []
    return {
        each.arg: of(each.arg, kind, default=of.empty if default is None else ast.unparse(default))
        for each, kind, default in pairs
    }


def python_changes(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield what of the kept surface is gone or changed. Additions are let through."""
    if isinstance(before, str) and isinstance(now, str):
        yield from (f"{where}: {each}" for each in stumbles(before, now))
    elif isinstance(before, list) and isinstance(now, list):
        yield from (f"{where}: {each} is gone" for each in before if each not in now)
    elif isinstance(before, dict) and isinstance(now, dict):
        for name, each in before.items():
            if name in now:
                yield from python_changes(each, now[name], f"{where}.{name}".removeprefix("."))
            else:
                yield f"{where}.{name} is gone".removeprefix(".")
    else:
        yield f"{where} was {before}, is {now}"


# Settings and commands


def settings_surface() -> dict[str, Any]:
    """Return every setting with its default."""
    settings = gieok.Settings()
    return {each.name: getattr(settings, each.name) for each in dataclasses.fields(gieok.Settings)}


def command_surface() -> dict[str, Any]:
    """Return every command with its arguments and options. What an option does not say is false, or nothing."""
    from gieok.cli.app import whole_app

    return dict(_commands("gieok", get_command(whole_app())))


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, dict(_option(each) for each in command.params)
    for name, each in getattr(command, "commands", {}).items():
        yield from _commands(f"{path} {name}", each)


def _option(parameter: Any) -> tuple[str, dict[str, Any]]:
    is_argument = parameter.param_type_name == "argument"
    shown = {parameter.name.upper(), parameter.metavar or parameter.name.upper()}  # an argument has no other name
    names = sorted(shown) if is_argument else [*parameter.opts, *parameter.secondary_opts]
    default = parameter.default if isinstance(parameter.default, str | int | float | bool) else None
    facts = {
        "required": parameter.required,
        "many": bool(getattr(parameter, "multiple", False)) or parameter.nargs != 1,
        "flag": bool(getattr(parameter, "is_flag", False)),
        "choices": list(getattr(parameter.type, "choices", None) or ()),
        "default": default,
    }
    return "/".join(names), {name: each for name, each in facts.items() if each}


def command_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands and options that are gone or mean something else."""
    for path, options in before.items():
        if path not in now:
            yield f"{path} is gone"
            continue
        spelt = {name: (key, each) for key, each in now[path].items() for name in key.split("/")}
        for key, old in options.items():
            for name in key.split("/"):
                new = spelt.get(name, ("", None))[1]
                if new is None:
                    yield f"{path} {name} is gone"
                elif {**new, "choices": set(old.get("choices", ())) - set(new.get("choices", ()))} != {
                    **old,
                    "choices": set(),
                }:
                    yield f"{path} {name} was {old}, is {new}"
        known = {name for key in options for name in key.split("/")}
        required = (key for key, each in now[path].items() if each.get("required"))
        yield from (f"{path} {key} is new and required" for key in required if not known & set(key.split("/")))


# HTTP and MCP


def http_surface(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document without its texts."""
    return {"paths": _bare(document["paths"]), "components": {"schemas": _bare(document["components"]["schemas"])}}


def _bare(value: Any, named: bool = True) -> Any:
    """Return a schema without texts. `named`: the keys are names of the API, not words of the schema language."""
    if isinstance(value, list):
        return [_bare(each, named=False) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _bare(each, named=not named and key == "properties")
        for key, each in value.items()
        if named or key not in _TEXTS
    }


def http_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the routes that are gone, take less or something else, or answer with less."""
    for path, methods in before["paths"].items():
        for method, old in methods.items():
            route = f"{method.upper()} {path}"
            new = now["paths"].get(path, {}).get(method)
            if new is None:
                yield f"{route} is gone"
                continue
            asked, answered = _asked(old, before), _asked(new, now)
            yield from schema_changes(asked, answered, f"{route} · asked", is_answer=False)
            for status, answer in old["responses"].items():
                there = new["responses"].get(status)
                if there is None:
                    yield f"{route} · {status} is gone"
                else:
                    old_body, new_body = _contents(answer, before), _contents(there, now)
                    yield from schema_changes(old_body, new_body, f"{route} · {status}", is_answer=True)


def _asked(operation: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a request is made of as one schema: parameters and bodies are its properties."""
    parameters = operation.get("parameters", [])
    return {
        "properties": {
            **{f"{each['in']} {each['name']}": resolved(each["schema"], document) for each in parameters},
            **_contents(operation.get("requestBody", {}), document)["properties"],
        },
        "required": [f"{each['in']} {each['name']}" for each in parameters if each.get("required")],
    }


def _contents(part: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    contents = part.get("content", {})
    return {"properties": {kind: resolved(each.get("schema", {}), document) for kind, each in contents.items()}}


def resolved(schema: Any, document: Mapping[str, Any], seen: tuple[str, ...] = ()) -> Any:
    """Return a schema with what it refers to in its place; an ellipsis where it holds itself."""
    if isinstance(schema, list):
        return [resolved(each, document, seen) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if reference := schema.get("$ref"):
        target: Any = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]
        return "…" if reference in seen else resolved(target, document, (*seen, reference))
    return {key: resolved(each, document, seen) for key, each in schema.items() if key != "$defs"}


def schema_changes(before: Any, now: Any, where: str, *, is_answer: bool) -> Iterator[str]:
    """Yield what is gone from a schema or stricter in it. A request may leave more out, an answer may hold more."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        if before != now:
            yield f"{where} was {_short(before)}, is {_short(now)}"
        return
    for key in dict.fromkeys([*before, *now]):
        old, new = before.get(key), now.get(key)
        if key == "required":
            yield from _required_changes(set(old or ()), set(new or ()), where, is_answer=is_answer)
        elif key == "properties":
            yield from _property_changes(old or {}, new or {}, where, is_answer=is_answer)
        elif key in ("enum", "anyOf", "oneOf", "allOf", "prefixItems"):
            for each in old or ():
                if all(any(schema_changes(each, other, "", is_answer=is_answer)) for other in new or ()):
                    yield f"{where}: {_short(each)} is gone"
        else:
            yield from schema_changes(old, new, f"{where}.{key}", is_answer=is_answer)


def _property_changes(
    before: Mapping[str, Any], now: Mapping[str, Any], where: str, *, is_answer: bool
) -> Iterator[str]:
    for name, each in before.items():
        if name not in now:
            yield f"{where}.{name} is gone"
        else:
            yield from schema_changes(each, now[name], f"{where}.{name}", is_answer=is_answer)


def _required_changes(before: set[str], now: set[str], where: str, *, is_answer: bool) -> Iterator[str]:
    if is_answer:
        yield from (f"{where}.{name} may be missing now" for name in sorted(before - now))
    else:
        yield from (f"{where}.{name} is required now" for name in sorted(now - before))


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:200]


def tool_surface(tools: Iterable[Any]) -> dict[str, Any]:
    """Return the tools of an MCP server with what they take and give, without texts."""
    return {
        each.name: {"input": _bare(each.input_schema, named=False), "output": _bare(each.output_schema, named=False)}
        for each in tools
    }


def tool_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tools that are gone, take something else, or give less."""
    for name, old in before.items():
        if name not in now:
            yield f"tool {name} is gone"
            continue
        for side, is_answer in (("input", False), ("output", True)):
            was, is_ = (resolved(each[side], each[side]) for each in (old, now[name]))
            yield from schema_changes(was, is_, f"tool {name} · {side}", is_answer=is_answer)


# Schemas of stores


def migration_surface() -> dict[str, str]:
    """Return a digest of each step of the stores' schemas, without its comments."""
    return {
        f"{path.parents[1].name}/{path.name}": hashlib.sha256(
            " ".join(re.sub(r"--[^\n]*", "", path.read_text(encoding="utf-8")).split()).encode()
        ).hexdigest()
        for path in sorted(Path(gieok.__file__).parent.rglob("migrations/*.sql"))
    }


def main() -> None:
    from compat.server import running, tools

    FOLDER.mkdir(parents=True, exist_ok=True)
    with running() as server:
        found = {
            "python": python_surface(),
            "settings": settings_surface(),
            "commands": command_surface(),
            "http": http_surface(server.get("/openapi.json").raise_for_status().json()),
            "mcp": tool_surface(tools(server)),
            "migrations": migration_surface(),
        }
    for name, surface in found.items():
        (FOLDER / f"{name}.json").write_text(f"{laid_out(surface)}\n", encoding="utf-8")


def laid_out(value: Any, indent: str = "") -> str:
    """Return JSON in which whatever fits, and every list of words, stands on one line."""
    line = json.dumps(value, ensure_ascii=False)
    is_short = len(indent) + len(line) <= _WIDTH
    is_words = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if is_short or is_words or not isinstance(value, dict | list):
        return line
    inner = f"{indent} "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + laid_out(each, inner) for each in value) + f"\n{indent}]"
    rows = (f"{inner}{json.dumps(key, ensure_ascii=False)}: {laid_out(each, inner)}" for key, each in value.items())
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


if __name__ == "__main__":
    main()
