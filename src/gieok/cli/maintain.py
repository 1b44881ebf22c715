"""Upkeep on the command line: maintain, by rules or with models, and reindex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from time import sleep
from typing import Annotated, Final, TypeVar, cast

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gieok.bank import MemoryBank, Mind
from gieok.bank.models import Deepened
from gieok.bank.privacy import mask_of
from gieok.cli import common
from gieok.cli.console import (
    DIM,
    Terms,
    answers,
    asides,
    complain,
    explained,
    progress,
    show,
    terminal_words,
    terms_for,
    text,
    waiting,
)
from gieok.cli.memories import first_line
from gieok.cli.table import Column, Listing
from gieok.cli.talk import outcome_table, outcomes
from gieok.domain.memory import Change
from gieok.domain.scope import Scope
from gieok.domain.state import DIRECTOR, Note, ScopeState
from gieok.domain.turn import CHARACTER, moment
from gieok.domain.upkeep import PASSES, Kept, PassName, Upkept, What, change_kind, change_text
from gieok.errors import GieokError, InvalidQuery
from gieok.maintain.model_passes import Pondered
from gieok.observe.index import reindex as embed_again
from gieok.words.reasons import reason

_COUNTED: Final = 1_000  #: open turns that are told apart from "very many"
MOST_ROWS: Final = 40
_MARKS: Final[dict[What, tuple[str, str]]] = {"new": ("+", "green"), "changed": ("~", "yellow"), "closed": ("-", DIM)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWork:
    """What models did in one scope, and what is left of it."""

    scope: Scope
    done: Deepened
    note: str = ""  #: what is left for the next reply
    left_open: int = 0  #: turns that no model has read yet


Done = TypeVar("Done", Upkept, ModelWork)


@common.scoped
def maintain(
    where: common.Where,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    passes: Annotated[list[str] | None, typer.Option("--pass", metavar="NAME")] = None,
    everywhere: Annotated[bool, typer.Option("--all")] = False,
    deep: Annotated[bool, typer.Option("--deep")] = False,
    watch: Annotated[bool, typer.Option("--watch")] = False,
    every: Annotated[float, typer.Option(min=1, metavar="SECONDS")] = 60,
    at: common.At = None,
) -> None:
    for name in passes or ():
        if name not in PASSES:
            raise InvalidQuery(text("errors.unknown_pass", name=repr(name), known=", ".join(PASSES)))
    wanted = cast("list[PassName] | None", passes or None)
    if everywhere and where.given:
        raise InvalidQuery(text("errors.all_and_names"))
    if watch and (dry_run or where.as_json or at or wanted or deep):
        raise InvalidQuery(text("errors.watch_options"))
    if deep and (dry_run or at or wanted):
        raise InvalidQuery(text("errors.deep_options"))
    with where.open(models=watch or deep) as opened:
        when = moment(at, opened.settings.zone)
        minds = common.minds_in(opened, where, everywhere)
        if watch:
            _watch(opened, None if everywhere else minds, every)
        elif deep:
            works = _worked(opened, minds)
            where.show(works, lambda: _report(works, deep_report, opened))
        else:
            with progress() as shown:
                tracked = shown.track(minds, description=text("upkeep.working"))
                done = [mind.maintain(wanted, at=when, dry_run=dry_run) for mind in tracked]
            where.show(done, lambda: _report(done, upkeep_report, opened))


def _report(done: Sequence[Done], view: Callable[[Done, Terms], RenderableType], bank: MemoryBank) -> RenderableType:
    """Return what was done in each scope, without those where nothing was due."""
    worked = [each for each in done if not _is_nothing(each)]
    parts: list[RenderableType] = [] if worked else [Text(text("upkeep.nothing_due"), style=DIM)]
    for number, each in enumerate(worked):
        if len(done) > 1:
            parts.append(Text(f"{chr(10) if number else ''}[{each.scope}]", style="cyan"))
        parts.append(view(each, Terms(terminal_words(), each.scope, bank.settings.zone)))
    return Group(*parts)


def _is_nothing(done: Upkept | ModelWork) -> bool:
    if isinstance(done, Upkept):
        return not (done.passes or done.busy)
    pondered = done.done.pondered
    thought = pondered is not None and (pondered.asked or pondered.failed)
    return not (done.done.read or done.done.directed or thought or done.left_open)


def upkeep_report(upkept: Upkept, terms: Terms, *, most: int = MOST_ROWS) -> RenderableType:
    """Return what became of one scope; of very many rows the first `most`."""
    if upkept.busy:
        return Text(terms("upkeep.busy"), style="yellow")
    if not upkept.passes:
        return Text(terms("upkeep.nothing_due"), style=DIM)
    passes = _passes(upkept.passes, terms)
    if not upkept.kept:
        return Text(terms("upkeep.nothing_changed", passes=passes), style=DIM)
    heading = terms("upkeep.dry_run") if upkept.dry_run else terms("upkeep.done", passes=passes)
    return _changes(heading, upkept.kept, terms, most)


def ponder_report(pondered: Pondered, terms: Terms) -> RenderableType:
    if not pondered.asked and not pondered.failed:
        return Text(terms("upkeep.nothing_due"), style=DIM)
    parts: list[RenderableType] = []
    asked, failed = (
        ", ".join(terms(f"thoughts.{name}") for name in names) for names in (pondered.asked, pondered.failed)
    )
    if asked and pondered.kept:
        parts.append(_changes(terms("upkeep.model_done", thoughts=asked), pondered.kept, terms, MOST_ROWS))
    elif asked:
        parts.append(Text(terms("upkeep.nothing_changed", passes=asked), style=DIM))
    if failed:
        parts.append(Text(terms("upkeep.model_failed", thoughts=failed), style="yellow"))
    return Group(*parts)


def _changes(heading: str, kept: Sequence[Kept], terms: Terms, most: int) -> RenderableType:
    rows = [(each, number, change) for each in kept for number, change in enumerate(each.changes)]

    def style(change: Change) -> str:
        return _MARKS[change_kind(change)][1]

    def content(change: Change) -> Text:
        closed = change_kind(change) == "closed"
        return Text(first_line(change_text(change)) if closed else change_text(change), style=DIM if closed else "")

    columns = (
        Column(None, lambda row: Text(_MARKS[change_kind(row[2])][0], style=style(row[2])), width=1),
        Column(
            None,
            lambda row: Text("" if row[1] else terms.label("actions", row[0].action), style=style(row[2])),
            fold=True,
        ),
        Column(None, lambda row: content(row[2]), fold=True, ratio=3),
        Column(None, lambda row: "" if row[1] else reason(row[0].why, terms.words), style=DIM, fold=True, ratio=2),
    )
    more = [Text(terms("upkeep.more", n=len(rows) - most), style=DIM)] if len(rows) > most else []
    return Group(Text(heading, style="bold"), Listing(rows[:most], columns), *more, Text(_counts(kept, terms)))


def _passes(passes: Iterable[str], terms: Terms) -> str:
    return ", ".join(terms.label("passes", name) for name in passes)


def _counts(kept: Iterable[Kept], terms: Terms) -> str:
    """Return how many memories were made, changed and closed: 새로 1 · 닫음 3."""
    counted = Counter(change_kind(change) for each in kept for change in each.changes)
    return " · ".join(terms(f"upkeep.counts.{what}", n=counted[what]) for what in _MARKS if counted[what])


def _watch(opened: MemoryBank, minds: list[Mind] | None, every: float) -> None:
    """Do what is due again and again; without `minds` in every scope there is by then."""
    woken: dict[Scope, int] = {}
    asides().print(text("upkeep.watching", seconds=every), style=DIM)
    try:
        while True:
            looked_at = minds if minds is not None else common.minds_in(opened, common.Where(), True)
            for mind in looked_at:
                _maintain_one(mind)
                with mind.bank.store.view(mind.key) as view:
                    said, is_open = view.turn_number, bool(view.open_turns(1))
                if is_open or woken.get(mind.key) != said:
                    woken[mind.key] = said
                    mind.bank.wake(mind.key)
            sleep(every)
    except KeyboardInterrupt:
        asides().print(f"\n{text('upkeep.stopped')}", style=DIM)


def _maintain_one(mind: Mind) -> None:
    try:
        upkept = mind.maintain()
    except GieokError as trouble:  # one scope that could not be done does not end the watch
        complain(f"[{mind.key}] {explained(trouble)}")
        return
    if upkept.passes or upkept.busy:
        now = datetime.now(mind.bank.settings.zone)
        answers().print(watch_line(upkept, now, terms_for(mind)), soft_wrap=True)


def watch_line(upkept: Upkept, now: datetime, terms: Terms) -> Text:
    """Return what was done in one scope as one line: when, where, which passes, how many memories."""
    line = Text().append(f"{now:%H:%M:%S} ", DIM).append(f"[{upkept.scope}] ", "cyan")
    if upkept.busy:
        return line.append(terms("upkeep.busy"), "yellow")
    return line.append(" — ".join(filter(None, (_passes(upkept.passes, terms), _counts(upkept.kept, terms)))))


def _worked(opened: MemoryBank, minds: Sequence[Mind]) -> list[ModelWork]:
    if opened.model is None and opened.deep_model is None:
        raise InvalidQuery(text("errors.no_model"))
    works = []
    with waiting(text("upkeep.asking")) as shown:
        for number, mind in enumerate(minds, start=1):
            if len(minds) > 1:
                shown.update(text=Text(f"{text('upkeep.asking')} {number}/{len(minds)}"))
            done = mind.deepen()
            with opened.store.view(mind.key) as view:
                note = ScopeState(view.state_records_by_key([("note", DIRECTOR)]).items()).get(Note, DIRECTOR)
                left_open = len(view.open_turns(_COUNTED))
            told = note.text if note is not None and done.directed else ""
            works.append(ModelWork(scope=mind.key, done=done, note=told, left_open=left_open))
    return works


def deep_report(work: ModelWork, terms: Terms) -> RenderableType:
    parts: list[RenderableType] = []
    if work.done.directed:
        parts.append(Text(terms("upkeep.note", note=work.note) if work.note else terms("upkeep.moved")))
    if work.done.read:
        parts.append(Text(terms("upkeep.read_again", n=len(work.done.read)), style="bold"))
    for observed in work.done.read:
        said = " ".join(each.text for each in observed.turn.utterances if each.speaker != CHARACTER)
        parts.append(Padding(Text(f"“{first_line(said)}”", style=DIM), (0, 0, 0, 2)))
        parts.append(Padding(outcome_table(outcomes(observed, terms), terms), (0, 0, 0, 4)))
    pondered = work.done.pondered
    if pondered is not None and (pondered.asked or pondered.failed):
        parts.append(ponder_report(pondered, terms))
    if work.left_open:
        parts.append(Text(terms("upkeep.left_open", n=work.left_open), style="yellow"))
    return Group(*parts)


def reindex(bank: common.BankPath = None, as_json: common.AsJson = False) -> None:
    settings = common.settings_for(bank)
    embedder = common.embedder_of(settings)
    with closing(common.open_existing_store(settings, embedder, any_embedder=True)) as store, progress() as shown:
        before = store.info().embedder
        task = shown.add_task(f"{before} → {embedder.name}", total=None)
        done = embed_again(
            store,
            embedder,
            progress=lambda done, total: shown.update(task, completed=done, total=total),
            mask=mask_of(settings),
        )
    made = {"from": before, "to": embedder.name, "dimension": embedder.dimension, "embedded": done}
    told = text("reindex.done", n=done, before=before, after=embedder.name, dimension=embedder.dimension)
    show(made, lambda: told, as_json, soft_wrap=True)
