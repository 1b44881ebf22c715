"""A tool of the protocol out of what a mind can do: it finds the scope, asks whether the caller may, says why not."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Annotated, Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent
from pydantic import Field, ValidationError

from gieok.access.acting import acting_for, note_read
from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.mcp.calling import NAMES, Place, calling
from gieok.mcp.tools import Ability

_WHOSE: Final[Mapping[str, str]] = {
    "user": "Who talks: whose memory it is. Leave it out for the usual one; '' for nobody (lore that all share).",
    "character": "Who remembers. Leave it out for the usual one; '' for nobody.",
    "world": "In which story. Leave it out for the usual one; '' for none.",
}


def bound(ability: Ability, bank: MemoryBank, place: Place) -> Tool:
    """Return `ability` as a tool over `bank`; unless the scope is fixed, it takes the names of one."""

    def call(**arguments: Any) -> CallToolResult:
        named = {name: arguments.pop(name, None) for name in NAMES}
        try:
            caller = calling()
            scope = place.scope(caller, named)
            caller.check(ability.role, scope)
            if ability.role == "reader":
                note_read(bank, caller, scope, f"mcp {ability.name}")
            with nullcontext() if caller.key is None else acting_for(caller):
                return ability.does(bank.mind(scope), **arguments)
        except GieokError as trouble:
            raise ToolError(str(trouble)) from trouble

    own = inspect.signature(ability.does, eval_str=True)
    given = [each for each in own.parameters.values() if each.name != "mind"]
    parameters = given if place.fixed else [*given, *(_whose(name) for name in NAMES)]
    named_only = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    call.__signature__ = own.replace(parameters=named_only)  # type: ignore[attr-defined]  # what the SDK reads
    return Tool.from_function(
        call,
        name=ability.name,
        title=ability.title,
        description=inspect.getdoc(ability.does),
        annotations=ability.hints,
    )


def _whose(name: str) -> inspect.Parameter:
    hint = Annotated[str | None, Field(max_length=200, description=_WHOSE[name])]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)


def checking(tools: Mapping[str, Tool]) -> ServerMiddleware[Any]:
    """Return the middleware that tells a model in a sentence what is wrong with the arguments of its call."""

    async def check(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        params = ctx.params or {}
        tool = tools.get(str(params.get("name"))) if ctx.method == "tools/call" else None
        arguments = params.get("arguments") or {}
        if tool is not None and isinstance(arguments, dict):
            wrong = _wrong_with(tool, arguments)
            if wrong:
                told = f"{tool.name}: {'; '.join(wrong)}. Nothing was done; call it again with these put right"
                return CallToolResult(content=[TextContent(type="text", text=told)], is_error=True)
        return await call_next(ctx)

    return check


def _wrong_with(tool: Tool, arguments: dict[str, Any]) -> list[str]:
    known = tool.parameters["properties"]
    wrong = [f"there is no argument {name!r}; there are {', '.join(known)}" for name in arguments if name not in known]
    try:
        tool.fn_metadata.validate_arguments(arguments)
    except ValidationError as trouble:
        wrong += [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in trouble.errors()]
    return wrong
