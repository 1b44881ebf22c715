"""Upkeep on the command line: maintain, with models if wanted, and reindex."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.text import Text

from gieok.cli.common import AsJson, At, BankPath, Character, Names, User, World, known_mind, open_to_read, settings_for
from gieok.cli.console import answers, asides, complain, print_json, told, waiting
from gieok.domain.turn import moment
from gieok.errors import GieokError, InvalidQuery, InvalidScope

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.cli.look.memories import Work
    from gieok.cli.look.words import LivingWords
    from gieok.domain.scope import Scope
    from gieok.domain.upkeep import PassName, Upkept

_NAP = 0.2  #: seconds after which a sleeping watch looks whether it shall end
_COUNTED = 1_000  #: turns left open that are told apart from "very many"


def maintain(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing, show what would happen.")] = False,
    passes: Annotated[
        list[str] | None,
        typer.Option(
            "--pass", metavar="NAME", help="Do this pass now, due or not; may be repeated.", show_default=False
        ),
    ] = None,
    everywhere: Annotated[bool, typer.Option("--all", help="In every scope of the bank.")] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Have the models read, direct and think now, instead of upkeep by rules.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until Ctrl-C.")] = False,
    every: Annotated[float, typer.Option("--every", min=1, metavar="SECONDS", help="How often --watch looks.")] = 60,
    at: At = None,
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    as_json: AsJson = False,
) -> None:
    """Merge, summarise, reflect and let go, as far as it is due; with --deep, let models read and think."""
    wanted = _checked(passes)
    names = Names(user, character, world)
    _check(names, everywhere=everywhere)
    _check_watch(watch, once_only=bool(dry_run or as_json or at or wanted or deep))
    _check_deep(deep, by_rules=bool(dry_run or at or wanted))
    with open_to_read(bank, models=watch or deep) as opened:
        when = moment(at, opened.settings.zone)
        minds = _minds(opened, names, everywhere)
        if watch:
            _watch(opened, None if everywhere else minds, every)
            return
        if deep:
            from gieok.cli.maintain import deepen

            deepen(opened, minds, as_json=as_json)
            return
        done = list(_done(opened, minds, wanted, when, dry_run=dry_run))
    if as_json:
        from gieok.cli.records import upkept_record

        print_json([upkept_record(upkept) for upkept in done])
        return
    _report(opened, done)


def _checked(passes: Sequence[str] | None) -> list[PassName] | None:
    from gieok.domain.upkeep import PASSES

    for name in passes or ():
        if name not in PASSES:
            raise InvalidQuery(f"unknown pass {name!r}; choose from {', '.join(PASSES)}")
    return cast("list[PassName]", list(passes)) if passes else None


def _check(names: Names, *, everywhere: bool) -> None:
    if everywhere and names.given:
        raise InvalidQuery("--all is every scope; leave out --user, --character and --world, or leave out --all")


def _check_watch(watch: bool, *, once_only: bool) -> None:
    if watch and once_only:
        raise InvalidQuery(
            "--watch does what is due, by the clock, and wakes models; it takes no --dry-run, --pass, --at, --deep or "
            "--json"
        )


def _check_deep(deep: bool, *, by_rules: bool) -> None:
    if deep and by_rules:
        raise InvalidQuery("--deep asks models, who cannot tell beforehand; it takes no --dry-run, --pass or --at")


def _minds(opened: MemoryBank, names: Names, everywhere: bool) -> list[Mind]:
    if everywhere:
        from gieok.bank import iter_scopes

        return [opened.mind(scope) for scope in iter_scopes(opened.store)]
    try:
        return [known_mind(opened, names)]
    except InvalidScope as trouble:
        raise InvalidScope(f"{trouble}; --all means every one of them") from None


def _done(
    opened: MemoryBank,
    minds: Sequence[Mind],
    passes: list[PassName] | None,
    at: datetime | None,
    *,
    dry_run: bool = False,
) -> Iterator[Upkept]:
    """Yield what was done in each scope, with a bar on the terminal meanwhile."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = asides()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(_words(opened).tidying, total=len(minds))
        for mind in minds:
            yield mind.maintain(passes, at=at, dry_run=dry_run)
            shown.advance(task)


def _report(opened: MemoryBank, done: Sequence[Upkept]) -> None:
    from gieok.cli.look.memories import upkeep_report

    console, living = answers(), _words(opened)
    worked = [upkept for upkept in done if upkept.passes or upkept.busy]
    if not worked:
        console.print(living.nothing_due, style="bright_black")
    for number, upkept in enumerate(worked):
        if len(done) > 1:
            console.print(f"{chr(10) if number else ''}[{upkept.scope}]", style="cyan")
        console.print(upkeep_report(upkept, living, opened.settings.language))


def _watch(opened: MemoryBank, minds: list[Mind] | None, every: float) -> None:
    """Do what is due again and again; without `minds` in every scope there is by then."""
    living = _words(opened)
    woken: dict[Scope, int] = {}
    asides().print(living.watching.format(seconds=every), style="bright_black")
    try:
        while True:
            looked_at = minds if minds is not None else _minds(opened, Names(), True)
            _look(opened, looked_at)
            _wake(opened, looked_at, woken)
            _sleep(every)
    except KeyboardInterrupt:
        asides().print(f"\n{living.stopped}", style="bright_black")


def _look(opened: MemoryBank, minds: Sequence[Mind]) -> None:
    from gieok.cli.look.memories import watch_line

    for mind in minds:
        try:
            upkept = mind.maintain()
        except GieokError as trouble:  # one scope that could not be done does not end the watch
            complain(f"[{mind.key}] {told(trouble)}")
            continue
        if upkept.passes or upkept.busy:
            now = datetime.now(opened.settings.zone)
            answers().print(watch_line(upkept, now, _words(opened)), soft_wrap=True)


def _wake(opened: MemoryBank, minds: Sequence[Mind], woken: dict[Scope, int]) -> None:
    """Wake models where something was said since they were last woken, or is left open."""
    for mind in minds:
        with opened.store.view(mind.key) as view:
            said, waiting = view.turn_number, bool(view.left_open(1))
        if waiting or woken.get(mind.key) != said:
            woken[mind.key] = said
            opened.wake(mind.key)


def _sleep(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _NAP))


def _words(opened: MemoryBank) -> LivingWords:
    from gieok.cli.look.words import LIVING_WORDS

    return LIVING_WORDS[opened.settings.language]


def reindex(bank: BankPath = None, as_json: AsJson = False) -> None:
    """Embed the bank anew with the configured embedder; can be resumed."""
    from contextlib import closing

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gieok import embedders, stores
    from gieok.bank.privacy import mask_of
    from gieok.observe.index import reindex as embed_anew

    settings = settings_for(bank)
    embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    store = stores.open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        **settings.opened_with,
        keyword=settings.keyword,
        create=False,
        for_reindex=True,
    )
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with closing(store), Progress(*columns, console=asides(), transient=True) as shown:
        before = store.info()
        task = shown.add_task(f"{before.embedder} → {embedder.name}", total=None)
        done = embed_anew(
            store,
            embedder,
            progress=lambda done, total: shown.update(task, completed=done, total=total),
            mask=mask_of(settings),
        )
    if as_json:
        print_json({"from": before.embedder, "to": embedder.name, "dimension": embedder.dimension, "embedded": done})
        return
    answers().print(f"{done:,} items embedded: {before.embedder} → {embedder.name} ({embedder.dimension} d)")


def deepen(opened: MemoryBank, minds: Sequence[Mind], *, as_json: bool) -> None:
    """Have the models work in the scopes of `minds`, and tell what came of it."""
    if opened.model is None and opened.deep_model is None:
        raise InvalidQuery(
            "no model is set; name one in gieok.toml or the environment: "
            'llm = "ollama:qwen3:8b" (GIEOK_LLM) reads, llm_deep (GIEOK_LLM_DEEP) reflects and directs'
        )
    from gieok.cli.look.words import LIVING_WORDS

    living = LIVING_WORDS[opened.settings.language]
    works = []
    with waiting(living.asking) as shown:
        for number, mind in enumerate(minds, start=1):
            if len(minds) > 1:
                shown.update(text=Text(f"{living.asking} {number}/{len(minds)}"))
            works.append(_worked(opened, mind))
    if as_json:
        from gieok.cli.records import work_record

        print_json([work_record(work) for work in works])
        return
    _deepened(works, opened.settings.language)


def _worked(opened: MemoryBank, mind: Mind) -> Work:
    from gieok.cli.look.memories import Work
    from gieok.domain.state import DIRECTOR, Note, ScopeState

    done = mind.deepen()
    with opened.store.view(mind.key) as view:
        note = ScopeState(view.things_by_key([("note", DIRECTOR)]).items()).get(Note, DIRECTOR)
        waiting = len(view.left_open(_COUNTED))
    text = note.text if note is not None and done.directed else ""
    return Work(scope=mind.key, done=done, note=text, left_open=waiting)


def _deepened(works: Sequence[Work], language: str) -> None:
    from gieok.cli.look.memories import deepened_report
    from gieok.cli.look.words import LIVING_WORDS

    console = answers()
    worked = [work for work in works if not work.nothing]
    if not worked:
        console.print(LIVING_WORDS[language].nothing_due, style="bright_black")
    for number, work in enumerate(worked):
        if len(works) > 1:
            console.print(f"{chr(10) if number else ''}[{work.scope}]", style="cyan")
        console.print(deepened_report(work, language))
