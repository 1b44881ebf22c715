"""What is forgotten is gone from every answer, whatever happens afterwards."""

from __future__ import annotations

import pytest

import gieok
from gieok.errors import UnknownMemory
from gieok.testing import day


def answers(mind: gieok.Mind, query: str) -> str:
    context = mind.context(query)
    return " ".join([*(hit.text for hit in mind.recall(query, k=20)), context.text.removesuffix(query)])


def test_the_words_it_was_read_from_are_gone_as_well(letia: gieok.Mind) -> None:
    letia.observe("나 고양이 좋아해", reply="그렇군요")
    letia.forget(letia.facts()[0].id)

    assert "고양이" not in answers(letia, "뭐 좋아한다고 했지?")


def test_it_cannot_be_put_into_a_context_by_name(letia: gieok.Mind) -> None:
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    letia.forget(memory.id)

    for item_id in (memory.id, *memory.sources):
        with pytest.raises(UnknownMemory):
            letia.context("안녕", include=[item_id])


def test_taking_back_another_turn_does_not_bring_it_back(letia: gieok.Mind) -> None:
    told = letia.remember("비밀번호 힌트는 바다", at=day(1))
    weather = letia.observe("날씨 좋네", at=day(2)).turn
    letia.remember("비밀번호 힌트는 바다", at=day(3))
    assert isinstance(told, gieok.Remember)
    letia.forget(told.memory.id, at=day(4))
    letia.rewind(weather.id)

    assert letia.facts() == []


def test_taking_back_the_turn_that_first_said_it_does_not_bring_it_back(letia: gieok.Mind) -> None:
    first = letia.observe("나 땅콩 좋아해", at=day(1)).turn
    letia.observe("나 땅콩 좋아해", at=day(2))
    letia.forget(letia.facts()[0].id, at=day(3))
    letia.rewind(first.id)

    assert letia.facts() == []
    assert "땅콩" not in answers(letia, "뭐 좋아해?")


def test_a_correction_and_a_pin_follow_what_was_said_when_the_first_turn_is_taken_back(letia: gieok.Mind) -> None:
    first = letia.observe("나 땅콩 좋아해", at=day(1)).turn
    letia.observe("나 땅콩 좋아해", at=day(2))
    [memory] = letia.facts()
    letia.pin(memory.id, at=day(3))
    letia.rewind(first.id)

    [memory] = letia.facts()
    assert (memory.value, memory.pinned) == ("땅콩", True)
