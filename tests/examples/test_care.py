"""examples/care: over ten years every cat keeps its own cautions, and they are in every context."""

from __future__ import annotations

from typing import Any

import pytest

from support.playing import player


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield player("care", patch)(tmp_path_factory.mktemp("cats"), embedder="hashing")


def test_no_year_forgets_a_caution_and_there_are_more_of_them_from_year_to_year(played):
    result, screen = played
    assert list(result.years) == list(range(2016, 2026))
    assert result.forgotten == []
    counts = [len(year.cautions) for year in result.years.values()]
    assert counts == sorted(counts)
    assert counts[-1] == 8
    assert "잊었다" not in screen


def test_upkeep_passes_over_every_year(played):
    assert all(year.done for year in played[0].years.values())


def test_a_question_about_one_cat_is_answered_with_its_own_cautions(played):
    answers = {answer.cat: answer for answer in played[0].answers}
    assert set(answers["코코"].cautions) == {
        "(코코) 닭고기 사료를 피해야 함",
        "(코코) 닭고기 알레르기가 있음",
        "(코코) 항생제 알레르기가 있음",
    }
    assert set(answers["나비"].cautions) == {
        "(나비) 신부전이 있음",
        "(나비) 저단백 식단을 함",
        "(나비) 처방식을 함",
        "(나비) 혈압약을 먹음",
    }
    assert answers["치즈"].cautions == []  # 치즈는 우유 먹으면 설사해요: whose it is stays in doubt
    assert all("(코코)" not in each for each in answers["나비"].cautions)


def test_the_owners_own_allergy_is_the_owners_and_other_peoples_cats_are_nobodys(played):
    last = played[0].years[2025].cautions
    assert "(상대) 고양이 털 알레르기가 있음" in last
    assert not any(word in each for each in last for word in ("당뇨", "백혈병", "루이"))


def test_vaccinations_and_weights_are_a_history_of_each_cat(played):
    result, _ = played
    assert result.vaccinations == {
        "나비": ["2016년 종합백신", "2017년 종합백신", "2019년 종합백신"],
        "코코": ["2016년 종합백신", "2018년 종합백신", "2021년 종합백신", "2024년 종합백신"],
        "치즈": ["2023년 종합백신"],
    }
    assert result.weights == {
        "나비": [(2016, "3.8"), (2025, "3.3")],
        "코코": [(2018, "4.1"), (2024, "5.6"), (2025, "4.8")],
        "치즈": [(2020, "1.9"), (2023, "4.9")],
    }
