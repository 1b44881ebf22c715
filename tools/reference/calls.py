"""docs/api.md: what users call and get, from signatures, docstrings and the comments at fields."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import gieok
from gieok import aio, errors

from . import words

GROUPS = tomllib.loads(Path(__file__).with_name("groups.toml").read_text(encoding="utf-8"))
HOLDERS: Mapping[str, type] = {"bank": gieok.MemoryBank, "mind": gieok.Mind, "talk": gieok.Conversation}
WIDTH = 100
HEAD = """\
# The Python API

Everything that a program calls, by what it wants to do. Written by `make reference` from signatures and docstrings;
do not edit it by hand.

`bank` is what `gieok.open` returns, `mind` what `bank.scope` returns, `talk` a `gieok.Conversation`:

```python
import gieok

bank = gieok.open("memories.db")
mind = bank.scope(user="minsu", character="letia")
mind.observe("나 고양이 좋아해", reply="저도 좋아해요!")
assert [memory.value for memory in mind.facts(about="user")] == ["고양이"]
bank.close()
```

Moments are aware `datetime`s; one without a time zone is refused. `at` is the time of the story, and means now where
it is left out. Ids are opaque. All values are frozen. [Settings](settings.md), [commands](cli.md) and [HTTP](http.md)
have pages of their own.
"""
ASYNC = """\
## asyncio

`gieok.aio` has the same objects, each call forwarded to a thread: `bank = await gieok.aio.open("memories.db")`, then
`await mind.recall(…)`. `async with` closes the bank. `mind.sync` and `bank.sync` are the objects behind them.
Arguments and answers are those above, but for {apart}.
These are not awaited: {plain}. {missing}
"""
ERRORS = """\
## Errors

In `gieok.errors`. What stands behind a – is a kind of the one above it. A message names the trouble and the way out;
the facts are attributes. `InvalidInput` is also a `ValueError`, `NotFound` a `LookupError`.
"""


def page() -> str:
    """Return the whole page."""
    groups = [*GROUPS["group"], *more(GROUPS["group"])]
    values = GROUPS["values"]
    body = "\n".join(
        (
            *(section(group) for group in groups),
            asynchronous(),
            "## Values\n\nFields are read, never set; a change is a new value.\n",
            *(table_of(group) for group in values),
            words.sections(),
            tree(),
        )
    )
    return "\n".join((HEAD, contents(groups, values, anchors(body)), body))


def contents(groups: Sequence[Mapping[str, Any]], values: Sequence[Mapping[str, Any]], at: Mapping[str, str]) -> str:
    lines = []
    for each in groups:
        calls = " · ".join(f"[`{call.rpartition('.')[2]}`]({at[call]})" for call in each["calls"])
        lines.append(f"- [{each['title']}]({at[each['title']]}): {calls}")
    names = [name.rpartition(":")[2] for each in values for name in each["names"]]
    lines += [
        "- [asyncio](#asyncio)",
        f"- [Values](#values): {' · '.join(f'[`{name}`]({at[name]})' for name in names)}",
        "- [Words](#words) · [Attributes](#attributes) · [Errors](#errors)\n",
    ]
    return "\n".join(lines)


def anchors(body: str) -> dict[str, str]:
    """Return where a forge puts each heading; the second of a name gets a number."""
    found: dict[str, str] = {}
    met: Counter[str] = Counter()
    for title in re.findall(r"^#+ (.+)$", body, re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[title] = f"#{plain}-{met[plain]}" if met[plain] else f"#{plain}"
        met[plain] += 1
    return found


def public(holder: type) -> set[str]:
    return {name for name in dir(holder) if not name.startswith("_") and callable(getattr(holder, name))}


def more(groups: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a last group of what stands in none."""
    told = {call for group in groups for call in group["calls"]}
    there = {f"{name}.{call}" for name, holder in HOLDERS.items() for call in public(holder)}
    if left := sorted(there - told):
        yield {"title": "More", "calls": left}


def section(group: Mapping[str, Any]) -> str:
    says = f"{group['says']}\n" if "says" in group else ""
    return "\n".join((f"## {group['title']}\n", *([says] if says else []), *(call(name) for name in group["calls"])))


def call(name: str) -> str:
    holder, _, short = name.rpartition(".")
    what = getattr(gieok if holder == "gieok" else HOLDERS[holder], short)
    if isinstance(what, property):
        answer = inspect.signature(what.fget).return_annotation if what.fget else ""
        shown = f"{name}: {answer}"
    else:
        shown = signature(name, inspect.signature(what))
    told = inspect.getdoc(what) or ""
    return f"### {name}\n\n```pyi\n{shown}\n```\n\n{told}\n" if told else f"### {name}\n\n```pyi\n{shown}\n```\n"


def signature(name: str, of: inspect.Signature) -> str:
    """Return a signature as it would be written in a stub, on lines of a readable length."""
    parameters = [each for each in of.parameters.values() if each.name != "self"]
    pieces = list(_pieces(parameters))
    answer = "" if of.return_annotation in (inspect.Signature.empty, "None") else f" -> {of.return_annotation}"
    line = f"{name}({', '.join(pieces)}){answer}"
    if len(line) <= WIDTH:
        return line
    inner = textwrap.indent(",\n".join(pieces), "    ")
    return f"{name}(\n{inner},\n){answer}"


def _pieces(parameters: Sequence[inspect.Parameter]) -> Iterator[str]:
    starred = False
    for each in parameters:
        if each.kind is inspect.Parameter.VAR_POSITIONAL:
            starred = True
        if each.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(each.kind, "")
        default = "" if each.default is inspect.Parameter.empty else f" = {_shown(each.default)}"
        yield f"{stars}{each.name}: {each.annotation}{default}"


def _shown(default: object) -> str:
    return "..." if default is Ellipsis else repr(default)


def asynchronous() -> str:
    pairs = ((gieok.MemoryBank, aio.AsyncBank, "bank"), (gieok.Mind, aio.AsyncMind, "mind"))
    plain, missing = [], []
    for holder, awaited, name in pairs:
        for each in sorted(public(awaited)):
            what = getattr(awaited, each)
            if not inspect.iscoroutinefunction(what) and not inspect.isasyncgenfunction(what):
                plain.append(f"`{name}.{each}`")
        missing += [f"`{name}.{each}`" for each in sorted(public(holder) - public(awaited))]
    apart = "`bank.maintain` and `bank.audit_records`, which return lists, and `bank.exported`, for `async for`"
    left = f"Not there: {', '.join(missing)}." if missing else ""
    return ASYNC.format(apart=apart, plain=", ".join(plain), missing=left).rstrip() + "\n"


def table_of(group: Mapping[str, Any]) -> str:
    return "\n".join((f"### {group['title']}\n", *(value(name) for name in group["names"])))


def value(name: str) -> str:
    home, _, short = name.rpartition(":")
    what = getattr(import_module(f"gieok.{home}"), short) if home else getattr(gieok, short)
    assert is_dataclass(what), f"{name} is no value"
    where = "" if home == "" else f" (`gieok.{home}`)"
    kinds = [each for each in reversed(what.__mro__) if is_dataclass(each)]  # of a base first
    found = [row for told_in in (fields_of, properties_of) for kind in kinds for row in told_in(kind)]
    rows = [f"| `{each}` | {_cell(kind)} | {note} |" for each, kind, note in found]
    told = " ".join((inspect.getdoc(what) or "").split("\n\n")[0].split())
    return "\n".join((f"#### {short}\n", f"{told}{where}\n", "| Field | Type | |", "|---|---|---|", *rows, ""))


def _cell(kind: str) -> str:
    return f"`{kind}`".replace("|", "\\|") if kind else ""


def fields_of(what: type) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning of each field: the meaning stands in a comment at it, or in a string below it."""
    lines = textwrap.dedent(inspect.getsource(what)).splitlines()
    body = ast.parse("\n".join(lines)).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        note = lines[(node.end_lineno or node.lineno) - 1].partition("#: ")[2]
        if not note and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            note = str(after.value.value)
        yield node.target.id, ast.unparse(node.annotation), (note or _above(lines, node.lineno)).replace("|", "\\|")


def _above(lines: Sequence[str], lineno: int) -> str:
    """Return the comments that stand right above a line."""
    told: list[str] = []
    for line in reversed(lines[: lineno - 1]):
        if not line.strip().startswith("#: "):
            break
        told.insert(0, line.strip().removeprefix("#: "))
    return " ".join(told)


def properties_of(what: type) -> Iterator[tuple[str, str, str]]:
    for name, each in vars(what).items():
        if isinstance(each, property) and not name.startswith("_") and each.fget is not None:
            kind = inspect.signature(each.fget).return_annotation
            told = " ".join((inspect.getdoc(each) or "").split("\n\n")[0].split())
            yield name, str(kind), told


def tree() -> str:
    """Return every error, each below the one that it is a kind of."""
    there = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    kinds: dict[type, list[type]] = {each: [] for each in there}
    for each in there:
        if each is not errors.GieokError:
            kinds[next(base for base in each.__mro__[1:] if base in kinds)].append(each)

    def rows(each: type, depth: int) -> Iterator[str]:
        told = " ".join((inspect.getdoc(each) or "").split("\n\n")[0].split())
        yield f"| {'– ' * depth}`{each.__name__}` | {told} |"
        for below in kinds[each]:
            yield from rows(below, depth + 1)

    return "\n".join((ERRORS, "| Error | When |", "|---|---|", *rows(errors.GieokError, 0), ""))
