"""What speaks for each item: meaning, words, and the strands by which it hangs together with the question."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from gieok.domain.answer import Found
from gieok.domain.scoring import Weights
from gieok.language.periods import Period
from gieok.language.topics import CLEAREST
from gieok.ports import Mark, Party
from gieok.recall.gather import _ASKED, _OWN
from gieok.testing import day
from unit.recall.layouts import MEMORY, FakeView, known, layout_of, question

NOWHERE = np.zeros(2, np.float32)
USER, CHARACTER, OTHER = Party.USER, Party.CHARACTER, Party.OTHER


def microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def test_a_cosine_below_nothing_counts_as_nothing() -> None:
    view = FakeView(layout_of(MEMORY, MEMORY, MEMORY), cosines=[-1.0, -0.2, 0.7])

    assert known(view, question(vector=NOWHERE)).relevance.tolist() == pytest.approx([0, 0, 0.7], abs=1e-5)


@pytest.mark.parametrize(
    ("sittings", "cosines", "near"),
    [
        ((0, 0, 0), (0.0, 1.0, 0.0), ((1 - _OWN) / 2, _OWN, (1 - _OWN) / 2)),
        ((0, 1, 2), (0.2, 0.9, 0.4), (0.2, 0.9, 0.4)),
        ((0, 0, 1), (1.0, 0.0, 1.0), ((1 + _OWN) / 2, (1 - _OWN) / 2, 1.0)),
        ((0, MEMORY, 0), (1.0, 0.8, 0.0), ((1 + _OWN) / 2, 0.8, (1 - _OWN) / 2)),
        ((MEMORY,), (0.5,), (0.5,)),
    ],
)
def test_an_utterance_is_near_by_its_neighbours_in_the_sitting_and_a_memory_alone(
    sittings: tuple[int | None, ...], cosines: tuple[float, ...], near: tuple[float, ...]
) -> None:
    view = FakeView(layout_of(*sittings), cosines=cosines)

    assert known(view, question(vector=NOWHERE)).relevance.tolist() == pytest.approx(near, abs=1e-5)
    alone = known(view, question(vector=NOWHERE), without=["neighbours"])
    assert alone.relevance.tolist() == pytest.approx(cosines, abs=1e-5)


def test_a_question_steps_back_behind_what_could_answer_it() -> None:
    layout = layout_of(MEMORY, MEMORY, lengths=[1, 1], marks=[Mark.ASKS, 0], parties=[USER, USER])
    view = FakeView(layout, cosines=[0.8, 0.8], words={"라면": [1, 1]})
    got = known(view, question("라면", vector=NOWHERE, party=USER))

    for scores in (got.relevance, got.keyword):
        assert scores[0] == pytest.approx(_ASKED * scores[1])
        assert 0 < scores[0] < scores[1]
    assert got.strands["speaker"].tolist() == [1, 1]


def test_what_bears_the_tag_that_is_asked_for_counts_by_how_clear_it_is() -> None:
    layout = layout_of(MEMORY, 1, 2, 3, marks=[0, Mark.TELLS, Mark.TELLS, 0])
    view = FakeView(layout, tags={"residence": [CLEAREST, CLEAREST // 2, 0, CLEAREST]})
    topic = known(view, question(about={"residence": 0.8})).strands["topic"]

    assert topic.tolist() == pytest.approx([0.64, 0.32, 0, 0]), "small talk is about nothing"


def test_the_party_that_is_asked_about_speaks_or_is_spoken_of() -> None:
    layout = layout_of(0, 0, 0, MEMORY, parties=[USER, CHARACTER, OTHER, USER])

    assert known(FakeView(layout), question(party=USER)).strands["speaker"].tolist() == [1, 0, 0, 1]
    assert known(FakeView(layout), question(party=CHARACTER)).strands["speaker"].tolist() == [0, 1, 0, 0]
    assert known(FakeView(layout), question()).strands["speaker"].tolist() == [0, 0, 0, 0]


def test_memories_about_another_who_is_named_are_marked_and_the_same_told_of_somebody_else_counts_half() -> None:
    layout = layout_of(MEMORY, MEMORY, 0, parties=[OTHER, OTHER, USER], marks=[Mark.TELLS] * 3)
    view = FakeView(layout, tags={"job": [CLEAREST] * 3}, people={"민지": [101], "지훈": [100]})
    got = known(view, question("민지", about={"job": 1.0}, people=("민지",)))

    assert got.strands["person"].tolist() == [0, 1, 0]
    assert got.strands["topic"].tolist() == pytest.approx([0.5, 1.0, 1.0]), "whose it is, words do not tell"
    nobody = known(view, question("누가", about={"job": 1.0}))
    assert nobody.strands["person"].tolist() == [0, 0, 0]
    assert nobody.strands["topic"].tolist() == pytest.approx([1.0] * 3)


def test_what_was_in_the_period_fits_and_pales_with_the_days_outside() -> None:
    moments = [day(number) for number in (1, 10, 12.5, 13.5, 30)]
    layout = layout_of(*range(5), moments=[microseconds(each) for each in moments])
    asked = Period(start=day(10), end=day(13), text="지난주")
    fits = known(FakeView(layout), question(periods=(asked,))).strands["period"].tolist()

    assert fits[1:3] == [1, 1]
    assert fits[3] == pytest.approx(float(np.exp(-0.25)))
    assert 1 > fits[3] > fits[0] > fits[4] > 0


def test_of_several_periods_the_nearest_counts_and_an_open_one_has_no_end() -> None:
    layout = layout_of(*range(3), moments=[microseconds(day(number)) for number in (1, 50, 400)])
    early = Period(start=None, end=day(2), text="처음에")
    late = Period(start=day(300), end=None, text="요즘")

    assert known(FakeView(layout), question(periods=(early, late))).strands["period"].round(3).tolist() == [1, 0, 1]
    assert known(FakeView(layout), question()).strands["period"].tolist() == [0, 0, 0]


def test_what_holds_such_a_value_as_is_asked_for_is_marked_by_it() -> None:
    layout = layout_of(0, 0, 0, marks=[Mark.HOLDS_TIME, Mark.HOLDS_NUMBER | Mark.TELLS, Mark.TELLS])

    assert known(FakeView(layout), question(wants=Mark.HOLDS_NUMBER)).strands["value"].tolist() == [0, 1, 0]
    either = question(wants=Mark.HOLDS_NUMBER | Mark.HOLDS_TIME)
    assert known(FakeView(layout), either).strands["value"].tolist() == [1, 1, 0]
    assert known(FakeView(layout), question()).strands["value"].tolist() == [0, 0, 0]


def test_the_graph_is_made_of_all_strands_and_never_above_one() -> None:
    layout = layout_of(0, 1, 2, parties=[USER, USER, CHARACTER], marks=[Mark.HOLDS_NUMBER | Mark.TELLS, 0, 0])
    view = FakeView(layout, tags={"food": [CLEAREST, 0, 0]})
    got = known(view, question(about={"food": 1.0}, party=USER, wants=Mark.HOLDS_NUMBER))

    assert got.graph[0] == 1.0
    assert 1 > got.graph[1] > got.graph[2] == 0


@pytest.mark.parametrize("aid", ["topic", "speaker", "person", "period", "value"])
def test_a_strand_can_be_left_out(aid: Any) -> None:
    layout = layout_of(0, 1, marks=[Mark.HOLDS_NUMBER | Mark.TELLS, 0], moments=[microseconds(day(1))] * 2)
    view = FakeView(layout, tags={"food": [CLEAREST, 0]}, people={"민지": [100]})
    today = Period(start=day(1), end=day(2), text="오늘")
    asked = question(
        "민지", about={"food": 1.0}, party=USER, people=("민지",), periods=(today,), wants=Mark.HOLDS_NUMBER
    )

    whole, less = known(view, asked).strands, known(view, asked, without=[aid]).strands
    assert whole[aid][0] > 0
    assert less[aid].tolist() == [0, 0]
    assert {name: scores.tolist() for name, scores in less.items() if name != aid} == {
        name: scores.tolist() for name, scores in whole.items() if name != aid
    }


def test_meaning_and_words_can_be_left_out() -> None:
    view = FakeView(layout_of(0, 0, lengths=[1, 1]), cosines=[0.5, 0.5], words={"라면": [1, 0]})
    asked = question("라면", vector=NOWHERE)

    assert known(view, asked, without=["dense"]).relevance.tolist() == [0, 0]
    assert known(view, asked, without=["keyword"]).keyword.tolist() == [0, 0]
    alone = known(view, asked, without=["neighbours", "sitting"]).keyword
    assert alone[0] > alone[1] == 0
    assert known(view, asked, without=["neighbours"]).keyword[1] > 0


def test_a_store_that_ranks_words_itself_is_asked_and_nothing_is_counted() -> None:
    layout = layout_of(MEMORY, MEMORY, MEMORY, MEMORY, lengths=[1] * 4)
    weights = {"라면": [2.0, 0, 2.0, 0], "김치": [0, 0, 5.0, 0]}
    view = FakeView(layout, words={"라면": [0, 9, 0, 0]}, longer={"라면": [0, 0, 0, 1]}, weights=weights)
    one, counted, both, longer = known(view, question("라면", "김치", prefixes=("라면",))).keyword.tolist()

    assert 1 > both > one > longer > counted == 0
    assert known(view, question("라면"), without=["keyword"]).keyword.tolist() == [0, 0, 0, 0]


def test_each_source_lists_what_it_puts_first_equals_by_age() -> None:
    layout = layout_of(*[MEMORY] * 4, lengths=[1] * 4, parties=[CHARACTER, USER, USER, CHARACTER])
    view = FakeView(layout, cosines=[0.2, 0.9, -1.0, 0.2], words={"라면": [0, 0, 2, 1]})
    found = known(view, question("라면", vector=NOWHERE, party=USER)).found(range(4))

    assert found == {
        0: [Found(source="dense", rank=2)],
        1: [Found(source="dense", rank=1), Found(source="speaker", rank=1)],
        2: [Found(source="keyword", rank=1), Found(source="speaker", rank=2)],
        3: [Found(source="dense", rank=3), Found(source="keyword", rank=2)],
    }
    assert known(view, question()).found([2]) == {2: []}


def test_the_likeliest_are_those_for_which_most_speaks() -> None:
    view = FakeView(
        layout_of(*range(6), lengths=[1] * 6, marks=[0, 0, 0, 0, Mark.TELLS, 0]),
        cosines=[0.9, 0.1, 0.5, -1.0, -1.0, -1.0],
        words={"라면": [0, 0, 1, 1, 0, 0]},
    )
    got = known(view, question("라면", vector=NOWHERE, about={"food": 1.0}))

    only_words = Weights(recency=0, importance=0, relevance=0, keyword=1, strength=0, graph=0)
    only_meaning = replace(only_words, relevance=1, keyword=0)
    assert set(got.likeliest(Weights(), 99, None).tolist()) == {0, 1, 2, 3, 4}
    assert set(got.likeliest(only_words, 2, None).tolist()) == {2, 3}
    assert set(got.likeliest(only_meaning, 2, None).tolist()) == {0, 2}
    assert set(got.likeliest(only_meaning, 99, None).tolist()) == {0, 1, 2}


def test_an_empty_scope_has_nothing_to_say() -> None:
    today = Period(start=day(1), end=day(1) + timedelta(days=1), text="오늘")
    asked = question(
        "라면", prefixes=("라면",), vector=NOWHERE, about={"food": 1.0}, party=USER, periods=(today,), wants=4
    )
    got = known(FakeView(layout_of(), cosines=[]), asked)

    for scores in (got.relevance, got.keyword, got.graph, got.importance, *got.strands.values()):
        assert scores.tolist() == []
    assert got.found([]) == {}
    assert got.likeliest(Weights(), 9, None).tolist() == []


def test_what_half_the_talk_is_about_tells_less() -> None:
    few = FakeView(layout_of(*[MEMORY] * 40), tags={"food": [CLEAREST] * 3 + [0] * 37})
    many = FakeView(layout_of(*[MEMORY] * 40), tags={"food": [CLEAREST] * 12 + [0] * 28})
    asked = question(about={"food": 1.0})

    assert known(few, asked).strands["topic"][0] == pytest.approx(1.0)
    assert known(many, asked).strands["topic"][0] == pytest.approx(0.5)
    assert known(many, replace(asked, wide=True)).strands["topic"][0] == pytest.approx(1.0), "a context has room"


def test_what_tells_something_counts_as_far_as_something_is_asked_for() -> None:
    view = FakeView(layout_of(0, 1, MEMORY, marks=[Mark.TELLS, 0, 0]))

    assert known(view, question(about={"food": 0.5})).importance.tolist() == pytest.approx([0.3, 0, 0.3])
    assert known(view, question()).importance.tolist() == [0, 0, 0]


def test_for_a_context_what_lasts_hangs_together_with_any_question() -> None:
    view = FakeView(layout_of(0, 1, MEMORY, marks=[Mark.TELLS, 0, 0]))

    assert known(view, question()).graph.tolist() == [0, 0, 0]
    told, small_talk, memory = known(view, question(wide=True)).graph.tolist()
    assert told == memory > small_talk == 0


def test_an_answer_is_as_near_as_the_question_it_answers_and_has_its_words() -> None:
    asked = {"marks": [Mark.ASKS, 0, 0], "parties": [CHARACTER, USER, USER], "lengths": [1, 1, 1]}
    view = FakeView(layout_of(0, 0, 0, **asked), cosines=[0.8, 0.1, 0.1], words={"학년": [1, 0, 0]})
    got = known(view, question("학년", vector=NOWHERE))
    relevance, keyword = got.own_relevance, got.own_keyword

    assert relevance.tolist() == pytest.approx([0.8, 0.8, 0.1])
    assert keyword[1] == keyword[0] > keyword[2] == 0
    assert got.relevance[1] > got.relevance[2]


@pytest.mark.parametrize(
    ("sittings", "marks", "parties"),
    [
        ((0, 1), [Mark.ASKS, 0], [CHARACTER, USER]),
        ((0, 0), [Mark.ASKS, 0], [USER, USER]),
        ((0, 0), [Mark.ASKS, Mark.ASKS], [CHARACTER, USER]),
        ((0, 0), [0, 0], [CHARACTER, USER]),
    ],
    ids=["another sitting", "the same speaker", "asks back", "nothing was asked"],
)
def test_what_answers_nothing_has_only_its_own_words(
    sittings: tuple[int, ...], marks: list[int], parties: list[int]
) -> None:
    layout = layout_of(*sittings, marks=marks, parties=parties, lengths=[1, 1])
    got = known(FakeView(layout, cosines=[0.8, 0.1], words={"학년": [1, 0]}), question("학년", vector=NOWHERE))

    assert [scores[1] for scores in (got.own_relevance, got.own_keyword)] == pytest.approx([0.1, 0])


def test_the_character_s_words_count_less_unless_the_question_is_about_the_character() -> None:
    view = FakeView(layout_of(0, 1, parties=[USER, CHARACTER], lengths=[1, 1]), cosines=[0.8, 0.8])
    other = known(view, question(vector=NOWHERE)).relevance
    own = known(view, question(vector=NOWHERE, party=CHARACTER)).relevance

    assert other[0] > other[1]
    assert own[0] == own[1]
