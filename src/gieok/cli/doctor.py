"""Whether gieok works here: each check finds one thing out."""

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
from typing import TYPE_CHECKING, Annotated, Final, Literal, cast
from urllib.parse import urlsplit

import typer

from gieok.bank.models import NamedModel, created, deep_model, fast_model
from gieok.cli.common import AsJson, BankPath, settings_for
from gieok.cli.console import answers, print_json, told, waiting
from gieok.errors import (
    BankUnavailable,
    DiskFull,
    GieokError,
    ModelFailed,
    NewerSchema,
    NotABank,
    SettingsError,
    WrongKey,
)

if TYPE_CHECKING:
    from gieok.domain.answer import CallSum, Context, Failure, Hit
    from gieok.ports import BankInfo, Embedder, Llm, Store
    from gieok.settings import Settings


Ask = Annotated[bool, typer.Option("--ask", help="Ask the configured models a short question, and time them.")]


def doctor(bank: BankPath = None, ask: Ask = False, as_json: AsJson = False) -> None:
    """Check that everything works here, and say what to do where it does not."""
    from gieok.cli.look.admin import check_line

    console, found = answers(), []
    with waiting("looking …"):
        for check in _checks(bank, ask=ask):
            found.append(check)
            if not as_json:
                console.print(check_line(check))
    well = all(check.state != "bad" for check in found)
    if as_json:
        checks = [
            {"name": check.name, "state": check.state, "detail": check.detail, "remedy": check.remedy or None}
            for check in found
        ]
        print_json({"ok": well, "checks": checks})
    if not well:
        raise typer.Exit(1)


def _checks(bank: str | None, *, ask: bool) -> Iterator[Check]:
    from gieok import embedders
    from gieok.cli.console import told
    from gieok.errors import GieokError

    yield python()
    yield driver()
    try:
        settings = settings_for(bank)
        embedder = embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key)
    except GieokError as trouble:
        yield Check(name="settings", state="bad", detail=told(trouble), remedy="the rest is checked once this is right")
        return
    yield from _looked("settings", lambda: [settings_in_use()])
    yield encryption(settings)
    yield from _looked("bank", lambda: in_use(settings, embedder))
    yield from _looked("backups", lambda: backups(settings))
    yield morphology()
    yield from _looked("embedder", lambda: [encoder(embedder)])
    yield from _looked("trial bank", lambda: trial(settings, embedder))
    yield from _looked("model", lambda: configured(settings, ask=ask))
    yield from _looked("calls", lambda: asked(settings, embedder))
    yield from _looked("sources", lambda: recalling(settings, embedder))
    yield extras()
    yield from _looked("server", lambda: server(settings, embedder))


def _looked(name: str, look: Callable[[], Iterable[Check]]) -> Iterator[Check]:
    """Yield what `look` finds; where the system does not even let us look, that is the finding."""
    try:
        yield from look()
    except OSError as trouble:
        where = "" if trouble.filename is None else f"{trouble.filename}: "
        yield Check(name=name, state="bad", detail=f"{where}{trouble.strerror or trouble}", remedy=ALLOW)


State = Literal["ok", "note", "bad"]
ALLOW: Final = "check the permissions: the file and its folder must be readable and writable"
RESTORE: Final = "restore the file from a backup"
ANOTHER: Final = "name another file by --bank or GIEOK_BANK"
_KOREAN: Final[Mapping[Failure, str]] = {
    "unreachable": "모델 서버에 연결되지 않아요: 서버가 켜져 있는지, llm_url이 맞는지 확인하세요",
    "timeout": "제시간에 답하지 못해요: llm_seconds를 늘리거나 더 작은 모델을 쓰세요",
    "rate_limited": "요청 한도 초과(429)가 이어져요: 요금제의 한도를 확인하거나 deep_extraction이나 director를 끄세요",
    "refused": "서버가 요청을 거절해요: 키와 모델 이름(또는 파일)을 확인하세요 (gieok doctor --ask)",
    "server_error": "모델 서버 안에서 오류가 나요: 서버 로그를 확인하고, 이어지면 다른 모델을 쓰세요",
    "empty": "답이 비어 있어요: 생각만 하다 토큰이 떨어지는 모델일 수 있으니 다른 모델을 써 보세요",
    "too_long": "답이 끝없이 길어져요: 서버의 대화 템플릿(chat template)이 이 모델에 맞는지 확인하세요",
    "broken": "JSON을 제대로 쓰지 못해요: JSON 스키마를 지원하는 서버나 더 큰 모델을 쓰세요",
}
_ENGLISH: Final[Mapping[Failure, str]] = {
    "unreachable": "the endpoint does not answer: is the server running, and is llm_url right?",
    "timeout": "it does not answer in time: raise llm_seconds, or take a smaller model",
    "rate_limited": "it goes on saying 429: look at the limits of your plan, or turn deep_extraction or director off",
    "refused": "it refuses what it is asked: check the key and the model's name or file (gieok doctor --ask)",
    "server_error": "the endpoint breaks inside: look at its log, and take another model if it goes on",
    "empty": "its answers are empty: a model that thinks may run out of tokens first; try another",
    "too_long": "its answers never end: does the server's chat template fit this model?",
    "broken": "it does not write the JSON it is asked for: take an endpoint with JSON schemas, or a larger model",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was looked at, what was found, and what to do about it."""

    name: str
    state: State = "ok"  #: note: worth knowing, nothing is wrong
    detail: str
    remedy: str = ""


def remedy(trouble: GieokError, settings: Settings) -> str:
    match trouble:
        case NotABank():
            return _for_another_file(trouble, settings)
        case NewerSchema():
            return "pip install -U gieok"
        case DiskFull():
            return "free some space on its disk"
        case BankUnavailable():
            return _for_an_unreachable_file(trouble)
        case SettingsError():
            return "put the setting right, or leave it out"
    return ANOTHER


def _for_another_file(trouble: NotABank, settings: Settings) -> str:
    import apsw

    source = next(iter(settings.key_from), None)
    named = "GIEOK_KEY" if source in (None, "key") else source
    if isinstance(trouble, WrongKey):
        key = "its key" if source is None else "the key that it was made with"
        return f"set {named} to {key}" if named == "GIEOK_KEY" else f"have {named} give {key}"
    if isinstance(trouble.__cause__, apsw.NotADBError):  # its first bytes were those of a bank
        return RESTORE
    if source is not None:
        return f"leave {named} out; if it is no bank, {ANOTHER}"
    return ANOTHER


def _for_an_unreachable_file(trouble: BankUnavailable) -> str:
    import apsw

    match trouble.__cause__:
        case apsw.CorruptError():
            return RESTORE
        case apsw.BusyError():
            return "end the other program that uses it, or try again later"
        case apsw.IOError():
            return f"check the disk; if it is in order, {RESTORE}"
    return ALLOW


def model_remedy(failure: Failure, language: str) -> str:
    """Return the way out; none for a call that somebody broke off."""
    return (_KOREAN if language == "ko" else _ENGLISH).get(failure, "")


_LATE: Final = 2.0  #: times the hours between two; a bank that was closed meanwhile makes one when it is open again
_REMEDY: Final = "look at the folder and its disk, then make one: gieok backup"


def backups(settings: Settings, now: datetime | None = None) -> Iterator[Check]:
    """Tell when the last backup was made, and why there is none since."""
    from gieok.stores.backups import Shelf, bank_digest

    if settings.backup_folder is None:
        remedy = 'backup_folder = "backups" makes one a day; by hand: gieok backup FOLDER'
        yield Check(name="backups", state="note", detail="no folder for backups is set", remedy=remedy)
        return
    file = None if "://" in settings.bank else bank_digest(str(Path(settings.bank).absolute()))
    shelf = Shelf(Path(settings.backup_folder), file)
    labels, failure = shelf.labels(), shelf.failure()
    if failure is not None:
        yield Check(name="backups", state="bad", detail=f"{failure.at:%Y-%m-%d %H:%M}Z: {failure.why}", remedy=_REMEDY)
        return
    if not labels:
        detail = f"none in {shelf.folder} yet; a bank that is open makes one"
        yield Check(name="backups", state="note", detail=detail, remedy="now: gieok backup")
        return
    last = labels[-1]
    age = (now or datetime.now(UTC)) - last.made_at
    detail = f"{len(labels):,} in {shelf.folder}, the last of {last.made_at:%Y-%m-%d %H:%M}Z ({last.kind})"
    if settings.backup_hours and age > timedelta(hours=settings.backup_hours * _LATE):
        late = f"{detail}; one was due every {settings.backup_hours:g} h"
        yield Check(name="backups", state="bad", detail=late, remedy=_REMEDY)
        return
    yield Check(name="backups", detail=detail)


_SAID = "나 고양이 좋아해"
_ASKED = "고양이"


def trial(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Write to a temporary bank, and find what was written by meaning and by word."""
    try:
        hits, context = _tried(settings, embedder)
    except SettingsError as trouble:
        yield Check(name="trial bank", state="bad", detail=told(trouble), remedy=remedy(trouble, settings))
        return
    except GieokError as trouble:
        yield Check(name="trial bank", state="bad", detail=told(trouble), remedy="is the temporary folder writable?")
        return
    yield Check(name="trial bank", detail=f"“{_SAID}” was written and read back")
    by_meaning = max((hit.parts.relevance for hit in hits), default=0.0)
    by_word = max((hit.parts.keyword for hit in hits), default=0.0)
    yield _path("vector path", by_meaning, "see embedder; until it works, words alone are searched")
    yield _path("keyword path", by_word, "see morphology")
    yield _sources("trial sources", context, settings)


def recalling(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Ask the bank in use a question, in its largest scope; a bank that cannot be asked was found out before."""
    from gieok.bank import MemoryBank
    from gieok.stores import open_store

    if is_a_new_file(settings.bank):
        return
    try:
        store = open_store(
            settings.bank,
            embedder=embedder.name,
            dimension=embedder.dimension,
            **settings.opened_with,
            keyword=settings.keyword,
            create=False,
        )
    except GieokError:
        return
    with MemoryBank(settings, embedder=embedder, store=store) as bank:
        largest = max(bank.scopes(), key=lambda each: each.utterances + each.memories, default=None)
        if largest is not None:
            yield _sources("sources", bank.mind(largest.scope).context(_ASKED), settings)


def opened_as_it_is(settings: Settings, embedder: Embedder) -> Store:
    """Open the bank that the settings name, whichever embedder made its vectors; none is made."""
    from gieok.stores import open_store

    return open_store(
        settings.bank,
        embedder=embedder.name,
        dimension=embedder.dimension,
        **settings.opened_with,
        keyword=settings.keyword,
        create=False,
        for_reindex=True,
    )


def in_use(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Look at the bank that the settings name, without making one."""
    if is_a_new_file(settings.bank):
        yield _room_for(Path(settings.bank))
        return
    try:
        with closing(opened_as_it_is(settings, embedder)) as store:
            info = store.info()
            yield _contents(info)
            yield _vectors(info, embedder)
            yield _integrity(store)
    except GieokError as trouble:
        yield Check(name="bank", state="bad", detail=told(trouble), remedy=remedy(trouble, settings))


def is_a_new_file(location: str) -> bool:
    """Whether there is no bank yet at `location`, but one can be made there."""
    if "://" in location or location in ("", ":memory:"):
        return False
    path = Path(location)
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def _room_for(path: Path) -> Check:
    """Return whether the first observe can make a bank at `path`."""
    folder = path.absolute().parent
    if not folder.exists():
        make = f"make the folder: mkdir -p {shlex.quote(str(folder))}"
        return Check(name="bank", state="bad", detail=f"the folder {folder} does not exist", remedy=make)
    if not folder.is_dir():
        return Check(name="bank", state="bad", detail=f"{folder} is no folder", remedy=ANOTHER)
    if not os.access(folder, os.W_OK | os.X_OK):
        return Check(name="bank", state="bad", detail=f"nothing can be written to the folder {folder}", remedy=ALLOW)
    return Check(name="bank", state="note", detail=f"{path} is not there yet; the first observe makes it")


def _tried(settings: Settings, embedder: Embedder) -> tuple[list[Hit], Context]:
    from gieok.bank import MemoryBank

    with TemporaryDirectory(prefix="gieok-doctor-") as folder:
        place = str(Path(folder) / "trial.db")
        with MemoryBank(settings.for_a_trial(place), embedder=embedder) as bank:
            mind = bank.scope(user="doctor", character="letia")
            mind.observe(_SAID)
            return mind.recall(_ASKED), mind.context(_ASKED)


def _sources(name: str, context: Context, settings: Settings) -> Check:
    if not context.degraded:
        return Check(name=name, detail=f"all of them answer within {settings.recall_patience:g} s")
    remedy = "see embedder; for a source that is only slow, raise recall_patience"
    return Check(name=name, state="bad", detail="; ".join(context.degraded), remedy=remedy)


def _path(name: str, part: float, remedy: str) -> Check:
    if part > 0:
        return Check(name=name, detail=f"on: “{_ASKED}” found it ({part:.2f})")
    return Check(name=name, state="bad", detail=f"off: “{_ASKED}” did not find it", remedy=remedy)


def _contents(info: BankInfo) -> Check:
    counts = ", ".join(f"{name} {info.counts[name]:,}" for name in ("scopes", "turns", "memories"))
    sealed = "encrypted" if info.encrypted else "not encrypted"
    size = f"{info.size_bytes / 1024 / 1024:.1f} MB"
    return Check(name="bank", detail=f"{info.location}: {counts}; {size}, schema {info.schema}, {sealed}")


def _vectors(info: BankInfo, embedder: Embedder) -> Check:
    if (info.embedder, info.dimension) != (embedder.name, embedder.dimension):
        detail = f"made by {info.embedder}, but {embedder.name} is configured"
        return Check(name="vectors", state="bad", detail=detail, remedy="run: gieok reindex")
    missing = info.counts["unembedded"]
    if missing:
        detail = f"{missing:,} {'item waits' if missing == 1 else 'items wait'} for their vectors"
        remedy = "they get them turn by turn while the embedder answers; all at once: gieok reindex"
        return Check(name="vectors", state="bad", detail=detail, remedy=remedy)
    return Check(name="vectors", detail=f"all by {info.embedder}")


def _integrity(store: Store) -> Check:
    problems = store.problems()
    if not problems:
        return Check(name="integrity", detail="the file is in order")
    detail = "; ".join(problems[:3]) + (f" … and {len(problems) - 3} more" if len(problems) > 3 else "")
    return Check(name="integrity", state="bad", detail=detail, remedy=RESTORE)


_OLDEST_PYTHON: Final = (3, 11)
_REINSTALL: Final = "pip install --force-reinstall gieok"


def python() -> Check:
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < _OLDEST_PYTHON:
        return Check(name="python", state="bad", detail=found, remedy="install Python 3.11 or newer")
    return Check(name="python", detail=found)


def settings_in_use(environment: Mapping[str, str] = os.environ) -> Check:
    from gieok.settings import FILE_NAME

    path = Path(environment.get("GIEOK_CONFIG") or FILE_NAME)
    source = str(path.absolute()) if path.is_file() else f"defaults (no {FILE_NAME} here)"
    variables = sorted(name for name in environment if name.startswith("GIEOK_") and name != "GIEOK_CONFIG")
    return Check(name="settings", detail="; ".join(filter(None, [source, ", ".join(variables)])))


def driver() -> Check:
    import apsw

    found = f"SQLite {apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}"
    if "ENABLE_FTS5" not in apsw.compile_options:
        return Check(name="driver", state="bad", detail=f"{found}, without FTS5", remedy=_REINSTALL)
    return Check(name="driver", detail=f"{found}, FTS5")


def encryption(settings: Settings) -> Check:
    import apsw

    cipher = getattr(apsw, "mc_version", None)
    if cipher is not None:
        source = next(iter(settings.key_from), None)
        return Check(
            name="encryption", detail=f"{cipher}, {f'in use ({source})' if source else 'available (no key is set)'}"
        )
    missing = "not available: another apsw took the place of apsw-sqlite3mc"
    if not settings.key_from:
        return Check(name="encryption", state="note", detail=missing)
    return Check(name="encryption", state="bad", detail=missing, remedy="pip uninstall apsw; " + _REINSTALL)


def encoder(embedder: Embedder) -> Check:
    from gieok.embedders import EndpointEmbedder

    named = f"{embedder.name}, {embedder.dimension} dimensions"
    start = time.perf_counter()
    try:
        embedder.warm()
        embedder.embed(["기억"], purpose="query")
    except GieokError as trouble:
        called = isinstance(embedder, EndpointEmbedder)
        remedy = f"{'see above' if called else _REINSTALL}; until then words alone are searched"
        return Check(name="embedder", state="bad", detail=f"{named}: {trouble}", remedy=remedy)
    return Check(name="embedder", detail=f"{named}, answers after {time.perf_counter() - start:.1f} s")


def morphology() -> Check:
    start = time.perf_counter()
    try:
        from gieok.language import morphemes

        morphemes.warm()
    except (ImportError, OSError, RuntimeError) as trouble:
        return Check(name="morphology", state="bad", detail=f"Kiwi does not load: {trouble}", remedy=_REINSTALL)
    return Check(
        name="morphology", detail=f"Kiwi {_version('kiwipiepy')}, loaded in {time.perf_counter() - start:.1f} s"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


_DAYS: Final = 7
_QUESTION: Final = {"ko": "한 단어로만 인사해 줘.", "en": "Greet me in one word."}
_TOKENS: Final = 256  #: a model that thinks first needs more than the word


def configured(settings: Settings, *, ask: bool) -> Iterator[Check]:
    """Tell which models there are; nobody is contacted unless `ask`."""
    roles = list(_roles(settings))
    if not roles:
        yield Check(name="model", detail="none is configured, and none is needed: rules do the work")
    for role, named in roles:
        try:
            llm = created(named, settings)
            described = _shown(named)
        except (SettingsError, ValueError) as trouble:
            wrong = told(trouble) if isinstance(trouble, GieokError) else str(trouble)
            remedy = "put the setting right, or leave it out: rules do without"
            yield Check(name=role, state="bad", detail=wrong, remedy=remedy)
            continue
        with closing(llm):
            yield Check(name=role, detail=described)
            if ask:
                yield _answer(role, llm, settings)


def asked(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Tell how the calls of the last days went, task by task; a bank that cannot be opened was found out before."""
    if is_a_new_file(settings.bank):
        return
    try:
        store = opened_as_it_is(settings, embedder)
    except GieokError:
        return
    with closing(store):
        sums = store.model_calls()
    first = (datetime.now(UTC) - timedelta(days=_DAYS)).date().isoformat()
    recent = sorted((each for each in sums if each.day > first), key=lambda each: each.task)
    for task, calls in groupby(recent, key=lambda each: each.task):
        yield of_task(task, list(calls), settings.language)


def of_task(task: str, calls: Sequence[CallSum], language: str) -> Check:
    """Sum up the calls of one task; it is bad when more than half of them failed."""
    ends: Counter[Failure | None] = Counter()
    for each in calls:
        ends[each.failure] += each.calls
    cancelled = ends.pop("cancelled", 0)
    failed: Counter[Failure] = Counter({failure: count for failure, count in ends.items() if failure is not None})
    count, tokens = sum(each.calls for each in calls), sum(each.prompt_tokens + each.answer_tokens for each in calls)
    cost = sum(each.cost for each in calls)
    parts = [
        f"{count:,} {'call' if count == 1 else 'calls'} in {_DAYS} days",
        f"{sum(each.seconds for each in calls) / count:.1f} s each",
        f"{tokens:,} tokens",
        f"{cost:.4f} in all" if cost else "",
        f"{cancelled:,} cancelled" if cancelled else "",
        ", ".join(f"{failure} {number:,}" for failure, number in failed.most_common()),
    ]
    state: State = "ok"
    if failed:
        state = "bad" if 2 * failed.total() > count else "note"
    return Check(
        name=task.replace("_", " "),
        state=state,
        detail=", ".join(filter(None, parts)),
        remedy=model_remedy(failed.most_common(1)[0][0], language) if failed else "",
    )


def _roles(settings: Settings) -> Iterator[tuple[str, NamedModel]]:
    for role, named in (("model", fast_model(settings)), ("deep model", deep_model(settings))):
        if named is not None:
            yield role, named


def _shown(named: NamedModel) -> str:
    if named.url is None:
        return named.spec
    parts = urlsplit(named.url)  # an address may hold a password; it is not shown
    return f"{named.spec} at {parts.hostname}{f':{parts.port}' if parts.port else ''}"


def _answer(role: str, llm: Llm, settings: Settings) -> Check:
    from gieok.domain.answer import Message

    name = f"{role} asked"
    start = time.perf_counter()
    try:
        done = llm.complete((Message(role="user", content=_QUESTION[settings.language]),), most_tokens=_TOKENS)
    except ModelFailed as trouble:
        remedy = model_remedy(cast("Failure", trouble.failure), settings.language)
        return Check(name=name, state="bad", detail=told(trouble), remedy=remedy)
    text = " ".join(done.text.split())
    said = f"{text[:40]}…" if len(text) > 40 else text
    return Check(name=name, detail=f"“{said}” in {time.perf_counter() - start:.1f} s")


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
_PATIENCE: Final = 0.5  #: seconds that a server on this machine has to take a call


def extras() -> Check:
    """Tell which optional packages are there."""
    there = [name for name, packages in EXTRAS.items() if all(_is_there(each) for each in packages)]
    missing = [name for name in EXTRAS if name not in there]
    detail = ", ".join(there) or "none"
    if not missing:
        return Check(name="extras", detail=detail)
    remedy = f'whoever wants them: pip install "gieok[{",".join(missing)}]"'
    return Check(name="extras", state="note", detail=f"{detail}; not installed: {', '.join(missing)}", remedy=remedy)


def server(settings: Settings, embedder: Embedder) -> Iterator[Check]:
    """Tell where `gieok serve` would listen, who would be let in, and whether somebody listens there already."""
    from gieok.access.hosts import rules_of

    place = f"{settings.serve_host}:{settings.serve_port}"
    try:
        keys_required = rules_of(settings, settings.serve_host).keys_required
    except GieokError as trouble:
        yield Check(name="server", state="bad", detail=str(trouble), remedy="put the setting right")
        return
    who = "keys are asked for" if keys_required else "for this machine alone, no key is asked for"
    listens = "something listens there" if _listens(settings) else "nothing listens there now"
    yield Check(name="server", detail=f"gieok serve: {place}, {who}; {listens}")
    yield _keys(settings, embedder, required=keys_required)


def _keys(settings: Settings, embedder: Embedder, *, required: bool) -> Check:
    count = _keys_in_force(settings, embedder)
    if required and not count:
        remedy = f"gieok keys create me --role admin --bank {shlex.quote(settings.bank_shown)}"
        return Check(name="keys", state="note", detail="none; gieok serve does not start without one", remedy=remedy)
    return Check(name="keys", detail=f"{count} in force" if count else "none, and none is needed")


def _keys_in_force(settings: Settings, embedder: Embedder) -> int:
    """Count the keys; 0 also where the bank cannot be opened, which was found out before."""
    from contextlib import closing

    from gieok.stores import open_store

    if is_a_new_file(settings.bank):
        return 0
    try:
        store = open_store(
            settings.bank,
            embedder=embedder.name,
            dimension=embedder.dimension,
            **settings.opened_with,
            keyword=settings.keyword,
            create=False,
        )
    except GieokError:
        return 0
    with closing(store):
        return sum(key.revoked_at is None for key in store.desk.access_keys())


def _listens(settings: Settings) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.serve_host, settings.serve_host).strip("[]")
    try:
        with socket.create_connection((host, settings.serve_port), timeout=_PATIENCE):
            return True
    except OSError:
        return False


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # not even what it would be in
        return False
