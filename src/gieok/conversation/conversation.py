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

Feel = Callable[[str, str], Felt | None]  #: what the character feels, by the user's words and its reply
Afterwards = Callable[[Mind, Observed], None]

_BETWEEN_THE_TWO: Final = ("relationship", "manners")
_ALIKE: Final = 0.5  #: share of the pairs of letters that a message must hold


def reply_in(turn: Turn) -> str:
    return next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")


def retold(observed: Observed, *, reply: bool = True, over: bool = True) -> Iterator[Event]:
    """Yield what can be told of a turn that is kept; the context that the model saw is no longer known."""
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
    """A few messages, oldest first. It follows the log: also after a restart, a rewind or an edit."""

    def __init__(self, messages: int) -> None:
        self._lines: deque[Utterance] = deque(maxlen=messages)

    def __len__(self) -> int:
        return len(self._lines)

    def follow(self, view: View) -> None:
        """Hold the last messages, without those that were forgotten."""
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
        wanted = {word[at : at + 2] for word in _plain(words).split() for at in range(max(len(word) - 1, 1))}
        if not wanted:
            return []
        newest = self.before()[::-1]
        alike = [(sum(each in _plain(line.text) for each in wanted) / len(wanted), line) for line in newest]
        found = sorted((each for each in alike if each[0] >= _ALIKE), key=lambda each: -each[0])
        return [line for _, line in found[:limit]]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


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
        if not self._warm:  # loading takes seconds once, and must not count
            with suppress(EmbedderFailed):  # the context says so itself, and goes by words
                self.mind.bank.warm()
            self._warm = True

        def remembered() -> Context:
            with self.mind.bank.services.store.view(self.mind.key) as view:
                self.window.follow(view)
            return self.mind.context(
                text, at=at, budget=self.budget, include=include, system=self.persona, examples=self.examples
            )

        if self._late is None or self._late.done():  # what hangs is not asked again
            work = in_thread(remembered, must_end=False)
            try:
                return work.result(self.patience)
            except TimeoutError:
                if work.done():  # its own, not ours
                    raise
            self._late = work
        return self._without_memory(text, instead_of)

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


@dataclass(slots=True, kw_only=True)
class _Exchange:
    """A message of the user, and what becomes of it while it is answered."""

    text: str
    include: tuple[str, ...]  #: ids of what the model is to see in any case
    told: dict[str, Any] = field(default_factory=dict)  #: further arguments of `mind.observe`, of a new message
    earlier: Turn | None = None  #: the turn that is answered again, as things were just before it
    context: Context | None = None
    reply: Reply = field(default_factory=Reply)
    whole: bool = False  #: the model said all it had to say
    calls: Calls = field(default_factory=Calls)  #: of models, for the trace

    @property
    def at(self) -> datetime | None:
        """As of when things are remembered; None: now."""
        return self.told["at"] if self.earlier is None else self.earlier.at - timedelta(microseconds=1)


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
        """Answer `text`, as events. The arguments are those of `mind.observe`, and `include` that of `mind.context`.

        The turn begins with the first event that is asked for. Closing the stream before its end breaks the reply off:
        what was said so far is kept, and marked. A turn id that is kept already gives what is kept, and asks no model.
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
            self.mind.key.beside(character)  # raises before a model is asked
        return closed_at_exit(self._turn(lambda: exchange))

    def regenerate(self, turn_id: str | None = None, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Reply to a turn (the last one) once more; the first reply, and what came after it, is taken back.

        Only when something of the new reply is there: where the model gives none, all stays as it was.
        """
        return self._again(turn_id, None, include)

    def edit(self, turn_id: str, text: str, *, include: Iterable[str] = ()) -> Generator[Event, None, None]:
        """Have said `text` in an earlier turn, and answer that; what came after it is taken back."""
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
        """The last messages, oldest first, as the log has them now."""
        self._follow()
        return self._window.before()

    def recently(self, words: str, *, limit: int = 5) -> list[Utterance]:
        """Return the messages of the window that speak of `words`, best first."""
        self._follow()
        return self._window.find(words, limit)

    def _turn(self, asked: Callable[[], _Exchange]) -> Generator[Event, None, None]:
        """Answer, keep, tell what became of it. However the answering ends, what was said is kept first."""
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
                except Exception:  # the caller's own code, after the turn: it must not spoil what is kept
                    log.exception("what follows turn %s could not be scheduled", kept.turn.id)

    def _kept_before(self, exchange: _Exchange) -> Observed | None:
        """Return what is kept under the id of a new turn; raises `TurnChanged` where the words were others."""
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
        elif reply is None and text == _said_in(earlier):  # all stays as it was
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
