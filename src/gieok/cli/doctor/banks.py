"""The banks that the doctor looks at: one made to try, and the one in use."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gieok.cli.doctor.findings import ALLOW, ANOTHER, RESTORE, Check, remedy
from gieok.cli.troubles import told
from gieok.errors import GieokError, SettingsError

if TYPE_CHECKING:
    from gieok.domain.answer import Context, Hit
    from gieok.ports import BankInfo, Embedder, Store
    from gieok.settings import Settings

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
