"""The rooms of the house, and who may import whom.

An arrow is any import from one room into another: at the top of a module, inside a function, under
TYPE_CHECKING, relative, or by `import_module("gieok.…")`. An arrow that the table does not draw fails.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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
    "conversation": {"bank", "extract", "language", "ports", "domain", "ids"},
    "access": {"domain", "ports"},
    "records": {"domain", "bank", "export"},
    "http": WAYS_IN,
    "proxy": WAYS_IN,
    "mcp": WAYS_IN,
    "web": WAYS_IN,
    "serve": WAYS_IN | {"http", "proxy", "mcp", "web"},
    "interop": {"bank", "domain", "ids", "records"},
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


@cache
def imports() -> list[tuple[Path, str, int, str]]:
    """Return (file, room, line, dotted name) of every import in the package.

    `from a.b import c` is `a.b.c`, since c may be a module as well as a name in one.
    """
    found = []
    for path in sorted((SOURCE / "gieok").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        room = "gieok" if parts[1:] == ("__init__",) else parts[1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found += [(path, room, line, dotted) for line, dotted in _imported(node, list(parts[:-1]))]
    return found


def _imported(node: ast.AST, package: list[str]) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Import(names=names):
            yield from ((node.lineno, alias.name) for alias in names)
        case ast.ImportFrom(module=name, names=names, level=level):
            base = package[: len(package) - level + 1] if level else []
            prefix = ".".join([*base, *([name] if name else [])])
            yield from ((node.lineno, f"{prefix}.{alias.name}") for alias in names)
        case ast.Call(
            func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
            args=[ast.Constant(value=str(name)), *_],
        ):
            yield node.lineno, ".".join(package) + name if name.startswith(".") else name


def room_of(dotted: str) -> str | None:
    """The room of an imported name: bank for `gieok.bank.X`, gieok for `gieok.X`; None where it is not ours."""
    top, *rest = dotted.split(".")
    return None if top != "gieok" else rest[0] if rest and rest[0] in ROOMS else "gieok"


def test_every_import_follows_an_arrow_of_the_table():
    wrong = [
        f"{path}:{line}: {room} may not import {dotted}"
        for path, room, line, dotted in imports()
        if room_of(dotted) not in {None, room} | ROOMS[room] | EVERYONE
    ]
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(imports()) > 1_000


def test_the_table_names_the_rooms_there_are_and_has_no_circles():
    there = {path.stem for path in (SOURCE / "gieok").iterdir() if path.suffix in ("", ".py")} - {"__pycache__"}
    assert there - {"__init__", "py"} == set(ROOMS) - {"gieok"}
    left = {room: set(targets) for room, targets in ROOMS.items()}
    while free := [room for room, targets in left.items() if not targets & set(left)]:
        for room in free:
            del left[room]
    assert not left


def test_domain_has_no_clock_no_randomness_and_no_io():
    found = [
        f"{path}:{line}: domain imports {dotted}; hand the value in as an argument"
        for path, room, line, dotted in imports()
        if room == "domain" and {dotted.split(".")[0], ".".join(dotted.split(".")[:2])} & IMPURE_MODULES
    ]
    for path in sorted((SOURCE / "gieok" / "domain").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(attr=name) if name in CLOCK_CALLS:
                    found.append(f"{path}:{node.lineno}: domain asks .{name}; take the time as an argument")
                case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                    found.append(f"{path}:{node.lineno}: domain calls {name}(); it neither reads nor writes")
    assert not found, "\n" + "\n".join(found)


def test_the_product_imports_none_of_the_packages_beside_it():
    beside = {path.name for path, _, _, dotted in imports() if dotted.startswith(("gieok_evals", "gieok_contract"))}
    assert beside == {"store_contract.py"}, "the alias only"
