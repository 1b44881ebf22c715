"""The rooms of the house, and who may import whom.

An arrow is any import from one room into another: at the top of a module, inside a function, under
TYPE_CHECKING, relative, or by `import_module("gieok.…")`. An arrow that the table does not draw fails.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"

RULES = {"domain", "language", "extract", "privacy", "prompts", "ports"}
PATHS = {"observe", "recall", "maintain"}
ADAPTERS = {"stores", "embedders", "llms"}
INWARD = RULES | PATHS | ADAPTERS | {"export", "ids", "settings", "presets"}
WAYS_IN = {"bank", "conversation", "access", "settings", "domain", "records"}

# A room is a folder or a module right under src/gieok. `gieok` is the package's own front door,
# __init__.py. What stands in EVERYONE may be imported from anywhere.
EVERYONE = {"errors", "words"}
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "words": set(),
    "moved": set(),  # names old paths, as data
    "ids": set(),
    "domain": set(),
    "language": {"domain"},
    "extract": {"domain", "language", "prompts", "ports"},
    "privacy": {"language", "domain"},
    "prompts": {"domain"},
    "ports": {"domain"},
    "observe": RULES | {"ids"},
    "recall": RULES,
    "maintain": RULES | {"ids"},
    "export": {"domain", "language", "ports"},
    "stores": {"ports", "domain"},
    "embedders": {"ports", "domain"},
    "llms": {"ports", "domain"},
    "settings": {"presets"},
    "presets": set(),
    "bank": INWARD,
    "aio": INWARD | {"bank"},
    "gieok": INWARD | {"bank", "aio", "conversation", "moved"},
    "conversation": {"bank", "language", "ports", "domain", "ids"},
    "access": {"domain", "ports"},
    "records": {"domain", "bank", "export"},
    "http": WAYS_IN,
    "proxy": WAYS_IN,
    "mcp": WAYS_IN,
    "web": WAYS_IN,
    "serve": WAYS_IN | {"http", "proxy", "mcp", "web"},
    "interop": {"bank", "domain", "ids"},
    "testing": {"ports", "domain"},
    # The outermost rooms put the others together, and nobody imports them.
    "cli": INWARD | WAYS_IN | {"gieok", "aio", "http", "proxy", "mcp", "web", "serve", "interop", "testing"},
    "__main__": {"cli"},
}

# domain holds pure rules: no I/O, no clock, no randomness. Times and ids come in as arguments.
IMPURE_MODULES = set(
    "asyncio io logging os pathlib queue random secrets shutil socket sqlite3 subprocess tempfile "
    "threading time urllib uuid apsw numpy.random".split()
)
IMPURE_CALLS = {"open", "input", "print"}
CLOCK_CALLS = {"now", "utcnow", "today"}


@dataclass(frozen=True)
class Module:
    """One source file: its path from src, and its text."""

    path: Path
    text: str

    def __str__(self) -> str:
        return f"src/{self.path}"

    @property
    def room(self) -> str:
        parts = self.path.with_suffix("").parts
        return "gieok" if parts[1:] in ((), ("__init__",)) else parts[1]

    @property
    def package(self) -> list[str]:
        """The package that relative imports in this module start from."""
        return list(self.path.parent.parts)


def modules() -> list[Module]:
    """Every module of the package, as it stands on disk."""
    return [
        Module(path.relative_to(SOURCE), path.read_text(encoding="utf-8"))
        for path in sorted((SOURCE / "gieok").rglob("*.py"))
    ]


def imported(module: Module) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) for everything that `module` imports, however it does it.

    `from a.b import c` yields `a.b.c`, since c may be a module as well as a name in one.
    """
    for node in ast.walk(ast.parse(module.text)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=name, names=names, level=level):
                base = module.package[: len(module.package) - level + 1] if level else []
                prefix = ".".join([*base, *([name] if name else [])])
                yield from ((node.lineno, f"{prefix}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, ".".join(module.package) + name if name.startswith(".") else name


def room_of(dotted: str) -> str | None:
    """The room that an imported name lives in; None when it is not ours.

    `gieok.bank.MemoryBank` is in bank; `gieok.MemoryBank` comes through the front door.
    """
    top, *rest = dotted.split(".")
    if top != "gieok":
        return None
    return rest[0] if rest and (rest[0] in ROOMS or on_disk(rest[0])) else "gieok"


def on_disk(room: str) -> bool:
    return (SOURCE / "gieok" / room).is_dir() or (SOURCE / "gieok" / f"{room}.py").is_file()


def wrong_arrows(module: Module) -> list[str]:
    """One sentence for every import in `module` that the table does not allow."""
    if module.room not in ROOMS:
        return [f"{module}: {module.room} is not in the table; give the new room a row in {Path(__file__).name}"]
    wrong = []
    for line, dotted in imported(module):
        target = room_of(dotted)
        if target is None or target == module.room or target in ROOMS[module.room] | EVERYONE:
            continue
        allowed = ", ".join(sorted(ROOMS[module.room] | EVERYONE - {module.room}))
        wrong.append(
            f"{module}:{line}: {module.room} → {target} is not allowed (imports {dotted}; "
            f"{module.room} may import {allowed})"
        )
    return wrong


def impurities(module: Module) -> list[str]:
    """One sentence for every clock, random source or I/O that a module of domain reaches for."""
    found = []
    for line, dotted in imported(module):
        parts = dotted.split(".")
        if {parts[0], ".".join(parts[:2])} & IMPURE_MODULES:
            found.append(f"{module}:{line}: domain imports {dotted}; hand the value in as an argument")
    for node in ast.walk(ast.parse(module.text)):
        match node:
            case ast.Attribute(attr=name) if name in CLOCK_CALLS:
                found.append(f"{module}:{node.lineno}: domain asks .{name}; take the time as an argument")
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                found.append(f"{module}:{node.lineno}: domain calls {name}(); it neither reads nor writes")
    return found


def test_every_import_follows_an_arrow_of_the_table():
    found = modules()
    assert found, f"no modules under {SOURCE}"
    wrong = [sentence for module in found for sentence in wrong_arrows(module)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_domain_has_no_clock_no_randomness_and_no_io():
    found = [sentence for module in modules() if module.room == "domain" for sentence in impurities(module)]
    assert not found, "\n" + "\n".join(found)


def test_every_arrow_of_the_table_ends_in_a_room_of_the_table():
    assert set().union(*ROOMS.values(), EVERYONE) <= set(ROOMS)


def test_the_table_has_no_circles():
    seen: set[str] = set()

    def walk(room: str, way: tuple[str, ...]) -> None:
        assert room not in way, " → ".join([*way, room])
        if room not in seen:
            for target in ROOMS[room] | (EVERYONE - {room} if room not in EVERYONE else set()):
                walk(target, (*way, room))
            seen.add(room)

    for room in ROOMS:
        walk(room, ())


def module(path: str, text: str) -> Module:
    return Module(Path(path), text)


@pytest.mark.parametrize(
    ("path", "text", "arrow"),
    [
        ("gieok/domain/memory.py", "import gieok.stores.sqlite", ":1: domain → stores"),
        ("gieok/domain/memory.py", "\nfrom gieok import ports", ":2: domain → ports"),
        ("gieok/domain/memory.py", "from gieok import MemoryBank", ":1: domain → gieok"),
        ("gieok/domain/memory.py", "from .. import bank", ":1: domain → bank"),
        ("gieok/recall/gather.py", "from ..observe.write import observe", ":1: recall → observe"),
        ("gieok/recall/gather.py", "def f():\n    import gieok.maintain", ":2: recall → maintain"),
        ("gieok/stores/sqlite/store.py", "from ...language import morphemes", ":1: stores → language"),
        ("gieok/stores/__init__.py", "from ..embedders import use", ":1: stores → embedders"),
        ("gieok/ports.py", "from .stores import sqlite", ":1: ports → stores"),
        ("gieok/ports.py", "if TYPE_CHECKING:\n    from gieok.bank import Mind", ":2: ports → bank"),
        ("gieok/bank/mind.py", "importlib.import_module('gieok.cli')", ":1: bank → cli"),
        ("gieok/http/app.py", "import httpx, gieok.llms", ":1: http → llms"),
        ("gieok/cli/demo.py", "from gieok import __main__", ":1: cli → __main__"),
        ("gieok/helpers.py", "", "give the new room a row"),
    ],
)
def test_the_check_sees_a_wrong_arrow(path, text, arrow):
    (sentence,) = wrong_arrows(module(path, text))
    assert arrow in sentence
    assert sentence.startswith(f"src/{path}")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (
            "gieok/domain/memory.py",
            "from .scope import Scope\nfrom ..errors import X\nimport gieok.domain.turn",
        ),
        ("gieok/domain/memory.py", "import bank\nfrom stores import sqlite  # not ours"),
        ("gieok/observe/write.py", "from gieok import domain, ids\nfrom gieok.extract import korean"),
        (
            "gieok/stores/sqlite/store.py",
            "from . import rows\nfrom .. import names\nfrom ...ports import Store",
        ),
        ("gieok/__init__.py", "from .bank import MemoryBank\nfrom .errors import GieokError"),
        ("gieok/cli/demo.py", "def demo():\n    import gieok\n    gieok.open('x.db')"),
    ],
)
def test_the_check_lets_a_right_arrow_pass(path, text):
    assert wrong_arrows(module(path, text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "import time",
        "from os import environ",
        "import os.path",
        "from uuid import uuid4",
        "import random as r",
        "def f():\n    from numpy import random",
        "at = datetime.now(UTC)",
        "day = datetime.date.today()",
        "field(default_factory=datetime.utcnow)",
        "open('x')",
    ],
)
def test_the_check_sees_a_clock_a_die_and_a_file_in_domain(text):
    assert len(impurities(module("gieok/domain/memory.py", text))) == 1


def test_the_check_lets_domain_use_the_values_of_datetime():
    text = "from datetime import UTC, datetime, timedelta\nstart = datetime(2026, 1, 1, tzinfo=UTC)"
    assert impurities(module("gieok/domain/memory.py", text)) == []


def test_the_product_imports_none_of_the_packages_beside_it():
    beside = [
        f"{module}:{line}"
        for module in modules()
        for line, dotted in imported(module)
        if dotted.split(".")[0] in ("gieok_evals", "gieok_contract")
    ]
    assert {place.partition(":")[0] for place in beside} == {"src/gieok/testing/store_contract.py"}, "the alias only"
