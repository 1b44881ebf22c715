"""The report on feelings as tables for a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from gieok.domain.emotion import EMOTIONS
from gieok.evals.emotion import EmotionReport, EmotionScores
from gieok.evals.tables import percent


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
