"""What the page shows of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import gieok
from gieok.domain.answer import BLOCKS, Source, Why
from gieok.domain.scoring import PART_NAMES
from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed
from gieok.testing import FixedClock, day
from gieok.web.ask import (
    CHOICES,
    KNOBS,
    TROUBLES,
    Answered,
    Asked,
    Knobs,
    answered,
    blocks_shown,
    gone,
    hits_shown,
    left_out,
    named,
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
        mind.observe("나 스물다섯 살이고 판교에 살아", reply="그렇군요", at=day(2))
        mind.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요", at=day(3))
        mind.observe("땅콩 알레르기 있어", reply="꼭 기억할게요", at=day(4))
        mind.observe("떡볶이 좋아해. 지난주에 먹었던 데가 좋더라", reply="또 가요", at=day(5))
        bank.scope(character="letia").remember("레티아는 떡볶이를 만들 줄 앎", about="character")
        yield mind


def ask(mind: gieok.Mind, knobs: Knobs | None = None, picked: tuple[str, ...] = ()) -> Answered:
    return answered(mind, Asked(text=ASKED, knobs=knobs or knobs_of(mind), picked=picked))


def knobs_of(mind: gieok.Mind) -> Knobs:
    return Knobs.of(mind.bank.settings)


def test_the_six_shares_of_a_bar_add_up_to_the_score_and_the_best_bar_is_full(letia: gieok.Mind) -> None:
    hits = hits_shown(ask(letia))

    for hit in hits:
        assert [share.part for share in hit.shares] == list(PART_NAMES)
        assert sum(share.adds for share in hit.shares) == pytest.approx(hit.score)
    assert sum(share.width for share in hits[0].shares) == pytest.approx(100)
    assert all(sum(share.width for share in hit.shares) <= 100.001 for hit in hits)


def test_places_are_compared_with_those_that_the_bank_gives(letia: gieok.Mind) -> None:
    knobs = knobs_of(letia).chosen("vtuber").turned("recall_k", 4)
    answer = ask(letia, knobs)
    own = [hit.text for hit in letia.recall(ASKED)]

    for hit in hits_shown(answer):
        before = own.index(hit.text) + 1 if hit.text in own else None
        expected = ("new", 0) if before is None else (_direction(before - hit.place), abs(before - hit.place))
        assert (hit.move.direction, hit.move.by) == expected
    assert {each.text for each in gone(answer)} == {*own} - {hit.text for hit in hits_shown(answer)}
    assert gone(answer)[0].place == own.index(gone(answer)[0].text) + 1
    assert all(hit.move.direction == "same" for hit in hits_shown(ask(letia)))


def _direction(higher: int) -> str:
    return "same" if higher == 0 else "up" if higher > 0 else "down"


def test_memories_of_this_mind_are_linked_lore_and_lines_of_talk_are_not(letia: gieok.Mind) -> None:
    hits = {hit.text: hit for hit in hits_shown(ask(letia))}
    own = next(memory for memory in letia.facts() if memory.content == "떡볶이를 좋아함")

    linked = {text: (hit.kind, hit.memory_id) for text, hit in hits.items()}
    assert linked["떡볶이를 좋아함"] == ("memory", own.id)
    assert linked["레티아는 떡볶이를 만들 줄 앎"] == ("canon", None)
    assert {hit.kind for hit in hits.values()} == {"memory", "canon", "said"}
    assert named("user", letia.key, {"user": "상대"}) == "minsu"
    assert named("world", letia.key, {"world": "세계"}) == "세계"
    assert named("지훈", letia.key, {}) == "지훈"


def test_a_hit_tells_whether_it_is_in_the_context_and_if_not_why(letia: gieok.Mind) -> None:
    def fate(knobs: Knobs) -> str:
        return next(hit.fate for hit in hits_shown(ask(letia, knobs)) if hit.text == "떡볶이를 좋아함")

    knobs = knobs_of(letia)
    assert fate(knobs) == "in"
    assert fate(knobs.switched("memories", on=False)) == "block_off"
    assert fate(knobs.turned("context_budget", 64)) == "over_budget"
    assert fate(knobs.turned("caps_memories", 0)) == "over_cap"


def test_the_lines_of_the_blocks_are_the_very_words_that_would_be_sent(letia: gieok.Mind) -> None:
    answer = ask(letia)
    shown = blocks_shown(answer)
    told = {block.name: "\n".join([block.heading, *(line.text for line in block.lines)]) for block in shown}

    for block in answer.context.blocks:
        assert told.get(block.name, "").strip("\n") == block.text
    assert sum(block.tokens for block in shown) == answer.context.tokens


def test_what_was_picked_is_marked_and_what_is_forgotten_is_not_asked_for(letia: gieok.Mind) -> None:
    cats, peanuts = (next(each for each in letia.facts("user") if each.value == value) for value in ("고양이", "땅콩"))
    letia.forget(peanuts.id)
    answer = ask(letia, picked=(cats.id, peanuts.id))

    assert answer.picked == (cats.id,)
    marked = [line.text for block in blocks_shown(answer) for line in block.lines if line.picked]
    assert len(marked) == 1
    assert marked[0].endswith("고양이를 좋아함")


def test_what_is_left_out_is_told_in_words_by_its_reason(letia: gieok.Mind) -> None:
    knobs = knobs_of(letia).switched("talk", on=False).turned("context_budget", 128)
    reasons = {reason.why: reason for reason in left_out(ask(letia, knobs))}

    talk = [missing.text for missing in reasons["block_off"].missing]
    assert "나 고양이 좋아해 / 저도 고양이 좋아해요" in talk
    assert {missing.block for missing in reasons["block_off"].missing} == {"talk"}
    people = next(missing for missing in reasons["over_budget"].missing if missing.block == "people")
    assert (people.text, people.count > 0) == ("", True)
    assert reasons["over_budget"].count == sum(missing.count for missing in reasons["over_budget"].missing)


def test_words_that_were_forgotten_are_not_told_as_left_out(letia: gieok.Mind) -> None:
    cats = next(each for each in letia.facts("user") if each.value == "고양이")
    letia.forget(cats.id)

    reasons = left_out(ask(letia, knobs_of(letia).switched("talk", on=False)))
    texts = [missing.text for reason in reasons for missing in reason.missing]
    assert "땅콩 알레르기 있어 / 꼭 기억할게요" in texts
    assert not any("나 고양이 좋아해" in text for text in texts)


def test_what_could_not_be_used_is_told_in_words_of_the_page(tmp_path: Path, letia: gieok.Mind) -> None:
    with gieok.open(tmp_path / "y.db", embedder=Broken()) as bank:
        mind = bank.scope(user="minsu")
        mind.observe("나 떡볶이 좋아해")
        assert [trouble(told) for told in ask(mind).context.degraded] == ["dense"]
        assert hits_shown(ask(mind))
    poor = answered(letia, Asked(text=ASKED * 20, knobs=knobs_of(letia).turned("context_budget", 64)))
    assert [trouble(told) for told in poor.context.degraded] == ["question", "cautions"]
    assert trouble("search is off: no answer within 2 s") == "search"
    assert trouble("rerank is off: model 'x' did not answer") == "other"


def test_asking_writes_nothing(letia: gieok.Mind) -> None:
    before = (letia.journal(), letia.facts(history=True))
    ask(letia, knobs_of(letia).chosen("social"))

    assert (letia.journal(), letia.facts(history=True)) == before


@pytest.mark.parametrize("language", ["ko", "en"])
def test_there_are_words_for_every_fate_source_block_and_knob(language) -> None:
    words = words_in(language)
    assert set(words.some("ask.fates")) == {"in", "not_offered", *get_args(Why)}
    assert set(words.some("ask.sources")) == set(get_args(Source))
    assert set(words.some("ask.blocks")) >= set(BLOCKS)
    assert set(words.some("ask.knobs")) == {knob.name for knob in KNOBS}
    assert set(words.some("ask.parts")) == set(PART_NAMES)
    assert set(words.some("ask.troubles")) >= {*TROUBLES.values(), "other"}
    assert set(words.some("ask.presets.about")) == set(CHOICES)
