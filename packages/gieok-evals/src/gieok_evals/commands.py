"""The commands of `gieok eval`, which gieok finds by the entry point `gieok.commands`.

Every command imports what it runs, so that `gieok eval --help` is fast.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import Progress

    from gieok.bank import MemoryBank
    from gieok.domain.answer import ModelCall


app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False)

AsJson = Annotated[bool, typer.Option("--json")]
ShowMisses = Annotated[bool, typer.Option("--show-misses")]
Scripts = Annotated[int, typer.Option(min=1)]


@app.callback()
def measure() -> None:
    """Hold the commands below `gieok eval`; their help is gieok's, in cli_help.toml."""


@contextmanager
def _progress() -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # without a terminal it would leave an empty line
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar


def _tell(report: Any, show: Callable[[Any, Console], None], as_json: bool) -> None:
    from gieok_evals.reports import as_json as written

    if as_json:
        typer.echo(written(report))
    else:
        show(report, Console(emoji=False, highlight=False))


@app.command()
def frames(split: str = "dev", seed: int = 0, show_misses: ShowMisses = False, as_json: AsJson = False) -> None:
    from gieok_evals.banks import temporary_bank
    from gieok_evals.frames import evaluate, show_frames

    with temporary_bank(embedder="hashing") as bank:
        report = evaluate(bank, split=split, seed=seed, show=show_misses)
    _tell(report, show_frames, as_json)


@app.command()
def facts(
    data: Annotated[Path, typer.Option(exists=True, dir_okay=False)],
    llm: str | None = None,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    seed: int = 0,
    embedder: str | None = None,
    show_misses: Annotated[bool, typer.Option("--show-misses")] = False,
    as_json: AsJson = False,
) -> None:
    from gieok_evals.banks import temporary_bank
    from gieok_evals.facts import WHO, compare, evaluate, load, sample, show_comparison, show_facts
    from gieok_evals.models import model_named, wake_model

    cases = sample(load(data), limit, seed)
    if llm is None:
        with temporary_bank(embedder=embedder) as bank:
            _tell(evaluate(bank, cases, show=show_misses), show_facts, as_json)
        return
    with _progress() as bar, model_named(llm) as model:
        task = bar.add_task(f"loading {model.name}", total=len(WHO) * len(cases))
        wake_model(model)
        bar.update(task, description=f"reading {len(cases)} utterances three times")
        report = compare(
            model, cases, seed=seed, embedder=embedder, show=show_misses, progress=lambda: bar.advance(task)
        )
    _tell(report, show_comparison, as_json)


@app.command()
def planted(
    split: str = "dev",
    scripts: Scripts = 10,
    turns: int = 101,
    seed: int = 0,
    embedder: str | None = None,
    show_misses: ShowMisses = False,
    as_json: AsJson = False,
) -> None:
    from gieok_evals.planted import run, show_planted

    with _progress() as bar:
        task = bar.add_task(f"playing {scripts} scripts", total=scripts)
        report = run(
            split=split,
            scripts=scripts,
            turns=turns,
            seed=seed,
            embedder=embedder,
            show=show_misses,
            progress=lambda: bar.advance(task),
        )
    _tell(report, show_planted, as_json)
    if not report.passed:
        raise typer.Exit(1)


@app.command()
def retrieval(
    data: Annotated[Path, typer.Option(metavar="FILE", exists=True, dir_okay=False)],
    queries: Annotated[int | None, typer.Option(min=0, metavar="N")] = None,
    seed: Annotated[int, typer.Option(metavar="N")] = 0,
    captions: bool = True,
    with_memories: Annotated[bool, typer.Option("--with-memories")] = False,
    embedder: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    ablate: Annotated[bool, typer.Option("--ablate")] = False,
    compare: Annotated[str | None, typer.Option(metavar="A,B")] = None,
    llm: Annotated[str | None, typer.Option(metavar="SPEC")] = None,
    tune: Annotated[bool, typer.Option("--tune")] = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg")] = None,
    as_json: AsJson = False,
) -> None:
    from gieok_evals.files import check_chart
    from gieok_evals.retrieval import Plan, measure, record, show_retrieval
    from gieok_evals.retrieval.datasets import load, sampled
    from gieok_evals.retrieval.ranking import compared

    if chart is not None:
        check_chart(chart)
    plan = Plan(
        with_memories=with_memories, ablate=ablate, compare=compared(compare or ""), tune=tune, seed=seed, llm=llm
    )
    dataset = sampled(load(data, captions=captions), queries, seed=seed)
    with _progress() as bar:
        tasks = {
            "observed": bar.add_task("observing", total=dataset.lines),
            "asked": bar.add_task("asking", total=len(plan.ways) * dataset.queries),
        }
        report = measure(dataset, plan, embedder=embedder, progress=lambda done: bar.advance(tasks[done]))
    if as_json:
        typer.echo(json.dumps(record(report), ensure_ascii=False, indent=2))
    else:
        show_retrieval(report, Console(emoji=False, highlight=False))
    if chart is not None:
        from gieok_evals.charts import retrieval_chart

        chart.write_text(retrieval_chart(report), encoding="utf-8")


@app.command()
def year(
    characters: Annotated[int, typer.Option(min=1, max=10, metavar="N")] = 10,
    turns: Annotated[int, typer.Option(min=1, metavar="N")] = 3_000,
    seed: Annotated[int, typer.Option(metavar="N")] = 0,
    embedder: Annotated[str, typer.Option(metavar="NAME")] = "hashing",
    cap: Annotated[int, typer.Option(min=0, metavar="N")] = 100,
    workers: Annotated[int, typer.Option(min=0, metavar="N")] = 0,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg")] = None,
    show_misses: Annotated[bool, typer.Option("--show-misses")] = False,
    as_json: AsJson = False,
) -> None:
    from gieok_evals.files import check_chart
    from gieok_evals.year import Plan, run, show_year

    if chart is not None:
        check_chart(chart)
    plan = Plan(
        characters=characters, turns=turns, seed=seed, embedder=embedder, cap=cap or None, workers=workers or None
    )
    with _progress() as bar:
        task = bar.add_task("playing a year", total=characters * turns)
        report = run(plan, progress=lambda turns: bar.advance(task, turns))
    _tell(report, lambda report, console: show_year(report, console, misses=show_misses), as_json)
    if chart is not None:
        from gieok_evals.charts import year_chart

        chart.write_text(year_chart(report), encoding="utf-8")
    if not report.passed:
        raise typer.Exit(1)


@app.command()
def dialogues(
    data: Annotated[list[Path], typer.Option(metavar="FILE", exists=True)],
    adapter: Annotated[str | None, typer.Option(metavar="MODULE:CLASS")] = None,
    embedder: str | None = None,
    preset: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    llm: Annotated[str | None, typer.Option(metavar="SPEC")] = None,
    reading: Annotated[str, typer.Option(metavar="PACE")] = "batch:6",
    show_misses: Annotated[bool, typer.Option("--show-misses")] = False,
    chart: Annotated[Path | None, typer.Option(metavar="FILE.svg")] = None,
    as_json: AsJson = False,
) -> None:
    from gieok_evals import dialogues as talks
    from gieok_evals.banks import temporary_bank
    from gieok_evals.files import check_chart
    from gieok_evals.models import INJECTED, Recorded, model_named
    from gieok_evals.outside import load as load_adapter

    if chart is not None:
        check_chart(chart)
    files = [file for path in data for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
    played, model = talks.load(files), None
    calls: list[ModelCall] = []
    name = ", ".join(path.name for path in data)
    with _progress() as bar:
        task = bar.add_task(f"playing {len(played)} conversations", total=len(played))
        if adapter is not None:
            made = load_adapter(adapter)
            report = talks.evaluate_adapter(made, played, data=name, progress=lambda: bar.advance(task))
        else:
            with ExitStack() as stack:
                model = stack.enter_context(model_named(llm, files=files, calls=calls)) if llm else None
                bank = stack.enter_context(temporary_bank(embedder=embedder, model=model, llm_reading=reading))
                report = talks.evaluate(
                    bank,
                    played,
                    data=name,
                    preset=preset,
                    calls=calls,
                    injected=INJECTED if llm == "obeying" else "",
                    progress=lambda: bar.advance(task),
                )
    recorded = getattr(model, "llm", None)
    if isinstance(recorded, Recorded):
        old, missing = len(recorded.outdated), len(recorded.missing)
        typer.echo(
            f"{len(calls)} prompts: {old} have changed since they were answered, {missing} never were.", err=True
        )
    if as_json:
        typer.echo(json.dumps(talks.record(report, failures=show_misses), ensure_ascii=False, indent=2))
    else:
        talks.show_dialogues(report, Console(emoji=False, highlight=False), failures=show_misses)
    if chart is not None:
        from gieok_evals.charts import dialogues_chart

        chart.write_text(dialogues_chart(report), encoding="utf-8")


@app.command()
def writings(
    data: Annotated[list[Path], typer.Option(metavar="FILE", exists=True)],
    recorded: Annotated[Path, typer.Option(metavar="FOLDER", exists=True, file_okay=False)],
    open_to: Annotated[Path | None, typer.Option("--open", metavar="FOLDER", exists=True, file_okay=False)] = None,
    embedder: str | None = None,
    as_json: AsJson = False,
) -> None:
    from gieok.llms import CountedModel
    from gieok_evals import dialogues as talks
    from gieok_evals import writings as evals
    from gieok_evals.banks import StoryClock, temporary_bank
    from gieok_evals.files import write_lines
    from gieok_evals.models import Recorded, model_named

    played = talks.load(data)
    writer = evals.Writer(recorded / "writings" / "answers.jsonl")
    unjudged: list[dict[str, str]] = []
    with _progress() as bar, model_named(f"recorded:{recorded}") as reader:
        task = bar.add_task(f"playing {len(played)} conversations", total=len(played))
        deep = CountedModel(writer, record=lambda call: None, now=lambda: datetime.now(UTC))
        with temporary_bank(embedder=embedder) as like:

            @contextmanager
            def bank_at(end: datetime) -> Iterator[MemoryBank]:
                clock = StoryClock(end)
                with temporary_bank(like=like, clock=clock, model=reader, deep_model=deep, director=True) as bank:
                    yield bank

            report = evals.evaluate(
                bank_at,
                played,
                judgements=evals.Judgements(recorded / "writings" / "judged.jsonl"),
                writer=writer,
                unjudged=unjudged,
                progress=lambda: bar.advance(task),
            )
        asked = getattr(reader, "llm", None)
        report = replace(report, unread=len(asked.missing) if isinstance(asked, Recorded) else 0)
    if open_to is not None:
        prompts = (
            {"key": key, "system": asked[0].content, "prompt": asked[-1].content} for key, asked in writer.asked.items()
        )
        write_lines(open_to / "prompts.jsonl", prompts)
        write_lines(open_to / "sentences.jsonl", unjudged)
    _tell(report, evals.show_writings, as_json)


@app.command("run")
def run_adapter(
    adapter: Annotated[str, typer.Option(metavar="MODULE:CLASS")],
    split: str = "dev",
    scripts: Scripts = 10,
    turns: int = 101,
    seed: int = 0,
    show_misses: ShowMisses = False,
    as_json: AsJson = False,
) -> None:
    from gieok_evals.outside import load, run, show_outside

    made = load(adapter)
    with _progress() as bar:
        task = bar.add_task(f"playing {scripts} scripts", total=scripts)
        report = run(
            made,
            name=made.__name__,
            split=split,
            scripts=scripts,
            turns=turns,
            seed=seed,
            show=show_misses,
            progress=lambda: bar.advance(task),
        )
    _tell(report, show_outside, as_json)
    if not report.passed:
        raise typer.Exit(1)


@app.command()
def emotion(data: Annotated[Path, typer.Option(exists=True, dir_okay=False)], as_json: AsJson = False) -> None:
    from gieok.extract.feelings import feel
    from gieok_evals.emotion import evaluate, load, show_emotion

    cases = load(data)
    with _progress() as bar:
        task = bar.add_task("reading", total=len(cases))
        report = evaluate(
            cases, lambda text, speaker: feel(text, speaker=speaker).emotion, progress=lambda: bar.advance(task)
        )
    _tell(report, show_emotion, as_json)


@app.command()
def pii(data: Annotated[Path, typer.Option(exists=True, dir_okay=False)], as_json: AsJson = False) -> None:
    from gieok.privacy.find import found
    from gieok_evals.pii import evaluate, load, show_pii

    report = evaluate(load(data), lambda text: [(each.kind, each.start, each.end) for each in found(text)])
    _tell(report, show_pii, as_json)
