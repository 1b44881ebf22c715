"""A model proposes thoughts; rules decide what they may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gieok.domain.apply import OperationApplier, WorkingState
from gieok.domain.judgement import Beliefs, Moment
from gieok.domain.memory import Memory
from gieok.domain.model_conclusions import (
    FEWEST_GROUNDS,
    Conflict,
    Evidence,
    Insight,
    Retelling,
    content_fingerprint,
    evidence_for,
    evidence_ids,
    may_close,
)
from gieok.domain.operation import Amend, Operation, Request, Think
from gieok.domain.state import ScopeState
from gieok.domain.upkeep import Ran, by_upkeep
from gieok.testing.builders import WALL, day, memory

TEA, RAIN = (
    memory("차를 즐겨 마심", id="tea", valid_at=day(1), pii_flags=("phone",)),
    memory("비 오는 날을 좋아함", id="rain", valid_at=day(2)),
)


def carried(request: Request, *known: Memory, number: int = 1) -> tuple[Operation, WorkingState]:
    present = WorkingState(beliefs=Beliefs(known))
    moment = Moment(at=day(9), recorded_at=WALL, turn_number=7)
    asked = Operation(id=f"o{number}", kind="pass", moment=moment, who="reflect/1 gpt", request=request)
    return OperationApplier().carried_out(asked, present), present


def insight(*grounds: Memory, content: str = "차분한 것을 좋아한다", about: str = "취향") -> Insight:
    return Insight(content=content, about=about, grounds=tuple(map(evidence_for, grounds)))


def test_an_insight_becomes_a_memory_that_names_its_grounds() -> None:
    done, present = carried(Think(insights=(insight(TEA, RAIN),), over=("reflect",)), TEA, RAIN)
    [kept] = done.kept
    [change] = kept.changes
    made = change.after
    assert made is not None
    assert (kept.action, kept.why) == ("reflect", "2 memories together")
    assert (made.id, made.content, made.kind, made.tags) == (
        "o1-think-0",
        "차분한 것을 좋아한다",
        "insight",
        ("insight", "취향"),
    )
    assert (made.made_from, made.pii_flags) == (("tea", "rain"), ("phone",))
    assert "reflect/1 gpt" in made.extractor
    assert by_upkeep(made)
    assert by_upkeep(replace(made, origin="person"))
    assert present.beliefs["o1-think-0"] == made


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(RAIN.changed(content="비 오는 날을 싫어함"), id="it says something else"),
        pytest.param(RAIN.changed(forgotten_at=day(3)), id="it was forgotten"),
        pytest.param(RAIN.changed(retracted=True), id="it was never true"),
        pytest.param(RAIN.changed(invalid_at=day(3)), id="it is over"),
        pytest.param(RAIN.changed(faded_at=day(3)), id="it faded"),
        pytest.param(replace(RAIN, valid_at=day(20)), id="it is not so yet"),
        pytest.param(replace(RAIN, id="other"), id="it is not there"),
    ],
)
def test_a_thought_falls_when_a_memory_it_rests_on_is_another_by_now(changed: Memory) -> None:
    older = replace(TEA, valid_at=day(0))
    think = Think(
        insights=(insight(older, RAIN),),
        retellings=(Retelling(content="빗소리를 함께 듣고 싶다", ground=evidence_for(RAIN)),),
        conflicts=(Conflict(newer=evidence_for(RAIN), older=evidence_for(older)),),
    )
    assert carried(think, older, changed)[0].changes == ()
    assert len(carried(think, older, RAIN)[0].kept) == 2  # the insight rests on what the conflict has just closed


def test_one_memory_alone_is_no_insight() -> None:
    assert carried(Think(insights=(insight(TEA),)), TEA, RAIN)[0].kept == ()
    assert carried(Think(insights=(insight(TEA, TEA),)), TEA, RAIN)[0].kept == ()


def test_a_newer_insight_about_the_same_closes_the_older_one() -> None:
    _, present = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN)
    known = tuple(present.beliefs.all().values())
    newer = insight(TEA, RAIN, content="고요한 것을 좋아한다")
    done, present = carried(Think(insights=(newer,)), *known, number=2)
    assert [change.memory_id for change in done.kept[0].changes] == ["o2-think-0", "o1-think-0"]
    assert present.beliefs["o1-think-0"].closed_by == "o2-think-0"
    assert present.beliefs["o1-think-0"].hidden

    beside = insight(TEA, RAIN, content="고요한 것을 좋아한다", about="성격")
    assert len(carried(Think(insights=(beside,)), *known, number=2)[0].changes) == 1


@pytest.mark.parametrize("change", [{}, {"origin": "person", "content": "사람이 고친 말"}])
def test_the_same_again_or_against_a_persons_words_is_not_said(change: dict[str, str]) -> None:
    _, present = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN)
    made = present.beliefs["o1-think-0"]
    known = (TEA, RAIN, made.changed(**change))
    content = "차분한 것을 좋아한다" if not change else "고요한 것을 좋아한다"
    assert carried(Think(insights=(insight(TEA, RAIN, content=content),)), *known, number=2)[0].kept == ()


def test_a_rules_insight_about_the_same_stays_beside_it() -> None:
    by_rule = memory(
        "차 이야기를 자주 한다", id="rule", origin="reflection", extractor="upkeep/reflect/1", tags=("insight", "취향")
    )
    _, present = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN, by_rule)
    assert not present.beliefs["rule"].hidden


def test_a_retelling_stands_beside_the_words_it_tells() -> None:
    think = Think(retellings=(Retelling(content="함께 마시고 싶다", ground=evidence_for(TEA)),), over=("interpret",))
    done, present = carried(think, TEA)
    assert (done.kept[0].action, done.kept[0].why) == ("retell", "retold by reflect/1 gpt")
    assert (present.beliefs["tea"].content, present.beliefs["tea"].interpretation) == (TEA.content, "함께 마시고 싶다")
    assert carried(think, present.beliefs["tea"])[0].kept == ()


def test_other_words_clear_what_was_thought_of_the_old_ones() -> None:
    seen = TEA.changed(interpretation="함께 마시고 싶다")
    _, present = carried(Amend(memory_id="tea", content="커피를 즐겨 마심"), seen)
    assert present.beliefs["tea"].interpretation is None


def test_the_older_of_two_that_cannot_both_hold_ends_when_the_newer_began() -> None:
    older, newer = (
        memory("매일 커피를 마심", id="old", valid_at=day(1)),
        memory("커피를 끊음", id="new", valid_at=day(4)),
    )
    done, present = carried(
        Think(conflicts=(Conflict(newer=evidence_for(newer), older=evidence_for(older)),)), older, newer
    )
    assert [(kept.action, kept.why) for kept in done.kept] == [("settle", "both cannot hold")]
    assert (present.beliefs["old"].invalid_at, present.beliefs["old"].closed_by) == (day(4), "new")
    assert present.beliefs["new"] == newer


OLDER, NEWER = memory("매일 커피를 마심", valid_at=day(1)), memory("커피를 끊음", valid_at=day(4))


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param(replace(OLDER, pinned=True), NEWER, id="pinned"),
        pytest.param(replace(OLDER, origin="person"), NEWER, id="a person's own word"),
        pytest.param(replace(OLDER, origin="import"), NEWER, id="imported"),
        pytest.param(replace(OLDER, attribute="allergy", value="커피"), NEWER, id="a caution"),
        pytest.param(replace(OLDER, attribute="name", value="민수"), NEWER, id="identity"),
        pytest.param(replace(OLDER, subject="other", subject_id="수진"), NEWER, id="of somebody else"),
        pytest.param(replace(OLDER, speaker="character"), NEWER, id="said by another"),
        pytest.param(replace(OLDER, valid_at=day(4)), NEWER, id="begun at once"),
        pytest.param(NEWER, OLDER, id="the wrong way round"),
    ],
)
def test_a_models_word_is_not_enough_to_end_it(older: Memory, newer: Memory) -> None:
    assert may_close(NEWER, OLDER)
    assert not may_close(newer, older)


def test_whatever_was_asked_for_is_marked_even_where_nothing_came_of_it() -> None:
    done, present = carried(Think(over=("reflect", "conflict")))
    assert done.kept == ()
    ran = Ran(turn_number=7, at=day(9))
    assert present.life.items() == {("pass", "ponder/reflect"): ran, ("pass", "ponder/conflict"): ran}
    life = ScopeState(present.life.items().items())
    life.absorb(move.inverse for move in reversed(done.moves))
    assert life.items() == {}


def test_what_thoughts_rest_on_is_named_once() -> None:
    gone = Evidence(memory_id="gone", words="")
    think = (
        (insight(TEA, RAIN),),
        (Retelling(content="", ground=evidence_for(TEA)),),
        (Conflict(newer=gone, older=gone),),
    )
    assert evidence_ids(*think) == ("tea", "rain", "gone")


def test_undoing_a_thought_leaves_what_was() -> None:
    think = Think(
        insights=(insight(TEA, RAIN),), retellings=(Retelling(content="함께 마시고 싶다", ground=evidence_for(TEA)),)
    )
    done, present = carried(think, TEA, RAIN)
    present.beliefs.absorb(change.inverse for change in reversed(done.changes))
    assert present.beliefs.all() == {"tea": TEA, "rain": RAIN}


def test_two_grounds_are_the_fewest_and_an_insight_is_fairly_important() -> None:
    assert FEWEST_GROUNDS == 2
    done, _ = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN)
    made = done.kept[0].changes[0].after
    assert made is not None
    assert (made.importance, made.touched_turn, made.valid_at, made.origin) == (0.6, 7, day(9), "reflection")


def test_the_fingerprint_of_what_a_memory_says_never_changes_for_it_is_kept() -> None:
    assert content_fingerprint(memory("차를 즐겨 마심")) == "32d37f0489c8430e"


def test_an_insight_about_another_stands_beside() -> None:
    _, present = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN)
    known = tuple(present.beliefs.all().values())
    content = "고요한 것을 좋아한다"
    for subject, subject_id in (("other", "수진"), ("user", "수진"), ("character", "user")):
        about = replace(insight(TEA, RAIN, content=content), subject=subject, subject_id=subject_id)
        assert len(carried(Think(insights=(about,)), *known, number=2)[0].changes) == 1


def test_an_insight_that_is_over_is_neither_repeated_nor_closed_again() -> None:
    _, present = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN)
    gone = present.beliefs["o1-think-0"].changed(faded_at=day(8))
    done, _ = carried(Think(insights=(insight(TEA, RAIN),)), TEA, RAIN, gone, number=2)
    assert [change.memory_id for change in done.changes] == ["o2-think-0"]


def test_insights_are_numbered_in_order_and_named_by_their_operation() -> None:
    one, other = insight(TEA, RAIN), insight(TEA, RAIN, content="비를 반긴다", about="날씨")
    done, _ = carried(Think(insights=(one, other)), TEA, RAIN)
    assert [change.memory_id for change in done.changes] == ["o1-think-0", "o1-think-1"]


def test_what_may_be_private_in_the_grounds_is_so_in_the_insight_once_and_in_order() -> None:
    both = replace(RAIN, pii_flags=("phone", "address"))
    done, _ = carried(Think(insights=(insight(TEA, both),)), TEA, both)
    assert done.kept[0].changes[0].after.pii_flags == ("address", "phone")


def test_a_habit_may_be_ended_by_a_models_word() -> None:
    assert may_close(NEWER, replace(OLDER, attribute="habit", value="커피"))
    assert may_close(NEWER, replace(OLDER, origin="model"))
    assert not may_close(NEWER, replace(OLDER, subject_id="수진"))
    assert not may_close(NEWER, replace(OLDER, subject="character"))


def test_two_of_which_the_older_is_gone_are_not_settled() -> None:
    gone = Evidence(memory_id="gone", words="")
    think = Think(
        conflicts=(Conflict(newer=evidence_for(RAIN), older=gone), Conflict(newer=gone, older=evidence_for(RAIN)))
    )
    assert carried(think, TEA, RAIN)[0].kept == ()
