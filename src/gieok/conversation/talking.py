"""The loop of a talk: what the model should see, its reply bit by bit, and the turn kept before the stream ends."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from gieok.bank import Mind
from gieok.bank.checking import listed
from gieok.bank.models import Calls
from gieok.conversation import events
from gieok.conversation.events import Event, failed
from gieok.conversation.exchange import Again, Answered, Exchange, New, done, outcomes, replayed, reply_in, said_in
from gieok.conversation.floor import floor_of
from gieok.conversation.interrupting import finished
from gieok.conversation.preparing import Preparation, Window, taking_turns
from gieok.conversation.reply import Reply, watched
from gieok.domain.answer import Context, Observed
from gieok.domain.emotion import Felt
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_speaker, checked_text
from gieok.errors import InvalidQuery, ModelFailed, NoModel, UnknownTurn
from gieok.ids import new_id
from gieok.ports import Model

log = logging.getLogger(__name__)

Feel = Callable[[str, str], Felt | None]  #: what the character feels, by the user's words and its reply
Afterwards = Callable[[Mind, Observed], None]


@dataclass(slots=True)
class _UnderWay:
    """A turn while it lasts."""

    context: Context | None = None
    reply: Reply = field(default_factory=Reply)
    whole: bool = False  #: the model said all it had to say
    kept: Observed | None = None
    calls: Calls = field(default_factory=Calls)  #: of models, for its trace


class Conversation:
    """A talk with one mind that a model speaks for.

    In one scope turns follow each other, also when several conversations over a bank talk there: a turn waits
    `turn_seconds` for the one before it, then raises `TurnUnderWay`. `patience` are the seconds that memory may take in
    all before the reply is made without it. `feel` reads a reply's feeling better than the classifier; `afterwards`
    schedules what is to be done behind the scenes, and must return at once.
    """

    def __init__(
        self,
        mind: Mind,
        model: Model | None = None,
        *,
        persona: str = "",
        examples: Iterable[str] = (),
        session: str | None = None,
        window: int = 30,
        reply_tokens: int | None = None,
        budget: int | None = None,
        patience: float = 2.5,
        turn_seconds: float = 60.0,
        feel: Feel | None = None,
        afterwards: Afterwards | None = None,
    ) -> None:
        """Talk with `mind`; `model`, `reply_tokens` and `feel` are those of the bank's settings unless given."""
        speaking = model or mind.bank.model
        if speaking is None:
            raise NoModel()
        self.mind = mind
        self.model = speaking
        self.session = session
        self.last: Observed | None = None  #: what became of the last turn, also of one that was broken off
        self._window = Window(window)
        self._preparation = Preparation(
            mind=mind,
            window=self._window,
            persona=persona,
            examples=listed(examples, "examples"),
            budget=budget,
            patience=patience,
        )
        self._reply_tokens = reply_tokens or mind.bank.settings.llm_reply_tokens
        self._turn_seconds = turn_seconds
        self._feel = feel or self._felt_by_model
        self._afterwards = afterwards
        self._floor = floor_of(mind.bank)

    def say(
        self,
        text: str,
        *,
        at: datetime | None = None,
        turn_id: str | None = None,
        speaker: str | None = None,
        present: Iterable[str] = (),
        channel: str | None = None,
        include: Iterable[str] = (),
    ) -> Generator[Event, None, None]:
        """Answer `text`, as events. The arguments are those of `mind.observe`, and `include` that of `mind.context`.

        The turn begins with the first event that is asked for. Closing the stream before its end breaks the reply off:
        what was said so far is kept, and marked. A turn id that is kept already gives what is kept, and asks no model.
        """
        exchange = New(
            text=checked_text(text),
            turn_id=turn_id if turn_id is not None else new_id(),
            at=None if at is None else checked_moment(at),
            session=self.session,
            speaker=None if speaker is None else checked_speaker(speaker),
            present=listed(present, "present"),
            channel=channel,
            include=listed(include, "include"),
        )
        for character in exchange.present:
            self.mind.key.beside(character)  # raises before a model is asked
        return watched(self._turn(lambda: exchange))

    def regenerate(self, turn_id: str | None = None, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Reply to a turn (the last one) once more; the first reply, and what came after it, is taken back.

        Only when something of the new reply is there: where the model gives none, all stays as it was.
        """
        wanted = listed(include, "include")

        def exchange() -> Exchange:
            turn = self._known(turn_id)
            return Again(turn=turn, text=said_in(turn), include=wanted)

        return watched(self._turn(exchange))

    def edit(self, turn_id: str, text: str, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Have said `text` in an earlier turn, and answer that; what came after it is taken back."""
        checked_text(text)
        wanted = listed(include, "include")
        return watched(self._turn(lambda: Again(turn=self._known(turn_id), text=text, include=wanted)))

    @property
    def window(self) -> tuple[Utterance, ...]:
        """The last messages, oldest first, as the log has them now."""
        self._follow()
        return self._window.before()

    def recently(self, words: str, *, limit: int = 5) -> list[Utterance]:
        """Return the messages of the window that speak of `words`, best first."""
        self._follow()
        return self._window.find(words, limit)

    def _turn(self, asked: Callable[[], Exchange]) -> Generator[Event, None, None]:
        turn = _UnderWay()
        try:
            with self._floor.held(self.mind.key, self._turn_seconds):
                yield from self._held(asked(), turn)
            assert turn.kept is not None, "however a reply ends, it is kept"
            yield done(turn.kept)
        finally:
            self._go_on(turn.kept)

    def _held(self, exchange: Exchange, turn: _UnderWay) -> Iterator[Event]:
        """Answer, keep, tell what became of it. However the answering ends, what was said is kept first."""
        turn.kept = self._kept_before(exchange)
        if turn.kept is not None:
            yield from replayed(turn.kept)
        else:
            try:
                yield from self._answered(exchange, turn)
            finally:
                self._keep(exchange, turn)
        assert turn.kept is not None
        yield from outcomes(turn.kept)

    def _answered(self, exchange: Exchange, turn: _UnderWay) -> Iterator[Event]:
        turn.context = turn.calls.run(
            lambda: self._preparation.context(exchange.text, exchange.at, exchange.instead_of, exchange.include)
        )
        yield events.ContextBuilt(context=turn.context)
        bits: Generator[str] | None = None
        trouble: ModelFailed | None = None
        try:
            bits = self.model.stream(taking_turns(turn.context.messages), task="reply", most_tokens=self._reply_tokens)
            yield from _shown(_collected(bits, turn.calls), turn.reply)
        except ModelFailed as failure:
            trouble = failure
        finally:
            if bits is not None:
                turn.calls.run(bits.close)
        if trouble is None and not turn.reply.text:
            trouble = ModelFailed("empty", self.model.name, "it sent nothing that can be read")
        turn.whole = trouble is None and not turn.reply.overflowed
        if trouble is not None:
            log.info("no reply, or only a part of one, in %s: %s", self.mind.key, trouble)
            language = self.mind.bank.settings.language
            yield failed(trouble, language=language, began=bool(turn.reply.text))

    def _keep(self, exchange: Exchange, turn: _UnderWay) -> None:
        reply = turn.reply.text or None

        def keep() -> Observed:
            felt = self._felt(exchange.text, reply) if reply is not None and turn.whole else ()
            answered = Answered(
                reply=reply, cut_off=not turn.whole, context=turn.context, felt=felt, calls=turn.calls.so_far
            )
            kept = exchange.kept(self.mind, answered)
            self._follow()
            return kept

        turn.kept = self.last = turn.calls.run(lambda: finished(keep))

    def _felt_by_model(self, text: str, reply: str) -> Felt | None:
        named = self.mind.key
        character = named.character or CHARACTER
        return self.mind.bank.services.felt_in_reply([(named.user or USER, text), (character, reply)], character)

    def _felt(self, text: str, reply: str) -> tuple[Felt, ...]:
        mask = self.mind.bank.services.mask
        try:
            felt = self._feel(mask(text).text, mask(reply).text)
        except ModelFailed as trouble:
            log.info("a reply's feeling is read without a model: %s", trouble)
            return ()
        return (felt,) if felt is not None else ()

    def _go_on(self, kept: Observed | None) -> None:
        if self._afterwards is None or kept is None or kept.again:
            return
        try:
            self._afterwards(self.mind, kept)
        except Exception:  # the caller's own code, after the turn: it must not spoil what is kept
            log.exception("what follows turn %s could not be scheduled", kept.turn.id)

    def _kept_before(self, exchange: Exchange) -> Observed | None:
        """Return what is kept under the id of a new turn; raises `TurnChanged` where the words were others."""
        if not isinstance(exchange, New):
            return None
        with self.mind.bank.store.view(self.mind.key) as view:
            known = view.turn(exchange.turn_id)
        if known is None:
            return None
        return exchange.kept(self.mind, Answered(reply=reply_in(known) or None, cut_off=known.cut_off))

    def _known(self, turn_id: str | None) -> Turn:
        with self.mind.bank.store.view(self.mind.key) as view:
            turn = next(iter(view.turns(1)), None) if turn_id is None else view.turn(turn_id)
        if turn is not None:
            return turn
        if turn_id is None:
            raise InvalidQuery("nothing was said yet; there is no turn to reply to")
        raise UnknownTurn(turn_id)

    def _follow(self) -> None:
        with self.mind.bank.services.store.view(self.mind.key) as view:
            self._window.follow(view)


def _collected(bits: Iterator[str], calls: Calls) -> Iterator[str]:
    while (bit := calls.run(lambda: next(bits, None))) is not None:
        yield bit


def _shown(bits: Iterable[str], reply: Reply) -> Iterator[Event]:
    for bit in bits:
        shown = reply.add(bit)
        if shown:
            yield events.Delta(text=shown)
        if reply.overflowed:
            return
