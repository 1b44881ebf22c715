"""The documents of this repository: their blocks, their links and headings, and the commands that they show."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import dropwhile, groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(
    r"^(?P<indent> *)```(?:python|py)\b[^\n]*\n(?P<code>.*?)^(?P=indent)```[ \t]*$", re.MULTILINE | re.DOTALL
)
_FENCED = re.compile(
    r"^(?P<indent> *)```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```[ \t]*$", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?\)")


def pages() -> list[Path]:
    """Return every document that is there to be read."""
    return sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), ROOT / "benchmarks/README.md"])


def blocks(text: str) -> list[tuple[int, str]]:
    """Return (line, code) of every ```python block, the line counted from 1 at the code's first line."""
    found = []
    for block in FENCE.finditer(text):
        indent = block["indent"]
        code = "\n".join(line.removeprefix(indent) for line in block["code"].split("\n"))
        found.append((text.count("\n", 0, block.start("code")) + 1, code))
    return found


def section(page: str, title: str | None = None) -> str:
    """Return the text of `docs/page`, or of its section `## title`; other lines are blank, so line numbers stay."""
    text = (DOCS / page).read_text(encoding="utf-8")
    if title is None:
        return text
    begin = text.index(f"\n## {title}\n") + 1
    end = re.search(r"^## ", text[begin + 3 :], re.MULTILINE)
    return "\n" * text.count("\n", 0, begin) + text[begin : begin + 3 + end.start() if end else None]


def run(path: Path, monkeypatch: pytest.MonkeyPatch, title: str | None = None, **given: object) -> ModuleType:
    """Run the blocks of `path`, or of one section, in one namespace; a traceback names the document and the line."""
    found = blocks(section(str(path), title))
    assert found, f"{path.name} has no ```python block"
    program = ModuleType(f"__{path.stem.lower()}__")
    monkeypatch.setitem(sys.modules, program.__name__, program)  # dataclasses look themselves up there
    program.__dict__.update(given)
    for line, code in found:
        exec(compile("\n" * (line - 1) + code, str(path), "exec"), program.__dict__)
    return program


def prose(text: str) -> str:
    """Return a document without its blocks and inline code, line by line."""
    without = _FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", without)


def links(text: str) -> list[tuple[int, str]]:
    """Return (line, target) of every link and picture."""
    plain = prose(text)
    return [(plain.count("\n", 0, link.start()) + 1, link[1]) for link in _LINK.finditer(plain)]


@cache
def anchors(text: str) -> set[str]:
    """Return where a forge puts the headings; the second of a name gets a number."""
    met: Counter[str] = Counter()
    found = set()
    without = _FENCED.sub("", text)
    for title in re.findall(r"^#{1,6} +(.+?) *$", without, re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)  # of a link, what it says
        plain = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        found.add(f"{plain}-{met[plain]}" if met[plain] else plain)
        met[plain] += 1
    return found


def lost(path: Path) -> list[str]:
    """Return the relative links of a document that lead nowhere."""
    missing = []
    for line, target in links(path.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            missing.append(f"{path.name}:{line}: {target}")
    return missing


def shell_lines(text: str) -> list[str]:
    """Return what a document types into a shell, in blocks and indented, without prompts and remarks."""
    found = []
    for block in _FENCED.finditer(text):
        if block["kind"] in ("sh", "console", "bash"):
            lines = block["text"].replace("\\\n", " ").splitlines()
            found += [line.strip().removeprefix("$ ") for line in lines]
    found += re.findall(r"^    (gieok .+)$", _FENCED.sub("", text), re.MULTILINE)
    return [line for line in found if line and not line.startswith("#")]


def typed(line: str) -> Iterator[list[str]]:
    """Yield the words behind each `gieok` that a line calls."""
    words = shlex.split(line.replace(";", " ; "), comments=True)
    for mark, piece in groupby(words, lambda word: word in (";", "|", ">", "&&")):
        called = list(dropwhile(lambda word: "=" in word, piece))
        if not mark and called[:1] == ["gieok"]:
            yield called[1:]


@cache
def command_line() -> Any:
    """Return all the commands; making them takes a while."""
    from typer.main import get_command

    from gieok.cli.app import whole_app

    return get_command(whole_app())


def misspelt(words: list[str]) -> str | None:
    """Return what is wrong with a call of `gieok`, None: it is a command, and its options are its own."""
    command = command_line()
    known = {name for each in command.params for name in each.opts}
    rest = list(words)
    while rest and rest[0] in known:
        rest = rest[2:] if rest[0] == "--as" else rest[1:]
    while hasattr(command, "commands"):
        if not rest:
            return None
        if rest[0] not in command.commands:
            return f"no command {rest[0]!r}" if not rest[0].startswith("-") else None
        command = command.commands[rest.pop(0)]
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}
    wrong = [word for word in rest if re.match(r"--?[a-z]", word) and word.partition("=")[0] not in options]
    return f"{command.name} has no {wrong[0]}" if wrong else None
