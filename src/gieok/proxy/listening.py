"""Between a client and the model: what is known goes to the model, what is said goes into memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Any, Final
from uuid import uuid4

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Context
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.proxy.exchanges import Exchange, Told, aloud, fit, told, words_of
from gieok.proxy.following import Observation, Plan, appended, followed, is_alike_in_its_beginning
from gieok.proxy.sessions import CHANNEL, Floor, Known, Place, Sessions, chosen

_OVERHEAD: Final = 4  #: tokens of a message beside its words
_PER_TOKEN: Final = 3  #: characters of names, brackets and tools
_AT_MOST: Final = 2  #: tokens of a character
_FOR_THE_REPLY: Final = 10  #: a tenth, where the client does not say
_MOMENT: Final = timedelta(microseconds=1)
_LOCKS: Final = 64  #: scopes share them
_SMALLEST: Final = 64  #: tokens; in less, there is nothing to say


def room_left(messages: Sequence[Any], beside: int, reply_tokens: int | None, bank: MemoryBank) -> int:
    """Return how many tokens a context may take, at most `context_budget`; below 0: the request is too long as it is.

    What a request costs is counted only where a rough guess does not do.
    """
    window, most = bank.settings.proxy_window, bank.settings.context_budget
    room = window - (window // _FOR_THE_REPLY if reply_tokens is None else reply_tokens)
    said = [each for each in messages if isinstance(each, Mapping)]
    words = [words_of(each) for each in said]
    calls = sum(len(str(each["tool_calls"])) for each in said if each.get("tool_calls"))
    room -= (beside + calls) // _PER_TOKEN + _OVERHEAD * len(said)
    if room - _AT_MOST * sum(map(len, words)) >= most:
        return most
    count = bank.services.recaller.count
    return min(room - sum(map(count, words)), most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What a client asks for, as far as memory is concerned."""

    scope: Scope
    session: str | None  #: as the client names it
    messages: tuple[Any, ...]
    beside: int = 0  #: characters of the request that are no messages
    reply_tokens: int | None = None  #: how long the reply may get


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A chat that has the floor: what is known for it, and what is to be kept of it."""

    mind: Mind
    place: Place  #: where its turns are looked up
    session: str | None
    plan: Plan
    context: Context | None

    @property
    def floor(self) -> Place:
        return (self.mind.key, self.session)

    @property
    def memory(self) -> str | None:
        """What the model is told; None: nothing is known, or there is no room for it."""
        blocks = self.context.blocks if self.context is not None else ()
        return "\n\n".join(block.text for block in blocks if block.text and block.name != "message") or None


class Listener:
    """Prepares and keeps what is said over the proxy. Its methods block: they belong into a thread."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._sessions = Sessions(bank)
        self._follows = bank.settings.proxy_history == "follow"
        self.floor = Floor()  #: who has which sitting
        self._planning = tuple(Lock() for _ in range(_LOCKS))
        self._beginning: dict[Place, str | None] = {}  #: sittings that are under way and not in the log, by first words

    def prepared(self, chat: Chat) -> Sitting | Place:
        """Take the floor, bring the log in line with what the client shows, and return what is known for the reply.

        A place comes back where somebody else has the floor: wait for it, and prepare again.
        """
        said = told(chat.messages, self._as_kept)
        place: Place = (chat.scope, chat.session)
        with self._planning[hash(chat.scope) % _LOCKS]:  # two first requests of one chat must see each other
            session, plan = self._taken(place, said)
        floor: Place = (chat.scope, session)
        if plan is None:
            return floor
        mind = self._bank.mind(chat.scope)
        try:
            shown = self._brought_in_line(mind, place, session, plan)
            context = self._context(mind, chat, said, plan, shown)
        except BaseException:  # whatever ended it: nobody else would leave the floor; it is raised again
            self.leave(floor)
            raise
        return Sitting(mind=mind, place=place, session=session, plan=plan, context=context)

    def leave(self, floor: Place) -> None:
        """Let others have a sitting."""
        self._beginning.pop(floor, None)
        self.floor.leave(floor)

    def keep(self, sitting: Sitting, reply: str, *, whole: bool, remembering: bool = True) -> None:
        """Keep the user's words with the reply, as far as it came; `whole`: to its end.

        A turn that was to be answered once more stays as it is when nothing came. `remembering`: the model was told
        what is known.
        """
        plan = sitting.plan
        came = fit(aloud(reply))
        if plan.pending is None or (plan.instead_of and not whole and not came):
            return
        if plan.instead_of:
            sitting.mind.rewind(*plan.instead_of)
        said = Exchange(text=plan.pending.said.text, reply=fit(_gone_on(plan.pending.said.reply or "", aloud(reply))))
        kept = Observation(said=said, turn_id=plan.pending.turn_id, at=plan.pending.at)
        context = sitting.context if remembering else None
        turn = self._observed(sitting.mind, sitting.session, kept, context=context, cut_off=not whole)
        if self._follows:
            self._sessions.grown(sitting.place, turn)

    def _taken(self, place: Place, said: Told) -> tuple[str | None, Plan | None]:
        """Take the floor of the sitting that `said` goes on with; return how it does, None: somebody else has it."""
        while True:
            known = self._sessions.read(place) if self._follows else None
            session, plan = self._planned(place, said, known)
            floor: Place = (place[0], session)
            if not self.floor.take(floor):
                return session, None
            if known is None or self._sessions.read(place) is known:
                self._beginning[floor] = said.first
                return session, plan
            self.leave(floor)  # somebody has just left it, and kept a turn

    def _planned(self, place: Place, said: Told, known: Known | None) -> tuple[str | None, Plan]:
        session = place[1]
        if known is None:
            return session, appended(said)
        if session is not None:
            return session, followed(known.turns, said, goes_back=known.goes_back)
        found = chosen(known.sessions, said, goes_back=known.goes_back)
        if found is not None:
            return found
        # Who stops a first reply and asks again is faster than what is being kept of it.
        under_way = (
            label
            for (scope, label), first in list(self._beginning.items())
            if scope == place[0] and label not in known.sessions and is_alike_in_its_beginning(first, said)
        )
        return next(under_way, f"{CHANNEL}-{uuid4().hex[:12]}"), followed((), said)

    def _brought_in_line(self, mind: Mind, place: Place, session: str | None, plan: Plan) -> tuple[str, ...] | None:
        """Do what is due; return the ids of what the client shows, None: it shows nothing of a talk that goes on."""
        if plan.take_back:
            mind.rewind(*plan.take_back)
        new = [self._observed(mind, session, each) for each in plan.observe]
        if plan.take_back or plan.observe:
            self._sessions.read(place)
        shown = (*plan.shown, *(each.id for turn in new for each in turn.utterances))
        return shown or (None if place[1] is not None or not self._follows else ())

    def _context(self, mind: Mind, chat: Chat, said: Told, plan: Plan, shown: tuple[str, ...] | None) -> Context | None:
        last = said.exchanges[-1] if said.exchanges else Exchange()
        query = said.pending.text if said.pending is not None else last.text or last.reply
        budget = room_left(chat.messages, chat.beside, chat.reply_tokens, self._bank)
        if query is None or budget < _SMALLEST:
            return None
        as_of = plan.as_of - _MOMENT if plan.as_of is not None else None
        return mind.context(query, budget=budget, at=as_of, shown=shown)

    def _observed(
        self,
        mind: Mind,
        session: str | None,
        what: Observation,
        *,
        context: Context | None = None,
        cut_off: bool = False,
    ) -> Turn:
        observed = mind.observe(
            what.said.text,
            reply=what.said.reply,
            at=what.at,
            session=session,
            turn_id=what.turn_id,
            channel=CHANNEL,
            context=context,
            cut_off=cut_off,
        )
        return observed.turn

    def shown(self, text: str) -> str:
        """Return a text as a model may see it."""
        return self._bank.services.mask(text).text

    def _as_kept(self, text: str) -> str:
        """Return a text as the log has it: what is private may be masked there."""
        services = self._bank.services
        return (services.log_mask or services.mask)(text).text


def _gone_on(begun: str, came: str) -> str:
    """Return a reply that a client had begun; some endpoints say the beginning again."""
    return came if came.startswith(begun) else f"{begun}{came}"
