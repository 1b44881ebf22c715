"""Asking for the story so far, with what was said since."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Line, named, quoted, rendered, said
from gieok.prompts.reading import TEXT_ANSWER, text_in

VERSION: Final = "summarise/1"
_LONGEST: Final = 1_200


def summarise_prompt(
    *, summary: str, lines: Sequence[Line], user: str, character: str, language: Language
) -> Prompt[str]:
    """Ask for `summary` told anew with `lines` in it, in six sentences at most."""
    return Prompt(
        task="summarise",
        version=VERSION,
        messages=rendered(
            "summarise",
            language,
            user=named(user),
            character=named(character),
            summary=quoted(summary),
            lines=said(lines),
        ),
        schema=TEXT_ANSWER,
        read=partial(text_in, most=_LONGEST),
        most_tokens=768,
    )
