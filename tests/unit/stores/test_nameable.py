"""The facts that a text names, from memory: what the file says after every write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.stores.tables.cache import Nameable
from gieok.testing import day, memory, turn

SCOPE = Scope(user="민수")
TEXT = "나 인제 합정 말고 판교 살아. 라면이랑 김밥은 좋아하고 INFP는 아니야"


def named(bank: MemoryBank, text: str = TEXT) -> list[str | None]:
    with bank.services.store.view(SCOPE) as view:
        return [memory.value for memory in view.mentioned(text)]


def test_what_is_kept_follows_every_write_and_is_what_the_file_says(tmp_path: Path) -> None:
    place = tmp_path / "bank.db"
    with (
        gieok.open(place, embedder="hashing", upkeep="off") as bank,
        gieok.open(place, embedder="hashing", upkeep="off") as beside,
    ):
        mind = bank.mind(SCOPE)

        def look() -> list[str | None]:
            with gieok.open(place, embedder="hashing", upkeep="off") as fresh:
                expected = named(fresh)
            assert named(bank) == named(beside) == expected
            return expected

        assert look() == []
        turn = mind.observe("나 합정 살아. 라면 좋아해").turn
        assert look() == ["합정", "라면"]
        mind.observe("나 이제 판교 살아")
        assert look() == ["라면", "판교"]
        mind.forget(mind.facts(attribute="likes")[0].id)
        assert look() == ["판교"]
        beside.mind(SCOPE).remember("MBTI는 INFP임", attribute="mbti", value="INFP")
        assert look() == ["판교", "INFP"]
        mind.rewind(turn.id)
        assert "합정" not in look()


def test_a_view_goes_on_seeing_the_facts_of_its_time(tmp_path: Path) -> None:
    with gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep="off") as bank:
        mind = bank.mind(SCOPE)
        mind.observe("나 합정 살아")
        with bank.services.store.view(SCOPE) as earlier:
            assert [memory.value for memory in earlier.mentioned(TEXT)] == ["합정"]
            mind.observe("나 이제 판교 살아")
            assert [memory.value for memory in earlier.mentioned(TEXT)] == ["합정"]
        assert named(bank) == ["판교"]


def test_of_very_many_facts_that_a_text_names_some_are_enough(tmp_path: Path) -> None:
    liked = [f"라면{number:02}" for number in range(40)]
    with gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep="off") as bank:
        for each in liked:
            bank.mind(SCOPE).remember(f"{each}를 좋아함", attribute="likes", value=each)
        found = named(bank, " ".join(liked))
        assert len(found) == 32
        assert set(found) < set(liked)


def test_a_fact_is_named_by_its_value_or_its_words_in_either_case() -> None:
    facts = Nameable.of([(1, "INFP", "인프피"), (2, "25", None), (3, None, "판교")])
    assert facts.named_in("난 infp고 판교 살아") == [1, 3]
    assert facts.named_in("인프피, 25살") == [1, 2]
    assert facts.named_in("아무것도") == []
    assert facts.after({1: None}).named_in("infp 판교") == [3]


FACT = memory(attribute="residence", value="판교", surface="판교역")


@pytest.mark.parametrize(
    ("touched", "named"),
    [
        (FACT, True),
        (replace(FACT, subject="character"), False),
        (replace(FACT, subject_id="민지"), False),
        (replace(FACT, attribute=None), False),
        (replace(FACT, polarity="-"), False),
        (replace(FACT, invalid_at=day(3)), False),
        (replace(FACT, retracted=True), False),
        (replace(FACT, forgotten_at=day(3)), False),
        (turn("판교 살아").utterances[0], False),
        (None, False),
    ],
)
def test_only_a_current_fact_of_the_user_is_named(touched: Any, named: bool) -> None:
    for before in (Nameable.of([]), Nameable.of([(1, "판교", None)])):
        assert before.after({1: touched}).named_in("판교역") == ([1] if named else [])
        assert before.after({2: touched, 1: None}).named_in("판교") == ([2] if named else [])


def test_nothing_is_named_by_words_that_it_does_not_have() -> None:
    assert Nameable.of([(1, None, None)]).named_in("판교 None \xff") == []
