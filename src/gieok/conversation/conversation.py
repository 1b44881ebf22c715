"""A conversation with a mind: context, reply of the model, and the stored turn."""

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
from typing import Any, Final

from gieok.bank import Mind
from gieok.bank.inputs import listed
from gieok.bank.models import Calls
from gieok.conversation import events
from gieok.conversation.events import Event, failed
from gieok.conversation.replies import Reply, closed_at_exit, in_thread, is_scripted, turn_locks_of, uninterrupted
from gieok.domain.answer import SHARES, Block, Context, Message, Observed
from gieok.domain.emotion import Felt
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_speaker, checked_text
from gieok.errors import EmbedderFailed, ErrorText, InvalidQuery, ModelFailed, NoModel, UnknownTurn
from gieok.ids import new_id
from gieok.ports import Model, View

log = logging.getLogger(__name__)

Feel = Callable[[str, str], Felt | None]  #: the character's feeling, by the user's message and the reply
Afterwards = Callable[[Mind, Observed], None]

_BETWEEN_THE_TWO: Final = ("relationship", "manners")
_MIN_OVERLAP: Final = 0.5  #: share of letter pairs that a message must contain


def reply_in(turn: Turn) -> str:
    return next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")


def retold(observed: Observed, *, reply: bool = True, over: bool = True) -> Iterator[Event]:
    """Yield the events of a stored turn; the context that the model saw is no longer available."""
    turn, text = observed.turn, reply_in(observed.turn)
    if reply and text:
        yield events.Delta(text=text)
    for felt in observed.emotions:
        if felt.speaker == CHARACTER:
            yield events.Emotion(felt=felt)
    yield events.MemoryUpdate(observed=observed)
    if moves := tuple(move for move in observed.moves if move.kind in _BETWEEN_THE_TWO):
        yield events.RelationshipUpdate(moves=moves)
    if over:
        yield events.Done(turn=turn, reply=text, cut_off=turn.cut_off)


class Window:
    """The last messages, oldest first. It follows the log, also after a restart, a rewind or an edit."""

    def __init__(self, messages: int) -> None:
        self._lines: deque[Utterance] = deque(maxlen=messages)

    def __len__(self) -> int:
        return len(self._lines)

    def follow(self, view: View) -> None:
        """Reload the last messages, without forgotten ones."""
        silent = view.forgotten_words()
        turns = view.turns(self._lines.maxlen or 0)
        said = (utterance for turn in turns for utterance in turn.utterances if utterance.id not in silent)
        self._lines = deque(said, self._lines.maxlen)  # atomically: another thread may be reading

    def before(self, turn_id: str | None = None) -> tuple[Utterance, ...]:
        """Return the messages, oldest first; with `turn_id`, those before that turn."""
        lines = tuple(self._lines)
        place = next((number for number, line in enumerate(lines) if line.turn_id == turn_id), len(lines))
        return lines[:place]

    def find(self, words: str, limit: int) -> list[Utterance]:
        """Return the messages similar to `words`, best first; on a tie, the newest first.

        Letter pairs are compared, so that 고양이를 matches 고양이가.
        """
        wanted = {word[at : at + 2] for word in _plain(words).split() for at in range(max(len(word) - 1, 1))}
        if not wanted:
            return []
        newest = self.before()[::-1]
        alike = [(sum(each in _plain(line.text) for each in wanted) / len(wanted), line) for line in newest]
        found = sorted((each for each in alike if each[0] >= _MIN_OVERLAP), key=lambda each: -each[0])
        return [line for _, line in found[:limit]]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


@dataclass(slots=True, kw_only=True)
class Preparation:
    """Builds the context of a turn.

    `mind.context` does it in one search: pinned memories with cautions first, memories, earlier messages related to the
    query, the last turns, the summary. It skips a slow source by itself; `patience` limits the total time.
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
        """Return the context for answering `text`; `instead_of` names a turn that the answer replaces."""
        if not self._warm:  # loading takes seconds, once, and must not count
            with suppress(EmbedderFailed):  # the context reports it, and uses words only
                self.mind.bank.warm()
            self._warm = True

        def remembered() -> Context:
            with self.mind.bank.services.store.view(self.mind.key) as view:
                self.window.follow(view)
            return self.mind.context(
                text, at=at, budget=self.budget, include=include, system=self.persona, examples=self.examples
            )

        if self._late is None or self._late.done():  # do not start another search while one hangs
            work = in_thread(remembered, must_end=False)
            try:
                return work.result(self.patience)
            except TimeoutError:
                if work.done():  # its own error, not ours
                    raise
            self._late = work
        return self._without_memory(text, instead_of)

    def _without_memory(self, text: str, instead_of: str | None) -> Context:
        """Return persona, as many of the last messages as fit, and the question."""
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
    """Return `messages` with consecutive messages of one role merged.

    A turn without a reply leaves two user messages in a row, which some chat templates reject.
    """
    return tuple(
        Message(role=role, content="\n\n".join(each.content for each in run))
        for role, run in groupby(messages, key=lambda message: message.role)
    )


@dataclass(slots=True, kw_only=True)
class _Exchange:
    """A user message and the state of its answer."""

    text: str
    include: tuple[str, ...]  #: ids of items that the context must include
    told: dict[str, Any] = field(default_factory=dict)  #: further arguments of `mind.observe`, for a new message
    earlier: Turn | None = None  #: the turn that is answered again
    context: Context | None = None
    reply: Reply = field(default_factory=Reply)
    whole: bool = False  #: whether the model finished its reply
    calls: Calls = field(default_factory=Calls)  #: model calls, for the trace

    @property
    def at(self) -> datetime | None:
        """Story time of the recall; None: now."""
        return self.told["at"] if self.earlier is None else self.earlier.at - timedelta(microseconds=1)


class Conversation:
    """A conversation with one mind, in which a model speaks for the character.

    Turns of one scope are serialised, also across conversations over one bank: a turn waits `turn_seconds` for the
    previous one, then raises `TurnUnderWay`. `patience` is the maximum time in seconds for memory before the reply is
    made without it. `feel` reads a reply's feeling instead of the classifier; `afterwards` schedules background work,
    and must return at once.
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
        """Start a conversation with `mind`; `model`, `reply_tokens` and `feel` default to the bank's settings."""
        speaking = model or mind.bank.model
        if speaking is None:
            raise NoModel()
        self.mind = mind
        self.model = speaking
        self.session = session
        self.last: Observed | None = None  #: result of the last turn, also of an interrupted one
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
        self._feel = feel
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
        """Answer `text`; yield events. The arguments are those of `mind.observe`, and `include` of `mind.context`.

        The turn starts when the first event is requested. Closing the stream early interrupts the reply: the part so
        far is stored and marked. The id of a stored turn yields the stored result, without a model call.
        """
        exchange = _Exchange(
            text=checked_text(text),
            include=listed(include, "include"),
            told={
                "turn_id": turn_id if turn_id is not None else new_id(),
                "at": None if at is None else checked_moment(at),
                "session": self.session,
                "speaker": None if speaker is None else checked_speaker(speaker),
                "present": listed(present, "present"),
                "channel": channel,
            },
        )
        for character in exchange.told["present"]:
            self.mind.key.beside(character)  # raises before a model is called
        return closed_at_exit(self._turn(lambda: exchange))

    def regenerate(self, turn_id: str | None = None, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Replace the reply to a turn (the last one); undo the first reply and later turns.

        This happens only when the new reply has begun: if the model gives none, nothing changes.
        """
        return self._again(turn_id, None, include)

    def edit(self, turn_id: str, text: str, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Replace the user's message in an earlier turn and answer it; later turns are undone."""
        return self._again(turn_id, checked_text(text), include)

    def _again(self, turn_id: str | None, text: str | None, include: Iterable[str]) -> Generator[Event, None, None]:
        wanted = listed(include, "include")

        def exchange() -> _Exchange:
            with self.mind.bank.store.view(self.mind.key) as view:
                turn = next(iter(view.turns(1)), None) if turn_id is None else view.turn(turn_id)
            if turn is None and turn_id is None:
                raise InvalidQuery(ErrorText("talk.nothing_said"))
            if turn is None:
                raise UnknownTurn(str(turn_id))
            said = text if text is not None else _said_in(turn)
            if said is None:
                raise InvalidQuery(ErrorText("talk.nobody_spoke", id=turn.id))
            return _Exchange(text=said, include=wanted, earlier=turn)

        return closed_at_exit(self._turn(exchange))

    @property
    def window(self) -> tuple[Utterance, ...]:
        """The last messages in the log, oldest first."""
        self._follow()
        return self._window.before()

    def recently(self, words: str, *, limit: int = 5) -> list[Utterance]:
        """Return the messages of the window similar to `words`, best first."""
        self._follow()
        return self._window.find(words, limit)

    def _turn(self, asked: Callable[[], _Exchange]) -> Generator[Event, None, None]:
        """Answer, store and report. However the answering ends, what was said is stored first."""
        kept: Observed | None = None
        try:
            with self._locks.held(self.mind.key, self._turn_seconds):
                exchange = asked()
                kept = self._kept_before(exchange)
                known = kept is not None
                if not known:
                    try:
                        yield from self._answered(exchange)
                    finally:
                        kept = self.last = exchange.calls.run(lambda: uninterrupted(lambda: self._keep(exchange)))
                assert kept is not None, "however a reply ends, it is kept"
                yield from retold(kept, reply=known, over=False)
            yield events.Done(turn=kept.turn, reply=reply_in(kept.turn), cut_off=kept.turn.cut_off)
        finally:
            if self._afterwards is not None and kept is not None and not kept.again:
                try:
                    self._afterwards(self.mind, kept)
                except Exception:  # the caller's code, after the turn: it must not affect the stored turn
                    log.exception("what follows turn %s could not be scheduled", kept.turn.id)

    def _kept_before(self, exchange: _Exchange) -> Observed | None:
        """Return the stored result for the id of a new turn; raises `TurnChanged` if the words differ."""
        if exchange.earlier is not None:
            return None
        with self.mind.bank.store.view(self.mind.key) as view:
            known = view.turn(exchange.told["turn_id"])
        if known is None:
            return None
        return self.mind.observe(exchange.text, reply=reply_in(known) or None, cut_off=known.cut_off, **exchange.told)

    def _answered(self, exchange: _Exchange) -> Iterator[Event]:
        earlier = exchange.earlier.id if exchange.earlier is not None else None
        exchange.context = exchange.calls.run(
            lambda: self._preparation.context(exchange.text, exchange.at, earlier, exchange.include)
        )
        yield events.ContextBuilt(context=exchange.context)
        reply = exchange.reply
        bits: Generator[str] | None = None
        trouble: ModelFailed | None = None
        try:
            messages = alternating(exchange.context.messages)
            bits = self.model.stream(messages, task="reply", most_tokens=self._reply_tokens)
            while not reply.overflowed and (bit := exchange.calls.run(lambda: next(bits, None))) is not None:
                if shown := reply.add(bit):
                    yield events.Delta(text=shown)
        except ModelFailed as failure:
            trouble = failure
        finally:
            if bits is not None:
                exchange.calls.run(bits.close)
        if trouble is None and not reply.text:
            trouble = ModelFailed("empty", self.model.name, "it sent nothing that can be read")
        exchange.whole = trouble is None and not reply.overflowed
        if trouble is not None:
            log.info("no reply, or only a part of one, in %s: %s", self.mind.key, trouble)
            yield failed(trouble, language=self.mind.bank.settings.language, began=bool(reply.text))

    def _keep(self, exchange: _Exchange) -> Observed:
        text, reply, earlier = exchange.text, exchange.reply.text or None, exchange.earlier
        answer: dict[str, Any] = {
            "reply": reply,
            "context": exchange.context,
            "cut_off": not exchange.whole,
            "scripted": reply is not None and is_scripted(self.model),
            "felt": self._felt(text, reply) if reply is not None and exchange.whole else (),
            "calls": exchange.calls.so_far,
        }
        if earlier is None:
            kept = self.mind.observe(text, **exchange.told, **answer)
        elif reply is None and text == _said_in(earlier):  # nothing changes
            speaker = next(each.speaker for each in earlier.utterances if each.speaker != CHARACTER)
            first = reply_in(earlier) or None
            named = None if speaker == USER else speaker
            kept = self.mind.observe(text, reply=first, turn_id=earlier.id, speaker=named, present=earlier.present)
        else:
            kept = self.mind.instead(earlier.id, text, **answer)
        self._follow()
        return kept

    def _felt(self, text: str, reply: str) -> tuple[Felt, ...]:
        services, named = self.mind.bank.services, self.mind.key
        said, replied = services.mask(text).text, services.mask(reply).text
        character = named.character or CHARACTER
        try:
            if self._feel is not None:
                felt = self._feel(said, replied)
            else:
                felt = services.felt_in_reply([(named.user or USER, said), (character, replied)], character)
        except ModelFailed as trouble:
            log.info("a reply's feeling is read without a model: %s", trouble)
            return ()
        return (felt,) if felt is not None else ()

    def _follow(self) -> None:
        with self.mind.bank.services.store.view(self.mind.key) as view:
            self._window.follow(view)


def _said_in(turn: Turn) -> str | None:
    return next((each.text for each in turn.utterances if each.speaker != CHARACTER), None)
