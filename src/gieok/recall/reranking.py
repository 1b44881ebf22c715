"""The best hits in the order a model would give them. It is asked for ids, and can bring in nothing of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.answer import Found, Hit
from gieok.domain.memory import Memory
from gieok.prompts.rerank import rerank_prompt
from gieok.recall.counsel import Counsel
from gieok.recall.materials import is_caution
from gieok.recall.quotation import Quotation

RERANKED: Final = 20  #: hits that are put in order


def reranked(hits: Sequence[Hit], counsel: Counsel, quotation: Quotation) -> list[Hit] | None:
    """Return `hits`, the first of them in the order that a model gives them; None where it gives none.

    Those it does not name follow as they were. Cautions keep their places, whatever it thinks of them.
    """
    first = hits[:RERANKED]
    movable = {hit.item.id: hit for hit in first if not _stays(hit)}
    if len(movable) < 2:
        return list(hits)
    memories = [quotation.of(hit.item) for hit in movable.values()]
    answer = counsel.ask(rerank_prompt(query=quotation.query, memories=memories, language=quotation.language))
    if answer is None:
        return None
    named = [movable.pop(item_id) for item_id in dict.fromkeys(answer) if item_id in movable]
    moved = iter([*_placed(named), *movable.values()])
    return [*(hit if _stays(hit) else next(moved) for hit in first), *hits[RERANKED:]]


def _placed(named: Iterable[Hit]) -> list[Hit]:
    return [
        replace(hit, why=(*hit.why, Found(source="rerank", rank=place))) for place, hit in enumerate(named, start=1)
    ]


def _stays(hit: Hit) -> bool:
    return isinstance(hit.item, Memory) and is_caution(hit.item)
