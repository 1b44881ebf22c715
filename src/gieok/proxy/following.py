"""What a client's conversation makes of the log: which turns stay, which are taken back, what is to be observed.

Clients resend the whole talk, and edit, re-roll, delete and shorten it as they like. Their conversation is the truth:
afterwards the session's turns are what the client shows, after whatever it no longer shows because it got too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Final

from gieok.proxy.exchanges import Exchange, Told, laid_out

_ALIKE: Final = 0.6  #: how much of two texts must be the same for one to be an edit of the other
_VERY_ALIKE: Final = 0.75  #: … where nothing else tells that the talk is the same
_COMPARED: Final = 400  #: characters of them
_SHORT: Final = 6  #: turns of a talk that no client has to shorten
_FEW: Final = 2  #: turns that somebody may have deleted right behind the opening of such a talk
_WEIGHED: Final = 24  #: turns and what came instead of them; of more, some are compared, and stand for the rest
_MOST: Final = 250_000  #: pairs that are compared at most: of longer talks only what begins and ends alike is the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A turn of the log."""

    id: str
    at: datetime
    said: Exchange
    utterances: tuple[str, ...]  #: ids
    session: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.said.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """An exchange that is to be observed; with the id and the time of the turn whose place it takes, if it does."""

    said: Exchange
    turn_id: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be done about a client's conversation."""

    take_back: tuple[str, ...] = ()  #: turns
    observe: tuple[Observation, ...] = ()  #: in this order, after that
    pending: Observation | None = None  #: the words to be answered
    instead_of: tuple[str, ...] = ()  #: turns that stay until the answer is there, and are taken back then
    as_of: datetime | None = None  #: when the first of these was; what is remembered is what was known before it
    shown: tuple[str, ...] = ()  #: ids of utterances that the client shows, or had shown in these turns
    matched: int = 0  #: exchanges with words of the user that both have
    lost: int = 0  #: turns that go without anything like them coming instead
    strange: int = 0  #: exchanges of the client that the log does not have


def followed(log: Sequence[Logged], told: Told, *, goes_back: bool = False) -> Plan:
    """Return how the turns of a session become the conversation of its client.

    Without an exchange that both have, nothing is taken back, unless the log has only one that was edited or re-rolled.
    `goes_back`: the session may have begun before `log` does, and what the client shows of that time stays as it is.
    """
    said = told.exchanges
    pairs = _with_cut_off_first(_pairs(log, said), log, said)
    older = pairs[0][1] - pairs[0][0] if goes_back and pairs else 0
    if older > 0:
        said = said[older:]
        told, pairs = replace(told, exchanges=said), [(i, j - older) for i, j in pairs]
    if not any(log[i].said.text for i, _ in pairs) and not is_first_again(log, told):
        return _appended(log, told, pairs)
    return _Reckoning(log, told, pairs).plan()


def appended(told: Told) -> Plan:
    """Return the plan of a client that keeps no history: its last words are new, and nothing else counts."""
    return Plan(pending=_pending(told, None, same_time=False))


def alike(one: str | None, other: str | None, least: float = _ALIKE) -> bool:
    """Whether one text may be an edit of the other."""
    a, b = laid_out(one)[:_COMPARED], laid_out(other)[:_COMPARED]
    if a == b:
        return True
    if not a or not b:
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least and matcher.ratio() >= least


def is_partly(exchange: Exchange, turn: Logged) -> bool:
    """Whether a client that shortens its history shows only the end of `turn`."""
    if exchange.key[1] != turn.key[1] or turn.said.text is None:
        return False
    return not exchange.key[0] or turn.key[0].endswith(exchange.key[0])


def _pairs(log: Sequence[Logged], said: Sequence[Exchange]) -> list[tuple[int, int]]:
    """Return which turns are which exchanges, in order; of alike ones the later turns, so that least is taken back."""
    keys = [each.key for each in said]
    known = [turn.key for turn in log]
    if not keys or not known:
        return []
    for end in range(len(known), 0, -1):  # by far the most: all that is shown stands there in a row
        size = min(end, len(keys))
        if known[end - 1] == keys[-1] and size == len(keys) and known[end - size : end] == keys:
            return [(end - size + j, j) for j in range(size)]
    return _longest_common(known, keys)


def _longest_common(known: Sequence[tuple[str, str]], keys: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    tail = 0
    while tail < min(len(known), len(keys)) and known[-1 - tail] == keys[-1 - tail]:
        tail += 1
    n, m = len(known) - tail, len(keys) - tail
    ending = [(n + k, m + k) for k in range(tail)]
    if n * m > _MOST:
        head = 0
        while head < min(n, m) and known[head] == keys[head]:
            head += 1
        return [(k, k) for k in range(head)] + ending
    lengths = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        row, above = lengths[i + 1], lengths[i]
        for j in range(m):
            row[j + 1] = above[j] + 1 if known[i] == keys[j] else max(above[j + 1], row[j])
    middle: list[tuple[int, int]] = []
    i, j = n, m
    while i and j:
        if known[i - 1] == keys[j - 1]:
            i, j = i - 1, j - 1
            middle.append((i, j))
        elif lengths[i - 1][j] >= lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return middle[::-1] + ending


def _with_cut_off_first(
    pairs: list[tuple[int, int]], log: Sequence[Logged], said: Sequence[Exchange]
) -> list[tuple[int, int]]:
    """Return `pairs` and the exchange that a client has cut in two to shorten its history: it shows the reply alone."""
    if not pairs:
        return pairs
    for place, (i, j) in enumerate(pairs[:3]):
        before_i, before_j = pairs[place - 1] if place else (-1, -1)
        opening = place == 0 or _is_opening([log[k].said for k, _ in pairs[:place]])
        if opening and j - before_j == 2 and i - before_i >= 2 and is_partly(said[j - 1], log[i - 1]):
            return sorted([*pairs, (i - 1, j - 1)])
    return pairs


def _is_opening(exchanges: Sequence[Exchange]) -> bool:
    """Whether it is what clients keep when they shorten a history: greetings, the first exchange."""
    return sum(each.text is not None for each in exchanges) <= 1 and len(exchanges) <= 2


def is_first_again(log: Sequence[Logged], told: Told) -> bool:
    """Whether the only exchange of the log was edited or is to be answered once more."""
    spoken = [turn for turn in log if turn.said.text]
    if len(spoken) != 1 or spoken[0] is not log[-1]:
        return False
    return is_alike_in_its_beginning(spoken[0].said.text, told)


def is_alike_in_its_beginning(text: str | None, told: Told) -> bool:
    """Whether the first words of a conversation are `text`, or nearly so."""
    return alike(text, told.first, _VERY_ALIKE)


def _appended(log: Sequence[Logged], told: Told, pairs: Sequence[tuple[int, int]]) -> Plan:
    """Return the plan of a talk of which the log knows nothing but, perhaps, greetings."""
    greeted = {j for _, j in pairs}
    return Plan(
        observe=tuple(Observation(said=each) for j, each in enumerate(told.exchanges) if j not in greeted),
        pending=_pending(told, None, same_time=False),
        shown=tuple(id for i, _ in pairs for id in log[i].utterances),
    )


def _pending(told: Told, place: Logged | None, *, same_time: bool) -> Observation | None:
    if told.pending is None:
        return None
    said = Exchange(text=told.pending.text, reply=told.pending.begun or None)
    if place is None:
        return Observation(said=said)
    return Observation(said=said, turn_id=place.id, at=place.at if same_time else None)


class _Reckoning:
    """The turns of a session against the conversation of its client."""

    def __init__(self, log: Sequence[Logged], told: Told, pairs: Sequence[tuple[int, int]]) -> None:
        self._log, self._told = log, told
        self._turn_of = {j: i for i, j in pairs}
        self._pairs = pairs
        self._places: dict[int, int] = {}  #: by exchange: the turn whose place it takes
        self._gone: set[int] = set()  #: turns that the client no longer has
        self._compare()

    def _compare(self) -> None:
        i0 = j0 = 0
        for place, (i, j) in enumerate(self._pairs):
            if (i, j) != (i0, j0):  # mostly nothing stands between two pairs
                self._gap(range(i0, i), range(j0, j), shortened=self._is_shortened(place, i - i0 - (j - j0)))
            i0, j0 = i + 1, j + 1
        self._gap(range(i0, len(self._log)), range(j0, len(self._told.exchanges)), shortened=False)

    def _is_shortened(self, place: int, missing: int) -> bool:
        """Whether turns are missing before the pair at `place` because the client's history got too long.

        Behind a greeting they always are: a window may be small, and what slides out of it must not be forgotten.
        Behind a first exchange a short talk is not shortened: then somebody has deleted them, unless they are many.
        """
        opening = [self._log[i].said for i, _ in self._pairs[:place]]
        if all(each.text is None for each in opening):
            return True
        return _is_opening(opening) and (missing > _FEW or len(self._log) > _SHORT)

    def _gap(self, turns: range, exchanges: range, *, shortened: bool) -> None:
        """Note what stands between two pairs: turns that exchanges take the place of, and turns that are gone."""
        if shortened:
            turns = turns[max(len(turns) - len(exchanges), 0) :]
        self._places.update(zip(exchanges, turns, strict=False))
        self._gone.update(turns)

    def plan(self) -> Plan:
        log, said = self._log, self._told.exchanges
        first_new = next((j for j in range(len(said)) if j not in self._turn_of), len(said))
        anew = {i for j, i in self._turn_of.items() if j > first_new}
        observe = self._observations(first_new)
        answered = self._answered_again()
        pending = _pending(self._told, answered, same_time=self._is_same(answered))
        gone = [turn for i, turn in enumerate(log) if i in self._gone or i in anew]
        waits = pending is not None and not observe and self._is_same(answered) and gone[0] is answered
        stay = [i for j, i in self._turn_of.items() if j < first_new]
        return Plan(
            take_back=() if waits else tuple(turn.id for turn in gone),
            observe=tuple(observe),
            pending=pending,
            instead_of=tuple(turn.id for turn in gone) if waits else (),
            as_of=min((turn.at for turn in gone), default=None) if waits else None,
            shown=tuple(id for turn in (*(log[i] for i in stay), *(gone if waits else ())) for id in turn.utterances),
            matched=sum(log[i].said.text is not None for i in self._turn_of.values()) + self._is_same(answered),
            lost=self._lost() - self._is_same(answered),
            strange=len(said) - len(self._turn_of),
        )

    def _observations(self, first: int) -> list[Observation]:
        """Return the exchanges from `first` on; one that was put in gets the time of the next that was there."""
        found: list[Observation] = []
        later: datetime | None = None
        for j in range(len(self._told.exchanges) - 1, first - 1, -1):
            said, i = self._told.exchanges[j], self._turn_of.get(j, self._places.get(j))
            if i is None:
                found.append(Observation(said=said, at=later))
            else:
                found.append(Observation(said=said, turn_id=self._log[i].id, at=self._log[i].at))
            later = self._log[i].at if i is not None and j in self._turn_of else later
        return found[::-1]

    def _answered_again(self) -> Logged | None:
        """Return the turn whose place the words to be answered take: the first one behind what the client shows."""
        if self._told.pending is None:
            return None
        taken = {*self._places.values(), *self._turn_of.values()}
        last = max(taken, default=-1)
        return next((turn for i, turn in enumerate(self._log) if i > last and i in self._gone), None)

    def _is_same(self, turn: Logged | None) -> bool:
        """Whether `turn` holds the words to be answered, perhaps edited."""
        pending = self._told.pending
        return turn is not None and pending is not None and alike(turn.said.text, pending.text)

    def _lost(self) -> int:
        """Return about how many turns go without anything like them coming instead."""
        replaced = sorted(self._places.items())
        weighed = replaced[:: -(-len(replaced) // _WEIGHED) or 1]
        unlike = sum(not self._is_like(j, i) for j, i in weighed)
        return len(self._gone) - len(replaced) + (len(replaced) * unlike // len(weighed) if weighed else 0)

    def _is_like(self, j: int, i: int) -> bool:
        instead, was = self._told.exchanges[j], self._log[i].said
        return alike(instead.text, was.text) or alike(instead.reply, was.reply)
