"""What this machine offers: Python, the driver, encryption, the settings, the encoder and the morphology."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gieok.cli.doctor.findings import Check
from gieok.errors import GieokError

if TYPE_CHECKING:
    from gieok.ports import Embedder
    from gieok.settings import Settings

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
