"""The page "ask": settings that are tried, what is shown of an answer, and questions that come fast."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

import gieok
from gieok.domain.answer import BLOCKS, Source, Why
from gieok.domain.scoring import PART_NAMES
from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed
from gieok.presets import PRESETS
from gieok.settings import Settings
from gieok.testing import FixedClock, day
from gieok.web.ask import (
    CHOICES,
    DEFAULT,
    KNOBS,
    OWN,
    TROUBLES,
    Answered,
    Asked,
    Knobs,
    LatestOnly,
    answered,
    fates,
    left_out,
    lines_of,
    trouble,
)
from gieok.words import words_in


class Broken(HashingEmbedder):
    """An embedder whose model is gone."""

    def embed(self, *texts: Any, **options: Any) -> Any:
        raise EmbedderFailed("the model file is gone")


ASKED = "저녁에 떡볶이 먹을까?"


@pytest.fixture
def letia(tmp_path: Path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "x.db", embedder="hashing", clock=FixedClock(day(9))) as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe("나 스물다섯 살이야. 나 판교 살아", reply="그렇군요", at=day(2))
        mind.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요", at=day(3))
        mind.observe("땅콩 알레르기 있어", reply="꼭 기억할게요", at=day(4))
        mind.observe("나 떡볶이 좋아해. 지난주에 먹었던 데가 좋더라", reply="또 가요", at=day(5))
        bank.scope(character="letia").remember("레티아는 떡볶이를 만들 줄 앎", about="character")
        yield mind


def ask(mind: gieok.Mind, knobs: Knobs | None = None, picked: tuple[str, ...] = ()) -> Answered:
    return answered(mind, Asked(text=ASKED, knobs=knobs or knobs_of(mind), picked=picked))


def knobs_of(mind: gieok.Mind) -> Knobs:
    return Knobs.of(mind.bank.settings)


def test_places_are_compared_with_those_of_the_banks_settings(letia: gieok.Mind) -> None:
    answer = ask(letia, knobs_of(letia).chosen("vtuber").turned("recall_k", 4))

    assert [hit.item.id for hit in answer.own_hits] == [hit.item.id for hit in letia.recall(ASKED)]
    assert [hit.text for hit in answer.hits] != [hit.text for hit in answer.own_hits]
    assert ask(letia).hits == ask(letia).own_hits


def test_a_hit_says_whether_it_is_in_the_context_and_if_not_why(letia: gieok.Mind) -> None:
    [likes] = [each.id for each in letia.facts() if each.content == "떡볶이를 좋아함"]

    def fate(knobs: Knobs) -> str:
        return fates(ask(letia, knobs))[likes]

    knobs = knobs_of(letia)
    assert fate(knobs) == "in"
    assert fate(knobs.switched("memories", on=False)) == "block_off"
    assert fate(knobs.turned("context_budget", 64)) == "over_budget"
    assert fate(knobs.turned("caps_memories", 0)) == "over_cap"


def test_the_lines_of_the_blocks_are_the_text_that_would_be_sent(letia: gieok.Mind) -> None:
    cats, peanuts = (next(each for each in letia.facts("user") if each.value == value) for value in ("고양이", "땅콩"))
    letia.forget(peanuts.id)
    answer = ask(letia, picked=(cats.id, peanuts.id))

    for block in answer.context.blocks:
        assert "\n".join(line for line, _ in lines_of(block)) == block.text
    assert answer.picked == (cats.id,)
    [picked] = [line for block in answer.context.blocks for line, item_id in lines_of(block) if item_id == cats.id]
    assert picked.endswith("고양이를 좋아함")


def test_what_is_left_out_is_listed_by_reason_without_what_is_forgotten(letia: gieok.Mind) -> None:
    [cats] = [each for each in letia.facts("user") if each.value == "고양이"]
    letia.forget(cats.id)
    knobs = knobs_of(letia).switched("talk", on=False).turned("context_budget", 128)
    reasons = left_out(ask(letia, knobs))

    off = [text for _, text, _ in reasons["block_off"]]
    assert "땅콩 알레르기 있어 / 꼭 기억할게요" in off
    assert not any("나 고양이 좋아해" in text for text in off)
    assert {block for block, _, _ in reasons["block_off"]} == {"talk"}
    assert [(text, count > 0) for block, text, count in reasons["over_budget"] if block == "people"] == [("", True)]


def test_what_could_not_be_used_has_words(tmp_path: Path, letia: gieok.Mind) -> None:
    with gieok.open(tmp_path / "y.db", embedder=Broken()) as bank:
        mind = bank.scope(user="minsu")
        mind.observe("나 떡볶이 좋아해")
        answer = ask(mind)
        assert [trouble(each) for each in answer.context.degraded] == ["dense"]
        assert answer.hits
    poor = answered(letia, Asked(text=ASKED * 20, knobs=knobs_of(letia).turned("context_budget", 64)))
    assert [trouble(each) for each in poor.context.degraded] == ["question", "cautions"]
    assert trouble("search is off: no answer within 2 s") == "search"
    assert trouble("rerank is off: model 'x' did not answer") == "other"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_there_are_words_for_every_fate_source_block_and_knob(language) -> None:
    words = words_in(language)
    assert set(words.some("ask.fates")) == {"in", "not_offered", *get_args(Why)}
    assert set(words.some("ask.sources")) == set(get_args(Source))
    assert set(words.some("shared.blocks")) >= set(BLOCKS)
    assert set(words.some("ask.knobs")) == {knob.name for knob in KNOBS}
    assert set(words.some("ask.parts")) == set(PART_NAMES)
    assert set(words.some("ask.troubles")) >= {*TROUBLES.values(), "other"}
    assert set(words.some("ask.presets.about")) == set(CHOICES)


SET = Settings(weights_graph=0.9, recall_k=5, context_budget=700, preset="heroine")


def test_every_preset_can_be_chosen() -> None:
    assert set(CHOICES) == {OWN, DEFAULT, *PRESETS}


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_every_knob_turns_its_setting_and_no_other_and_stops_at_its_ends(knob) -> None:
    turned = Knobs.of(SET).turned(knob.name, knob.least + knob.step)

    assert turned.value(knob.name) == knob.least + knob.step
    assert replace(turned.settings, **{knob.name: getattr(SET, knob.name)}) == SET
    assert Knobs.of(SET).turned(knob.name, -5).value(knob.name) == knob.least
    assert Knobs.of(SET).turned(knob.name, 1e9).value(knob.name) == knob.most


def test_turning_the_number_of_turns_ends_the_rule_by_messages() -> None:
    character = Knobs.of(SET).chosen("character")

    assert character.settings.recent_messages == 30
    assert character.turned("recent_turns", 3).settings.recent_messages == 0


def test_a_preset_sets_everything_that_it_sets_and_back_restores_all() -> None:
    turned = Knobs.of(SET).turned("weights_keyword", 0.5).switched("talk", on=False).chosen("social")

    assert turned.settings == replace(SET, preset=None).as_preset("social")
    assert turned.without == {"talk"}
    assert turned.is_changed
    assert turned.back() == Knobs.of(SET)
    assert not turned.back().is_changed


def test_what_ranks_as_the_bank_does_is_not_called_changed() -> None:
    plain = Knobs.of(Settings())

    assert not plain.chosen(DEFAULT).ranks_otherwise
    assert plain.chosen("vtuber").ranks_otherwise
    assert not plain.switched("talk", on=False).ranks_otherwise
    assert plain.switched("talk", on=False).is_changed
    assert not plain.switched("talk", on=False).switched("talk", on=True).is_changed


def test_no_model_is_asked_while_knobs_are_turned() -> None:
    knobs = Knobs.of(replace(SET, rerank=True, compress=True, rewrite_query=True)).chosen("care")

    for settings in (knobs.own, knobs.settings):
        assert {settings.rerank, settings.compress, settings.rewrite_query} == {False}


class Oracle:
    """Answers when it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go = asyncio.Event()

    async def answer(self, question: str) -> str:
        self.asked.append(question)
        await self.go.wait()
        if question.startswith("bad"):
            raise ValueError(question)
        return question.upper()


def asking_of(oracle: Oracle) -> tuple[LatestOnly[str, str], list[str]]:
    shown: list[str] = []
    return LatestOnly(oracle.answer, shown.append), shown


def test_only_the_last_of_many_is_answered_after_the_first_and_only_it_is_shown() -> None:
    async def story() -> tuple[list[str], list[str]]:
        oracle = Oracle()
        asking, shown = asking_of(oracle)
        first = asyncio.create_task(asking.ask("a"))
        await asyncio.sleep(0)
        for question in "bcd":
            await asking.ask(question)
        oracle.go.set()
        await first
        return oracle.asked, shown

    assert asyncio.run(story()) == (["a", "d"], ["D"])


def test_a_failure_that_another_question_has_overtaken_is_forgotten() -> None:
    async def story() -> list[str]:
        oracle = Oracle()
        asking, shown = asking_of(oracle)
        first = asyncio.create_task(asking.ask("bad"))
        await asyncio.sleep(0)
        await asking.ask("good")
        oracle.go.set()
        await first
        return shown

    assert asyncio.run(story()) == ["GOOD"]
