"""Talking in the terminal, with a character that a model speaks for, or rules where there is none."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, Protocol

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gieok.cli.common import BankPath, Character, Names, User, World, mind_to_teach, settings_for
from gieok.cli.console import answers, told, waiting, wake
from gieok.cli.look.memories import EMOTION_STYLES, moods, moved_line, outcome, outcome_table
from gieok.cli.look.words import LIVING_WORDS, WORDS
from gieok.cli.phrases import answer, filled, lines, phrase, phrases
from gieok.conversation.events import ContextBuilt, Delta, Emotion, Event, Failed
from gieok.domain.answer import Observed, Where
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER
from gieok.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.conversation import Conversation


_MODEL = "The model"
_LOADED_HERE = ("gguf:", "ollama:", "lmstudio:")

LlmSpec = Annotated[
    str | None,
    typer.Option(
        "--llm",
        metavar="SPEC",
        help="Who answers: openai:gpt-4o-mini, ollama:qwen3:8b, gguf:FILE (default: from the settings).",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]
Persona = Annotated[
    str | None,
    typer.Option(
        "--persona",
        metavar="TEXT|@FILE",
        help="Who the character is, for the model.",
        rich_help_panel=_MODEL,
        show_default=False,
    ),
]


def chat(
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    llm: LlmSpec = None,
    persona: Persona = None,
) -> None:
    """Talk in the terminal, to a character that remembers; a model speaks for it where one is set."""
    from gieok.cli.phrases import phrase
    from gieok.domain.scope import Scope
    from gieok.errors import InvalidQuery

    # What fails behind the scenes is told by `gieok doctor`, not in the middle of a sentence.
    logging.getLogger("gieok").addHandler(logging.NullHandler())
    newcomer = Scope(user="나", character="레티아")
    settings = settings_for(bank, llm=llm)
    told = _text_of(persona)
    if told and settings.llm is None:
        raise InvalidQuery("--persona is for a model, and none is set; name one by --llm SPEC or the setting llm")
    with mind_to_teach(settings, Names(user, character, world), newcomer) as (opened, mind):
        wake(opened)
        sitting = Sitting(mind=mind, console=answers(), voice=voice_of(mind, told))
        sitting.open()
        sitting.hear(_typed(mind.key.user or "나") if sys.stdin.isatty() else sys.stdin)
        if opened.model is not None or opened.deep_model is not None:
            with waiting(phrase("replies", "finishing")):
                opened.close()


def voice_of(mind: Mind, persona: str) -> Voice:
    """Return the model's voice, or that of phrases where no model is configured."""
    from gieok.ids import new_id

    bank = mind.bank
    if bank.model is None:
        return Phrases(mind=mind, console=answers(), session=new_id())
    from gieok.conversation import Conversation

    talk = Conversation(mind, persona=persona, session=new_id())
    loads = (bank.settings.llm or "").startswith(_LOADED_HERE)
    return Spoken(conversation=talk, console=answers(), loads=loads)


def _text_of(given: str | None) -> str:
    """Return a text, or that of the file it names by @."""
    from gieok.errors import InvalidText

    if given is None or not given.startswith("@"):
        return given or ""
    try:
        return Path(given[1:]).read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise InvalidText(f"{given[1:]} is not UTF-8 text") from cause


def _typed(user: str) -> Iterator[str]:
    """Yield what is typed, until the end of input or Ctrl-C."""
    with suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and history; not on every system

    while True:
        try:
            yield input(f"{user}  ")
        except (EOFError, KeyboardInterrupt):
            answers().print()
            return


_DIGITS = 10  #: a number with more is none that /기억 shows
_WORDS = WORDS["ko"]


@dataclass(slots=True, kw_only=True)
class Sitting:
    """One sitting with one mind."""

    mind: Mind
    console: Console
    voice: Voice
    _said: list[tuple[str, str]] = field(default_factory=list)  #: (turn id, text) that can be undone, oldest first
    _listed: dict[int, Memory] = field(default_factory=dict)  #: what /기억 showed last, by number

    def open(self) -> None:
        """Say who is there, and whether a model is."""
        self.voice.open(known=len(self._known()))

    def hear(self, typed: Iterable[str]) -> None:
        """Answer line by line, until there are no more or one says goodbye."""
        for line in typed:
            text = line.strip()
            try:
                if text and not self._answered(text):
                    return
            except (InvalidInput, NotFound) as trouble:  # one line that cannot be kept, or a memory gone meanwhile
                self.console.print(told(trouble), style="red")

    def _answered(self, text: str) -> bool:
        """Answer `text`, or carry it out; return whether the talk goes on."""
        if text.startswith("/"):
            return self._commanded(text)
        observed = self.voice.answer(text)
        if observed is not None:
            self._said.append((observed.turn.id, text))
            self._tell(observed)
        return True

    def _tell(self, observed: Observed) -> None:
        """Show what was remembered, aside."""
        rows = [outcome(decision, _WORDS) for decision in observed.decisions]
        if rows:
            self.console.print(Padding(outcome_table(rows, self.mind.key, _WORDS), (0, 0, 0, 2)))
        moved = moved_line(observed, self.mind.key, _WORDS, LIVING_WORDS["ko"])
        if moved is not None:
            self.console.print(Padding(moved, (0, 0, 0, 2)))

    def _commanded(self, text: str) -> bool:
        name, _, rest = text.partition(" ")
        names = {alias: command for command, aliases in phrases()["commands"].items() for alias in aliases.split()}
        match names.get(name):
            case "facts":
                self._list()
            case "undo":
                self._undo()
            case "again":
                self._reply_again()
            case "forget":
                self._forget(rest.strip())
            case "leave":
                self.voice.leave()
                return False
            case "help":
                self._help()
            case _:
                first = " ".join(aliases.split()[0] for aliases in phrases()["commands"].values())
                self.console.print(phrase("replies", "unknown", commands=first), style="bright_black")
        return True

    def _known(self) -> list[Memory]:
        """Return what is true, without the summaries that upkeep makes of it."""
        return [memory for memory in self.mind.facts() if memory.content_type != "summary"]

    def _list(self) -> None:
        self._listed = dict(enumerate(self._known(), start=1))
        if not self._listed:
            self.console.print(_WORDS.nothing, style="bright_black")
        table = Table.grid(padding=(0, 1, 0, 1))
        for number, memory in self._listed.items():
            who = _WORDS.named(memory.subject_id, self.mind.key)
            table.add_row(Text(str(number), style="bright_black"), Text(who, style="cyan"), memory.content)
        self.console.print(table)

    def _help(self) -> None:
        table = Table.grid(padding=(0, 2, 0, 0))
        for command, aliases in phrases()["commands"].items():
            table.add_row(Text(aliases, style="cyan"), Text(phrase("help", command), style="bright_black"))
        self.console.print(table)

    def _undo(self) -> None:
        if not self._said:
            self.console.print(phrase("replies", "nothing_to_undo"), style="bright_black")
            return
        turn_id, text = self._said.pop()
        self.mind.rewind(turn_id)
        self.console.print(phrase("replies", "undone", text=text), style="magenta")

    def _reply_again(self) -> None:
        if not self._said:
            self.console.print(phrase("replies", "nothing_to_answer"), style="bright_black")
            return
        observed = self.voice.answer_again(self._said[-1][0])
        if observed is not None:
            self._tell(observed)

    def _forget(self, number: str) -> None:
        chosen = self._listed.pop(int(number), None) if number.isdecimal() and len(number) < _DIGITS else None
        if chosen is None:
            self.console.print(phrase("replies", "which"), style="bright_black")
            return
        gone = self.mind.forget(chosen.id)
        self.console.print(phrase("replies", "forgotten", content=gone.content), style="magenta")


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
