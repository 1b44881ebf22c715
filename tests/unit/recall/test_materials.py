"""In which order things are said: what was picked, then what warns, then the rest."""

from __future__ import annotations

from typing import Any

import pytest

from gieok.domain.answer import Found, Hit, Item, Source
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts
from gieok.recall.context import Materials, category
from gieok.testing import day, memory, turn

SCOPE = Scope(user="minsu", character="letia")


def materials(*hits: Hit, pinned: tuple[Memory, ...] = ()) -> Materials:
    return Materials(query="", scope=SCOPE, pinned=pinned, hits=hits, known=(), turns=(), now=day(9))


def hit(item: Item, source: Source = "dense", **parts: float) -> Hit:
    return Hit(item=item, scope=SCOPE, score=0.5, parts=Parts(**parts), why=(Found(source=source, rank=1),))


def caution(text: str = "땅콩", **fields: Any) -> Memory:
    return memory(text, attribute="allergy", **fields)


def in_order(*hits: Hit) -> list[int]:
    """Return the places that the hits had."""
    return [hits.index(each) for each in materials(*hits).hits_in_order()]


def test_pinned_are_cautions_then_who_somebody_is_then_the_rest_each_by_importance_and_age() -> None:
    pinned = (
        memory("약속", id="a", attribute="promise", importance=1.0),
        memory("이름", id="b", attribute="name", importance=0.1),
        memory("말", id="c", importance=0.9),
        caution("새우", id="e", importance=0.2),
        caution("땅콩", id="d", importance=0.2),
        caution("약", id="f", importance=0.9),
    )
    ordered = [each.content for each in materials(pinned=pinned).pinned_in_order()]

    assert ordered == ["약", "땅콩", "새우", "이름", "약속", "말"]


@pytest.mark.parametrize(
    ("parts", "warns"),
    [
        ({"keyword": 0.01}, True),
        ({"graph": 0.01}, True),
        ({"relevance": 0.3}, True),
        ({"relevance": 0.299}, False),
        ({"importance": 1.0, "recency": 1.0, "strength": 1.0}, False),
    ],
)
def test_a_caution_warns_where_it_has_to_do_with_the_question(parts: dict[str, float], warns: bool) -> None:
    assert in_order(hit(memory("고양이")), hit(caution(), **parts)) == ([1, 0] if warns else [0, 1])


def test_nothing_but_a_caution_warns() -> None:
    [said] = turn("땅콩 먹으면 안 돼").utterances

    assert category(caution()) == "caution"
    assert category(memory("땅콩")) != "caution"
    assert category(memory("땅콩", attribute="likes")) != "caution"
    assert in_order(
        hit(memory("고양이")), hit(said, keyword=1.0), hit(memory("개", attribute="likes"), keyword=1.0)
    ) == [0, 1, 2]
