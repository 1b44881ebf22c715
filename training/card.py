"""The card of the learned reader: what it was trained on, how well it reads, and what it is bad at.

Usage: python training/card.py training/CARD.md [--test REPORT.json]

Scores the shipped weights on the dev authors, in a few minutes on a CPU. REPORT.json is what
`gieok eval dialogues --json` prints for the files of the test authors.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from sheets import messages

from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.extract.learned.network import network
from gieok.extract.learned.reader import Mark, marks
from gieok.extract.reader import DOUBTFUL, FIRM, FIRM_OTHERS, FIRM_PINNED, firm_from

HERE = Path(__file__).parent
WEIGHTS = HERE.parent / "src/gieok/extract/learned/weights.npz"
WINDOW = 6  # utterances that the reader sees before the one it reads
PEOPLE = 12  # names that it is told
BINS = (0.05, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
FEW = 15  # labels below which an attribute has no row of its own
WORST = 12  # attributes that are listed as badly read
ALIKE = {"correct": "assert", "past": "end"}  # acts that count as the same
KEYS = {"favorite.other": "likes", "grade": "free.grade"}  # attributes of the tagger and those of a bank
LANGUAGES = {"ko": "Korean", "en": "English", "mixed": "mixed"}
CAUSES = {
    "unmarked": "not marked",
    "shared": "other fact on the same words",
    "attribute": "other attribute",
    "holder": "other holder",
    "not": "taken as not meant",
    "act": "other act",
    "unsure": "not sure enough",
}

Record = dict[str, Any]


@dataclass(frozen=True)
class Label:
    """What an author, or a second reader, labelled."""

    start: int
    end: int
    attribute: str
    holder: tuple[str, ...]  #: every name of the holder
    act: str
    why: str  #: why it is no fact; "": it is one
    added: bool  #: by the second reader: supports a mark, and is not asked for


@dataclass
class Figures:
    """Counts over the dev authors."""

    firm: Counter[str] = field(default_factory=Counter)  #: firm marks by attribute
    right: Counter[str] = field(default_factory=Counter)
    labelled: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    missed: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))  #: causes by attribute
    not_facts: Counter[str] = field(default_factory=Counter)  #: by reason
    believed: Counter[str] = field(default_factory=Counter)
    bins: dict[int, list[tuple[float, bool]]] = field(default_factory=lambda: defaultdict(list))


def records(names: Iterable[str]) -> Iterator[Record]:
    for name in names:
        for line in (HERE / "conversations" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def class_of(attribute: str) -> str:
    """Return the class of the tagger for an attribute."""
    if attribute in network().meta["attributes"]:
        return attribute
    return f"{attribute.partition('.')[0]}.other"


def labels_of(record: Record) -> dict[int, list[Label]]:
    """Return the labels on what is said by the user and others, by turn."""
    found: dict[int, list[Label]] = defaultdict(list)
    names = {each["id"]: (*each["names"], each["id"]) for each in record["entities"]}
    names |= {"u": (USER,), "c": (CHARACTER,)}
    for fact in (*record["facts"], *record["not_facts"]):
        why = fact.get("why", "")
        taken_back = why == "retracted"  # it was said as a fact
        for span in fact["spans"]:
            if span["part"] == "user":
                label = Label(
                    span["start"],
                    span["end"],
                    class_of(fact["attribute"]),
                    names[fact["holder"]],
                    span.get("act", "assert"),
                    "" if taken_back else why,
                    taken_back or bool(fact.get("added")),
                )
                found[span["turn"]].append(label)
    return found


def same_holder(mark: Mark, label: Label) -> bool:
    if mark.holder in label.holder:
        return True
    if mark.holder in (USER, CHARACTER) or label.holder[0] in (USER, CHARACTER):
        return False
    return any(
        min(len(name), len(mark.holder)) > 1 and (name in mark.holder or mark.holder in name) for name in label.holder
    )


def is_firm(mark: Mark) -> bool:
    """Whether the reader would believe it."""
    if mark.act == "not" or mark.holder in ("", CHARACTER):
        return False
    subject = USER if mark.holder == USER else "other"
    return mark.certainty >= firm_from(subject, KEYS.get(mark.attribute, mark.attribute))


def supports(label: Label, mark: Mark) -> bool:
    same_act = ALIKE.get(mark.act, mark.act) == ALIKE.get(label.act, label.act)
    return not label.why and same_act and label.attribute == mark.attribute and same_holder(mark, label)


def overlapping(mark: Mark, label: Label) -> bool:
    return mark.start < label.end and label.start < mark.end


def cause(label: Label, over: Sequence[Mark], others: Sequence[Label]) -> str:
    """Return why a label is not read, by the surest mark on its words; `others` are the labels on the same words."""
    if not over:
        return "unmarked"
    best = max(over, key=lambda mark: (supports(label, mark), mark.certainty))
    if not supports(label, best) and any(supports(other, best) for other in others):
        return "shared"
    if best.act == "not":
        return "not"
    if not same_holder(best, label):
        return "holder"
    if best.attribute != label.attribute:
        return "attribute"
    return "unsure" if supports(label, best) else "act"


def read(record: Record, figures: Figures) -> None:
    """Read a conversation as the reader does, and count."""
    heard: list[Utterance] = []
    people: list[str] = []
    labels = labels_of(record)
    for number, turn in enumerate(record["turns"]):
        at = datetime.fromisoformat(turn["at"])
        for part, speaker in (("user", turn.get("speaker") or USER), ("reply", CHARACTER)):
            if not turn[part]:
                continue
            name = f"{number}{part}"
            said = Utterance(id=name, turn_id=name, speaker=speaker, text=turn[part], at=at, position=0)
            if part == "user":
                found = marks(said, heard[-WINDOW:], people[:PEOPLE]).facts
                count(found, labels[number], figures)
                named = [each.holder for each in found if each.certainty >= DOUBTFUL and each.act != "not"]
                people = list(dict.fromkeys([*(each for each in named if each not in ("", USER, CHARACTER)), *people]))
            heard.append(said)


def count(found: Sequence[Mark], labels: Sequence[Label], figures: Figures) -> None:
    for mark in found:
        if mark.act == "not" or mark.holder in ("", CHARACTER):
            continue
        right = any(overlapping(mark, label) and supports(label, mark) for label in labels)
        place = next(number for number, top in enumerate(BINS[1:]) if mark.certainty < top)
        figures.bins[place if mark.certainty >= BINS[0] else -1].append((mark.certainty, right))
        if is_firm(mark):
            figures.firm[mark.attribute] += 1
            figures.right[mark.attribute] += right
    for label in labels:
        if label.holder == (CHARACTER,):
            continue
        over = [mark for mark in found if overlapping(mark, label)]
        if label.why:
            figures.not_facts[label.why] += 1
            figures.believed[label.why] += any(is_firm(mark) for mark in over)
        elif not label.added:
            hit = any(is_firm(mark) and supports(label, mark) for mark in over)
            figures.labelled[label.attribute] += 1
            figures.found[label.attribute] += hit
            if not hit:
                others = [each for each in labels if each.start < label.end and label.start < each.end]
                figures.missed[label.attribute][cause(label, over, others)] += 1


def share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    lines = [heads, ["---"] * len(heads), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines] + [""]


def data_part(split: Record) -> Iterator[str]:
    names = sorted(path.stem for path in (HERE / "conversations").glob("*.jsonl"))
    known = list(records(names))
    languages = Counter(record["lang"] for record in known)
    facts = [fact for record in known for fact in record["facts"]]
    alone = [message for path in sorted((HERE / "sentences").glob("*.txt")) for message in messages(path)[0]]
    told = ", ".join(f"{languages[key]:,} {name}" for key, name in LANGUAGES.items())
    agreed = tomllib.loads((HERE / "agreement.toml").read_text(encoding="utf-8"))
    yield from ("## Data", "")
    yield from table(
        ("", ""),
        [
            ("conversations", f"{len(known):,} ({told})"),
            ("authors", f"{len(names)}; {len(split['dev'])} are dev, {len(split['test'])} are test, the rest training"),
            ("user turns", f"{sum(bool(turn['user']) for record in known for turn in record['turns']):,}"),
            ("labelled facts", f"{len(facts):,}, of them {sum(fact['holder'] != 'u' for fact in facts):,} of others"),
            ("labelled as no fact", f"{sum(len(record['not_facts']) for record in known):,} (jokes, wishes, …)"),
            ("single messages", f"{len(alone):,} with {sum(len(each['labels']) for each in alone):,} labels"),
        ],
    )
    yield "Authors write from a persona sheet and the guide in `authoring/`, and see nothing of the code."
    yield ""
    yield (
        f"A second reader labelled {agreed['conversations']} conversations without seeing the first labels. The F1 of "
        f"values is {agreed['value']:.2f}; of those that both labelled, {agreed['attribute']:.0%} have the same "
        f"attribute, {agreed['holder']:.0%} the same holder, {agreed['act']:.0%} the same act, and "
        f"{agreed['fact']:.0%} are a fact for both or for neither. It is the ceiling for any reader."
    )
    yield ""


def attribute_part(figures: Figures, split: Record) -> Iterator[str]:
    yield from ("## Attributes, on dev authors", "")
    yield (
        f"Authors {', '.join(split['dev'])}. Precision: of the firm marks, how many a label supports. Recall: of what "
        "the authors labelled, how much is marked firmly with attribute, holder and act. Labels that a second reader "
        "added support a mark and are not asked for."
    )
    yield ""
    often = [name for name, count in figures.labelled.most_common() if count >= FEW]
    rest = [name for name in {*figures.labelled, *figures.firm} if name not in often]
    groups = [("all", [*often, *rest]), *((name, [name]) for name in often), ("all others", rest)]
    rows = []
    for name, members in groups:
        firm, right, labelled, found = (
            sum(each[member] for member in members)
            for each in (figures.firm, figures.right, figures.labelled, figures.found)
        )
        rows.append(
            (f"**{name}**" if name == "all" else name, labelled, share(found, labelled), firm, share(right, firm))
        )
    yield from table(("attribute", "labelled", "recall", "firm marks", "precision"), rows)


def calibration_part(figures: Figures) -> Iterator[str]:
    yield from ("## Calibration", "")
    yield (
        f"All marks of facts on dev authors by certainty. A fact of the user is firm from {FIRM:g} on ({FIRM_PINNED:g} "
        f"if it goes into every context; some attributes have their own), one of somebody else from {FIRM_OTHERS:g} "
        f"on; below {DOUBTFUL:g} a mark is left out."
    )
    yield ""
    rows = []
    for place, (low, high) in enumerate(pairwise(BINS)):
        held = figures.bins[place]
        if held:
            mean = sum(certainty for certainty, _ in held) / len(held)
            rows.append(
                (f"{low:.2f}–{min(high, 1):.2f}", len(held), f"{mean:.2f}", share(sum(r for _, r in held), len(held)))
            )
    yield from table(("certainty", "marks", "mean", "share right"), rows)


def weak_part(figures: Figures) -> Iterator[str]:
    yield from ("## What it is bad at", "")
    yield (
        f"The attributes with the lowest recall (of those labelled {FEW} times or more), and why their facts are "
        "missed. Where two facts stand on the same words (a pet and its name), only one of them is marked."
    )
    yield ""
    often = [name for name, count in figures.labelled.items() if count >= FEW]
    worst = sorted(often, key=lambda name: (figures.found[name] / figures.labelled[name], name))[:WORST]
    everything = sum(figures.missed.values(), Counter[str]())
    rows = [
        (name, rate, *(missed[each] or "" for each in CAUSES))
        for name, rate, missed in (
            *((n, share(figures.found[n], figures.labelled[n]), figures.missed[n]) for n in worst),
            ("**all attributes**", share(figures.found.total(), figures.labelled.total()), everything),
        )
    ]
    yield from table(("attribute", "recall", *CAUSES.values()), rows)
    yield "What only sounds like a fact, and how often it is believed all the same:"
    yield ""
    reasons = [(why, count, share(figures.believed[why], count)) for why, count in figures.not_facts.most_common()]
    yield from table(("reason", "labelled", "believed"), reasons)


def test_part(report: Record, split: Record) -> Iterator[str]:
    from gieok_evals.dialogues import LOWER_IS_BETTER, MEANINGS

    yield from ("## Whole conversations of test authors", "")
    yield (
        f"`gieok eval dialogues` on {report['conversations']} conversations of the authors {', '.join(split['test'])}, "
        "whom nobody reads while improving the reader."
    )
    yield ""
    rows = [
        (MEANINGS[name], "lower" if name in LOWER_IS_BETTER else "higher", f"{score['share']['rate']:.1%}")
        for name, score in report["scores"].items()
        if score["share"]["rate"] is not None
    ]
    yield from table(("share of", "better", ""), rows)


def main() -> None:
    ask = argparse.ArgumentParser(description="Write the card of the learned reader.")
    ask.add_argument("out", type=Path)
    ask.add_argument("--test", type=Path, help="JSON report of `gieok eval dialogues` on the test authors")
    args = ask.parse_args()
    split = tomllib.loads((HERE / "split.toml").read_text(encoding="utf-8"))
    weights = WEIGHTS.read_bytes()
    figures = Figures()
    for record in records(split["dev"]):
        read(record, figures)
    lines = [
        "# The learned reader",
        "",
        "`training/card.py` writes this page (`make card`).",
        "",
        f"Weights: `weights.npz`, {len(weights) / 1e6:.1f} MB, SHA-256 `{hashlib.sha256(weights).hexdigest()[:16]}…`; "
        f"{len(network().meta['attributes'])} attributes; acts: {', '.join(network().meta['acts'])}. "
        "It runs in numpy on a CPU.",
        "",
        *data_part(split),
        *attribute_part(figures, split),
        *calibration_part(figures),
        *weak_part(figures),
    ]
    if args.test:
        report = json.loads(args.test.read_text(encoding="utf-8"))
        lines += test_part(report.get("learned", report), split)
    args.out.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(
        f"{args.out}: recall {share(figures.found.total(), figures.labelled.total())}, "
        f"precision {share(figures.right.total(), figures.firm.total())} of firm marks on dev authors"
    )


if __name__ == "__main__":
    main()
