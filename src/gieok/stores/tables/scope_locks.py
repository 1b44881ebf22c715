"""One lock for each scope that is held or waited for, and none for the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from gieok.domain.scope import Scope
from gieok.errors import BankError


class OwnProcess:
    """Remembers in which process it was made."""

    def __init__(self) -> None:
        self._pid = os.getpid()

    @property
    def left(self) -> bool:
        """Whether this is a fork of that process."""
        return os.getpid() != self._pid

    def check(self) -> None:
        """Raise `BankError` in a fork; to be called before any lock is taken."""
        if self.left:
            raise BankError("this bank was opened in another process; open it again here")


@dataclass(slots=True)
class _Door:
    lock: Lock = field(default_factory=Lock)
    visitors: int = 0  #: holding or waiting


class ScopeLocks:
    """Lets one thread of this process at a time into a scope."""

    def __init__(self) -> None:
        self._process = OwnProcess()
        self._doors: dict[Scope, _Door] = {}
        self._gate = Lock()

    @contextmanager
    def held(self, scope: Scope) -> Iterator[None]:
        self._process.check()
        with self._gate:
            door = self._doors.setdefault(scope, _Door())
            door.visitors += 1
        try:
            with door.lock:
                yield
        finally:
            with self._gate:
                door.visitors -= 1
                if not door.visitors:
                    del self._doors[scope]
