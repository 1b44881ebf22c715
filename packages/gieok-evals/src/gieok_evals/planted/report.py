"""Counting while a script is played, and the scores of many scripts, with intervals drawn over whole scripts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from gieok_evals.figures import Extraction, Share, interval

Score = Literal[
    "contains", "recall_at_5", "stale_given", "stale_kept", "state_single", "state_many", "freshness", "abstention",
    "others_given", "false_memories", "stored_per_utterance", "small_talk_stored", "leaks",
]  # fmt: skip
Table = Literal["contains_by_kind", "contains_by_slot", "false_by_family"]
MEANINGS: Final[dict[Score, str]] = {
    "contains": "questions whose context holds the current value",
    "recall_at_5": "questions whose five best hits hold it",
    "stale_given": "questions about changed slots that give an old value as current",
    "stale_kept": "changed slots that still hold an old value as current",
    "state_single": "slots of one value that hold exactly the true one",
    "state_many": "slots of many values that hold the true ones and no old one",
    "freshness": "changed slots whose new value ranks above the old one",
    "abstention": "questions about what was never said, with nothing stored that answers them",
    "others_given": "facts of other people that were stored as the user's",
    "false_memories": "what must not be stored and was",
    "stored_per_utterance": "facts stored, by utterances of the user",
    "small_talk_stored": "turns that state nothing, with a fact stored",
    "leaks": "answers with a value of another conversation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptScore:
    """What one script gave."""

    shares: Mapping[Score, Share]
    tables: Mapping[Table, Mapping[str, Share]]
    extraction: Mapping[str, Extraction]  #: by slot
    unread: int  #: turns that could not be read
    failures: tuple[str, ...] = field(default=(), repr=False)  #: sentences; of the dev split only

    def share(self, name: Score) -> Share:
        return self.shares.get(name, Share())

    @property
    def total(self) -> Extraction:
        return sum(self.extraction.values(), Extraction())


class Tally:
    """Counts that grow while a script is played."""

    def __init__(self) -> None:
        self._shares: defaultdict[Score, Share] = defaultdict(Share)
        self._tables: defaultdict[Table, defaultdict[str, Share]] = defaultdict(lambda: defaultdict(Share))
        self._extraction: defaultdict[str, Extraction] = defaultdict(Extraction)
        self._unread = 0
        self._failures: list[str] = []

    def count(self, name: Score, hit: bool) -> None:
        self.add(name, Share(int(hit), 1))

    def add(self, name: Score, share: Share) -> None:
        self._shares[name] += share

    def count_under(self, table: Table, heading: str, hit: bool) -> None:
        self._tables[table][heading] += Share(int(hit), 1)

    def read(self, slot: str, counts: Extraction) -> None:
        self._extraction[slot] += counts

    def left_unread(self, turns: int) -> None:
        self._unread += turns

    def fail(self, what: str) -> None:
        self._failures.append(what)

    def score(self, *, with_failures: bool) -> ScriptScore:
        return ScriptScore(
            shares=dict(self._shares),
            tables={name: dict(table) for name, table in self._tables.items()},
            extraction=dict(self._extraction),
            unread=self._unread,
            failures=tuple(self._failures) if with_failures else (),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A share over all scripts with its 95 % interval."""

    share: Share
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedReport:
    """The scores of a run. Its fields are the keys of the JSON report."""

    split: str
    turns: int
    scripts: int
    seed: int
    embedder: str
    seconds_per_script: float
    passed: bool  #: no leak, and every turn was read
    scores: Mapping[Score, Headline]  #: what each means stands in `tally.MEANINGS`
    extraction: Extraction  #: of planted facts and changes
    f1_interval: tuple[float, float] | None
    extraction_by_slot: Mapping[str, Extraction]
    false_by_family: Mapping[str, Share]
    contains_by_kind: Mapping[str, Share]
    contains_by_slot: Mapping[str, Share]
    unread: int  #: turns that could not be read
    failures: tuple[str, ...] = field(default=(), repr=False)


def report(
    scores: Sequence[ScriptScore], *, split: str, turns: int, seed: int, embedder: str, seconds: float
) -> PlantedReport:
    leaks = _total(scores, "leaks")
    unread = sum(score.unread for score in scores)
    return PlantedReport(
        split=split,
        turns=turns,
        scripts=len(scores),
        seed=seed,
        embedder=embedder,
        seconds_per_script=seconds / max(1, len(scores)),
        passed=leaks.hits == 0 and unread == 0,
        scores={name: _headline(scores, name, seed) for name in MEANINGS},
        extraction=_extraction(scores),
        f1_interval=interval(scores, lambda drawn: _extraction(drawn).f1, seed=seed),
        extraction_by_slot=_by_slot(scores),
        false_by_family=_table(scores, "false_by_family"),
        contains_by_kind=_table(scores, "contains_by_kind"),
        contains_by_slot=_table(scores, "contains_by_slot"),
        unread=unread,
        failures=tuple(failure for score in scores for failure in score.failures),
    )


def _headline(scores: Sequence[ScriptScore], name: Score, seed: int) -> Headline:
    ends = interval(scores, lambda drawn: _total(drawn, name).rate, seed=seed)
    return Headline(share=_total(scores, name), interval=ends)


def _total(scores: Iterable[ScriptScore], name: Score) -> Share:
    return sum((score.share(name) for score in scores), Share())


def _extraction(scores: Iterable[ScriptScore]) -> Extraction:
    return sum((score.total for score in scores), Extraction())


def _table(scores: Iterable[ScriptScore], name: Table) -> dict[str, Share]:
    totals: dict[str, Share] = {}
    for score in scores:
        for heading, share in score.tables.get(name, {}).items():
            totals[heading] = totals.get(heading, Share()) + share
    return totals


def _by_slot(scores: Iterable[ScriptScore]) -> dict[str, Extraction]:
    totals: dict[str, Extraction] = {}
    for score in scores:
        for slot, counts in score.extraction.items():
            totals[slot] = totals.get(slot, Extraction()) + counts
    return totals
