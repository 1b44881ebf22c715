"""`gieok eval`: how much is understood, remembered and found again. Most commands stand with what they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from gieok.evals.commands import app


def emotion(
    data: Annotated[
        Path, typer.Option(help="Labelled texts, one JSON object a line: text, label.", exists=True, dir_okay=False)
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Read labelled texts for what is felt in them, by the classifier and by keywords beside it."""
    from gieok.evals.emotion import evaluate, load, show_emotion
    from gieok.evals.figures import as_json as written
    from gieok.language.emotions import by_words, feel

    cases = load(data)
    asides = Console(stderr=True)
    with Progress(console=asides, transient=True, disable=not asides.is_terminal) as bar:
        task = bar.add_task("reading", total=2 * len(cases))
        report = evaluate(
            cases,
            {
                "classifier": lambda text: feel(text, speaker="user").emotion,
                "keywords": lambda text: by_words(text, speaker="user").emotion,
            },
            progress=lambda: bar.advance(task),
        )
    if as_json:
        typer.echo(written(report))
    else:
        show_emotion(report, Console(emoji=False, highlight=False))


def pii(
    data: Annotated[
        Path,
        typer.Option(
            help="Texts with {kind:…} marks, or JSON lines: text, entity, spans.", exists=True, dir_okay=False
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Look for personal data in texts whose spans are known."""
    from gieok.evals.figures import as_json as written
    from gieok.evals.personal import evaluate, load, show_personal
    from gieok.privacy.finding import found

    report = evaluate(load(data), lambda text: [(each.kind, each.start, each.end) for each in found(text)])
    if as_json:
        typer.echo(written(report))
    else:
        show_personal(report, Console(emoji=False, highlight=False))


app.command()(emotion)
app.command()(pii)


__all__ = ["app"]
