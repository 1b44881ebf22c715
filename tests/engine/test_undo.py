"""Whatever was done and whatever was taken back: what is left is what the surviving steps alone would have left."""

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import gieok
from gieok.domain.relationship import AXES
from gieok.domain.upkeep import PASSES
from gieok.observe import observer as observing_room
from gieok.testing import FixedClock, day
from support.histories import (
    CORRECTIONS,
    GAPS,
    LINES,
    NAMES,
    NOTES,
    REPLIES,
    SESSIONS,
    THEMES,
    History,
    Step,
    Unaware,
    directing,
    editing,
    keeping,
    moment_after,
    nobody_known,
    observing,
    remembering,
    staging,
    telling,
    thinking,
)

_numbers = count()
_gap = st.sampled_from(GAPS)


def _steps(lines: tuple[str, ...]) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Return plans that speak of few things, so that one turn bears on another."""
    observe = st.tuples(
        st.just("observe"), _gap, st.sampled_from(lines), st.one_of(st.none(), st.sampled_from(REPLIES)),
        st.sampled_from(SESSIONS), st.booleans(),
    )  # fmt: skip
    step = st.one_of(
        observe,
        observe,
        observe,
        st.tuples(st.just("rewind"), st.integers(0, 30), st.booleans()),
        st.tuples(st.just("rewind"), st.integers(0, 30), st.just(False)),
        st.tuples(st.just("remember"), _gap, st.sampled_from(NOTES)),
        st.tuples(
            st.just("edit"), _gap, st.integers(0, 30), st.sampled_from(("correct", "forget", "pin", "unpin")),
            st.sampled_from(CORRECTIONS),
        ),
        st.tuples(
            st.just("people"), _gap, st.sampled_from(("same", "different")), st.sampled_from(NAMES),
            st.sampled_from(NAMES),
        ),
        st.tuples(st.just("scene"), _gap, st.sampled_from(("카페", "공원", None))),
        st.tuples(st.just("passes"), _gap, st.sets(st.sampled_from(PASSES), min_size=1)),
        st.tuples(
            st.just("think"), _gap, st.lists(st.integers(0, 30), min_size=2, max_size=3),
            st.sets(st.sampled_from(("insight", "retelling", "conflict")), min_size=1),
        ),
        st.tuples(st.just("direct"), _gap, st.sampled_from(AXES), st.sampled_from((-5.0, -1.0, 2.0, 3.0))),
    )  # fmt: skip
    return st.lists(step, min_size=4, max_size=16)


_plans = st.sampled_from([*THEMES.values(), LINES]).flatmap(_steps)


@pytest.fixture(scope="module")
def banks(tmp_path_factory):
    """Two banks in files of their own: one is lived in, in the other the survivors are done again."""
    clock = FixedClock(day(1))
    folder: Path = tmp_path_factory.mktemp("undo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(observing_room, "acquaintance", nobody_known)
        opened = [
            gieok.open(folder / name, embedder="hashing", upkeep="off", clock=clock, extractor=Unaware())
            for name in ("lived.db", "fresh.db")
        ]
        yield opened[0], opened[1], clock
        for bank in opened:
            assert bank.store.problems() == []
            bank.close()


def live(history: History, plan: list[tuple[Any, ...]]) -> None:
    """Do what `plan` says, as far as it can be done, after a first word: an unknown scope has no upkeep to do."""
    at = day(1)
    history.take(remembering(-1, at, NOTES[-1]))
    for number, (what, *how) in enumerate(plan):
        turns = [step.turn_id for step in history.steps if step.turn_id]
        if what == "rewind":
            if turns:
                history.rewind(turns[how[0] % len(turns)], following=how[1])
            continue
        at = moment_after(at, how[0])
        step = _made(history, number, at, what, how[1:])
        if step is not None:
            history.take(step)


def _made(history: History, number: int, at: Any, what: str, how: list[Any]) -> Step | None:
    if what == "observe":
        line, reply, session, again = how
        used = {step.turn_id for step in history.steps}
        free = [f"t{each}" for each in range(number) if f"t{each}" not in used]
        return observing(number, at, free[0] if again and free else f"t{number}", line, reply, session)
    about = {"edit": editing, "think": thinking, "direct": directing}
    if what in about:
        return about[what](history, number, at, *how)
    make = {"remember": remembering, "people": telling, "scene": staging, "passes": keeping}[what]
    return make(number, at, *how)


def check(banks: tuple[gieok.MemoryBank, gieok.MemoryBank, FixedClock], plan: list[tuple[Any, ...]]) -> None:
    lived_bank, fresh_bank, clock = banks
    user = f"user-{next(_numbers)}"
    lived = History(mind=lived_bank.scope(user=user, character="letia"), clock=clock)
    live(lived, plan)
    fresh = History(mind=fresh_bank.scope(user=user, character="letia"), clock=clock)
    for step in lived.steps:
        fresh.take(step)
    left, alone = lived.state(), fresh.state()
    for part in alone:
        assert left[part] == alone[part], f"{part} after {[step.number for step in lived.steps]}"


@pytest.mark.check
@settings(max_examples=settings.default.max_examples // 2, phases=set(Phase) - {Phase.explain})
@given(plan=_plans)
def test_any_history_with_rewinds_equals_the_history_of_its_survivors(banks, plan):
    check(banks, plan)


PLANS = json.loads((Path(__file__).parents[1] / "data/undo_plans.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_turn_taken_back_takes_all_it_caused_with_it(banks, plan):
    spoken = {"say": lambda text, reply=None: ("observe", 5, text, reply, None, False)}
    check(banks, [spoken[what](*how) if what in spoken else (what, *how) for what, *how in plan])


def test_a_sentence_that_is_corrected_later_was_reinforced_as_it_stood_then(banks):
    lived_bank, fresh_bank, _ = banks
    told = "그날 한강에서 자전거를 탔어"
    minds = []
    for bank, first in ((lived_bank, True), (fresh_bank, False)):
        mind = bank.scope(user="corrected", character="letia")
        minds.append(mind)
        if first:
            mind.observe("오늘 날씨 좋다", at=day(1), turn_id="t0")
        mind.observe(told, at=day(2), turn_id="t1")
        mind.observe(told, at=day(3), turn_id="t2")
        [event] = mind.facts(type="event")
        mind.correct(event.id, "도서관에서 책을 읽음", at=day(4))
        if first:
            mind.rewind("t0")

    left, alone = ([(each.content, each.mentions) for each in mind.facts(type="event")] for mind in minds)
    assert left == alone == [("도서관에서 책을 읽음", 1)]


def final_words(
    banks: tuple[gieok.MemoryBank, gieok.MemoryBank, FixedClock], change: Callable[[gieok.Mind], object], last: Step
) -> None:
    """Check that `change` of the second turn leaves what the first turn and `last` alone would have left."""
    lived_bank, fresh_bank, clock = banks
    user = f"user-{next(_numbers)}"
    lived, fresh = (
        History(mind=bank.scope(user=user, character="letia"), clock=clock) for bank in (lived_bank, fresh_bank)
    )
    steps = [
        observing(0, day(1), "t0", "나 서울에 살아", "그렇군요.", "아침"),
        observing(1, day(2), "t1", "수진이는 정말 착해", "흥, 너무해요.", "아침"),
        observing(2, day(3), "t2", "나 부산으로 이사했어", None, "저녁"),
    ]
    for step in steps:
        lived.take(step)
    clock.set(day(2))
    change(lived.mind)
    [turn] = [turn for turn in lived.mind.turns() if turn.id == "t1"]
    lived.made |= {line.id: f"step 1 line {line.position}" for line in turn.utterances}
    for step in (steps[0], last):
        fresh.take(step)
    left, alone = lived.state(), fresh.state()
    assert left == alone
    assert [turn.id for turn in fresh.mind.turns()] == ["t0", "t1"]


def test_another_reply_is_as_if_it_had_been_the_first(banks):
    reply = "*환하게 웃으며* 정말 기뻐요!"
    last = observing(1, day(2), "t1", "수진이는 정말 착해", reply, "아침")
    final_words(banks, lambda mind: mind.reroll("t1", reply), last)


def test_an_edited_message_is_as_if_it_had_been_said_at_first(banks):
    last = observing(1, day(2), "t1", "나 고양이 좋아해", "흥, 너무해요.", "아침")
    final_words(banks, lambda mind: mind.edit("t1", text="나 고양이 좋아해"), last)
    last = observing(1, day(2), "t1", "수진이는 정말 착해", "그래, 우리 말 놓자.", "아침")
    final_words(banks, lambda mind: mind.edit("t1", reply="그래, 우리 말 놓자."), last)


def test_a_reply_that_somebody_else_heard_can_be_given_anew(banks):
    mind = banks[0].scope(user="company", character="letia")
    mind.observe("둘 다 안녕", reply="안녕하세요", at=day(1), turn_id="t1", present=["sera"])
    mind.reroll("t1", "어서 와요")
    assert [line.text for turn in mind.turns() for line in turn.utterances] == ["둘 다 안녕", "어서 와요"]
