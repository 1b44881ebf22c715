"""Hits as a model gets to see them: what they say, when it was said, and of whom or by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.language.token_count import estimate_tokens
from gieok.prompts.quoting import Language, Quoted
from gieok.recall.pages import excerpt
from gieok.recall.wording import WORDINGS, whose

_LONGEST: Final = 80  #: tokens of one


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """How items are quoted to a model that is asked about `query`."""

    query: str
    scope: Scope
    now: datetime  #: by the clock that days are named by
    language: Language

    def of(self, item: Item) -> Quoted:
        text, said_at = (item.content, item.known_at) if isinstance(item, Memory) else (item.text, item.at)
        return Quoted(
            id=item.id,
            text=excerpt(text, self.query, _LONGEST, estimate_tokens),
            day=said_at.astimezone(self.now.tzinfo).date(),
            about=whose(item, WORDINGS[self.language], self.scope),
        )
