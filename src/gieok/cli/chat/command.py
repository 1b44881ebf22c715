"""`gieok chat`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gieok.cli.console import answers, waiting, wake
from gieok.cli.opening import Names, mind_to_teach, settings_for
from gieok.cli.options import BankPath, Character, User, World

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.cli.chat.voices import Voice

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
    from gieok.cli.chat.answering import phrase
    from gieok.cli.chat.sitting import Sitting
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
    from gieok.cli.chat.voices import Phrases, Spoken
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
