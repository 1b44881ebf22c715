"""The sittings that the proxy knows, at hand; they are read anew when somebody else wrote to the scope."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, Turn
from gieok.proxy.exchanges import Exchange, Told
from gieok.proxy.following import Logged, Plan, followed, is_first_again

CHANNEL: Final = "proxy"
_SCOPES: Final = 200  #: that are at hand
_TURNS: Final = 2_000  #: of one of them; what is older stays as it is
Place = tuple[Scope, str | None]  #: a scope, and the sitting that a client names; None: those of the proxy
_TRIED: Final = 3


class Floor:
    """Who speaks. It is taken and left in any thread, and waited for in an event loop."""

    def __init__(self) -> None:
        self._taken: set[Hashable] = set()
        self._guard = Lock()
        self._waiting: defaultdict[Hashable, list[asyncio.Future[None]]] = defaultdict(list)

    def take(self, place: Hashable) -> bool:
        """Take it if it is free; return whether it was."""
        with self._guard:
            if place in self._taken:
                return False
            self._taken.add(place)
            return True

    def leave(self, place: Hashable) -> None:
        with self._guard:
            self._taken.discard(place)
            waiting = self._waiting.pop(place, ())
        for each in waiting:
            each.get_loop().call_soon_threadsafe(_wake, each)

    async def free(self, place: Hashable) -> None:
        """Wait until whoever has it leaves; somebody else may be faster in taking it then."""
        with self._guard:
            if place not in self._taken:
                return
            left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[place].append(left)
        await left


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What was said, as of a version of its scope."""

    version: int  #: of the scope
    turns: tuple[Logged, ...]  #: in force, oldest first
    sessions: Mapping[
        str, Sequence[Logged]
    ]  #: the same by the label of their sitting, in the order of their last turns

    @property
    def goes_back(self) -> bool:
        """Whether there may be earlier turns, which were not read."""
        return len(self.turns) >= _TURNS


class Sessions:
    """What was said in each sitting. Safe to use from many threads."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._known: OrderedDict[Place, Known] = OrderedDict()
        self._lock = Lock()

    def read(self, place: Place) -> Known:
        """Return what is known: the same object as long as nobody writes to the scope."""
        scope, session = place
        with self._bank.store.view(scope) as view:
            known = self._known.get(place)
            if known is None or known.version != view.version:
                channel = CHANNEL if session is None else None
                turns = view.turns_of(session=session, channel=channel, limit=_TURNS)
                known = _grouped(view.version, tuple(logged(turn) for turn in turns))
                self._put(place, known)
        return known

    def grown(self, place: Place, turn: Turn) -> None:
        """Note a turn that was just observed, so that the next request need not read everything."""
        known = self._known.get(place)
        with self._bank.store.view(place[0]) as view:
            version = view.version
        # One step further, and this turn was not there yet: then the step was this turn, and nobody else wrote.
        if known is not None and version == known.version + 1 and all(each.id != turn.id for each in known.turns):
            self._put(place, _grouped(version, (*known.turns, logged(turn))[-_TURNS:]))
        else:
            self.read(place)

    def _put(self, place: Place, known: Known) -> None:
        with self._lock:
            self._known[place] = known
            self._known.move_to_end(place)
            while len(self._known) > _SCOPES:
                self._known.popitem(last=False)


def logged(turn: Turn) -> Logged:
    """Return a turn of the log as it is compared with a client's exchange."""
    user = [each.text for each in turn.utterances if each.speaker != CHARACTER]
    character = [each.text for each in turn.utterances if each.speaker == CHARACTER]
    said = Exchange(text="\n".join(user) or None, reply="\n".join(character) or None)
    return Logged(
        id=turn.id,
        at=turn.at,
        said=said,
        utterances=tuple(each.id for each in turn.utterances),
        session=turn.session,
    )


def _grouped(version: int, turns: tuple[Logged, ...]) -> Known:
    sessions: defaultdict[str, list[Logged]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, turn in enumerate(turns):
        if turn.session is not None:
            sessions[turn.session].append(turn)
            last[turn.session] = number
    return Known(version, turns, {label: sessions[label] for label in sorted(last, key=last.__getitem__)})


def chosen(sessions: Mapping[str, Sequence[Logged]], told: Told, *, goes_back: bool = False) -> tuple[str, Plan] | None:
    """Return the session that `told` goes on with, and how; None: it is a new one.

    `sessions` come in the order of their last turns, oldest first; `goes_back`: they may have begun earlier.
    """
    shown = {each.key for each in told.exchanges if each.text}
    ranked = sorted(
        (
            (sum(turn.key in shown for turn in log), number, label)
            for number, (label, log) in enumerate(sessions.items())
        ),
        reverse=True,
    )
    plans = [
        (label, followed(sessions[label], told, goes_back=goes_back))
        for evidence, _, label in ranked[:_TRIED]
        if evidence
    ]
    likely = [(label, plan) for label, plan in plans if _is_the_same(plan)]
    if likely:
        return max(likely, key=lambda pair: pair[1].matched - pair[1].lost)  # of equals the newer
    newest = list(sessions)[-1] if sessions else None
    if newest is not None and is_first_again(sessions[newest], told):
        return newest, followed(sessions[newest], told)
    return None


def _is_the_same(plan: Plan) -> bool:
    """Whether it is the same talk: little of it goes, or all that the client shows stands in it.

    The latter is a branch. A new chat that begins with the very same exchange has a session of its own by then, which
    loses nothing.
    """
    return plan.matched > 0 and (plan.lost <= plan.matched or plan.strange == 0)
