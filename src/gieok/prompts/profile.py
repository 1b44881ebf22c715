"""Asking who somebody is, out of what is remembered of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Quoted, named, remembered, rendered
from gieok.prompts.reading import TEXT_ANSWER, text_in

VERSION: Final = "profile/1"
_LONGEST: Final = 600


def profile_prompt(*, name: str, memories: Sequence[Quoted], language: Language) -> Prompt[str]:
    """Ask for a few sentences on `name`."""
    return Prompt(
        task="profile",
        version=VERSION,
        messages=rendered("profile", language, name=named(name), memories=remembered(memories)),
        schema=TEXT_ANSWER,
        read=partial(text_in, most=_LONGEST),
        most_tokens=400,
    )
