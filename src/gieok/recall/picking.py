"""What is picked for a context: items that are asked for by their ids, and turns as far as they may be quoted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gieok.domain.answer import Found, Hit, Item
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.domain.turn import Turn
from gieok.ports import View
from gieok.recall.ranking import Ranked
from gieok.recall.sharing import Sibling


@dataclass(slots=True)
class Pile:
    """What a context may be made of, while it is gathered."""

    found: list[Ranked] = field(default_factory=list)
    known: list[Ranked] = field(default_factory=list)
    picked: dict[str, Hit] = field(default_factory=dict)  #: what was asked for by id
    always: list[Memory] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    summary: str = ""
    late: set[str] = field(default_factory=set)


def picked(view: View, scope: Scope, item_ids: tuple[str, ...], sibling: Sibling | None = None) -> dict[str, Hit]:
    """Return those of the named items that `view` has and that may be read, as hits."""
    if not item_ids:
        return {}
    refs = view.refs(item_ids)
    items = view.items(refs.values())
    silent = view.forgotten_words()
    if sibling is not None:
        items = {ref: sibling.told(item) for ref, item in items.items() if sibling.allows(item)}
    return {
        item_id: Hit(item=items[ref], scope=scope, score=1.0, parts=Parts(), why=(Found(source="included", rank=rank),))
        for rank, (item_id, ref) in enumerate(refs.items(), start=1)
        if ref in items and item_id not in silent and not _is_hidden(items[ref])
    }


def _is_hidden(item: Item) -> bool:
    return isinstance(item, Memory) and item.hidden


def heard(silent: frozenset[str], turns: list[Turn]) -> list[Turn]:
    """Return `turns` without the utterances in `silent`."""
    left = (
        replace(turn, utterances=tuple(each for each in turn.utterances if each.id not in silent)) for turn in turns
    )
    return [turn for turn in left if turn.utterances]
