"""Free sentences that a person tells outright are the same only if their names and numbers are."""

import pytest

import gieok
from support.rows import from_rows


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """One bank for all: its encoder takes seconds to load."""
    with gieok.open(tmp_path_factory.mktemp("bank") / "memories.db") as bank:
        yield bank


@from_rows
def test_sentences_that_differ_in_a_name_or_a_number_are_two_memories(bank, first, second):
    letia = bank.scope(user=first, character="letia")
    letia.remember(first)
    letia.remember(second)
    assert {memory.content for memory in letia.facts()} == {first, second}


def test_the_same_sentence_told_twice_is_one_memory(bank):
    letia = bank.scope(user="minsu", character="letia")
    letia.remember("0번 서랍에는 지훈이의 빨간 실이 들어 있음")
    letia.remember("0번 서랍에는 지훈이의 빨간 실이 들어 있음")
    (only,) = letia.facts()
    assert only.mentions == 1
