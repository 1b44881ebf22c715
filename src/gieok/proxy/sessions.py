"""The sittings that the proxy knows, at hand; they are read anew when somebody else wrote to the scope."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, Turn
from gieok.proxy.exchanges import Exchange
from gieok.proxy.following import Logged

CHANNEL: Final = "proxy"
_SCOPES: Final = 200  #: that are at hand
_TURNS: Final = 2_000  #: of one of them; what is older stays as it is

Place = tuple[Scope, str | None]  #: a scope, and the sitting that a client names; None: those of the proxy


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
