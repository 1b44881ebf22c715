"""Utterances beside one another: they support each other within a sitting, and never across its edge."""

from __future__ import annotations

import numpy as np
import pytest

from gieok.recall.gather import Talk
from unit.recall.layouts import MEMORY, layout_of


def talk(*sittings: int | None) -> Talk:
    return Talk.of(layout_of(*sittings))


def scores(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_only_utterances_are_talk() -> None:
    there = Talk.of(layout_of(0, MEMORY, 0, MEMORY, 1, lengths=[1, 2, 3, 4, 5]))

    assert there.said.tolist() == [0, 2, 4]
    assert there.sittings.tolist() == [0, 0, 1]
    assert there.lengths.tolist() == [1, 3, 5]


def test_an_utterance_is_its_own_share_and_half_the_rest_of_each_neighbour() -> None:
    supported = talk(0, 0, 0, 0).supported(scores(0.0, 1.0, 0.0, 0.5), 0.4)

    assert supported.tolist() == pytest.approx([0.3, 0.4, 0.3 * 1.5, 0.4 * 0.5 + 0.3 * 0.5])


def test_at_the_edge_of_a_sitting_its_own_score_stands_in() -> None:
    alone = talk(0, 1, 2).supported(scores(0.2, 0.9, 0.4), 0.4)
    pairs = talk(0, 0, 1, 1).supported(scores(1.0, 0.0, 1.0, 0.0), 0.4)

    assert alone.tolist() == pytest.approx([0.2, 0.9, 0.4])
    assert pairs.tolist() == pytest.approx([0.7, 0.3, 0.7, 0.3])


def test_a_memory_keeps_its_score_and_does_not_stand_between_utterances() -> None:
    supported = talk(0, MEMORY, 0).supported(scores(1.0, 0.8, 0.0), 0.5)

    assert supported.tolist() == pytest.approx([0.75, 0.8, 0.25])


def test_support_keeps_a_score_between_the_least_and_the_most_around() -> None:
    chance = np.random.default_rng(5)
    before = chance.random(200).astype(np.float32)
    after = talk(*sorted(chance.integers(0, 40, 200).tolist())).supported(before, 0.385)

    assert 0 <= after.min() <= after.max() <= before.max() <= 1


def test_what_it_was_given_stays_as_it_was() -> None:
    before = scores(0.1, 0.9)
    there = talk(0, 0)
    there.supported(before, 0.4)
    there.window_sums(before)

    assert before.tolist() == pytest.approx([0.1, 0.9])


def test_a_window_reaches_two_utterances_to_either_side() -> None:
    heard = talk(0, 0, 0, 0, 0, 0).window_sums(scores(1, 0, 0, 0, 0, 10))

    assert heard.tolist() == [1, 1, 1, 10, 10, 10]


def test_a_window_ends_with_the_sitting() -> None:
    heard = talk(0, 0, 1, 2, 2).window_sums(scores(1, 2, 4, 8, 16))

    assert heard.tolist() == [3, 3, 4, 24, 24]


def test_a_sitting_hears_what_all_its_utterances_say() -> None:
    there = talk(0, MEMORY, 0, 1, 2, 2, MEMORY)

    assert there.sitting_sums(scores(1, 2, 4, 8, 16)).tolist() == [3, 4, 24]


@pytest.mark.parametrize("sittings", [(), (MEMORY,), (MEMORY, MEMORY)])
def test_where_nobody_spoke_there_is_nothing_to_hear(sittings: tuple[None, ...]) -> None:
    there = talk(*sittings)

    assert there.supported(scores(*[0.5] * len(sittings)), 0.4).tolist() == [0.5] * len(sittings)
    assert there.window_sums(scores()).tolist() == []
    assert there.sitting_sums(scores()).tolist() == []


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_talk_shorter_than_a_window_is_one_window(count: int) -> None:
    assert talk(*[0] * count).window_sums(scores(*[1] * count)).tolist() == [count] * count
