"""Carrying an operation out against the newest state of a scope, whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.domain.things import Key, Move
from gieok.domain.trace import Trace
from gieok.domain.turn import Turn
from gieok.errors import BankInterrupted, ScopeBusy
from gieok.ports.searching import IndexEntry
from gieok.ports.store import Entry, Room, ScopeMoved, Store

_ATTEMPTS: Final = 50
_INTERRUPTIONS: Final = (0.0, 0.1, 0.4, 1.5, 4.0)  #: seconds to wait before each further attempt
Result = TypeVar("Result")


def held(store: Store, scope: Scope, act: Callable[[Room], Result]) -> Result:
    """Run `act` in the scope's room; when another process wrote meanwhile, run it again on what is there now.

    So it is where the bank broke off, a few times: what was kept of the first attempt, whole as it is, the second one
    finds there.
    """
    waits = iter(_INTERRUPTIONS)
    for _ in range(_ATTEMPTS):
        try:
            with store.locked(scope) as room:
                return act(room)
        except ScopeMoved:
            continue
        except BankInterrupted:
            wait = next(waits, None)
            if wait is None:
                raise
            time.sleep(wait)
    raise ScopeBusy(_ATTEMPTS)


def entry(
    operation: Operation,
    index: Mapping[str, IndexEntry],
    *,
    turn: Turn | None = None,
    unread: bool = False,
    left_open: bool = False,
    trace: Trace | None = None,
    traces: int = 0,
) -> Entry:
    """Return all that `operation` writes; of `index`, only what is new words."""
    net = net_changes(operation.changes)
    findable = {change.memory_id for change in net if _new_words(change)}
    findable.update(utterance.id for utterance in (turn.utterances if turn else ()))
    return Entry(
        operation=operation,
        turn=turn,
        unread=unread,
        left_open=left_open,
        index={item: index[item] for item in findable if item in index},
        memories=net,
        things=_net_moves(operation.moves),
        trace=trace,
        traces=traces,
    )


def net_changes(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return one change per memory: from its first `before` to its last `after`."""
    first: dict[str, Memory | None] = {}
    last: dict[str, Memory | None] = {}
    for change in changes:
        first.setdefault(change.memory_id, change.before)
        last[change.memory_id] = change.after
    return tuple(Change(before=first[each], after=last[each]) for each in first if first[each] != last[each])


def _net_moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return one move per thing."""
    first: dict[Key, Move] = {}
    last: dict[Key, Move] = {}
    for move in moves:
        first.setdefault(move.key, move)
        last[move.key] = move
    return tuple(replace(move, before=first[key].before) for key, move in last.items())


def _new_words(change: Change) -> bool:
    return change.after is not None and (change.before is None or change.before.content != change.after.content)
