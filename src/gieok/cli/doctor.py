"""`gieok doctor`: whether gieok works here. Each check looks at one thing and says what to do about it."""

from __future__ import annotations

import os
import platform
import shlex
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final, Literal, cast
from urllib.parse import urlsplit

import apsw
import typer
from rich.console import RenderableType
from rich.text import Text

from gieok import errors
from gieok.access.hosts import rules_of
from gieok.bank import MemoryBank
from gieok.bank.models import created, deep_model, fast_model
from gieok.cli.common import AsJson, BankPath, embedder_of, open_existing_store, settings_for
from gieok.cli.console import DIM, answers, explained, print_json, terminal_words, texts_of, waiting
from gieok.cli.records import record
from gieok.cli.table import Column, Listing
from gieok.domain.answer import CallSum, Context, Failure, Message
from gieok.embedders import EndpointEmbedder
from gieok.ports import BankInfo, Embedder, Llm, Store
from gieok.settings import FILE_NAME, Settings
from gieok.stores.backups import Shelf, bank_digest
from gieok.stores.workplace import Unfinished, folders_of, set_aside, sweep, temporary, unfinished

State = Literal["ok", "note", "bad"]

#: The extras, and the packages that each brings.
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "llm": ("openai",),
    "local": ("openai", "xllamacpp"),
    "serve": ("fastapi", "uvicorn", "httptools", "httpx2", "prometheus_client"),
    "web": ("nicegui",),
    "postgres": ("psycopg", "psycopg_pool"),
    "mcp": ("mcp", "uvicorn"),
    "langgraph": ("langgraph.store.base",),
}
_MARKS: Final[Mapping[State, tuple[str, str]]] = {"ok": ("✓", "green"), "note": ("·", DIM), "bad": ("✗", "bold red")}
say: Final = texts_of("cli_doctor")
_NAME_WIDTH: Final = 16
_OLDEST_PYTHON: Final = (3, 11)
_DAYS: Final = 7  #: whose model calls are summed up
_ANSWER_TOKENS: Final = 256  #: a model that thinks first needs more than the word
_LATE: Final = 2.0  #: times the hours between two backups; a bank that was closed meanwhile makes one when it is open
_CONNECT_SECONDS: Final = 0.5  #: that a server on this machine has to take a call


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, what was found, and what to do about it."""

    name: str  #: the same in every language; the screen shows its label
    detail: str
    state: State = "ok"  #: note: worth knowing, nothing is wrong
    remedy: str = ""


def doctor(bank: BankPath = None, ask: Annotated[bool, typer.Option("--ask")] = False, as_json: AsJson = False) -> None:
    console, found = answers(), []
    with waiting(say("looking")):
        for check in _checks(bank, ask=ask):
            found.append(check)
            if not as_json:
                console.print(check_line(check))
    well = all(check.state != "bad" for check in found)
    if as_json:
        print_json({"ok": well, "checks": record(found)})
    if not well:
        raise typer.Exit(1)


def check_line(check: Check) -> RenderableType:
    mark, style = _MARKS[check.state]
    words = terminal_words()
    names = words.some("cli_doctor.names") | words.some("shared.tasks")
    label = names.get(check.name.replace(" ", "_"), check.name)
    rows = [(mark, label, Text(check.detail, style="red" if check.state == "bad" else ""))]
    rows += [("", "", Text(f"→ {check.remedy}", style="yellow"))] if check.remedy else []
    columns = (
        Column(None, lambda row: row[0], style=style, width=1),
        Column(None, lambda row: row[1], style="bold", width=_NAME_WIDTH),
        Column(None, lambda row: row[2], fold=True),
    )
    return Listing(rows, columns, gap=1)


def _checks(bank: str | None, *, ask: bool) -> Iterator[Check]:
    python = f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    old = sys.version_info < _OLDEST_PYTHON
    yield Check("python", python, "bad", say("python.too_old")) if old else Check("python", python)
    sqlite = f"SQLite {apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}"
    if "ENABLE_FTS5" in apsw.compile_options:
        yield Check("driver", f"{sqlite}, FTS5")
    else:
        yield Check("driver", say("driver.no_fts", found=sqlite), "bad", say("remedies.reinstall"))
    try:
        settings = settings_for(bank)
        embedder = embedder_of(settings)
    except errors.GieokError as trouble:
        yield Check("settings", explained(trouble), "bad", say("settings.then_the_rest"))
        return
    yield from _looked("settings", lambda: [_settings_in_use()])
    yield _encryption(settings)
    left = unfinished(folders_of(settings.bank, settings.backup_folder))
    left += [each for each in unfinished([temporary()]) if not each.busy and each not in left]
    yield from _looked("bank", lambda: _bank(settings, embedder))
    yield from _looked("leftovers", lambda: _leftovers(settings, left))
    yield from _looked("backups", lambda: backups(settings))
    yield _morphology(settings)
    yield from _looked("embedder", lambda: [_encoder(embedder)])
    yield from _looked("trial bank", lambda: _trial(settings, embedder))
    yield from _looked("model", lambda: _models(settings, ask=ask))
    yield from _looked("calls", lambda: _calls(settings, embedder))
    yield from _looked("sources", lambda: _sources_in_use(settings, embedder))
    yield _extras()
    yield from _looked("server", lambda: _server(settings, embedder))


def _looked(name: str, look: Callable[[], Iterable[Check]]) -> Iterator[Check]:
    """Yield what `look` finds; where the system does not even let us look, that is the finding."""
    try:
        yield from look()
    except OSError as trouble:
        where = "" if trouble.filename is None else f"{trouble.filename}: "
        yield Check(name, f"{where}{trouble.strerror or trouble}", "bad", say("remedies.permissions"))


def _settings_in_use() -> Check:
    path = Path(os.environ.get("GIEOK_CONFIG") or FILE_NAME)
    source = str(path.absolute()) if path.is_file() else say("settings.defaults", file=FILE_NAME)
    variables = sorted(name for name in os.environ if name.startswith("GIEOK_") and name != "GIEOK_CONFIG")
    return Check("settings", "; ".join(filter(None, [source, ", ".join(variables)])))


def _encryption(settings: Settings) -> Check:
    cipher = getattr(apsw, "mc_version", None)
    if cipher is not None:
        source = next(iter(settings.key_from), None)
        use = say("encryption.in_use", source=source) if source else say("encryption.available")
        return Check("encryption", f"{cipher}, {use}")
    if not settings.key_from:
        return Check("encryption", say("encryption.missing"), "note")
    return Check("encryption", say("encryption.missing"), "bad", f"pip uninstall apsw; {say('remedies.reinstall')}")


def _bank(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    if _is_new_file(settings.bank):
        yield _room_for(Path(settings.bank))
        return
    try:
        with closing(open_existing_store(settings, embedder, any_embedder=True)) as store:
            info = store.info()
            counts = {name: info.counts[name] for name in ("scopes", "turns", "memories")}
            size = info.size_bytes / 1024 / 1024
            encrypted = say("bank.encrypted" if info.encrypted else "bank.not_encrypted")
            held = {"location": info.location, "size": size, "schema": info.schema, "encrypted": encrypted, **counts}
            yield Check("bank", say("bank.contents", **held))
            yield _vectors(info, embedder)
            problems = store.problems()
            more = say("integrity.more", n=len(problems) - 3) if len(problems) > 3 else ""
            if problems:
                yield Check("integrity", "; ".join(problems[:3]) + more, "bad", say("remedies.restore"))
            else:
                yield Check("integrity", say("integrity.sound"))
    except errors.GieokError as trouble:
        yield Check("bank", explained(trouble), "bad", _remedy(trouble, settings))


def _leftovers(settings: Settings, found: Sequence[Unfinished]) -> Iterator[Check]:
    """Tell what killed work left beside the bank; what is not in use went when the bank was opened, or goes now."""
    sweep([*folders_of(settings.bank, settings.backup_folder), temporary()])
    for each in found:
        told = {"path": each.path, "size": each.size / 1024 / 1024}
        if not each.path.exists():
            yield Check("leftovers", say("leftovers.removed", **told), "note")
        elif each.busy:
            yield Check("leftovers", say("leftovers.busy", **told), "note")
        else:
            remedy = say("leftovers.remove", command=f"rm -r {shlex.quote(str(each.path))}")
            yield Check("leftovers", say("leftovers.there", **told), "bad", remedy)
    for path in set_aside(settings.bank):
        yield Check("leftovers", say("leftovers.set_aside", path=path), "note", say("leftovers.no_longer"))


def _is_new_file(location: str) -> bool:
    """Whether there is no bank yet at `location`, but one can be made there."""
    if "://" in location or location in ("", ":memory:"):
        return False
    path = Path(location)
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _room_for(path: Path) -> Check:
    folder = path.absolute().parent
    if not folder.exists():
        make = say("bank.make_folder", command=f"mkdir -p {shlex.quote(str(folder))}")
        return Check("bank", say("bank.no_folder", folder=folder), "bad", make)
    if not folder.is_dir():
        return Check("bank", say("bank.not_a_folder", folder=folder), "bad", say("remedies.another_file"))
    if not os.access(folder, os.W_OK | os.X_OK):
        return Check("bank", say("bank.not_writable", folder=folder), "bad", say("remedies.permissions"))
    return Check("bank", say("bank.not_yet", path=path), "note")


def _vectors(info: BankInfo, embedder: Embedder) -> Check:
    if (info.embedder, info.dimension) != (embedder.name, embedder.dimension):
        detail = say("vectors.other", made_by=info.embedder, configured=embedder.name)
        return Check("vectors", detail, "bad", say("vectors.reindex"))
    missing = info.counts["unembedded"]
    if missing:
        return Check("vectors", say("vectors.missing", n=missing), "bad", say("vectors.wait_or_reindex"))
    return Check("vectors", say("vectors.all", embedder=info.embedder))


def _remedy(trouble: errors.GieokError, settings: Settings) -> str:
    match trouble:
        case errors.NotABank():
            return _remedy_for_no_bank(trouble, settings)
        case errors.NewerSchema():
            return "pip install -U gieok"
        case errors.DiskFull():
            return say("remedies.free_space")
        case errors.BankUnavailable():
            match trouble.__cause__:
                case apsw.CorruptError():
                    return say("remedies.restore")
                case apsw.BusyError():
                    return say("remedies.in_use")
                case apsw.IOError():
                    return say("remedies.disk")
            return say("remedies.permissions")
        case errors.SettingsError():
            return say("remedies.setting")
    return say("remedies.another_file")


def _remedy_for_no_bank(trouble: errors.NotABank, settings: Settings) -> str:
    source = next(iter(settings.key_from), None)
    named = "GIEOK_KEY" if source in (None, "key") else source
    if isinstance(trouble, errors.WrongKey):
        return say("remedies.key_missing" if source is None else "remedies.key_wrong", name=named)
    if isinstance(trouble.__cause__, apsw.NotADBError):  # its first bytes were those of a bank
        return say("remedies.restore")
    if source is not None:
        return say("remedies.key_needless", name=named)
    return say("remedies.another_file")


def backups(settings: Settings) -> Iterator[Check]:
    if settings.backup_folder is None:
        yield Check("backups", say("backups.no_folder"), "note", say("backups.set_folder"))
        return
    file = None if "://" in settings.bank else bank_digest(str(Path(settings.bank).absolute()))
    shelf = Shelf(Path(settings.backup_folder), file)
    labels, failure = shelf.labels(), shelf.failure()
    if failure is not None:
        yield Check("backups", f"{failure.at:%Y-%m-%d %H:%M}Z: {failure.why}", "bad", say("backups.make_one"))
        return
    if not labels:
        yield Check("backups", say("backups.none", folder=shelf.folder), "note", say("backups.now"))
        return
    last = labels[-1]
    kind = say(f"backups.kinds.{last.kind}")
    detail = say("backups.last", n=len(labels), folder=shelf.folder, at=last.made_at, kind=kind)
    age = datetime.now(UTC) - last.made_at
    if settings.backup_hours and age > timedelta(hours=settings.backup_hours * _LATE):
        late = say("backups.late", detail=detail, hours=settings.backup_hours)
        yield Check("backups", late, "bad", say("backups.make_one"))
        return
    yield Check("backups", detail)


def _morphology(settings: Settings) -> Check:
    start = time.perf_counter()
    try:
        from gieok.language import morphemes

        morphemes.use(settings.profile)
        morphemes.warm()
    except (ImportError, OSError, RuntimeError) as trouble:
        return Check("morphology", say("morphology.broken", trouble=trouble), "bad", say("remedies.reinstall"))
    if settings.profile == "light":
        return Check("morphology", say("morphology.light", seconds=time.perf_counter() - start))
    try:
        found = version("kiwipiepy")
    except PackageNotFoundError:
        found = "?"
    return Check("morphology", say("morphology.loaded", version=found, seconds=time.perf_counter() - start))


def _encoder(embedder: Embedder) -> Check:
    named = say("embedder.named", name=embedder.name, dimension=embedder.dimension)
    start = time.perf_counter()
    try:
        embedder.warm()
        embedder.embed([say("trial.asked")], purpose="query")
    except errors.GieokError as trouble:
        cause = say("embedder.see_above") if isinstance(embedder, EndpointEmbedder) else say("remedies.reinstall")
        return Check("embedder", f"{named}: {explained(trouble)}", "bad", say("embedder.words_only", remedy=cause))
    return Check("embedder", say("embedder.answers", named=named, seconds=time.perf_counter() - start))


def _trial(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Write to a temporary bank, and find what was written by meaning and by word."""
    try:
        with TemporaryDirectory(prefix="gieok-doctor-") as folder:
            place = str(Path(folder) / "trial.db")
            with MemoryBank(settings.for_a_trial(place), embedder=embedder) as bank:
                mind = bank.scope(user="doctor", character="letia")
                mind.observe(say("trial.said"))
                hits, context = mind.recall(say("trial.asked")), mind.context(say("trial.asked"))
    except errors.SettingsError as trouble:
        yield Check("trial bank", explained(trouble), "bad", _remedy(trouble, settings))
        return
    except errors.GieokError as trouble:
        yield Check("trial bank", explained(trouble), "bad", say("trial.temporary_folder"))
        return
    yield Check("trial bank", say("trial.done", said=say("trial.said")))
    by_meaning = max((hit.parts.relevance for hit in hits), default=0.0)
    by_word = max((hit.parts.keyword for hit in hits), default=0.0)
    yield _path("vector path", by_meaning, say("trial.see_embedder"))
    yield _path("keyword path", by_word, say("trial.see_morphology"))
    yield _sources("trial sources", context, settings)


def _path(name: str, part: float, remedy: str) -> Check:
    asked = say("trial.asked")
    if part > 0:
        return Check(name, say("trial.found", asked=asked, score=part))
    return Check(name, say("trial.not_found", asked=asked), "bad", remedy)


def _sources(name: str, context: Context, settings: Settings) -> Check:
    if not context.degraded:
        return Check(name, say("sources.answer", seconds=settings.recall_patience))
    return Check(name, "; ".join(context.degraded), "bad", say("sources.slow"))


def _opened(settings: Settings, embedder: Embedder, *, any_embedder: bool = False) -> Store | None:
    """Open the bank in use; None where there is none yet or it cannot be opened, which was found out before."""
    if _is_new_file(settings.bank):
        return None
    try:
        return open_existing_store(settings, embedder, any_embedder=any_embedder)
    except errors.GieokError:
        return None


def _sources_in_use(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    store = _opened(settings, embedder)
    if store is None:
        return
    with MemoryBank(settings, embedder=embedder, store=store) as bank:
        largest = max(bank.scopes(), key=lambda each: each.utterances + each.memories, default=None)
        if largest is not None:
            yield _sources("sources", bank.mind(largest.scope).context(say("trial.asked")), settings)


def _models(settings: Settings, *, ask: bool) -> Iterator[Check]:
    named = (("model", fast_model(settings)), ("deep model", deep_model(settings)))
    roles = [(role, model) for role, model in named if model is not None]
    if not roles:
        yield Check("model", say("model.none"))
    for role, model in roles:
        try:
            llm = created(model, settings)
            parts = urlsplit(model.url or "")  # an address may hold a password; it is not shown
            place = f"{parts.hostname}{f':{parts.port}' if parts.port else ''}"
            shown = model.spec if model.url is None else say("model.at", model=model.spec, place=place)
        except (errors.SettingsError, ValueError) as trouble:
            wrong = explained(trouble) if isinstance(trouble, errors.GieokError) else str(trouble)
            yield Check(role, wrong, "bad", say("model.setting"))
            continue
        with closing(llm):
            yield Check(role, shown)
            if ask:
                yield _answer(role, llm)


def _answer(role: str, llm: Llm) -> Check:
    start = time.perf_counter()
    try:
        done = llm.complete((Message(role="user", content=say("model.question")),), most_tokens=_ANSWER_TOKENS)
    except errors.ModelFailed as trouble:
        return Check(f"{role} asked", explained(trouble), "bad", model_remedy(cast("Failure", trouble.failure)))
    said = " ".join(done.text.split())
    said = f"{said[:40]}…" if len(said) > 40 else said
    return Check(f"{role} asked", say("model.answered", said=said, seconds=time.perf_counter() - start))


def model_remedy(failure: Failure) -> str:
    """Return what to do about a failed call; nothing for one that somebody cancelled."""
    return terminal_words().some("cli.model_failures").get(failure, "")


def _calls(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    store = _opened(settings, embedder, any_embedder=True)
    if store is None:
        return
    with closing(store):
        sums = store.model_calls()
    first = (datetime.now(UTC) - timedelta(days=_DAYS)).date().isoformat()
    recent = sorted((each for each in sums if each.day > first), key=lambda each: each.task)
    for task, calls in groupby(recent, key=lambda each: each.task):
        yield calls_of_task(task, list(calls))


def calls_of_task(task: str, calls: Sequence[CallSum]) -> Check:
    """Sum up the calls of one task; it is bad when more than half of them failed."""
    ends: Counter[Failure | None] = Counter()
    for each in calls:
        ends[each.failure] += each.calls
    cancelled = ends.pop("cancelled", 0)
    failed: Counter[Failure] = Counter({failure: count for failure, count in ends.items() if failure is not None})
    count, cost = sum(each.calls for each in calls), sum(each.cost for each in calls)
    figures = {
        "n": count,
        "days": _DAYS,
        "seconds": sum(each.seconds for each in calls) / count,
        "tokens": sum(each.prompt_tokens + each.answer_tokens for each in calls),
    }
    parts = [
        say("calls.sum", **figures),
        say("calls.cost", cost=cost) if cost else "",
        say("calls.cancelled", n=cancelled) if cancelled else "",
        ", ".join(f"{failure} {number:,}" for failure, number in failed.most_common()),
    ]
    state: State = "ok"
    if failed:
        state = "bad" if 2 * failed.total() > count else "note"
    remedy = model_remedy(failed.most_common(1)[0][0]) if failed else ""
    return Check(task.replace("_", " "), ", ".join(filter(None, parts)), state, remedy)


def _extras() -> Check:
    there = [name for name, packages in EXTRAS.items() if all(_is_there(each) for each in packages)]
    missing = [name for name in EXTRAS if name not in there]
    installed = ", ".join(there) or say("extras.none")
    if not missing:
        return Check("extras", installed)
    detail = say("extras.missing", installed=installed, missing=", ".join(missing))
    return Check("extras", detail, "note", say("extras.install", command=f'pip install "gieok[{",".join(missing)}]"'))


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (ModuleNotFoundError, ValueError):  # not even what it would be in
        return False


def _server(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Tell where `gieok serve` would listen, who would be let in, and whether somebody listens there already."""
    try:
        keys_required = rules_of(settings, settings.serve_host).keys_required
    except errors.GieokError as trouble:
        yield Check("server", explained(trouble), "bad", say("remedies.setting"))
        return
    place = f"{settings.serve_host}:{settings.serve_port}"
    who = say("server.with_keys" if keys_required else "server.this_machine")
    listens = say("server.in_use" if _listens(settings) else "server.free")
    yield Check("server", say("server.place", place=place, who=who, listens=listens))
    store = _opened(settings, embedder)
    count = 0
    if store is not None:
        with closing(store):
            count = sum(key.revoked_at is None for key in store.server.access_keys())
    if keys_required and not count:
        create = f"gieok keys create me --role admin --bank {shlex.quote(settings.bank_shown)}"
        yield Check("keys", say("keys.missing"), "note", create)
    else:
        yield Check("keys", say("keys.valid", n=count) if count else say("keys.none_needed"))


def _listens(settings: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.serve_host, settings.serve_host).strip("[]")
    try:
        with socket.create_connection((host, settings.serve_port), timeout=_CONNECT_SECONDS):
            return True
    except OSError:
        return False
