"""`docs/performance.md`: what was profiled, as tables and pictures, with the reasons for the largest costs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from comparing.findings import Findings
from machine import Machine
from profiling.beside import Limits, section
from profiling.chart import svg
from profiling.findings import Act, Profiled
from profiling.phases import NAMES

_REASONS: Final = Path(__file__).with_name("reasons.toml")
_LARGEST: Final = 3
_LEAST: Final = 0.01  #: a phase below this share at every size is not in a table
_TITLES: Final[Mapping[Act, str]] = {
    "observe": "Observing a turn",
    "recall": "Recalling",
    "context": "Making a context",
    "serve": "Serving under load",
}
_ABOUT: Final[Mapping[Act, str]] = {
    "observe": "A turn of two sentences with a reply, upkeep on. Every turn is new.",
    "recall": "`recall(question)`, eight hits, every question a new one: its vector and its morphemes are in it.",
    "context": "`context(question)` with the default budget, every question a new one.",
    "serve": "`gieok serve`, half turns and half recalls over HTTP, in many small scopes; the clients are not in it.",
}


class Unexplained(Exception):
    """A phase has no explanation, or an explanation no phase."""


def reasons(path: Path = _REASONS) -> dict[str, str]:
    """Return why each phase costs what it does. Raises `Unexplained`."""
    told = {name: " ".join(str(why).split()) for name, why in tomllib.loads(path.read_text(encoding="utf-8")).items()}
    missing = [name for name in NAMES if not told.get(name)]
    unknown = [name for name in told if name not in NAMES]
    if missing or unknown:
        raise Unexplained(
            f"{path.name}: explain {', '.join(missing) or 'nothing'}; there is no phase {', '.join(unknown) or '–'}"
        )
    return told


def pictures(profiles: Sequence[Profiled]) -> dict[str, str]:
    """Return every picture of the page by its file's name."""
    return {
        _picture(act): svg(of, title=_TITLES[act], about="processor time of one call, by phase; milliseconds")
        for act, of in _by_act(profiles)
    }


def page(
    profiles: Sequence[Profiled],
    machine: Machine,
    why: Mapping[str, str],
    *,
    limits: Limits | None = None,
    beside: Findings | None = None,
) -> str:
    lines = [
        "# Performance",
        "",
        "Where the processor's time goes. Written by `make performance`; do not edit it by hand: the reasons stand in",
        "`benchmarks/profiling/reasons.toml`, the phases in `benchmarks/profiling/phases.py`.",
        "",
        *machine.lines(),
        *(limits.lines() if limits else ()),
        "",
        "A phase is a handful of public functions. What one of them takes counts for it, less what another phase that",
        "it calls takes, so that the shares add up to the whole; counting itself adds some percent. Sizes are memories",
        "in the scope; beside them stand up to 500 turns.",
        "What commands take, start included: [commands in a shell](tuning.md#commands-in-a-shell).",
        "",
    ]
    for act, of in _by_act(profiles):
        lines += _section(act, of, why)
    lines += section(beside) if beside else ()
    return "\n".join(lines).rstrip() + "\n"


def _by_act(profiles: Sequence[Profiled]) -> Iterator[tuple[Act, list[Profiled]]]:
    for act in get_args(Act):
        of = sorted((each for each in profiles if each.act == act), key=lambda each: each.memories or 0)
        if of:
            yield act, of


def _section(act: Act, of: Sequence[Profiled], why: Mapping[str, str]) -> Iterator[str]:
    yield from (f"## {_TITLES[act]}", "", _ABOUT[act], "", f"![{_TITLES[act]}]({_picture(act)})", "")
    yield from _table(of)
    yield ""
    yield "The largest costs:"
    yield ""
    for name in largest(of):
        shares = ", ".join(f"{each.share(name):.0%}{_at(each)}" for each in of)
        yield f"- **{name}** ({shares}): {why[name]}"
    yield ""


def largest(of: Iterable[Profiled]) -> list[str]:
    """Return the three largest phases of every size, those of the first size first."""
    return list(dict.fromkeys(name for each in of for name in each.largest[:_LARGEST]))


def _table(of: Sequence[Profiled]) -> Iterator[str]:
    yield "| Phase | " + " | ".join(_heading(each) for each in of) + " |"
    yield "|---|" + "---:|" * len(of)
    highest = {name: max(each.share(name) for each in of) for each in of for name in each.phases}
    for name in sorted(highest, key=lambda name: -highest[name]):
        if highest[name] >= _LEAST:
            cells = (f"{each.phases.get(name, 0.0):.2f} ({each.share(name):.0%})" for each in of)
            yield f"| {name} | " + " | ".join(cells) + " |"
    yield "| **together, ms CPU** | " + " | ".join(f"**{each.cpu_ms:.1f}**" for each in of) + " |"


def _heading(each: Profiled) -> str:
    return f"{each.count:,} requests" if each.memories is None else f"{each.memories:,} memories"


def _at(each: Profiled) -> str:
    return "" if each.memories is None else f" at {each.memories:,}"


def _picture(act: Act) -> str:
    return f"performance-{act}.svg"
