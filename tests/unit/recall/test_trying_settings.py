"""Other settings are tried on a mind without changing it, its bank, or what the bank has loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.domain.answer import BLOCKS, Block
from gieok.embedders import HashingEmbedder
from gieok.errors import InvalidQuery
from gieok.presets import PRESETS
from gieok.testing import FixedClock, day

from .conftest import told

ASKED = "오늘 저녁에 뭐 먹을까?"


class CountingEncoder(HashingEmbedder):
    """An encoder that knows how often it was loaded."""

    loaded = 0

    def warm(self) -> None:
        self.loaded += 1


def block(context: gieok.Context, name: str) -> Block:
    return next(each for each in context.blocks if each.name == name)


def reasons(blocks: Sequence[Block]) -> set[str]:
    return {each.why for block in blocks for each in block.left_out}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_tried_on_a_mind_recalls_as_a_bank_that_is_set_so(tmp_path: Path, name: str) -> None:
    where: dict[str, Any] = {"location": tmp_path / "x.db", "embedder": "hashing", "clock": FixedClock(day(6))}
    with gieok.open(**where) as bank:
        mind = told(bank.scope(user="minsu", character="letia"))
        tried = mind.under(bank.settings.as_preset(name))
        hits, context = tried.recall(ASKED), tried.context(ASKED)
        assert hits != mind.recall(ASKED)

    with gieok.open(**where, preset=name) as bank:
        set_so = bank.scope(user="minsu", character="letia")
        assert hits == set_so.recall(ASKED)
        assert context == set_so.context(ASKED)


def test_trying_settings_changes_neither_mind_nor_bank_and_loads_no_second_encoder(
    open_mind: Callable[..., gieok.Mind],
) -> None:
    encoder = CountingEncoder()
    mind = told(open_mind(embedder=encoder))
    before, settings, journal = mind.recall(ASKED), mind.bank.settings, mind.journal()
    loaded = encoder.loaded

    mind.under(settings.as_preset("vtuber")).recall(ASKED)
    mind.under(replace(settings, context_budget=120, weights_keyword=0.0)).context(ASKED)

    assert mind.recall(ASKED) == before
    assert (mind.bank.settings, mind.journal()) == (settings, journal)
    assert encoder.loaded == loaded


def test_what_a_call_takes_from_settings_is_taken_from_those_that_are_tried(story: gieok.Mind) -> None:
    settings = replace(story.bank.settings, recall_k=2, context_budget=150, caps_memories=40)
    tried = story.under(settings)

    assert len(tried.recall(ASKED)) == 2
    assert tried.context(ASKED).budget == 150
    assert block(tried.context(ASKED, budget=4_000), "memories").tokens <= 40


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_that_is_not_wanted_says_nothing_and_names_all_it_would_have_held(story: gieok.Mind, name: str) -> None:
    story.maintain(["summarise"])
    whole = story.context(ASKED, examples=["상대: 심심해"])
    less = story.context(ASKED, examples=["상대: 심심해"], without=[name])

    assert block(less, name).text == ""
    assert block(less, name).tokens == 0
    assert block(whole, name).text.splitlines()[0] not in less.text
    assert reasons([block(less, name)]) == {"block_off"}


def test_the_room_of_an_unwanted_block_is_for_the_others(story: gieok.Mind) -> None:
    tight = story.context(ASKED, budget=104)
    freed = story.context(ASKED, budget=104, without=["talk", "pinned"])

    assert not block(tight, "memories").items
    assert block(freed, "memories").items


def test_an_unknown_block_is_refused(story: gieok.Mind) -> None:
    with pytest.raises(InvalidQuery, match="unknown block 'memory'"):
        story.context(ASKED, without=["memory"])


def test_what_a_cap_keeps_out_is_told_apart_from_what_the_budget_keeps_out(story: gieok.Mind) -> None:
    capped = story.under(replace(story.bank.settings, caps_memories=40)).context(ASKED)
    poor = story.context(ASKED, budget=150)

    assert "over_cap" in reasons([block(capped, "memories")])
    assert "over_budget" in reasons([block(poor, "memories")])
    assert "over_cap" not in reasons(poor.blocks)


def test_items_are_looked_up_by_id_but_not_what_is_forgotten(story: gieok.Mind) -> None:
    cats, peanuts = (next(each for each in story.facts() if each.value == value) for value in ("고양이", "땅콩"))
    said: Any = story.turns(1)[-1].utterances[0]
    story.forget(peanuts.id)

    assert story.items([said.id, "nowhere", cats.id, peanuts.id]) == {said.id: said, cats.id: cats}
