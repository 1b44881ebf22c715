"""What the rules take, and how well they tell a question from all else.

    python benchmarks/rule_path.py --data FOLDER

The rule path is reading, extraction and judgement of one turn, without the encoder: CPU time of its functions inside
`observe`. Everyday talk is `chatbot_smalltalk.csv`, sentences full of facts are `korean_facts_dev.jsonl`. Questions are
told from all else on `mood_3i4k_train.txt`, where label 2 is a question and rhetorical ones are none: on all lines,
and on every second line.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer
from rich.progress import track

import gieok
from figures import Spread, spread
from gieok.cli.console import answers, asides
from gieok.language.mood import is_question
from gieok_evals.reports import Extraction
from profiling.phases import Phase, profiled

RULE_PATH: Final = Phase(
    "rule path",
    (
        "gieok.language.morphemes:analyse",
        "gieok.extract.reader:Reader.claims",
        "gieok.observe.index:beliefs_for",  # with what it asks of the store
        "gieok.domain.apply:OperationApplier.carried_out",
    ),
)
_QUESTION: Final = "2"  #: label


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """How well questions were told."""

    lines: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run; `--json` writes it with these keys."""

    everyday: Spread  #: CPU milliseconds of a turn
    full_of_facts: Spread
    questions: Questions
    every_second: Questions


def main(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder with the three files.")],
    lines: Annotated[int, typer.Option(min=2, help="Lines of everyday talk.")] = 400,
    quick: Annotated[bool, typer.Option("--quick", help="Every fiftieth question, and fewer lines.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure the rules; a guide, not a test."""
    moods = list(_moods(data / "mood_3i4k_train.txt"))[:: 50 if quick else 1]
    told = [is_question(text) for _, text in track(moods, "questions", console=asides(), transient=True)]
    asked = [label == _QUESTION for label, _ in moods]
    count = 20 if quick else lines
    found = Findings(
        everyday=_taken(islice(_everyday(data / "chatbot_smalltalk.csv"), count)),
        full_of_facts=_taken(islice(_facts(data / "korean_facts_dev.jsonl"), count)),
        questions=_questions(asked, told),
        every_second=_questions(asked[1::2], told[1::2]),
    )
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(found), indent=2) + "\n", encoding="utf-8")
    answers().print(
        f"rule path, CPU of a turn: everyday {found.everyday.p50:.2f} ms (p95 {found.everyday.p95:.2f}), "
        f"full of facts {found.full_of_facts.p50:.2f} ms (p95 {found.full_of_facts.p95:.2f}); "
        f"questions: F1 {found.questions.f1:.3f} (P {found.questions.precision:.3f}, R {found.questions.recall:.3f})"
    )


def _taken(texts: Iterable[str]) -> Spread:
    """Observe each text as a turn in one scope; return what the rule path took of each."""
    with (
        TemporaryDirectory(prefix="gieok-rules-") as folder,
        gieok.open(Path(folder) / "bank.db", embedder="hashing", upkeep="off") as bank,
        profiled([RULE_PATH]) as profile,
    ):
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나는 서울에 살고 고양이를 좋아해")  # loads everything
        taken = []
        for text in texts:
            profile.reset()
            mind.observe(text)
            taken.append(sum(profile.spent().values()) * 1000)
    return spread(taken)


def _questions(asked: Sequence[bool], told: Sequence[bool]) -> Questions:
    pairs = list(zip(asked, told, strict=True))
    counts = Extraction(pairs.count((True, True)), pairs.count((True, False)), pairs.count((False, True)))
    return Questions(
        lines=len(pairs), precision=counts.precision or 0.0, recall=counts.recall or 0.0, f1=counts.f1 or 0.0
    )


def _moods(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        label, tab, text = line.partition("\t")
        if tab:
            yield label, text


def _everyday(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="") as lines:
        yield from (row["Q"] for row in csv.DictReader(lines))


def _facts(path: Path) -> Iterator[str]:
    yield from (json.loads(line)["utterance"] for line in path.read_text(encoding="utf-8").splitlines() if line)


if __name__ == "__main__":
    typer.run(main)
