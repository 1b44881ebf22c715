"""How well emotions are read from labelled texts, of users and of characters.

The data has one JSON object a line, `{"text": …, "label": …, "speaker": "character"}`; the label is one of
`neutral sad happy angry`, and who is not named is the user. A .tsv file has the first letters of label and speaker, and
the text, as `training/emotions` has.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidQuery
from gieok_evals.files import numbered_lines
from gieok_evals.reports import Extraction, percent

Reader = Callable[[str, str], Emotion]  # of a text and its speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionCase:
    """A text and its emotion."""

    text: str
    emotion: Emotion
    speaker: str = USER


@dataclass(frozen=True, slots=True, kw_only=True)
class EmotionScores:
    """How well the texts of one speaker are read."""

    texts: int
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
    """The scores by speaker. The fields are the keys of the JSON report."""

    cases: int
    speakers: Mapping[str, EmotionScores]


def load(path: Path) -> list[EmotionCase]:
    """Read the labelled texts of `path`; raises `InvalidQuery` with the number of a bad line."""
    read = _row if path.suffix == ".tsv" else _case
    cases = [read(line, f"{path}, line {number}") for number, line in numbered_lines(path)]
    if not cases:
        raise InvalidQuery(f'{path} is empty; write one JSON object a line: {{"text": "…", "label": "sad"}}')
    return cases


def _row(line: str, where: str) -> EmotionCase:
    found = re.fullmatch(r"([nsha])\t([uc])\t(.+)", line.strip("\r\n"))
    if found is None:
        raise InvalidQuery(f"{where} is not a labelled text: n, s, h or a, a tab, u or c, a tab, the text")
    emotion = next(each for each in EMOTIONS if each[0] == found[1])
    return EmotionCase(text=found[3], emotion=emotion, speaker=USER if found[2] == "u" else CHARACTER)


def _case(line: str, where: str) -> EmotionCase:
    try:
        row = json.loads(line)
        text, label, speaker = row["text"], row["label"], row.get("speaker", USER)
    except (ValueError, KeyError, TypeError) as cause:
        raise InvalidQuery(f"{where} is not a labelled text: {cause!r}") from cause
    if not isinstance(text, str) or label not in EMOTIONS or not isinstance(speaker, str):
        raise InvalidQuery(f"{where}: the label is {label!r}; use one of {', '.join(EMOTIONS)}")
    return EmotionCase(text=text, emotion=label, speaker=speaker)


def evaluate(
    cases: Sequence[EmotionCase], reader: Reader, *, progress: Callable[[], None] = lambda: None
) -> EmotionReport:
    """Read every case."""
    read = []
    for case in cases:
        read.append((case, reader(case.text, case.speaker)))
        progress()
    speakers = dict.fromkeys(case.speaker for case in cases)
    by_speaker = {who: [pair for pair in read if pair[0].speaker == who] for who in speakers}
    return EmotionReport(
        cases=len(cases),
        speakers={who: scores(*map(list, zip(*pairs, strict=True))) for who, pairs in by_speaker.items()},
    )


def scores(cases: Sequence[EmotionCase], read: Sequence[Emotion]) -> EmotionScores:
    """Compare what was `read` with the labels of the cases."""
    pairs = Counter((case.emotion, emotion) for case, emotion in zip(cases, read, strict=True))
    by_emotion = {
        emotion: Extraction(
            found=pairs[emotion, emotion],
            missed=sum(pairs[emotion, other] for other in EMOTIONS if other != emotion),
            extra=sum(pairs[other, emotion] for other in EMOTIONS if other != emotion),
        )
        for emotion in EMOTIONS
    }
    occurring = [counts.f1 or 0.0 for counts in by_emotion.values() if counts.found + counts.missed]
    return EmotionScores(
        texts=len(cases),
        macro_f1=sum(occurring) / max(1, len(occurring)),
        accuracy=sum(counts.found for counts in by_emotion.values()) / max(1, len(cases)),
        by_emotion=by_emotion,
        confusion={label: {told: pairs[label, told] for told in EMOTIONS} for label in EMOTIONS},
    )


def show_emotion(report: EmotionReport, console: Console) -> None:
    """Print precision, recall and confusion by speaker, and then the macro-F1 of each."""
    for name, scores in report.speakers.items():
        table = Table("labelled", title=f"{name}: by emotion, and what each was read as", title_justify="left")
        for heading in ("precision", "recall", "F1", *EMOTIONS):
            table.add_column(heading, justify="right")
        for emotion, counts in scores.by_emotion.items():
            figures = (percent(counts.precision), percent(counts.recall), percent(counts.f1))
            table.add_row(emotion, *figures, *(str(scores.confusion[emotion][read]) for read in EMOTIONS))
        console.print(table)
    for name, scores in report.speakers.items():
        console.print(
            f"[bold]{name}: macro-F1 {scores.macro_f1:.3f}, accuracy {percent(scores.accuracy)}[/] "
            f"({scores.texts} texts)"
        )
