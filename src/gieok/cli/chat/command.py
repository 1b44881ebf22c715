"""`gieok chat`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress

from gieok.cli.console import answers, wake
from gieok.cli.opening import Names, mind_to_teach, settings_for
from gieok.cli.options import BankPath, Character, User, World


def chat(bank: BankPath = None, user: User = None, character: Character = None, world: World = None) -> None:
    """Talk in the terminal, to a character that answers from what it remembers."""
    from gieok.cli.chat.conversation import Conversation
    from gieok.domain.scope import Scope
    from gieok.ids import new_id

    newcomer = Scope(user="나", character="레티아")
    with mind_to_teach(settings_for(bank), Names(user, character, world), newcomer) as (opened, mind):
        wake(opened)
        conversation = Conversation(mind=mind, console=answers(), session=new_id())
        conversation.open()
        conversation.hear(_typed(mind.key.user or "나") if sys.stdin.isatty() else sys.stdin)


def _typed(user: str) -> Iterator[str]:
    """Yield what is typed, until the end of input."""
    with suppress(ImportError):
        import readline  # noqa: F401  # arrow keys and history; not on every system

    while True:
        try:
            yield input(f"{user}  ")
        except EOFError:
            answers().print()
            return
