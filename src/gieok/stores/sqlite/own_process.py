"""A bank belongs to the process that opened it.

A forked child has copies of its connections and locks, but not its writer thread: it would wait for answers that
nobody gives and let go of locks that nobody holds. SQLite, too, forbids to carry a connection across a fork.
"""

from __future__ import annotations

import os

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
