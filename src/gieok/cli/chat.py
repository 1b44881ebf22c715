"""`gieok chat`: talking in the terminal, with a character that a model speaks for, or phrases where there is none."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from gieok.bank import Mind
from gieok.cli import console as terminal
from gieok.cli.common import BankPath, Character, User, Where, World, mind_to_teach, settings_for
from gieok.cli.table import grid
from gieok.cli.talk import EMOTION_STYLES, FELT, moved_line, outcome, outcome_table
from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Delta, Emotion, Event, Failed, failed
from gieok.conversation.phrasebook import Phrasebook
from gieok.domain.answer import Observed
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER
from gieok.errors import InvalidInput, InvalidQuery, InvalidText, ModelFailed, NotFound
from gieok.ids import new_id

say: Final = terminal.texts_of("cli_chat")
_LOADED_HERE: Final = ("gguf:", "ollama:", "lmstudio:")
_DIGITS: Final = 10  #: a number with more is none that a list shows
_MUCH: Final = 0.7


def chat(
    bank: BankPath = None,
    user: User = None,
    character: Character = None,
    world: World = None,
    llm: Annotated[str | None, typer.Option(metavar="SPEC", rich_help_panel="model")] = None,
    persona: Annotated[str | None, typer.Option(metavar="TEXT|@FILE", rich_help_panel="model")] = None,
) -> None:
    newcomer = Scope(user=say("user"), character=say("character"))
    settings = settings_for(bank, llm=llm)
    described = _text_of(persona)
    if described and settings.llm is None:
        raise InvalidQuery(terminal.text("errors.persona_without_model"))
    with _silent_log(), mind_to_teach(settings, Where(bank, user, character, world), newcomer) as mind:
        terminal.wake(mind.bank)
        sitting = Sitting(conversation_with(mind, described), terminal.answers())
        sitting.open(loads=(settings.llm or "").startswith(_LOADED_HERE))
        sitting.hear(_typed(mind.key.user or say("user")) if sys.stdin.isatty() else sys.stdin)
        if mind.bank.model is not None or mind.bank.deep_model is not None:
            with terminal.waiting(say("finishing")):
                mind.bank.close()


@contextmanager
def _silent_log() -> Iterator[None]:
    """Log nothing on the screen: what fails behind the scenes is told by `gieok doctor`, not in mid-sentence."""
    handler = logging.NullHandler()
    logging.getLogger("gieok").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("gieok").removeHandler(handler)


def conversation_with(mind: Mind, persona: str = "") -> Conversation:
    return Conversation(mind, mind.bank.model or Phrasebook(mind), persona=persona, session=new_id())


def _text_of(given: str | None) -> str:
    """Return a text, or that of the file it names by @."""
    if given is None or not given.startswith("@"):
        return given or ""
    try:
        return Path(given[1:]).read_text(encoding="utf-8")
    except UnicodeDecodeError as cause:
        raise InvalidText(terminal.text("errors.not_utf8", path=given[1:])) from cause


def _typed(user: str) -> Iterator[str]:
    with suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and history; not on every system

    while True:
        try:
            yield input(f"{user}  ")
        except (EOFError, KeyboardInterrupt):
            terminal.answers().print()
            return


@dataclass(slots=True)
class Sitting:
    """One sitting with one mind: reads lines, shows replies bit by bit, and carries out commands.

    Ctrl-C breaks off a reply, not the program.
    """

    conversation: Conversation
    console: Console
    _said: list[tuple[str, str]] = field(default_factory=list)  #: (turn id, text) that can be undone, oldest first
    _listed: dict[int, Memory] = field(default_factory=dict)  #: what the list of memories showed last, by number

    @property
    def mind(self) -> Mind:
        return self.conversation.mind

    @property
    def terms(self) -> terminal.Terms:
        return terminal.terms_for(self.mind)

    def open(self, *, loads: bool = False) -> None:
        """Say who answers; `loads`: the model is loaded on this machine when it is first asked."""
        model, character = self.conversation.model, self.terms.named("character")
        if isinstance(model, Phrasebook):
            self._aside(say("without_model", character=character))
        else:
            self._aside(say("with_model", model=model.name, character=character))
        self._aside(say("hint"))
        if loads:
            self._aside(say("model_loads"))
        if known := len(self._known()):
            self._aside(say("remembered", n=known))

    def hear(self, typed: Iterable[str]) -> None:
        """Answer line by line, until there are no more or one says goodbye."""
        for line in typed:
            said = line.strip()
            try:
                if said and not self._answered(said):
                    return
            except (InvalidInput, NotFound) as trouble:  # one line that cannot be kept, or a memory gone meanwhile
                self.console.print(terminal.explained(trouble), style="red")

    def _answered(self, said: str) -> bool:
        """Answer what was said, or carry it out; return whether the talk goes on."""
        if said.startswith("/"):
            return self._commanded(said)
        observed = self._reply(self.conversation.say(said))
        if observed is not None:
            self._said.append((observed.turn.id, said))
        return True

    def _commanded(self, line: str) -> bool:
        name, _, rest = line.partition(" ")
        commands = terminal.terminal_words().some("cli_chat.commands")
        names = {alias: command for command, aliases in commands.items() for alias in aliases.split()}
        match names.get(name):
            case "facts":
                self._list()
            case "undo":
                self._undo()
            case "again":
                if self._said:
                    self._reply(self.conversation.regenerate(self._said[-1][0]))
                else:
                    self._aside(say("nothing_to_answer"))
            case "forget":
                self._forget(rest.strip())
            case "help":
                explanations = terminal.terminal_words().some("cli_chat.help")
                self.console.print(
                    grid(((commands[each], explanations[each]) for each in commands), "cyan", terminal.DIM)
                )
            case "leave":
                self._aside(say("farewell"))
                return False
            case _:
                self._aside(say("unknown", commands=" ".join(each.split()[0] for each in commands.values())))
        return True

    def _aside(self, line: str, style: str = terminal.DIM) -> None:
        self.console.print(line, style=style)

    def _known(self) -> list[Memory]:
        """Return what is true, without the summaries that upkeep makes of it."""
        return [memory for memory in self.mind.facts() if memory.content_type != "summary"]

    def _list(self) -> None:
        self._listed = dict(enumerate(self._known(), start=1))
        if not self._listed:
            self._aside(self.terms("nothing_known"))
        rows = [(str(n), self.terms.named(each.subject_id), Text(each.content)) for n, each in self._listed.items()]
        self.console.print(grid(rows, terminal.DIM, "cyan"))

    def _undo(self) -> None:
        if not self._said:
            self._aside(say("nothing_to_undo"))
            return
        turn_id, said = self._said.pop()
        self.mind.rewind(turn_id)
        self._aside(say("undone", text=said), "magenta")

    def _forget(self, number: str) -> None:
        chosen = self._listed.pop(int(number), None) if number.isdecimal() and len(number) < _DIGITS else None
        if chosen is None:
            self._aside(say("which"))
            return
        gone = self.mind.forget(chosen.id)
        self._aside(say("forgotten", content=gone.content), "magenta")

    def _reply(self, events: Generator[Event, None, None]) -> Observed | None:
        before = self.conversation.last
        line = _Line(self.console)
        try:
            with _one_interruption(), closing(events):
                for event in events:
                    self._show(event, line)
        except KeyboardInterrupt:
            line.end()
            self._aside(say("broken_off"))
        line.end()
        kept = self.conversation.last
        if kept is None or kept is before:
            return None
        others = tuple(felt for felt in kept.emotions if felt.speaker != CHARACTER)
        rows = [outcome(decision, self.terms) for decision in kept.decisions]
        if rows:
            self.console.print(Padding(outcome_table(rows, self.terms), (0, 0, 0, 2)))
        moved = moved_line(replace(kept, emotions=others), self.terms)
        if moved is not None:
            self.console.print(Padding(moved, (0, 0, 0, 2)))
        return kept

    def _show(self, event: Event, line: _Line) -> None:
        match event:
            case ContextBuilt():
                line.write(Text.assemble((self.terms.named("character"), "bold magenta"), "  "))
            case Delta():
                line.write(Text(event.text), spoken=True)
            case Emotion() if line.spoken:
                line.write(_face(event.felt))
            case Failed():
                spoken = line.spoken
                line.end()
                trouble = ModelFailed(event.failure, self.conversation.model.name, event.detail)
                told = failed(trouble, language=terminal.terminal_language(), began=spoken)
                self.console.print(told.message, style="red", soft_wrap=True)
                self.console.print(f"({event.failure}: {event.detail})", style=terminal.DIM, soft_wrap=True)


@dataclass(slots=True)
class _Line:
    """The line of a reply, written bit by bit: the terminal folds it."""

    console: Console
    begun: bool = False
    spoken: bool = False  #: something of the reply stands in it

    def write(self, piece: Text, *, spoken: bool = False) -> None:
        self.console.print(piece, end="", soft_wrap=True)
        self.begun = True
        self.spoken = self.spoken or spoken

    def end(self) -> None:
        """End it, if it is not ended; of a character that said nothing it shows that."""
        if self.begun:
            self.console.print("" if self.spoken else Text("…", style=terminal.DIM))
        self.begun = self.spoken = False


def _face(felt: Felt) -> Text:
    """Return how the character looks; nothing where it hardly feels anything."""
    faces = terminal.terminal_words().some("cli_chat.faces").get(felt.emotion)
    if faces is None or felt.intensity < FELT:
        return Text()
    little, much = faces.split()
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
