"""The words of a scope in memory say what the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.ports import Occurrences
from gieok.stores.tables.search_index import WordIndex, scoped_terms

SCOPE, OTHER = Scope(user="민수"), Scope(user="철수")
WORDS = ("라면", "김밥", "김밥천국", "Ramen", "ramen", "고양이", "없는말", "", " ")
PREFIXES = ("김밥", "라", "r", "고")
TALK = (
    "라면 먹고 라면 또 먹었어",
    "김밥천국에서 김밥 먹었어",
    "Ramen is ramen",
    "고양이가 김밥을 먹었어",
    "라면집 고양이",
)


@pytest.fixture
def bank(tmp_path: Path) -> MemoryBank:
    return gieok.open(tmp_path / "bank.db", embedder="hashing", upkeep="off")


def found(bank: MemoryBank, times: int = 1) -> list[tuple[list[int], list[int]]]:
    """Return where the words stand; asked often enough, the bank answers from memory."""
    answers: list[Occurrences] = []
    for _ in range(times):
        with bank.services.store.view(SCOPE) as view:
            answers = [*view.occurrences(WORDS), *view.prefix_occurrences(PREFIXES)]
    return [(each.places.tolist(), each.times.tolist()) for each in answers]


def test_what_is_kept_grows_with_every_write_and_is_what_the_file_says(tmp_path: Path, bank: MemoryBank) -> None:
    place = tmp_path / "bank.db"
    with bank, gieok.open(place, embedder="hashing", upkeep="off") as beside:
        mind = bank.mind(SCOPE)

        def look() -> None:
            with gieok.open(place, embedder="hashing", upkeep="off") as fresh:
                expected = found(fresh)
            assert found(bank, times=4) == expected
            assert found(beside, times=4) == expected

        turns = []
        for text in TALK:
            turns.append(mind.observe(text, reply="김밥 좋죠").turn)
            look()
        told = mind.remember("라면을 좋아함", attribute="likes", value="라면")
        look()
        beside.mind(SCOPE).observe("김밥 싫어", reply="라면은요?")
        look()
        mind.rewind(turns[1].id)
        look()
        mind.forget(mind.facts(attribute="likes")[0].id)
        look()
        assert told is not None
        assert any(places for places, _ in found(bank))


def test_no_word_of_another_scope_is_found(bank: MemoryBank) -> None:
    with bank:
        bank.mind(SCOPE).observe("라면 먹었어")
        for _ in range(30):  # its number begins with that of the other
            bank.scope(user=f"{_}").observe("김밥 김밥")
        assert sum(len(places) for places, _ in found(bank, times=4)) == sum(len(places) for places, _ in found(bank))
        assert [places for places, _ in found(bank, times=4)][1] == []


def test_a_longer_word_is_found_by_its_beginning_but_not_the_word_itself() -> None:
    words = WordIndex([("1x김", "1,1"), ("1x김밥", "2"), ("1x김밥천국", "3,3"), ("1x라면", "4")])
    assert words.beginning("1x김").tolist() == [2, 3, 3]
    assert words.standing("1x김").tolist() == [1, 1]
    assert words.standing("1x밥").tolist() == words.beginning("1x라면").tolist() == words.standing(None).tolist() == []


def test_new_words_are_put_in_their_place() -> None:
    words = WordIndex([("1x가", "1"), ("1x하늘", "2")])
    before = words.size
    words.add([(3, "1x나 1x하늘 1x나 ?"), (4, "1x하늘소")], lambda term: None if term == "?" else term)
    assert words.standing("1x나").tolist() == [3, 3]
    assert words.standing("1x하늘").tolist() == [2, 3]
    assert words.beginning("1x하").tolist() == [2, 3, 4]
    assert words.size > before


def test_the_size_is_that_of_the_ids_and_an_entry_for_each_word() -> None:
    words = WordIndex([("1x가", "1,2"), ("1x나", "2")])
    assert words.size == 3 * 8 + 2 * 200
    words.add([(3, "1x가 1x다")], lambda term: term)
    assert words.size == 5 * 8 + 3 * 200


def test_of_a_very_common_word_a_hundred_thousand_places_are_enough() -> None:
    words = WordIndex([("1x가", ",".join(["7"] * 100_001)), ("1x가나", "8")])
    assert len(words.standing("1x가")) == 100_000
    assert words.beginning("1x").tolist()[-1] == 7
    assert len(words.beginning("1x")) == 100_000


def test_nothing_begins_with_no_word_and_a_beginning_ends_with_its_letters() -> None:
    words = WordIndex([("1x가", "1"), ("1x가나", "2"), ("1x가다라", "3"), ("1x각", "4")])
    assert words.beginning(None).tolist() == []
    assert words.beginning("1x가").tolist() == [2, 3]


def test_a_term_is_put_together_without_what_would_split_it_and_left_out_where_nothing_stays() -> None:
    assert scoped_terms(5, ["라면", "a b", "가\x00나\u180e다", " \n", "\ud800"]) == ["5x라면", "5xab", "5x가나다"]
