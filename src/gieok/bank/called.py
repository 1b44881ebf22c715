"""Which calls of models belong to one piece of work, in whichever threads they are made.

Whoever does the work runs it by `Calls.run`; threads that hand their context on (as all of gieok's that work for
somebody who waits do) hand this on as well.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar, copy_context
from typing import Final, TypeVar

from gieok.domain.model import ModelCall

Result = TypeVar("Result")

_COLLECTED: Final[ContextVar[list[ModelCall] | None]] = ContextVar("gieok_calls", default=None)


class Calls:
    """The calls that are made for one piece of work."""

    def __init__(self) -> None:
        self._made: list[ModelCall] = []

    @property
    def so_far(self) -> tuple[ModelCall, ...]:
        """Those that have ended, in the order of their ends."""
        return tuple(self._made)

    def run(self, work: Callable[[], Result]) -> Result:
        """Do `work`; the calls that end in it, here or in threads that it waits for, are collected."""
        context = copy_context()
        context.run(_COLLECTED.set, self._made)
        return context.run(work)


def collect(call: ModelCall) -> None:
    """Note a call for whoever it was made for."""
    made = _COLLECTED.get()
    if made is not None:
        made.append(call)
