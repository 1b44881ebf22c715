"""How well feelings are read: labelled texts, by the reader in use and by keywords beside it.

One JSON object a line, `{"text": …, "label": …}`; the label is one of `neutral sad happy angry`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.errors import InvalidQuery
from gieok_evals.figures import Extraction
from gieok_evals.tables import percent

Reader = Callable[[str], Emotion]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionCase:
    """A text and what is felt in it."""

    text: str
    emotion: Emotion


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionScores:
    """How well one reader read."""

    macro_f1: float  #: the mean over the emotions that occur
    accuracy: float
    by_emotion: Mapping[Emotion, Extraction]
    confusion: Mapping[Emotion, Mapping[Emotion, int]]  #: labelled → read → how often

    def __str__(self) -> str:
        parts = (
            f"{emotion} P {counts.precision or 0:.3f} R {counts.recall or 0:.3f} F1 {counts.f1 or 0:.3f}"
            for emotion, counts in self.by_emotion.items()
        )
        return f"macro-F1 {self.macro_f1:.3f}, accuracy {self.accuracy:.3f}; {'; '.join(parts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionReport:
    """Every reader's scores on the same texts."""

    cases: int
    readers: Mapping[str, EmotionScores]


def load(path: Path) -> list[EmotionCase]:
    """Read the labelled texts of `path`; a line that is none raises `InvalidQuery` with its number."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as cause:
        raise InvalidQuery(f"the texts in {path} cannot be read: {cause}") from cause
    cases = [_case(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1) if line.strip()]
    if not cases:
        raise InvalidQuery(f'{path} is empty; one JSON object a line is wanted: {{"text": "…", "label": "sad"}}')
    return cases


def _case(line: str, where: str) -> EmotionCase:
    try:
        row = json.loads(line)
        text, label = row["text"], row["label"]
    except (ValueError, KeyError, TypeError) as cause:
        raise InvalidQuery(f"{where} is no labelled text: {cause!r}") from cause
    if not isinstance(text, str) or label not in EMOTIONS:
        raise InvalidQuery(f"{where}: the label is {label!r}; it may be {', '.join(EMOTIONS)}")
    return EmotionCase(text=text, emotion=label)


def evaluate(
    cases: Sequence[EmotionCase], readers: Mapping[str, Reader], *, progress: Callable[[], None] = lambda: None
) -> EmotionReport:
    """Let every reader read every case."""
    return EmotionReport(
        cases=len(cases),
        readers={name: scores(cases, list(_read(cases, reader, progress))) for name, reader in readers.items()},
    )


def _read(cases: Sequence[EmotionCase], reader: Reader, progress: Callable[[], None]) -> Iterable[Emotion]:
    for case in cases:
        yield reader(case.text)
        progress()


def scores(cases: Sequence[EmotionCase], read: Sequence[Emotion]) -> EmotionScores:
    """Compare what was `read` with what the cases are labelled."""
    pairs = Counter((case.emotion, emotion) for case, emotion in zip(cases, read, strict=True))
    by_emotion = {emotion: _extraction(emotion, pairs) for emotion in EMOTIONS}
    occurring = [counts.f1 or 0.0 for counts in by_emotion.values() if counts.found + counts.missed]
    return EmotionScores(
        macro_f1=sum(occurring) / max(1, len(occurring)),
        accuracy=sum(counts.found for counts in by_emotion.values()) / max(1, len(cases)),
        by_emotion=by_emotion,
        confusion={label: {told: pairs[label, told] for told in EMOTIONS} for label in EMOTIONS},
    )


def _extraction(emotion: Emotion, pairs: Mapping[tuple[Emotion, Emotion], int]) -> Extraction:
    return Extraction(
        found=pairs.get((emotion, emotion), 0),
        missed=sum(pairs.get((emotion, other), 0) for other in EMOTIONS if other != emotion),
        extra=sum(pairs.get((other, emotion), 0) for other in EMOTIONS if other != emotion),
    )


def show_emotion(report: EmotionReport, console: Console) -> None:
    """Print precision, recall and confusion for every reader, and the macro-F1 of all side by side."""
    for name, scores in report.readers.items():
        console.print(_by_emotion(name, scores))
    for name, scores in report.readers.items():
        console.print(
            f"[bold]{name}: macro-F1 {scores.macro_f1:.3f}, accuracy {percent(scores.accuracy)}[/] "
            f"({report.cases} texts)"
        )


def _by_emotion(name: str, scores: EmotionScores) -> Table:
    table = Table("labelled", title=f"{name}: emotion by emotion, and what each was read as", title_justify="left")
    for heading in ("precision", "recall", "F1", *EMOTIONS):
        table.add_column(heading, justify="right")
    for emotion, counts in scores.by_emotion.items():
        figures = (percent(counts.precision), percent(counts.recall), percent(counts.f1))
        table.add_row(emotion, *figures, *(str(scores.confusion[emotion][read]) for read in EMOTIONS))
    return table
