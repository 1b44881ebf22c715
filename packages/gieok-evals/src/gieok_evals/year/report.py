"""The conditions of a year: what must hold, and what is good to know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gieok_evals.figures import Share
from gieok_evals.year.checking import OLD, Lived

_WHOLE_YEAR = 3_000  #: turns; with fewer nobody has the time to become a friend


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Something that should hold, with how often it did."""

    name: str
    share: Share
    must: bool = True
    note: str = ""

    @property
    def holds(self) -> bool:
        return self.share.hits == self.share.of


@dataclass(frozen=True, slots=True, kw_only=True)
class YearReport:
    """A year of some people. Its fields are the keys of the JSON report."""

    characters: int
    turns: int  #: of each
    seed: int
    embedder: str
    cap: int | None
    seconds: float
    passed: bool  #: everything that must hold does
    conditions: tuple[Condition, ...]
    lives: tuple[Lived, ...] = field(repr=False)

    @property
    def misses(self) -> tuple[str, ...]:
        return tuple(miss for lived in self.lives for miss in lived.misses)


def report(
    lives: Sequence[Lived], *, turns: int, seed: int, embedder: str, cap: int | None, seconds: float
) -> YearReport:
    conditions = tuple(_conditions(lives, turns=turns, cap=cap))
    return YearReport(
        characters=len(lives),
        turns=turns,
        seed=seed,
        embedder=embedder,
        cap=cap,
        seconds=seconds,
        passed=all(condition.holds for condition in conditions if condition.must),
        conditions=conditions,
        lives=tuple(lives),
    )


def _conditions(lives: Sequence[Lived], *, turns: int, cap: int | None) -> list[Condition]:
    def total(of: Callable[[Lived], Share]) -> Share:
        return sum(map(of, lives), Share())

    made = sum(lived.trivial_made for lived in lives)
    repeated = sum(lived.trivial_repeated for lived in lives)
    most = max(lived.most for lived in lives)
    conditions = [
        Condition(
            name="identity and caution facts are current",
            share=total(lambda lived: lived.known.current),
            note=f"{sum(lived.never_read for lived in lives)} were never read",
        ),
        Condition(
            name="… and in the context of a question about them",
            share=total(lambda lived: lived.known.asked),
        ),
        Condition(
            name="… and were so at the end of every quarter",
            share=total(lambda lived: lived.quarters.current + lived.quarters.asked),
        ),
        Condition(name="cautions are in any other context, too", share=total(lambda lived: lived.known.unasked)),
        Condition(name="what has changed is current no more", share=total(lambda lived: lived.known.outdated)),
        Condition(name="promises are kept in mind", share=total(lambda lived: lived.promises)),
        Condition(
            name="events of strong feeling are kept in mind",
            share=total(lambda lived: lived.events),
            note=f"{sum(lived.never_remembered for lived in lives)} of both were never remembered",
        ),
        Condition(name="… and a question finds them", share=total(lambda lived: lived.found), note="among 10 hits"),
        Condition(
            name="trivial episodes are gone or merged",
            share=total(lambda lived: lived.trivial),
            note=f"{made:,} made; {repeated} said again and kept; counted after {OLD} turns",
        ),
        Condition(
            name="memories in view are bounded",
            share=Share(sum(lived.bounded for lived in lives), len(lives)),
            note=f"cap {cap}; at most {most} in view" if cap is not None else f"no cap; at most {most} in view",
        ),
        Condition(name="closed memories have a reason in their history", share=total(lambda lived: lived.explained)),
        Condition(
            name="relationships go as the story does",
            share=total(lambda lived: lived.expected),
            must=turns >= _WHOLE_YEAR,
            note="" if turns >= _WHOLE_YEAR else f"must hold from {_WHOLE_YEAR:,} turns on",
        ),
        Condition(
            name="levels do not flicker",
            share=Share(sum(lived.flickers == 0 for lived in lives), len(lives)),
            note="none comes back within two days",
        ),
    ]
    everything = sum(lived.turns for lived in lives)
    unread = sum(lived.unread for lived in lives)
    misread = sum(lived.misread for lived in lives)
    everyday = sum(lived.everyday for lived in lives)
    conditions += [
        Condition(name="turns could be read", share=Share(everything - unread, everything)),
        Condition(
            name="everyday lines gave no lasting fact",
            share=Share(max(0, everyday - misread), everyday),
            must=False,
        ),
    ]
    return conditions
