"""Part 3: recall that finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from holding.condition import Part, Reading, holds


def _locomo(told: Any) -> Reading:
    found, first = told["recall@10"], told["mrr"]
    held_out = told["tuning"]["held_out"]
    apart = "; ".join(f"{name} apart R@10 {each['recall@10']:.3f}" for name, each in told["apart"].items())
    tuned = f"weights tuned on the others {held_out['recall@10']:.3f}, {held_out['mrr']:.3f}"
    return Reading(f"R@10 {found:.3f}, MRR {first:.3f}; {tuned}; {apart}", found >= 0.78 and first >= 0.55)


def _ablation(told: Any) -> Reading:
    """Read what leaving out each part changes; one that is surely better left out has its interval above 0."""
    gains = {each["off"]: each for each in told["ablation"] if each["recall@10"] > 0}
    surely = [name for name, each in gains.items() if (each["intervals"]["recall@10"] or [0])[0] > 0]
    words = ", ".join(f"{name} {each['recall@10']:+.3f} (MRR {each['mrr']:+.3f})" for name, each in gains.items())
    return Reading(f"R@10 without: {words or 'never higher'}; surely so: {', '.join(surely) or 'none'}", not surely)


def _found(goal: float) -> Callable[[Any], Reading]:
    return lambda told: Reading(f"{told['recall@10']:.3f} (MRR {told['mrr']:.3f})", told["recall@10"] >= goal)


def _ahead(told: Any) -> Reading:
    found = {each["name"]: each["finding"] for each in told["results"]}
    without = [name for name, finding in found.items() if finding is None]
    if without:
        raise KeyError(f"nothing was found out of {', '.join(without)}")
    ours = found["gieok"]
    peers = [finding for name, finding in found.items() if not name.startswith("gieok")]
    words = ", ".join(f"{name} {each['recall_at_10']:.3f} / {each['mrr']:.3f}" for name, each in found.items())
    ahead = all(ours["recall_at_10"] > each["recall_at_10"] and ours["mrr"] > each["mrr"] for each in peers)
    return Reading(f"R@10 / MRR: {words}", bool(peers) and ahead)


def _stage(told: Any, name: str, size: int) -> Any:
    result = next(each for each in told["results"] if each["name"] == name)
    stage = next((each for each in result["stages"] if each["size"] == size), None)
    if stage is None:
        raise KeyError(f"{name} at {size:,}: {result['trouble']}")
    return stage


def _at_10_000(told: Any) -> Reading:
    ours, theirs = (_stage(told, name, 10_000) for name in ("gieok", "mem0"))
    times = theirs["search_wall"]["p50"] / ours["search_wall"]["p50"]
    words = f"{ours['search_wall']['p50']:.1f} against {theirs['search_wall']['p50']:.1f} ms: {times:.1f} ×"
    added = f"at {ours['added']:,} and {theirs['added']:,} memories"
    return Reading(f"{words}, {added}", times >= 10 and not ours["cut"])


def _at_100_000(told: Any, scale: Any) -> Reading:
    """Compare with the bank of `scale`: by adding one after the other, gieok does not get to 100,000 in the time."""
    theirs = _stage(told, "mem0", 100_000)
    ours = _read(scale, -1, 100_000)["warm"]["p50"] + scale["morphology_cpu_ms"]
    times = theirs["search_cpu"]["p50"] / ours
    words = f"{ours:.1f} ms CPU in a scope of 100,000 that was loaded in bulk (`scale.py`) against mem0's"
    return Reading(f"{words} {theirs['search_cpu']['p50']:,.0f} at {theirs['added']:,}: {times:.0f} ×", times >= 10)


def _read(told: Any, stage: int, size: int) -> Any:
    return next(each for each in told["stages"][stage]["reading"] if each["scope_items"] == size)


def _warm(size: int, goal: float) -> Callable[[Any], Reading]:
    def read(told: Any) -> Reading:
        at = _read(told, -1, size)
        words = f"{at['warm']['p50']:.1f} ms (p95 {at['warm']['p95']:.1f}; cold {at['cold']['p50']:.1f})"
        beside = f"before it encoding {told['encode_cpu_ms']:.1f} and morphology {told['morphology_cpu_ms']:.1f} ms"
        return Reading(
            f"{words}; {beside}; {told['stages'][-1]['items']:,} items in the bank", at["warm"]["p50"] <= goal
        )

    return read


def _growth(told: Any) -> Reading:
    before, after = (told["stages"][stage]["items"] for stage in (0, -1))
    changes = {
        size: _read(told, -1, size)["warm"]["p50"] / _read(told, 0, size)["warm"]["p50"] - 1
        for size in (100, 1_000, 10_000)
    }
    words = ", ".join(f"{change:+.0%} in scopes of {size:,}" for size, change in changes.items())
    return Reading(f"{words}; from {before:,} to {after:,} items", max(changes.values()) < 0.2)


def _scan(told: Any) -> Reading:
    scan = told["scan"]
    ours, machine = scan["uncached_gb_s"], scan["read_uncached_gb_s"]
    return Reading(f"{ours:.1f} GB/s against {machine:.1f}: {machine / ours:.1f} ×", ours * 2 >= machine)


RECALLING: Final = Part(
    title="Part 3: recall that finds it",
    conditions=(
        holds("LoCoMo, five conversations, default weights", "R@10 ≥ 0.78, MRR ≥ 0.55", "locomo", _locomo),
        holds("ParaKQC, a sentence's paraphrases among ten", "R@10 ≥ 0.90", "parakqc", _found(0.90)),
        holds("SmileStyle, the formal sentence by any other register", "R@10 ≥ 0.97", "smilestyle", _found(0.97)),
        holds("ahead of every peer, same texts, same vectors", "ahead on R@10 and MRR", "peers", _ahead),
        holds("search against mem0 at 10,000", "≥ 10 ×", "peers-10000", _at_10_000),
        holds("search against mem0 at 100,000", "≥ 10 ×", ("mem0-100000", "scale"), _at_100_000),
        *(
            holds(f"recall in scopes of {size:,} of the bank of a million, warm, CPU", f"≤ {goal} ms", "scale", read)
            for size, goal, read in ((n, g, _warm(n, g)) for n, g in ((100, 2), (1_000, 4), (10_000, 15)))
        ),
        holds("what ten times as many other users' rows change", "< 20 %", "scale", _growth),
        holds("the exact vector scan against reading memory", "within 2 ×", "scale", _scan),
        holds(
            "no default part makes the ranking worse (on LoCoMo, which sees neither recency nor importance)",
            "none surely better without (95 %)",
            "locomo",
            _ablation,
        ),
    ),
)
