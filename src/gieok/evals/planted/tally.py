"""Counting while a script is played, and the scores that come of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from gieok.evals.figures import Extraction, Share

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
