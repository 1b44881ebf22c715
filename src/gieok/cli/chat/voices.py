"""Who answers for the character: rules and phrases, or a model."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING, Final, Protocol

from rich.console import Console
from rich.text import Text

from gieok.cli.chat.answering import answer, filled, lines, phrase, phrases
from gieok.cli.look.decisions import moods
from gieok.cli.look.scenes import EMOTION_STYLES
from gieok.cli.look.words import WORDS
from gieok.conversation.events import ContextBuilt, Delta, Emotion, Event, Failed
from gieok.domain.answer import Observed, Where
from gieok.domain.emotion import Felt
from gieok.domain.turn import CHARACTER

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.conversation import Conversation

_HITS: Final = 5
_FELT: Final = 0.3  #: a weaker feeling shows in no face
_MUCH: Final = 0.7
_DIM: Final = "bright_black"


class Voice(Protocol):
    """Answers on the screen."""

    def open(self, *, known: int) -> None:
        """Say who is there; `known` memories are."""
        ...

    def answer(self, text: str) -> Observed | None:
        """Answer `text`; return what became of the turn, None where there was none."""
        ...

    def answer_again(self, turn_id: str) -> Observed | None: ...

    def leave(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """A character without a model: it answers by rule, and its answers are not remembered."""

    mind: Mind
    console: Console
    session: str

    def open(self, *, known: int) -> None:
        for line in lines("opening"):
            self.console.print(filled(line, character=_name(self.mind)), style=_DIM)
        self._say(phrase("opening", "known", n=known) if known else phrase("opening", "unknown"))

    def answer(self, text: str) -> Observed:
        asked = "question" in moods(text)
        hits = self.mind.recall(text, k=_HITS, where=None if asked else Where(kind="memory"))
        observed = self.mind.observe(text, session=self.session)
        self._say(answer(observed, hits, self.mind.key, asked=asked))
        return observed

    def answer_again(self, turn_id: str) -> None:
        self.console.print(phrase("replies", "no_model"), style=_DIM)

    def leave(self) -> None:
        self._say(phrase("replies", "farewell"))

    def _say(self, text: str) -> None:
        self.console.print(Text.assemble((_name(self.mind), "bold magenta"), "  ", text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A character that a model speaks for, bit by bit. Ctrl-C breaks off a reply, not the program."""

    conversation: Conversation
    console: Console
    loads: bool = False  #: the model is loaded on this machine when it is first asked

    def open(self, *, known: int) -> None:
        for line in phrases()["opening"]["modelled"]:
            told = filled(line, model=self.conversation.model.name, character=_name(self.conversation.mind))
            self.console.print(told, style=_DIM)
        if self.loads:
            self.console.print(phrase("opening", "loads"), style=_DIM)
        if known:
            self.console.print(phrase("opening", "remembered", n=known), style=_DIM)

    def answer(self, text: str) -> Observed | None:
        return self._heard(self.conversation.say(text))

    def answer_again(self, turn_id: str) -> Observed | None:
        return self._heard(self.conversation.regenerate(turn_id))

    def leave(self) -> None:
        self.console.print(phrase("replies", "left"), style=_DIM)

    def _heard(self, events: Generator[Event, None, None]) -> Observed | None:
        before = self.conversation.last
        line = _Line(console=self.console)
        try:
            with _one_interruption(), closing(events):
                for event in events:
                    self._show(event, line)
        except KeyboardInterrupt:
            line.end()
            self.console.print(phrase("replies", "broken_off"), style=_DIM)
        line.end()
        kept = self.conversation.last
        if kept is None or kept is before:
            return None
        others = tuple(felt for felt in kept.emotions if felt.speaker != CHARACTER)  # its own is in its face
        return replace(kept, emotions=others)

    def _show(self, event: Event, line: _Line) -> None:
        match event:
            case ContextBuilt():
                line.write(Text.assemble((_name(self.conversation.mind), "bold magenta"), "  "))
            case Delta():
                line.write(Text(event.text), spoken=True)
            case Emotion() if line.spoken:
                line.write(_face(event.felt))
            case Failed():
                line.end()
                self.console.print(event.message, style="red", soft_wrap=True)
                self.console.print(f"({event.failure}: {event.detail})", style=_DIM, soft_wrap=True)


@dataclass(slots=True, kw_only=True)
class _Line:
    """The line of a reply, written bit by bit: the terminal folds it."""

    console: Console
    begun: bool = False
    spoken: bool = False  #: something of the reply stands in it

    def write(self, text: Text, *, spoken: bool = False) -> None:
        self.console.print(text, end="", soft_wrap=True)
        self.begun = True
        self.spoken = self.spoken or spoken

    def end(self) -> None:
        """End it, if it is not ended; of a character that said nothing it shows that."""
        if self.begun:
            self.console.print("" if self.spoken else Text("…", style=_DIM))
        self.begun = self.spoken = False


def _name(mind: Mind) -> str:
    return WORDS["ko"].named("character", mind.key)


def _face(felt: Felt) -> Text:
    """Return how the character looks; nothing where it hardly feels anything."""
    faces = phrases()["faces"].get(felt.emotion)
    if faces is None or felt.intensity < _FELT:
        return Text()
    little, much = faces
    return Text(f"  {much if felt.intensity >= _MUCH else little}", style=EMOTION_STYLES[felt.emotion])


@contextmanager
def _one_interruption() -> Iterator[None]:
    """Let Ctrl-C break off what is under way. Another one is not heard until that is kept."""

    def heard(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
