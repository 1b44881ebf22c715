"""The conversation that a client sends, compared with the log: what is new, edited, re-rolled or deleted.

Instructions and tool calls, with their results, are not part of the conversation.
"""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
import zlib
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import SequenceMatcher
from threading import Lock
from typing import Any, Final
from urllib.parse import quote, unquote

from gieok.bank import MemoryBank
from gieok.domain.erasure import BLANK
from gieok.domain.recognition import Imprint, turn_imprints
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, Turn
from gieok.errors import InvalidScope
from gieok.proxy.lines import LEADING, Line, lines_in
from gieok.proxy.upstream import known_error

AsKept = Callable[[str], str]

_BROKEN: Final = re.compile(r"[\x00\ud800-\udfff]")
_MOST_EXCHANGES: Final = 2_000  #: exchanges of one request that are read; no model has a window for so many


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the user (or `speaker`) said, what the character replied, or both."""

    text: str | None = None
    reply: str | None = None
    speaker: str | None = None  #: who said the text, if not the user
    key: tuple[str, str] = field(init=False, repr=False, compare=False)
    """What is compared: clients change the white space of what they show."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (normalized(self.text), normalized(self.reply)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientHistory:
    """The conversation that a client shows."""

    exchanges: tuple[Exchange, ...] = ()
    #: the message to be answered, with the beginning of the reply that the client prescribes;
    #: None: the reply is not part of the conversation, or the next request shows it
    pending: Exchange | None = None

    @property
    def first(self) -> str | None:
        said = next((each.text for each in self.exchanges if each.text), None)
        return said or (self.pending.text if self.pending is not None else None)

    def latest(self, count: int) -> list[str]:
        """Return the last `count` texts, oldest first."""
        exchanges = (*self.exchanges[-count:], *((self.pending,) if self.pending is not None else ()))
        return [text for each in exchanges for text in (each.text, each.reply) if text][-count:]


def storable(text: str | None) -> str | None:
    """Return `text` as an utterance can be stored: without broken letters, not too long; None: nothing is left.

    Applying it twice changes nothing more.
    """
    if not text:
        return None
    text = unicodedata.normalize("NFC", _BROKEN.sub("\ufffd", text)).strip()
    return text[:LONGEST_UTTERANCE].rstrip() or None


def normalized(text: str | None) -> str:
    return " ".join(text.split()) if text else ""


def client_history(messages: Sequence[Any], as_kept: AsKept = str, **cast: Any) -> ClientHistory:
    """Return the conversation in `messages`, at most its last part; `as_kept` changes texts as storing them does.

    `cast` is what `lines_in` is told of those who speak.
    """
    lines = lines_in(messages, **cast)
    exchanges: list[Exchange] = []
    provisional = False  #: the reply so far calls a tool: the reply after the result replaces it
    for line in lines:
        words = storable(line.text)
        words = as_kept(words) if words else None
        if words and line.role == "user":
            exchanges.append(Exchange(text=words, speaker=line.speaker))
            provisional = False
        elif words and line.role == "assistant":
            last = exchanges[-1] if exchanges else None
            if last is not None and last.text and (last.reply is None or provisional):
                exchanges[-1] = replace(last, reply=words)
            else:
                exchanges.append(Exchange(reply=words))
            provisional = line.calls
    ends = isinstance(messages[-1] if messages else None, Mapping) and messages[-1].get("role") not in LEADING
    return _with_pending(exchanges[-_MOST_EXCHANGES:], lines, ends=ends)


def _with_pending(exchanges: list[Exchange], lines: Sequence[Line], *, ends: bool) -> ClientHistory:
    last = lines[-1] if lines else Line(role="")
    rest, open_one = tuple(exchanges[:-1]), exchanges[-1] if exchanges else Exchange()
    if open_one.text is None or (last.role == "user" and open_one.reply is not None):
        return ClientHistory(exchanges=tuple(exchanges))
    if last.role in ("user", "tool", "function"):
        return ClientHistory(exchanges=rest, pending=replace(open_one, reply=None))
    if last.role == "assistant" and ends and open_one.reply and not last.calls:
        return ClientHistory(exchanges=rest, pending=replace(open_one, reply=last.text))
    return ClientHistory(exchanges=tuple(exchanges))


_ALIKE: Final = 0.6  #: share that two texts must have in common for one to be an edit of the other
_VERY_ALIKE: Final = 0.75  #: … where nothing else shows that it is the same conversation
_COMPARED: Final = 400  #: characters of them
_SHORT: Final = 6  #: turns of a conversation that no client has to shorten
_FEW: Final = 2  #: turns that a user may have deleted right after its opening
_WEIGHED: Final = 24  #: replaced turns that are compared; of more, a sample
_MOST: Final = 250_000  #: pairs that are compared at most; of longer ones only the same beginning and end are matched


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedTurn:
    """A turn of the log."""

    id: str
    at: datetime
    said: Exchange
    utterances: tuple[str, ...]  #: ids
    session: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        return self.said.key

    @property
    def is_blank(self) -> bool:
        """Whether its words were erased; the client shows them still, or never shows the turn."""
        return {each for each in self.key if each} == {BLANK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """An exchange to observe, with the id and time of the turn that it replaces, if any."""

    said: Exchange
    turn_id: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to do so that the log matches the client's conversation."""

    take_back: tuple[str, ...] = ()  #: turns
    observe: tuple[Observation, ...] = ()  #: in this order, after taking back
    pending: Observation | None = None  #: the message to be answered
    instead_of: tuple[str, ...] = ()  #: turns that are taken back only once the reply is there
    as_of: datetime | None = None  #: when the first of these was: the context holds only what was known before
    shown: tuple[str, ...] = ()  #: ids of utterances that the client shows, or showed in these turns
    matched: int = 0  #: exchanges with a user message that are in both
    lost: int = 0  #: turns that are removed without a similar one replacing them
    strange: int = 0  #: exchanges of the client that are not in the log
    held_back: int = 0  #: exchanges that the client shows still, though they were erased


def without_erased(
    told: ClientHistory, log: Iterable[LoggedTurn], recognised: Callable[[Iterable[Imprint]], frozenset[Imprint]]
) -> ClientHistory:
    """Return what the client shows without what was erased since, which is `recognised`; the log was said again."""
    known = {turn.key for turn in log}
    imprints = {each: {*turn_imprints([each.text, each.reply])} for each in told.exchanges if each.key not in known}
    erased = recognised(set[Imprint]().union(*imprints.values())) if imprints else frozenset[Imprint]()
    left = tuple(each for each in told.exchanges if erased.isdisjoint(imprints.get(each, ())))
    return replace(told, exchanges=left) if erased else told


def reconcile(log: Sequence[LoggedTurn], told: ClientHistory, *, goes_back: bool = False) -> Plan:
    """Return how to make the turns of a session match the conversation of its client.

    Without a common exchange nothing is taken back, unless the only exchange of the log was edited or re-rolled.
    `goes_back`: the session may have begun before `log`; what the client shows of that time is left as it is.
    """
    said = told.exchanges
    pairs = _with_cut_off_first(_pairs(log, said), log, said)
    older = pairs[0][1] - pairs[0][0] if goes_back and pairs else 0
    if older > 0:
        said = said[older:]
        told, pairs = replace(told, exchanges=said), [(i, j - older) for i, j in pairs]
    if not any(log[i].said.text for i, _ in pairs) and not is_retry_of_first(log, told):
        greeted = {j for _, j in pairs}  # the log has at most the greetings
        return Plan(
            observe=tuple(Observation(said=each) for j, each in enumerate(said) if j not in greeted),
            pending=Observation(said=told.pending) if told.pending else None,
            shown=tuple(id for i, _ in pairs for id in log[i].utterances),
        )
    return _Reconciler(log, told, pairs).plan()


def similar(one: str | None, other: str | None, least: float = _ALIKE) -> bool:
    """Whether one text may be an edit of the other."""
    a, b = normalized(one)[:_COMPARED], normalized(other)[:_COMPARED]
    if a == b:
        return True
    if not a or not b:
        return False
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.real_quick_ratio() >= least and matcher.quick_ratio() >= least and matcher.ratio() >= least


def is_tail_of(exchange: Exchange, turn: LoggedTurn) -> bool:
    """Whether a client that shortens its history shows only the end of `turn`."""
    if exchange.key[1] != turn.key[1] or turn.said.text is None:
        return False
    return not exchange.key[0] or turn.key[0].endswith(exchange.key[0])


def _pairs(log: Sequence[LoggedTurn], said: Sequence[Exchange]) -> list[tuple[int, int]]:
    """Match turns with exchanges, in order; of equal turns the later ones, so that least is taken back."""
    keys = [each.key for each in said]
    known = [turn.key for turn in log]
    if not keys or not known:
        return []
    for end in range(len(known), 0, -1):  # the usual case: all exchanges are in the log in a row
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
    pairs: list[tuple[int, int]], log: Sequence[LoggedTurn], said: Sequence[Exchange]
) -> list[tuple[int, int]]:
    """Return `pairs` with the exchange that a client cut to shorten its history: only its reply is shown."""
    if not pairs:
        return pairs
    for place, (i, j) in enumerate(pairs[:3]):
        before_i, before_j = pairs[place - 1] if place else (-1, -1)
        opening = place == 0 or _is_opening([log[k].said for k, _ in pairs[:place]])
        if opening and j - before_j == 2 and i - before_i >= 2 and is_tail_of(said[j - 1], log[i - 1]):
            return sorted([*pairs, (i - 1, j - 1)])
    return pairs


def _is_opening(exchanges: Sequence[Exchange]) -> bool:
    """Whether it is what clients keep when they shorten a history: a greeting, the first exchange."""
    return sum(each.text is not None for each in exchanges) <= 1 and len(exchanges) <= 2


def is_retry_of_first(log: Sequence[LoggedTurn], told: ClientHistory) -> bool:
    """Whether the only exchange of the log was edited or is to be answered again."""
    spoken = [turn for turn in log if turn.said.text]
    if len(spoken) != 1 or spoken[0] is not log[-1]:
        return False
    return begins_alike(spoken[0].said.text, told)


def begins_alike(text: str | None, told: ClientHistory) -> bool:
    return similar(text, told.first, _VERY_ALIKE)


class _Reconciler:
    """Compares the turns of a session with the conversation of its client."""

    def __init__(self, log: Sequence[LoggedTurn], told: ClientHistory, pairs: Sequence[tuple[int, int]]) -> None:
        self._log, self._told = log, told
        self._turn_of = {j: i for i, j in pairs}
        self._pairs = pairs
        self._places: dict[int, int] = {}  #: by exchange: the turn whose place it takes
        self._gone: set[int] = set()  #: turns that the client no longer has
        i0 = j0 = 0
        for place, (i, j) in enumerate(pairs):
            if (i, j) != (i0, j0):  # usually nothing is between two pairs
                self._gap(range(i0, i), range(j0, j), shortened=self._is_shortened(place, i - i0 - (j - j0)))
            i0, j0 = i + 1, j + 1
        self._gap(range(i0, len(log)), range(j0, len(told.exchanges)), shortened=False)

    def _is_shortened(self, place: int, missing: int) -> bool:
        """Whether turns are missing before the pair at `place` because the client's history got too long.

        After a greeting they always are: a window may be small, and what leaves it must not be forgotten. After a first
        exchange a short conversation is not shortened: then the user deleted them, unless they are many.
        """
        opening = [self._log[i].said for i, _ in self._pairs[:place]]
        if all(each.text is None for each in opening):
            return True
        return _is_opening(opening) and (missing > _FEW or len(self._log) > _SHORT)

    def _gap(self, turns: range, exchanges: range, *, shortened: bool) -> None:
        """Record what is between two pairs: exchanges that replace turns, and turns that are gone."""
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
        is_same = False
        pending = Observation(said=self._told.pending) if self._told.pending else None
        if pending is not None and answered is not None:
            is_same = similar(answered.said.text, pending.said.text)  # perhaps edited
            pending = replace(pending, turn_id=answered.id, at=answered.at if is_same else None)
        gone = [turn for i, turn in enumerate(log) if i in self._gone or i in anew]
        waits = pending is not None and not observe and is_same and gone[0] is answered
        stay = [i for j, i in self._turn_of.items() if j < first_new]
        return Plan(
            take_back=() if waits else tuple(turn.id for turn in gone),
            observe=tuple(observe),
            pending=pending,
            instead_of=tuple(turn.id for turn in gone) if waits else (),
            as_of=min((turn.at for turn in gone), default=None) if waits else None,
            shown=tuple(id for turn in (*(log[i] for i in stay), *(gone if waits else ())) for id in turn.utterances),
            matched=sum(log[i].said.text is not None for i in self._turn_of.values()) + is_same,
            lost=self._lost() - is_same,
            strange=len(said) - len(self._turn_of),
        )

    def _observations(self, first: int) -> list[Observation]:
        """Return the exchanges from `first` on; an inserted one gets the time of the next known one."""
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

    def _answered_again(self) -> LoggedTurn | None:
        """Return the turn that the pending message replaces: the first one after what the client shows."""
        if self._told.pending is None:
            return None
        taken = {*self._places.values(), *self._turn_of.values()}
        last = max(taken, default=-1)
        return next((turn for i, turn in enumerate(self._log) if i > last and i in self._gone), None)

    def _lost(self) -> int:
        """Return about how many turns are removed without a similar one replacing them."""
        replaced = sorted(self._places.items())
        weighed = replaced[:: -(-len(replaced) // _WEIGHED) or 1]
        pairs = ((self._told.exchanges[j], self._log[i].said) for j, i in weighed)
        unlike = sum(not similar(new.text, old.text) and not similar(new.reply, old.reply) for new, old in pairs)
        return len(self._gone) - len(replaced) + (len(replaced) * unlike // len(weighed) if weighed else 0)


CHANNEL: Final = "proxy"
_SCOPES: Final = 200  #: that are cached
_TURNS: Final = 2_000  #: of one scope; older ones are left as they are
Place = tuple[Scope, str | None]  #: a scope, and the session that a client names; None: those of the proxy
_TRIED: Final = 3


class SessionLocks:
    """One lock per session. It is taken and released in any thread, and waited for in an event loop."""

    def __init__(self) -> None:
        self._taken: set[Hashable] = set()
        self._guard = Lock()
        self._waiting: defaultdict[Hashable, list[asyncio.Future[None]]] = defaultdict(list)

    def acquire(self, key: Hashable) -> bool:
        with self._guard:
            if key in self._taken:
                return False
            self._taken.add(key)
            return True

    def release(self, key: Hashable) -> None:
        with self._guard:
            self._taken.discard(key)
            waiting = self._waiting.pop(key, ())
        for each in waiting:
            each.get_loop().call_soon_threadsafe(_wake, each)

    async def wait(self, key: Hashable) -> None:
        """Wait until the lock is released; another request may take it first."""
        with self._guard:
            if key not in self._taken:
                return
            left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting[key].append(left)
        await left


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


@dataclass(frozen=True, slots=True, eq=False)
class SessionLog:
    """The turns of a scope at one of its versions."""

    version: int  #: of the scope
    turns: tuple[LoggedTurn, ...]  #: in force, oldest first
    sessions: Mapping[str, Sequence[LoggedTurn]]  #: the same by session, in the order of their last turns

    @property
    def goes_back(self) -> bool:
        """Whether there may be earlier turns that were not read."""
        return len(self.turns) >= _TURNS


class SessionCache:
    """A cache of the turns of each session. Safe to use from many threads."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._known: OrderedDict[Place, SessionLog] = OrderedDict()
        self._lock = Lock()

    def read(self, place: Place) -> SessionLog:
        """Return the turns: the same object as long as nobody writes to the scope."""
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
        """Add a turn that was just observed, so that the next request need not read everything."""
        known = self._known.get(place)
        with self._bank.store.view(place[0]) as view:
            version = view.version
        # One version further, and this turn is new: then it was the only write.
        if known is not None and version == known.version + 1 and all(each.id != turn.id for each in known.turns):
            self._put(place, _grouped(version, (*known.turns, logged(turn))[-_TURNS:]))
        else:
            self.read(place)

    def _put(self, place: Place, known: SessionLog) -> None:
        with self._lock:
            self._known[place] = known
            self._known.move_to_end(place)
            while len(self._known) > _SCOPES:
                self._known.popitem(last=False)


def logged(turn: Turn) -> LoggedTurn:
    heard = [each for each in turn.utterances if each.speaker != CHARACTER]
    character = [each.text for each in turn.utterances if each.speaker == CHARACTER]
    speaker = next((each.speaker for each in heard if each.speaker != USER), None)
    text = "\n".join(each.text for each in heard)
    said = Exchange(text=text or None, reply="\n".join(character) or None, speaker=speaker)
    utterances = tuple(each.id for each in turn.utterances)
    return LoggedTurn(id=turn.id, at=turn.at, said=said, utterances=utterances, session=turn.session)


def _grouped(version: int, turns: tuple[LoggedTurn, ...]) -> SessionLog:
    sessions: defaultdict[str, list[LoggedTurn]] = defaultdict(list)
    last: dict[str, int] = {}
    for number, turn in enumerate(turns):
        if turn.session is not None and not turn.is_blank:
            sessions[turn.session].append(turn)
            last[turn.session] = number
    return SessionLog(version, turns, {label: sessions[label] for label in sorted(last, key=last.__getitem__)})


def choose_session(
    sessions: Mapping[str, Sequence[LoggedTurn]], told: ClientHistory, *, goes_back: bool = False
) -> tuple[str, Plan] | None:
    """Return the session that `told` continues, with the plan for it; None: it is a new one.

    `sessions` are in the order of their last turns, oldest first; `goes_back`: they may have begun earlier.
    """
    shown = {each.key for each in told.exchanges if each.text}
    evidence = [
        (sum(turn.key in shown for turn in log), number, label) for number, (label, log) in enumerate(sessions.items())
    ]
    tried = [label for count, _, label in sorted(evidence, reverse=True)[:_TRIED] if count]
    plans = [(label, reconcile(sessions[label], told, goes_back=goes_back)) for label in tried]
    # The same conversation: few of its turns are removed, or all that the client shows is in it, as in a branch. A new
    # chat that begins with the same exchange has its own session by then, which loses nothing.
    likely = [
        (label, plan) for label, plan in plans if plan.matched > 0 and (plan.lost <= plan.matched or plan.strange == 0)
    ]
    if likely:
        return max(likely, key=lambda pair: pair[1].matched - pair[1].lost)  # of equals the newer
    newest = list(sessions)[-1] if sessions else None
    if newest is not None and is_retry_of_first(sessions[newest], told):
        return newest, reconcile(sessions[newest], told)
    return None


_LONGEST: Final = 200_000  #: characters of a reply; an utterance is shorter by far
_LONGEST_LINE: Final = 10_000_000  #: bytes; a decompressed piece is cut there
_LONGEST_HELD: Final = 64_000  #: bytes of an event that spans several lines
_DONE: Final = b"[DONE]"
_UNPACKED: Final = ("gzip", "deflate")  #: an endpoint may compress though it was asked not to
_ANY_WRAPPING: Final = 32 + zlib.MAX_WBITS


class ReplyReader:
    """Reads the text of a reply while it is relayed: from the events of a stream, or from one body."""

    def __init__(self, *, events: bool, encoding: str = "") -> None:
        self._events = events
        self._unpack = zlib.decompressobj(_ANY_WRAPPING) if encoding in _UNPACKED else None
        self._line = bytearray()
        self._held = b""  #: data of an event that continues in the next line
        self._bits: list[str] = []
        self._length = 0
        self._between = True  #: the next byte begins an event
        self._opening: Mapping[str, Any] | None = None  #: the first event of a reply that names no role
        self._has_role: bool | None = None
        self.done = False  #: the endpoint said that the reply is complete
        self.ended = False  #: … and that no event follows

    @property
    def text(self) -> str:
        return "".join(self._bits)

    def feed(self, piece: bytes) -> bytes:
        """Read a piece; return what has to be sent before it, so that the reply has a role."""
        starts = self._between
        self._feed(piece)
        self._between = not self._line and piece.endswith((b"\n\n", b"\r\n\r\n"))
        if self._opening is None or not starts or self._unpack is not None:
            return b""
        event, self._opening = self._opening, None
        same = {name: event[name] for name in ("id", "object", "created", "model") if name in event}
        delta = {"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}
        return b"data: %s\n\n" % json.dumps({**same, "choices": [delta]}).encode()

    def _feed(self, piece: bytes) -> None:
        if self._unpack is not None:
            try:
                piece = self._unpack.decompress(piece, _LONGEST_LINE)
            except zlib.error:
                return
        if len(self._line) + len(piece) > _LONGEST_LINE:
            return
        self._line += piece
        if self._events and b"\n" in piece:
            *lines, rest = self._line.split(b"\n")
            self._line = rest
            for line in lines:
                self._read_line(bytes(line))

    def whole(self, data: bytes) -> None:
        self._feed(data)
        self.end()

    def end(self) -> None:
        rest, self._line = bytes(self._line), bytearray()
        if self._events:
            self._read_line(rest)
        elif isinstance(whole := _parsed(rest), Mapping):
            self.done = True
            self._read_choices(whole)

    def _read_line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            if not line.strip():
                self._held = b""
            return
        data = line[5:].strip()
        if data == _DONE:
            self.done = self.ended = True
            return
        event = _parsed(self._held + data)
        if isinstance(event, Mapping):
            self._held = b""
            self._read_choices(event)
        else:
            held = self._held + data + b"\n"
            self._held = held if len(held) <= _LONGEST_HELD else b""

    def _read_choices(self, event: Mapping[str, Any]) -> None:
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if not isinstance(choice, Mapping) or choice.get("index", 0) != 0:
                continue
            said = choice.get("delta") or choice.get("message")
            if self._has_role is None and isinstance(said, Mapping):
                self._has_role = bool(said.get("role"))
                self._opening = None if self._has_role else event
            for words in (said.get("content"), said.get("refusal")) if isinstance(said, Mapping) else ():
                if isinstance(words, str) and self._length < _LONGEST:
                    self._bits.append(words)
                    self._length += len(words)
            self.done = self.done or bool(choice.get("finish_reason"))


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


_OURS: Final = "gieok"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTarget:
    """The scope, session and model that a request names."""

    scope: Scope | None  #: None: no character is named, so that nothing is remembered
    session: str | None  #: None: the client does not say
    ours: bool  #: its model is a character, so a real one has to answer
    model: str | None  #: the upstream model that it names


def chat_target(headers: Mapping[str, str], fields: Mapping[str, Any], *, home: Bounds, user: str) -> ChatTarget:
    """Return what a request names: by its headers, then its model, its `user`, the home of its key, then `user`.

    Raises `ProxyError` for a name like "gieok/" without a character, and `InvalidScope`.
    """
    ours, world, character, model = model_parts(fields.get("model"))
    given = fields.get("user")
    who = _header(headers, "x-gieok-user") or (given if isinstance(given, str) and given.strip() else None)
    character = _header(headers, "x-gieok-character") or character or home.character
    if character is None and ours:
        raise known_error("character_not_found")
    scope = Scope(
        user=who or _header(headers, "x-openwebui-user-id") or home.user or user,
        character=character,
        world=_header(headers, "x-gieok-world") or world or home.world,
    )
    return ChatTarget(
        scope=scope if character is not None else None,
        session=_header(headers, "x-gieok-session") or _header(headers, "x-openwebui-chat-id"),
        ours=ours,
        model=model,
    )


def model_name(scope: Scope) -> str:
    names = [name for name in (scope.world, scope.character) if name is not None]
    return "/".join([_OURS, *(quote(name, safe=" ") if set(name) & set("/@%") else name for name in names)])


def model_parts(model: object) -> tuple[bool, str | None, str | None, str | None]:
    """Read gieok/letia, gieok/academy/letia and gieok/letia@gpt-4o: whether it is ours, world, character, real model.

    Names may be percent-encoded.
    """
    name, _, upstream = model.strip().partition("@") if isinstance(model, str) else ("", "", "")
    prefix, _, rest = name.partition("/")
    if prefix.strip().lower() != _OURS:
        return False, None, None, None
    world, _, character = (unquote(part).strip() or None for part in rest.rpartition("/"))
    return True, world, character, upstream.strip() or None


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """Return a header that may be UTF-8, as it is or percent-encoded."""
    value = headers.get(name, "")
    try:  # read with a � for each letter, the names of two users could become one
        if not value.isascii():
            value = value.encode("latin-1").decode()
        return unquote(value, errors="strict").strip() or None
    except UnicodeError as cause:
        raise InvalidScope(f"{name} is not UTF-8; percent-encode it (민수 is %EB%AF%BC%EC%88%98)") from cause
