"""Precision and recall of the reader on labelled data, and the floors that they may not fall below.

`make floors` records the scores in tests/data/reading_floors.json. A set of labelled data is a function in `SETS`;
new data is one more entry there. Only the counts of `strangers second` may be looked at, never what it missed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gieok_evals import dialogues, facts, frames
from gieok_evals.banks import temporary_bank
from gieok_evals.reports import Extraction
from gieok_evals.statements import fold
from support.reading import Row, made_up, missed, read, rows
from support.rows import sections


def changes(name: str) -> list[Any]:
    return sections("engine_changing")[name][1]


ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FLOORS = DATA / "reading_floors.json"
ALL = "all"
FORBIDDEN = "must not"  #: labelled facts that must not be read and are: as `extra`, of which none may be added
#: An attribute may lose one fact or 2 % of its facts, whichever is more; a whole set half a percent.
BY_ATTRIBUTE, BY_SET = 0.02, 0.005

Scores = dict[str, Extraction]


def of_rows() -> Scores:
    """Score the rows of tests/data/extract: what they want, and as `extra` what they forbid."""
    scores: Scores = {}
    for row in rows():
        _count(scores, row.attribute, len(row.wanted), len(missed(row, read(row))))
        scores[row.attribute] += Extraction(extra=len(made_up(row, read(row))))
    return {attribute: score for attribute, score in scores.items() if score != Extraction()}


def of_wordings() -> Scores:
    """Score the documents' 25 items, each in five wordings of somebody who had not seen the rules."""
    scores: Scores = {}
    for line in (DATA / "wordings.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        own = item["attribute"]
        fitting = {own, "likes"} if own.startswith("favorite.") else {own}
        claims = read(Row.of(item["text"]))
        values = {fold(each.value or "") for each in claims if each.attribute in fitting and each.subject == "user"}
        _count(scores, own, 1, not values & {fold(value) for value in (item["value"], *item["alt"])})
    return scores


def of_promises_and_events() -> Scores:
    scores: Scores = {}
    for line in (DATA / "promises_and_events.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        kind, language, speaker, text = line.split("\t")
        claims = read(Row.of(text if speaker == "user" else f"> {text}"))
        promised = any(claim.attribute == "promise" for claim in claims)
        happened = any(
            claim.content_type == "event" and claim.attribute in (None, "milestone", "event") for claim in claims
        )
        name = f"{kind.removeprefix('no_')} {language}"
        if kind.startswith("no_"):
            wrong = promised if kind == "no_promise" else happened
            scores[name] = scores.get(name, Extraction()) + Extraction(extra=wrong)
        else:
            _count(scores, name, 1, not (promised if kind == "promise" else claims))
    return scores


def of_strangers(which: str) -> Scores:
    with temporary_bank(embedder="hashing") as bank:
        report = facts.evaluate(bank, facts.load(ROOT / "benchmarks/strangers" / which / "utterances.jsonl"))
    return {**report.by_attribute, FORBIDDEN: Extraction(extra=report.false_memories.hits)}


def of_frames(split: str) -> Scores:
    with temporary_bank(embedder="hashing") as bank:
        report = frames.evaluate(bank, split=split, values_each=1)
    scores = {slot: Extraction(share.hits, share.of - share.hits) for slot, share in report.by_slot.items()}
    for attribute, count in Counter(report.extra_by_attribute).items():
        scores[attribute] = scores.get(attribute, Extraction()) + Extraction(extra=count)
    return scores


def of_changes() -> Scores:
    """Score what is current after a change was told, each pair of lines in a scope of its own."""
    scores: Scores = {}
    with temporary_bank(embedder="hashing") as bank:
        rows = changes("test_what_was_told_last_is_current")
        for number, (first, later, attribute, now) in enumerate(rows):
            mind = bank.scope(user=str(number), character="letia")
            for text in (first, later):
                mind.observe(text)
            facts = mind.facts(about="user", attribute=attribute)
            current = {fact.value for fact in facts if fact.polarity == "+"}
            score = Extraction(len(current & {*now}), len({*now} - current), len(current - {*now}))
            scores[attribute] = scores.get(attribute, Extraction()) + score
    return scores


def of_conversations(author: str) -> Scores:
    """Score what is held at the end of an author's conversations; unsupported memories of the user are extra."""
    with temporary_bank(embedder="hashing") as bank:
        talks = dialogues.load([ROOT / "training/conversations" / f"{author}.jsonl"])
        report = dialogues.evaluate(bank, talks, data=author)
    scores = {name: Extraction(share.hits, share.of - share.hits) for name, share in report.by_attribute.items()}
    for attribute, count in report.extra_by_attribute.items():
        scores[attribute] = scores.get(attribute, Extraction()) + Extraction(extra=count)
    return scores


SETS: Mapping[str, Callable[[], Scores]] = {
    "rows": of_rows,
    "wordings": of_wordings,
    "promises and events": of_promises_and_events,
    "strangers first": lambda: of_strangers("first"),
    "strangers second": lambda: of_strangers("second"),
    "frames dev": lambda: of_frames("dev"),
    "frames test": lambda: of_frames("test"),
    "changes": of_changes,
    "conversations": lambda: of_conversations("a03"),
}


def _count(scores: Scores, attribute: str, of: int, missed: int) -> None:
    scores[attribute] = scores.get(attribute, Extraction()) + Extraction(of - missed, int(missed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """An attribute whose score is below its floor."""

    attribute: str
    floor: Extraction
    now: Extraction

    def __str__(self) -> str:
        def told(score: Extraction) -> str:
            return f"{score.found:4} of {score.found + score.missed:4}  {score.extra:4}"

        return f"{self.attribute:24} {told(self.floor)}   {told(self.now)}"


HEAD = f"{'':24} {'recorded, extra':>18}   {'now, extra':>18}"


def fallen(floors: Mapping[str, Extraction], now: Scores) -> list[Fall]:
    """Return where `now` is below `floors` by more than the tolerance."""
    falls = []
    for attribute in sorted({*floors, *now}):
        floor, score = floors.get(attribute, Extraction()), now.get(attribute, Extraction())
        slack = 0 if attribute == FORBIDDEN else max(1, int(BY_ATTRIBUTE * (floor.found + floor.missed)))
        if score.found < floor.found - slack or score.extra > floor.extra + slack:
            falls.append(Fall(attribute=attribute, floor=floor, now=score))
    before, after = _all(floors), _all(now)
    if _worse(after.recall, before.recall) or _worse(after.precision, before.precision):
        falls.append(Fall(attribute=ALL, floor=before, now=after))
    return falls


def _all(scores: Mapping[str, Extraction]) -> Extraction:
    return sum((score for name, score in scores.items() if name != FORBIDDEN), Extraction())


def _worse(now: float | None, floor: float | None) -> bool:
    return (now or 0.0) < (floor or 0.0) - BY_SET


def floors() -> dict[str, Scores]:
    recorded = json.loads(FLOORS.read_text(encoding="utf-8"))
    return {name: {key: Extraction(*counts) for key, counts in scores.items()} for name, scores in recorded.items()}


def record() -> None:
    """Write the scores of today, one attribute a line: `[found, missed, extra]`."""
    parts = []
    for name, score in SETS.items():
        found = score()
        lines = [f"  {json.dumps(key, ensure_ascii=False)}: {_counts(found[key])}" for key in sorted(found)]
        parts.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    FLOORS.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _counts(score: Extraction) -> str:
    return json.dumps([score.found, score.missed, score.extra])
