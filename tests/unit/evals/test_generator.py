"""Failures name lines by number, never by their words: those of the test split are not to be read."""

from collections import Counter

import pytest

from gieok.errors import InvalidQuery
from gieok_evals.planted.evidence import private_words
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import IDENTITY, LIFESTYLE, language
from gieok_evals.statement import fold

SEEDS = [str(seed) for seed in range(4)]


@pytest.fixture(params=["dev", "test"])
def words(request):
    return language(request.param)


def test_the_same_seed_gives_the_same_script(words):
    assert script(words, "7") == script(words, "7")
    assert script(words, "7") != script(words, "8")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_script_has_its_shape(words, seed):
    lines = script(words, seed).of("uA")
    kinds = Counter((_part(line.number), line.kind) for line in lines)

    assert [line.number for line in lines] == list(range(1, 102))
    assert kinds["bury", "adversarial"] == 14
    assert kinds["bury", "update"] == 6
    assert kinds["probes A", "probe"] == 6
    assert kinds["bury again", "update"] == 1
    assert kinds["probes B", "probe"] == 3
    assert {fact.slot for line in lines[:13] for fact in line.facts} <= set(IDENTITY)
    assert {fact.slot for line in lines[13:25] for fact in line.facts} <= set(LIFESTYLE)
    assert sum(len(line.facts) for line in lines[:25]) == 25
    assert max(len(line.facts) for line in lines[:25]) <= 3


def test_the_long_form_buries_the_same_number_of_facts_deeper(words):
    lines = script(words, "0", turns=1_000).of("uA")
    assert len(lines) == 1_000
    assert sum(len(line.facts) for line in lines[:25]) == 25
    assert sum(line.trap is not None for line in lines) == 140
    assert sum(line.change is not None for line in lines) == 13


def test_only_these_two_lengths_exist(words):
    with pytest.raises(InvalidQuery, match="101 or 1000"):
        script(words, "0", turns=50)


@pytest.mark.parametrize("seed", SEEDS)
def test_time_goes_forward(words, seed):
    times = [line.at for line in script(words, seed).lines]
    assert times == sorted(times)
    assert len(set(times)) == len(times)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_trap_speaks_of_what_is_true(words, seed):
    lines = script(words, seed).of("uA")
    true = {fold(text) for line in lines for fact in line.facts for text in fact.value.accepted}
    wrong = [
        line.number
        for line in lines
        if line.trap and any(fold(text) in true for each in line.trap.must_not for text in each.accepted)
    ]
    assert wrong == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_question_stands_before_the_answer_to_it(words, seed):
    asks = {frame.ask for frame in words.frames if frame.ask}
    lines = script(words, seed).of("uA")
    asked = [line.number for line in lines if line.reply in asks]
    assert all(lines[number].kind == "facts" for number in asked)


@pytest.mark.parametrize("seed", SEEDS)
def test_others_are_told_values_that_only_they_know(words, seed):
    story = script(words, seed)
    for conversation in ("uA", "uB", "vA"):
        private = private_words(story, conversation)
        own = fold("".join(line.text + line.reply for line in story.of(conversation)))
        assert len(private) >= 5
        assert not [place for place, word in enumerate(sorted(private)) if word in own]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_slot_is_asked_for_directly_and_indirectly(words, seed):
    story = script(words, seed)
    slots = {fact.slot for line in story.of("uA")[:25] for fact in line.facts}
    for checkpoint in story.checkpoints:
        for kind in ("direct", "indirect"):
            assert {question.slot for question in checkpoint.questions if question.kind == kind} == slots
        abstaining = {question.slot for question in checkpoint.questions if question.kind == "abstain"}
        assert abstaining
        assert not abstaining & slots


def _part(number):
    parts = {25: "plant", 75: "bury", 81: "probes A", 98: "bury again", 101: "probes B"}
    return next(name for last, name in parts.items() if number <= last)
