"""Asking how the character sees something that happened."""

from __future__ import annotations

from functools import partial
from typing import Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, named, quoted, rendered
from gieok.prompts.reading import TEXT_ANSWER, text_in

VERSION: Final = "interpret/1"
_LONGEST: Final = 240


def interpret_prompt(
    *, event: str, user: str, character: str, persona: str, relationship: str, language: Language
) -> Prompt[str]:
    """Ask for one sentence in the character's own voice."""
    return Prompt(
        task="interpret",
        version=VERSION,
        messages=rendered(
            "interpret",
            language,
            user=named(user),
            character=named(character),
            persona=quoted(persona),
            relationship=quoted(relationship),
            event=quoted(event),
        ),
        schema=TEXT_ANSWER,
        read=partial(text_in, most=_LONGEST),
        most_tokens=160,
    )
