"""Hand-written utterances through the whole write path: what was understood, and what should not have been.

Each case has a scope of its own in one bank; what is known is remembered, what stands before is observed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Observed
from gieok.domain.turn import CHARACTER
from gieok_evals.cases import Case
from gieok_evals.figures import Extraction, Share
from gieok_evals.matching import Matched, matched, violates
from gieok_evals.statement import Statement, statements, stored

AT: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one case."""

    case: Case
    said: tuple[Statement, ...]
    matched: Matched
    false: tuple[Statement, ...]  #: what must not be stored and was
    stored: int  #: claims believed, free sentences included
    unread: bool  #: it could not be read

    @property
    def failed(self) -> bool:
        return bool(self.matched.missed or self.matched.extra or self.false)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsReport:
    """How well utterances were read."""

    cases: int
    extraction: Extraction
    by_attribute: dict[str, Extraction]
    by_phenomenon: dict[str, Extraction]
    by_register: dict[str, Extraction]
    false_memories: Share  #: of everything that must not be stored
    cases_with_false_memories: Share
    stored_per_utterance: float
    unread: int  #: utterances that could not be read
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)  #: those that failed, when asked for


def evaluate(bank: MemoryBank, cases: Sequence[Case], *, show: bool = False) -> FactsReport:
    """Play every case into `bank` and compare. `show` keeps the cases that failed."""
    outcomes = [play(bank, case, number) for number, case in enumerate(cases)]
    return FactsReport(
        cases=len(cases),
        extraction=sum((each.matched.counts for each in outcomes), Extraction()),
        by_attribute=_summed(pair for each in outcomes for pair in _attributes(each.matched)),
        by_phenomenon=_summed((name, each.matched.counts) for each in outcomes for name in each.case.phenomena),
        by_register=_summed((each.case.register, each.matched.counts) for each in outcomes),
        false_memories=Share(
            sum(len(each.false) for each in outcomes), sum(len(each.case.must_not) for each in outcomes)
        ),
        cases_with_false_memories=Share(sum(bool(each.false) for each in outcomes), len(outcomes)),
        stored_per_utterance=sum(each.stored for each in outcomes) / max(1, len(outcomes)),
        unread=sum(each.unread for each in outcomes),
        outcomes=tuple(each for each in outcomes if each.failed) if show else (),
    )


def play(bank: MemoryBank, case: Case, number: int = 0) -> Outcome:
    """Play `case` into a scope of its own."""
    mind = bank.scope(user=f"case-{number}-{case.id}", character="letia")
    prepare(mind, case)
    return outcome(case, say(mind, case.speaker, case.utterance, AT))


def outcome(case: Case, *observed: Observed) -> Outcome:
    """Compare what was `observed`, by one reader after another, with what the case expects."""
    claims = tuple(claim for each in observed for claim in stored(each.decisions))
    said = tuple(statement for claim in claims for statement in statements(claim, AT))
    return Outcome(
        case=case,
        said=said,
        matched=matched(said, case.expected),
        false=tuple(bad for bad in case.must_not if any(violates(each, bad) for each in said)),
        stored=sum(claim.act not in ("end", "retract") for claim in claims),
        unread=any(each.unread for each in observed),
    )


def prepare(mind: Mind, case: Case) -> None:
    """Let `mind` know and hear what stands before the case."""
    for fact in case.known:
        mind.remember(
            f"{fact.attribute}: {fact.value}",
            about=fact.subject,
            attribute=fact.attribute,
            value=fact.value,
            at=AT - timedelta(days=1),
        )
    before = AT - timedelta(minutes=len(case.context))
    for minute, (speaker, text) in enumerate(case.context):
        say(mind, speaker, text, before + timedelta(minutes=minute))


def say(mind: Mind, speaker: str, text: str, at: datetime) -> Observed:
    return mind.observe(reply=text, at=at) if speaker == CHARACTER else mind.observe(text, at=at)


def _attributes(match: Matched) -> Iterator[tuple[str, Extraction]]:
    yield from ((each.said.attribute, Extraction(found=1)) for each in match.found)
    yield from ((each.said.attribute, Extraction(missed=1)) for each in match.missed)
    yield from ((each.attribute, Extraction(extra=1)) for each in match.extra)


def _summed(counts: Iterable[tuple[str, Extraction]]) -> dict[str, Extraction]:
    totals: dict[str, Extraction] = {}
    for name, count in counts:
        totals[name] = totals.get(name, Extraction()) + count
    return totals


if __name__ == "__main__":
    from gieok_evals.commands import run

    run("facts")
