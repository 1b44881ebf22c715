"""Asking what a question means to somebody who has not heard the talk."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Final

from gieok.domain.answer import Prompt
from gieok.prompts.quoting import Language, Line, dated, named, quoted, rendered, said
from gieok.prompts.reading import TEXT_ANSWER, text_in

VERSION: Final = "rewrite_query/1"
_LONGEST: Final = 300


def rewrite_prompt(
    *, query: str, before: Sequence[Line], today: date, user: str, character: str, language: Language
) -> Prompt[str]:
    """Ask for `query` as a search question of one line that needs nothing `before` it."""
    return Prompt(
        task="rewrite_query",
        version=VERSION,
        messages=rendered(
            "rewrite_query",
            language,
            user=named(user),
            character=named(character),
            today=dated(today, language),
            before=said(before),
            query=quoted(query),
        ),
        schema=TEXT_ANSWER,
        read=partial(text_in, most=_LONGEST),
        most_tokens=128,
    )
