"""Contexts that were handed out, kept for some minutes: the turn that comes of one may name it."""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from gieok.domain.answer import Context
from gieok.domain.scope import Scope
from gieok.http.problems import Refused

MOST: Final = 1_024
KEPT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOut:
    """A context, to whom it was given and for which scope."""

    context: Context
    caller: str
    scope: Scope
    until: datetime


@dataclass(slots=True, kw_only=True)
class Contexts:
    """The latest contexts. Only whoever got one may name it, and only in its scope."""

    now: Callable[[], datetime]
    _known: OrderedDict[str, HandedOut] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def hand_out(self, context: Context, caller: str, scope: Scope) -> str:
        """Keep what a turn needs of a context, and return its id."""
        context_id = secrets.token_urlsafe(16)
        given = HandedOut(context=_without_words(context), caller=caller, scope=scope, until=self.now() + KEPT)
        with self._lock:
            self._known[context_id] = given
            if len(self._known) > MOST:
                self._make_way()
        return context_id

    def named(self, context_id: str | None, caller: str, scope: Scope) -> Context | None:
        """Return the context of that id, None for none; raises `Refused` for one that is not known."""
        if context_id is None:
            return None
        with self._lock:
            given = self._known.get(context_id)
        if given is None or (given.caller, given.scope) != (caller, scope) or given.until <= self.now():
            detail = "this context_id is not known here (any more); ask POST /v1/context again, or leave it out"
            raise Refused(404, "unknown-context", detail)
        return given.context

    def _make_way(self) -> None:
        """Drop the oldest context of whoever holds most of them: nobody loses theirs because others ask for many."""
        (most, _), *_ = Counter(each.caller for each in self._known.values()).most_common(1)
        del self._known[next(name for name, each in self._known.items() if each.caller == most)]


def _without_words(context: Context) -> Context:
    """Return what stood in a context and what it cost; its words may be a megabyte of somebody's own prompt."""
    blocks = tuple(replace(block, text="") if block.text else block for block in context.blocks)
    return replace(context, blocks=blocks, messages=()) if context.messages or blocks != context.blocks else context
