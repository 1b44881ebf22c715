"""A conversation with a mind that a model speaks for: context, reply, and the turn that is stored."""

from __future__ import annotations

import logging
import unicodedata
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final, Protocol

from gieok.bank import Mind
from gieok.bank.inputs import listed
from gieok.bank.models import Calls
from gieok.conversation import events
from gieok.conversation.events import Event, failed
from gieok.conversation.replies import Reply, closed_at_exit, in_thread, turn_locks_of, uninterrupted
from gieok.domain.answer import SHARES, Block, Context, Message, ModelCall, Observed
from gieok.domain.emotion import Felt
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_speaker, checked_text
from gieok.errors import EmbedderFailed, InvalidQuery, ModelFailed, NoModel, UnknownTurn
from gieok.ids import new_id
from gieok.ports import Model, View

_MOMENT: Final = timedelta(microseconds=1)
_BETWEEN_THE_TWO: Final = ("relationship", "manners")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the model made of it."""

    reply: str | None
    cut_off: bool
    context: Context | None = None
    felt: tuple[Felt, ...] = ()
    calls: tuple[ModelCall, ...] = ()  #: what models were asked for it


class Exchange(Protocol):
    """Words of the user that are to be answered."""

    @property
    def text(self) -> str: ...

    @property
    def at(self) -> datetime | None:
        """As of when things are remembered; None: now."""
        ...

    @property
    def instead_of(self) -> str | None:
        """The turn whose place it takes."""
        ...

    @property
    def include(self) -> tuple[str, ...]:
        """Ids of what the model is to see in any case."""
        ...

    def kept(self, mind: Mind, answered: Answered) -> Observed: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """Something said now."""

    text: str
    turn_id: str
    at: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    present: tuple[str, ...] = ()
    channel: str | None = None
    instead_of: str | None = None
    include: tuple[str, ...] = ()

    def kept(self, mind: Mind, answered: Answered) -> Observed:
        return mind.observe(
            self.text,
            reply=answered.reply,
            at=self.at,
            session=self.session,
            turn_id=self.turn_id,
            speaker=self.speaker,
            present=self.present,
            channel=self.channel,
            context=answered.context,
            cut_off=answered.cut_off,
            felt=answered.felt,
            calls=answered.calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """An earlier turn, answered once more, as things were just before it."""

    turn: Turn
    text: str
    include: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        return self.turn.at - _MOMENT

    @property
    def instead_of(self) -> str:
        return self.turn.id

    def kept(self, mind: Mind, answered: Answered) -> Observed:
        if answered.reply is None and self.text == said_in(self.turn):
            return self._as_it_was(mind)
        return mind.instead(
            self.turn.id,
            self.text,
            reply=answered.reply,
            context=answered.context,
            cut_off=answered.cut_off,
            felt=answered.felt,
            calls=answered.calls,
        )

    def _as_it_was(self, mind: Mind) -> Observed:
        speaker = next(each.speaker for each in self.turn.utterances if each.speaker != CHARACTER)
        reply = reply_in(self.turn) or None
        return mind.observe(self.text, reply=reply, turn_id=self.turn.id, speaker=speaker, present=self.turn.present)


def said_in(turn: Turn) -> str:
    """Return what was said to the character in `turn`."""
    said = next((each.text for each in turn.utterances if each.speaker != CHARACTER), None)
    if said is None:
        raise InvalidQuery(f"nobody spoke to the character in turn {turn.id!r}; there is nothing to reply to")
    return said


def reply_in(turn: Turn) -> str:
    """Return what the character said in `turn`; "": nothing."""
    return next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")


def replayed(observed: Observed) -> Iterator[Event]:
    """Yield the reply, in one piece."""
    reply = reply_in(observed.turn)
    if reply:
        yield events.Delta(text=reply)


def outcomes(observed: Observed) -> Iterator[Event]:
    """Yield what the character felt, what was remembered, and how it moved the two."""
    for felt in observed.emotions:
        if felt.speaker == CHARACTER:
            yield events.Emotion(felt=felt)
    yield events.MemoryUpdate(observed=observed)
    moves = tuple(move for move in observed.moves if move.kind in _BETWEEN_THE_TWO)
    if moves:
        yield events.RelationshipUpdate(moves=moves)


def done(observed: Observed) -> Event:
    """Return what ends a turn."""
    turn = observed.turn
    return events.Done(turn=turn, reply=reply_in(turn), cut_off=turn.cut_off)


def retold(observed: Observed) -> Iterator[Event]:
    """Yield all that can be told of a turn that is kept; what the model saw is no longer known."""
    yield from replayed(observed)
    yield from outcomes(observed)
    yield done(observed)


_ALIKE: Final = 0.5  #: share of the pairs of letters that a message must hold


class Window:
    """A few messages, oldest first. It follows the log: also after a restart, a rewind or an edit."""

    def __init__(self, messages: int) -> None:
        self._lines: deque[Utterance] = deque(maxlen=messages)

    def __len__(self) -> int:
        return len(self._lines)

    def follow(self, view: View) -> None:
        """Hold what was said last; words that were forgotten are not held, either."""
        silent = view.forgotten_words()
        turns = view.turns(self._lines.maxlen or 0)
        said = (utterance for turn in turns for utterance in turn.utterances if utterance.id not in silent)
        self._lines = deque(said, self._lines.maxlen)  # in one step: another thread may be reading

    def before(self, turn_id: str | None = None) -> tuple[Utterance, ...]:
        """Return the messages, oldest first; those that came before a turn where one is named."""
        lines = tuple(self._lines)
        place = next((number for number, line in enumerate(lines) if line.turn_id == turn_id), len(lines))
        return lines[:place]

    def find(self, words: str, limit: int) -> list[Utterance]:
        """Return the messages that speak of `words`, best first and of equal ones the newest first.

        By pairs of letters, so that 고양이를 finds 고양이가.
        """
        wanted = _pieces(words)
        if not wanted:
            return []
        alike = [
            (sum(each in _plain(line.text) for each in wanted) / len(wanted), line) for line in self._newest_first()
        ]
        found = sorted((each for each in alike if each[0] >= _ALIKE), key=lambda each: -each[0])
        return [line for _, line in found[:limit]]

    def _newest_first(self) -> list[Utterance]:
        return list(self.before())[::-1]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _pieces(words: str) -> set[str]:
    """Return the pairs of letters within words; of a word of one letter that letter."""
    return {word[place : place + 2] for word in _plain(words).split() for place in range(max(len(word) - 1, 1))}


@dataclass(slots=True, kw_only=True)
class Preparation:
    """Puts the context of a turn together.

    `mind.context` holds all that the talk needs in one search: what is pinned with cautions first, memories, earlier
    messages that have to do with the question, the last turns, the summary. It cuts a source of its own that is slow;
    `patience` is for all of it together.
    """

    mind: Mind
    window: Window
    persona: str
    examples: tuple[str, ...]
    budget: int | None
    patience: float
    _late: Future[Context] | None = None
    _warm: bool = False

    def context(
        self, text: str, at: datetime | None, instead_of: str | None = None, include: tuple[str, ...] = ()
    ) -> Context:
        """Return what to answer `text` with; `instead_of` names the turn whose place the answer takes."""
        self._wake()
        if self._late is not None and not self._late.done():  # what hangs is not asked again
            return self._without_memory(text, instead_of)
        remembered = in_thread(lambda: self._remembered(text, at, include), must_end=False)
        try:
            return remembered.result(self.patience)
        except TimeoutError:
            if remembered.done():  # its own, not ours
                raise
        self._late = remembered
        return self._without_memory(text, instead_of)

    def _wake(self) -> None:
        """Load what recalling needs: that takes seconds once, and must not count."""
        if not self._warm:
            with suppress(EmbedderFailed):  # the context says so itself, and goes by words
                self.mind.bank.warm()
            self._warm = True

    def _remembered(self, text: str, at: datetime | None, include: tuple[str, ...]) -> Context:
        with self.mind.bank.services.store.view(self.mind.key) as view:
            self.window.follow(view)
        return self.mind.context(
            text, at=at, budget=self.budget, include=include, system=self.persona, examples=self.examples
        )

    def _without_memory(self, text: str, instead_of: str | None) -> Context:
        """Return persona, the last messages as far as they fit, and the question."""
        text = self.mind.bank.services.mask(text).text
        count = self.mind.bank.services.recaller.count
        budget = self.budget or self.mind.bank.settings.context_budget
        persona = self.persona.strip()
        room = budget - int(budget * SHARES["reply"]) - count(persona) - count(text)
        heard: list[Utterance] = []
        for line in reversed(self.window.before(instead_of)):
            room -= count(line.text)
            if room < 0:
                break
            heard.insert(0, line)
        talk = "\n".join(line.text for line in heard)
        said = [Message(role="assistant" if line.speaker == CHARACTER else "user", content=line.text) for line in heard]
        system = [Message(role="system", content=persona)] if persona else []
        return Context(
            query=text,
            blocks=tuple(
                Block(name=name, text=words, tokens=count(words) if words else 0)
                for name, words in (("system", persona), ("talk", talk), ("message", text))
            ),
            messages=(*system, *said, Message(role="user", content=text)),
            hits=(),
            budget=budget,
            degraded=(f"memory is off: no answer within {self.patience:g} s",),
        )


def alternating(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return `messages` with those of one side in a row made one.

    A turn without a reply leaves two of the user's side by side, and the templates of some models refuse these.
    """
    return tuple(
        Message(role=role, content="\n\n".join(each.content for each in run))
        for role, run in groupby(messages, key=lambda message: message.role)
    )


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
        self._locks = turn_locks_of(mind.bank)

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
        return closed_at_exit(self._turn(lambda: exchange))

    def regenerate(self, turn_id: str | None = None, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Reply to a turn (the last one) once more; the first reply, and what came after it, is taken back.

        Only when something of the new reply is there: where the model gives none, all stays as it was.
        """
        wanted = listed(include, "include")

        def exchange() -> Exchange:
            turn = self._known(turn_id)
            return Again(turn=turn, text=said_in(turn), include=wanted)

        return closed_at_exit(self._turn(exchange))

    def edit(self, turn_id: str, text: str, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Have said `text` in an earlier turn, and answer that; what came after it is taken back."""
        checked_text(text)
        wanted = listed(include, "include")
        return closed_at_exit(self._turn(lambda: Again(turn=self._known(turn_id), text=text, include=wanted)))

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
            with self._locks.held(self.mind.key, self._turn_seconds):
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
            bits = self.model.stream(alternating(turn.context.messages), task="reply", most_tokens=self._reply_tokens)
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

        turn.kept = self.last = turn.calls.run(lambda: uninterrupted(keep))

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
