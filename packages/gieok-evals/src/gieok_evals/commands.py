"""The commands of `gieok eval`: a sub-app of the command line that also runs alone (`python -m gieok_evals.frames`)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from gieok.errors import GieokError
from gieok_evals.outside.command import run as run_outside
from gieok_evals.retrieval.command import retrieval
from gieok_evals.year.command import year

if TYPE_CHECKING:
    from gieok_evals.cases import Case
    from gieok_evals.model_facts import ModelFactsReport

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False)

AsJson = Annotated[bool, typer.Option("--json", help="Write the report as JSON.")]
ShowMisses = Annotated[bool, typer.Option("--show-misses", help="List what failed (not for the test split).")]
Split = Annotated[str, typer.Option(help="Whose sentences: dev, or test, of which only figures are shown.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same sentences.")]
Embedder = Annotated[str | None, typer.Option(help='Another embedder than the settings say, e.g. "hashing".')]


@app.callback()
def measure() -> None:
    """Measure how much is understood, remembered and found again."""


@app.command()
def frames(split: Split = "dev", seed: Seed = 0, show_misses: ShowMisses = False, as_json: AsJson = False) -> None:
    """Read every way to say a fact through the extractor alone."""
    from gieok_evals import tables
    from gieok_evals.benches import temporary_bank
    from gieok_evals.figures import as_json as written
    from gieok_evals.frames import evaluate

    with temporary_bank(embedder="hashing") as bank:
        report = evaluate(bank, split=split, seed=seed, show=show_misses)
    if as_json:
        typer.echo(written(report))
    else:
        tables.show_frames(report, Console(emoji=False, highlight=False))


@app.command()
def facts(
    data: Annotated[Path, typer.Option(help="Cases, one JSON object a line.", exists=True, dir_okay=False)],
    llm: Annotated[
        str | None, typer.Option(help="A model to read with: rules alone, it alone, and both. E.g. gguf:model.gguf")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="So many cases only, drawn by the seed.")] = None,
    seed: Seed = 0,
    embedder: Embedder = None,
    show_misses: Annotated[bool, typer.Option("--show-misses", help="List the cases that failed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read hand-written utterances and compare with what they should and must not give."""
    from gieok_evals import cases, tables
    from gieok_evals.benches import temporary_bank
    from gieok_evals.facts import evaluate
    from gieok_evals.figures import as_json as written
    from gieok_evals.model_facts import sample

    chosen = sample(cases.load(data), limit, seed)
    console = Console(emoji=False, highlight=False)
    if llm is not None:
        compared = _compared(llm, chosen, seed, embedder, show_misses)
        typer.echo(written(compared)) if as_json else tables.show_model_facts(compared, console)
        return
    with temporary_bank(embedder=embedder) as bank:
        report = evaluate(bank, chosen, show=show_misses)
    typer.echo(written(report)) if as_json else tables.show_facts(report, console)


def _compared(llm: str, chosen: Sequence[Case], seed: int, embedder: str | None, show_misses: bool) -> ModelFactsReport:
    from rich.progress import Progress

    from gieok.bank.deepening import model_named, wake_model
    from gieok_evals.model_facts import WHO, compare

    with Progress(console=Console(stderr=True), transient=True) as bar, model_named(llm) as model:
        task = bar.add_task(f"waking {model.name}", total=len(WHO) * len(chosen))
        wake_model(model)
        bar.update(task, description=f"reading {len(chosen)} utterances three times")
        return compare(
            model, chosen, seed=seed, embedder=embedder, show=show_misses, progress=lambda: bar.advance(task)
        )


@app.command()
def planted(
    split: Split = "dev",
    scripts: Annotated[int, typer.Option(min=1, help="How many scripts to play.")] = 10,
    turns: Annotated[int, typer.Option(help="101, or the long form with 1000.")] = 101,
    seed: Seed = 0,
    embedder: Embedder = None,
    show_misses: ShowMisses = False,
    as_json: AsJson = False,
) -> None:
    """Plant facts in long conversations, bury and change them, and ask for them again. A leak fails the run."""
    from rich.progress import Progress

    from gieok_evals import tables
    from gieok_evals.figures import as_json as written
    from gieok_evals.planted import playing

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"playing {scripts} scripts", total=scripts)
        report = playing.run(
            split=split,
            scripts=scripts,
            turns=turns,
            seed=seed,
            embedder=embedder,
            show=show_misses,
            progress=lambda: bar.advance(task),
        )
    if as_json:
        typer.echo(written(report))
    else:
        tables.show_planted(report, Console(emoji=False, highlight=False))
    if not report.passed:
        raise typer.Exit(1)


@app.command()
def emotion(
    data: Annotated[
        Path, typer.Option(help="Labelled texts, one JSON object a line: text, label.", exists=True, dir_okay=False)
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Read labelled texts for what is felt in them, by the classifier and by keywords beside it."""
    from rich.progress import Progress

    from gieok.language.emotions import by_words, feel
    from gieok_evals.emotion import evaluate, load, show_emotion
    from gieok_evals.figures import as_json as written

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


@app.command()
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
    from gieok.privacy.find import found
    from gieok_evals.figures import as_json as written
    from gieok_evals.personal import evaluate, load, show_personal

    report = evaluate(load(data), lambda text: [(each.kind, each.start, each.end) for each in found(text)])
    if as_json:
        typer.echo(written(report))
    else:
        show_personal(report, Console(emoji=False, highlight=False))


app.command()(retrieval)
app.command()(year)
app.command("run")(run_outside)


def run(command: str) -> None:
    """Run `command` with the arguments of this process."""
    try:
        app([command, *sys.argv[1:]])
    except GieokError as error:
        sys.exit(str(error))
