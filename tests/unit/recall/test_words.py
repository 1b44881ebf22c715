"""How much of a question's words an item holds: exact BM25, alone, among what was said around it and in its sitting."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from gieok.ports import Layout
from gieok.recall.gather import _AROUND, _LONGER, _SITTING
from unit.recall.layouts import MEMORY, FakeView, known, layout_of, question


def shares(layout: Layout, *words: Sequence[int], longer: Sequence[Sequence[int]] = (), **apart: Any) -> list[float]:
    """Return the shares when each of `words` stands so often in each item."""
    named = {str(number): times for number, times in enumerate(words)}
    prefixes = {str(number): times for number, times in enumerate(longer)}
    asked = question(*named, prefixes=tuple(prefixes))
    held: list[float] = known(FakeView(layout, words=named, longer=prefixes), asked, **apart).keyword.tolist()
    return held


def memories(*lengths: int) -> Layout:
    return layout_of(*[MEMORY] * len(lengths), lengths=lengths)


def rarity(texts: int, holding: int) -> float:
    return math.log(1 + (texts - holding + 0.5) / (holding + 0.5))


def part(times: float, length: float, mean: float) -> float:
    """Return the share of one word that a text holds."""
    return times / (times + 1.2 * (0.25 + 0.75 * length / mean))


def test_a_memory_is_held_to_the_formula_alone() -> None:
    assert shares(memories(4, 8, 6), [2, 1, 0]) == pytest.approx([part(2, 4, 6), part(1, 8, 6), 0])


def test_of_two_words_each_counts_by_its_rarity_in_the_scope() -> None:
    rare, common = rarity(3, 1), rarity(3, 2)
    held = shares(memories(4, 8, 6), [2, 1, 0], [0, 0, 1])

    assert held == pytest.approx(
        [
            common * part(2, 4, 6) / (rare + common),
            common * part(1, 8, 6) / (rare + common),
            rare * part(1, 6, 6) / (rare + common),
        ]
    )


def test_a_word_that_nothing_holds_is_part_of_what_was_asked() -> None:
    asked_both = shares(memories(2, 2), [1, 0], [0, 0])
    asked_one = shares(memories(2, 2), [1, 0])

    assert 0 < asked_both[0] < asked_one[0]


def test_a_longer_word_is_a_bonus_and_not_asked_for() -> None:
    plain = shares(memories(2, 2, 2), [1, 0, 0])
    with_longer = shares(memories(2, 2, 2), [1, 0, 0], longer=[[0, 1, 0]])

    assert with_longer[0] == pytest.approx(plain[0])
    assert with_longer[1] == pytest.approx(_LONGER * plain[0])
    assert with_longer[2] == 0


def test_no_share_is_above_one_however_many_longer_words_there_are() -> None:
    held = shares(memories(1, 9), [40, 0], longer=[[40, 0]] * 5)

    assert held[0] == 1.0


def test_an_utterance_is_looked_at_alone_in_its_window_and_in_its_sitting() -> None:
    layout = layout_of(0, 0, 0, 0, 1, lengths=[2] * 5)
    held = shares(layout, [1, 0, 0, 0, 0])

    windows, mean = [6, 8, 8, 6, 2], 30 / 5
    alone = [part(1, 2, 2), 0, 0, 0, 0]
    around = [part(1, length, mean) for length in windows[:3]] + [0, 0]
    sitting = [part(1, 8, 5)] * 4 + [0]
    own = 1 - _AROUND - _SITTING
    expected = [own * a + _AROUND * w + _SITTING * s for a, w, s in zip(alone, around, sitting, strict=True)]
    assert held == pytest.approx(expected)


def test_without_window_or_sitting_their_weight_goes_to_the_text_alone() -> None:
    layout = layout_of(0, 0, 0, 0, 1, lengths=[2] * 5)
    word = [1, 0, 0, 0, 0]
    alone = shares(layout, word, without=("neighbours", "sitting"))

    assert alone == pytest.approx([part(1, 2, 2), 0, 0, 0, 0])
    of_sitting = _SITTING * part(1, 8, 5)
    assert shares(layout, word, without=["neighbours"]) == pytest.approx(
        [(1 - _SITTING) * alone[0] + of_sitting, of_sitting, of_sitting, of_sitting, 0]
    )
    windows = [_AROUND * part(1, length, 6) for length in (6, 8, 8)]
    assert shares(layout, word, without=["sitting"]) == pytest.approx(
        [(1 - _AROUND) * alone[0] + windows[0], windows[1], windows[2], 0, 0]
    )


@pytest.mark.parametrize("layout", [layout_of(), memories(0), memories(0, 0), layout_of(0, lengths=[0])])
def test_nothing_holds_nothing(layout: Layout) -> None:
    nothing = [0] * len(layout.refs)

    assert shares(layout) == shares(layout, nothing) == shares(layout, nothing, longer=[nothing]) == nothing


def by_weight(
    layout: Layout, *words: Sequence[float], longer: Sequence[Sequence[int]] = (), **apart: Any
) -> list[float]:
    """Return the shares when a store says that each of `words` weighs so much in each item."""
    named = {str(number): weights for number, weights in enumerate(words)}
    prefixes = {str(number): times for number, times in enumerate(longer)}
    asked = question(*named, prefixes=tuple(prefixes))
    held: list[float] = known(FakeView(layout, weights=named, longer=prefixes), asked, **apart).keyword.tolist()
    return held


def share(times: float) -> float:
    """Return the share of a text that holds all there is so often."""
    return times / (times + 1.2)


def test_by_weight_a_usual_text_that_holds_each_word_once_holds_as_much_as_by_count() -> None:
    weighed = by_weight(memories(3, 3), [7.5, 0], [2.5, 0])
    assert weighed == pytest.approx([share(1), 0])
    assert weighed == pytest.approx(shares(memories(3, 3), [1, 0], [1, 0]))


def test_by_weight_a_word_that_stands_nowhere_is_as_rare_as_the_rarest() -> None:
    assert by_weight(memories(1, 1), [2.0, 0], [0, 0]) == pytest.approx([share(2.0 / 4.0), 0])
    assert by_weight(memories(1, 1), [2.0, 0], [0, 6.0], [0, 0]) == pytest.approx([share(2 / 14), share(6 / 14)])


def test_by_weight_a_longer_word_counts_a_part_of_the_asked_one() -> None:
    held = by_weight(memories(1, 1, 1), [4.0, 0, 0], longer=[[0, 2, 0]])
    assert held == pytest.approx([share(1), share(2 * _LONGER), 0])
    assert by_weight(memories(1, 1), [0, 0], longer=[[0, 1]]) == pytest.approx([0, share(_LONGER)])


def test_by_weight_an_utterance_is_mixed_with_its_window_and_its_sitting() -> None:
    layout = layout_of(0, 0, 0, 0, 1)
    weights = [2.0, 0, 0, 0, 0]
    whole = by_weight(layout, weights)
    alone = 1 - _AROUND - _SITTING
    assert whole == pytest.approx(
        [share(1), (_AROUND + _SITTING) * share(1), (_AROUND + _SITTING) * share(1), _SITTING * share(1), 0]
    )
    assert by_weight(layout, weights, without=("neighbours", "sitting")) == pytest.approx([share(1), 0, 0, 0, 0])
    assert by_weight(layout, weights, without=["sitting"])[0] == pytest.approx((alone + _SITTING + _AROUND) * share(1))


def test_by_weight_without_words_or_items_there_is_nothing() -> None:
    assert by_weight(memories(1, 1)) == [0, 0]
    assert by_weight(layout_of(), []) == []
