"""Asking a mind under turned knobs: what comes to mind, what would be sent, and what both would be as the bank is set.

It reads and never writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gieok.bank import Mind
from gieok.domain.answer import Context, Hit, Item
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.errors import UnknownTurn
from gieok.web.ask.knobs import Knobs


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, and how it is asked."""

    text: str
    knobs: Knobs
    at: datetime | None = None  #: None: now
    picked: tuple[str, ...] = ()  #: ids of what is to be in the context


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was found for a question, and the context made for it."""

    asked: Asked
    scope: Scope
    hits: Sequence[Hit]
    own_hits: Sequence[Hit]  #: as the bank is set
    context: Context
    picked: tuple[str, ...]  #: of what was picked, what is still there
    items: Mapping[str, Item]  #: what was picked, and what was left out of the context
    turns: Mapping[str, Sequence[Utterance]]  #: what was said in the turns that were left out


def answered(mind: Mind, asked: Asked) -> Answered:
    """Ask `mind`. Raises `InvalidText` for a question that cannot be asked."""
    knobs = asked.knobs
    tried, own = mind.under(knobs.settings), mind.under(knobs.own)
    hits = tried.recall(asked.text, at=asked.at, explain=True)
    own_hits = own.recall(asked.text, at=asked.at) if knobs.ranks_otherwise else hits
    picked = tuple(mind.items(asked.picked))
    context = tried.context(asked.text, at=asked.at, include=picked, without=knobs.without)
    items = mind.items(dict.fromkeys([*picked, *_left_out(context)]))
    return Answered(
        asked=asked,
        scope=mind.key,
        hits=hits,
        own_hits=own_hits,
        context=context,
        picked=picked,
        items=items,
        turns={turn_id: said for turn_id in _left_out(context, "talk") if (said := _said(mind, turn_id))},
    )


def _left_out(context: Context, *blocks: str) -> list[str]:
    return [each.item_id for block in context.blocks if not blocks or block.name in blocks for each in block.left_out]


def _said(mind: Mind, turn_id: str) -> list[Utterance]:
    """Return what was said in a turn and not forgotten; nothing where it was taken back in the meantime."""
    try:
        said = mind.turn(turn_id).utterances
    except UnknownTurn:
        return []
    heard = mind.items([each.id for each in said])
    return [each for each in said if each.id in heard]
