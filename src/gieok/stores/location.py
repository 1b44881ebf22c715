"""Where the key of an encrypted bank comes from: it is given outright, stands in a file, or a command prints it.

No message names a key: a file is named by its path, a command by its first word.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, cast

from gieok.errors import BankUnavailable, ErrorText, InvalidSetting
from gieok.ports import Store
from gieok.stores import sqlite
from gieok.stores.sqlite.connection import checked_key

_SECONDS: Final = 30.0  #: that a command may take
_LONGEST: Final = 4_096  #: characters; more is no key, but the wrong file
_TOLD: Final = 300  #: characters of what a command complained about


def found_key(*, key: str | None = None, key_file: str | None = None, key_command: str | None = None) -> str | None:
    """Return the key; None: the bank is not encrypted. Raises `InvalidSetting` where it cannot be had."""
    given = [each for each in (key, key_file, key_command) if each is not None]
    if len(given) > 1:
        raise InvalidSetting(ErrorText("key.which"))
    if key_file is not None:
        return _checked(_from_file(Path(key_file)), f"key_file {key_file}")
    if key_command is not None:
        return _checked(_from_command(key_command), "what key_command printed")
    return checked_key(key)


def _checked(text: str, source: str) -> str:
    key = text.removesuffix("\n").removesuffix("\r")
    if not key:
        raise InvalidSetting(ErrorText("key.empty_source", source=source))
    if "\n" in key or len(key) > _LONGEST:
        raise InvalidSetting(ErrorText("key.lines", source=source, longest=_LONGEST))
    checked_key(key)
    return key


def _from_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode, content = os.fstat(file.fileno()).st_mode, file.read(_LONGEST * 4 + 3)
    except OSError as cause:
        raise InvalidSetting(ErrorText("key.file_unreadable", path=path, strerror=cause.strerror)) from cause
    if not stat.S_ISREG(mode):
        raise InvalidSetting(ErrorText("key.file_kind", path=path))
    # A group may read it: that is how containers are given secrets.
    if os.name == "posix" and mode & (stat.S_IRWXO | stat.S_IWGRP):
        raise InvalidSetting(ErrorText("key.file_open", path=path))
    return _decoded(content, f"key_file {path}")


def _from_command(command: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as cause:
        raise InvalidSetting(ErrorText("key.command_words", cause=cause)) from cause
    if not words:
        raise InvalidSetting(ErrorText("key.no_command"))
    done = None
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pass  # what it printed so far is to hang on no error
    except OSError as cause:
        raise InvalidSetting(ErrorText("key.command_unusable", words=words[0], strerror=cause.strerror)) from cause
    if done is None:
        raise InvalidSetting(ErrorText("key.command_late", words=words[0], seconds=_SECONDS))
    if done.returncode:
        said = " ".join(done.stderr.decode(errors="replace").split())[-_TOLD:]
        why = said or ErrorText("key.command_silent")
        raise InvalidSetting(ErrorText("key.command_failed", words=words[0], returncode=done.returncode, said=why))
    return _decoded(done.stdout, "what key_command printed")


def _decoded(content: bytes, source: str) -> str:
    text = content.decode(errors="replace")
    if text.encode() != content:
        raise InvalidSetting(ErrorText("key.utf8", source=source))
    return text


GROUP: Final = "gieok.stores"  #: entry points: a scheme, and a function that opens what stands there
_POSTGRES: Final = ("postgresql", "postgres")
_OF_A_SERVER: Final = ("pool", "seconds", "keyword", "prepare", "replicas", "staleness")


def open_store(
    location: str | os.PathLike[str],
    *,
    embedder: str,
    dimension: int,
    key: str | None = None,
    key_file: str | None = None,
    key_command: str | None = None,
    **options: Any,
) -> Store:
    """Open the bank at `location`; see the stores' own `open_store` for what can go wrong.

    Of `options` each store takes what it knows: `key` encrypts a file (it may stand in `key_file`, or be printed by
    `key_command`); `pool`, `seconds`, `keyword`, `prepare`, `replicas` and `staleness` are a server's.
    """
    scheme, mark, _ = str(location).partition("://")
    if mark and scheme in _POSTGRES and (key, key_file, key_command) != (None, None, None):
        raise BankUnavailable(ErrorText("key.server"))
    found = found_key(key=key, key_file=key_file, key_command=key_command)
    if found is not None:
        options["key"] = found
    if not mark:
        known = {name: value for name, value in options.items() if name not in _OF_A_SERVER}
        return sqlite.open_store(location, embedder=embedder, dimension=dimension, **known)
    if scheme in _POSTGRES:
        try:
            from gieok.stores import postgres
        except ModuleNotFoundError as missing:
            raise BankUnavailable(ErrorText("bank.no_postgres", name=missing.name)) from missing
        return postgres.open_store(str(location), embedder=embedder, dimension=dimension, **options)
    plugged = next(iter(entry_points(group=GROUP, name=scheme)), None)
    if plugged is None:
        raise BankUnavailable(ErrorText("bank.scheme", scheme=scheme))
    return cast(Store, plugged.load()(str(location), embedder=embedder, dimension=dimension, **options))
