"""What the page of upkeep shows: how far passes are, what they do, the journal, the sources, the sizes."""

from datetime import timedelta

import pytest

from gieok.bank.history import Grounds
from gieok.domain.answer import CallSum
from gieok.domain.decision import Ignore
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change
from gieok.domain.operation import Learn, Maintain, Operation, Pin, Undo
from gieok.domain.scope import Holdings
from gieok.domain.upkeep import PASSES, Kept, Measured, Outlook, Ran
from gieok.testing import day
from gieok.testing.builders import WALL, claim, memory
from gieok.web.upkeep import (
    Difference,
    asked,
    conclusion,
    counted,
    deeds,
    effect,
    entry,
    far,
    in_order,
    named,
    own_figures,
    reason,
    size,
    waiting,
)
from gieok.words import words_in

KO, EN = words_in("ko"), words_in("en")


def measured(by, have, need, due=False):
    return Measured(by=by, have=have, need=need, due=due)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        (measured("turns", 9, 10), "대화 9 / 10번"),
        (measured("memories", 6, 20), "새 기억 6 / 20개"),
        (measured("tokens", 6100, 6000, True), "요약하지 않은 6,100 / 6,000토큰"),
        (measured("hours", 5.9, 6), "지난번부터 5시간 / 6시간"),
        (measured("hours", 200.0, 168), "지난번부터 8일 / 7일"),
        (measured("stale", 1, 1, True), "요약에 이제는 맞지 않는 내용이 있어요"),
        (None, "기한을 정한 종류가 없어요 (설정 retain)"),
    ],
)
def test_how_far_a_pass_is_is_told_in_what_it_waits_for(what, told):
    assert far(what, KO) == told


def test_every_pass_has_a_name_and_says_what_it_does_in_both_languages():
    looks = [
        Outlook(name=name, measured=measured("turns", 5, 10), ran=Ran(turn_number=1, at=day(1))) for name in PASSES
    ]
    for words in (KO, EN):
        shown = waiting(looks, words)
        assert [each.pass_name for each in shown] == list(PASSES)
        assert len({each.does for each in shown}) == len(PASSES)
        assert {each.share for each in shown} == {0.5}
    assert named(["merge", "weekly"], KO) == "합치기, 주간 기록"


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("told 3 times", "3번 들은 이야기"),
        ("said again 2 times, used 1 times", "2번 다시 나왔고 1번 떠올림"),
        ("week 2026-W09 is over", "2026년 9번째 주가 끝남"),
        ("retold by interpret/1 {evil} gpt", "모델이 새로 풀어 씀 (interpret/1 {evil} gpt)"),
        ("something new", "something new"),
    ],
)
def test_a_reason_is_told_in_the_visitors_words(why, told):
    assert reason(why, KO) == told


def test_what_upkeep_does_is_told_memory_by_memory_with_what_differs():
    old = memory(id="m1", content="커피를 마심", valid_at=day(1))
    made = memory(id="m2", content="커피를 마심 (2번)", valid_at=day(1))
    closed = old.changed(faded_at=day(3), closed_by="m2")
    kept = Kept(
        action="merge",
        why="told 2 times",
        changes=(Change(before=None, after=made), Change(before=old, after=closed)),
    )
    (deed,) = deeds([kept], KO)
    assert deed.why == "2번 들은 이야기"
    assert [(each.what, each.memory_id, each.content) for each in deed.effects] == [
        ("new", "m2", "커피를 마심 (2번)"),
        ("closed", "m1", "커피를 마심"),
    ]
    assert deed.effects[1].differences == (Difference(field="faded_at", before=None, after=day(3)),)
    assert counted([deed]) == {"new": 1, "closed": 1}


def test_a_memory_that_stays_tells_its_old_words_and_its_new():
    old = memory(id="m1", content="부산에 삶", value="부산")
    after = old.changed(content="해운대에 삶", value="해운대", mentions=1, touched_turn=9)
    shown = effect(Change(before=old, after=after))
    assert (shown.what, shown.content) == ("changed", "해운대에 삶")
    assert [(each.field, each.before, each.after) for each in shown.differences] == [
        ("content", "부산에 삶", "해운대에 삶"),
        ("value", "부산", "해운대"),
        ("mentions", 0, 1),
    ]


def operation(kind, request, **fields):
    moment = Moment(at=day(2), recorded_at=WALL, turn_number=1)
    return Operation(**{"id": "o", "kind": kind, "moment": moment, "who": "person", "request": request, **fields})


def test_an_entry_tells_whose_hand_it_was_and_what_it_left_alone():
    ignored = Ignore(claim=claim("likes", "별"), why="predictable")
    told = entry(operation("observe", Learn(), who="rules/1", decisions=(ignored,), number=7, undone=True), KO)
    assert (told.number, told.who, told.by, told.ignored, told.undone) == (7, "rules", "rules/1", 1, True)
    assert entry(operation("pin", Pin(memory_id="m", pinned=False)), KO).kind == "unpin"
    assert entry(operation("rewind", Undo(operations=("a", "b"))), KO).took_back == 2
    assert entry(operation("deepen", Learn(), who="extract/1 gpt"), KO).who == "model"
    kept = Kept(action="forget", why="faded and never mentioned", changes=())
    swept = entry(operation("pass", Maintain(passes=("prune",)), who="upkeep/1", kept=(kept, kept)), KO)
    assert (swept.who, swept.whys) == ("upkeep", ("희미해졌고 다시 나온 적 없음",))


def test_the_story_so_far_comes_first_then_the_newest_of_each_sort():
    made = {"origin": "reflection", "content_type": "summary"}
    rolling = memory(id="r", tags=("rolling",), valid_at=day(1), **made)
    weeks = [memory(id=f"w{each}", tags=("weekly",), valid_at=day(each), **made) for each in (2, 9)]
    insight = memory(id="i", origin="reflection", content_type="insight", valid_at=day(20))
    fused = memory(id="f", origin="reflection", content_type="event", valid_at=day(30))
    ordered = in_order([fused, *weeks, insight, rolling])
    assert [each.id for each in ordered] == ["r", "i", "w9", "w2", "f"]
    shown = conclusion(weeks[0], Grounds(memories=(fused,)))
    assert (shown.sort, shown.grounds.memories) == ("weekly", (fused,))


def test_calls_of_a_model_add_up_over_days_and_outcomes():
    one = CallSum(
        day="2026-11-15", task="reply", model="m", failure=None, calls=2, seconds=1.5, prompt_tokens=10,
        answer_tokens=5, cost=0.25,
    )  # fmt: skip
    failed = CallSum(
        day="2026-11-16", task="reply", model="m", failure="timeout", calls=1, seconds=60, prompt_tokens=0,
        answer_tokens=0, cost=0.0,
    )  # fmt: skip
    (row,) = asked([one, failed])
    assert (row.calls, row.failed, row.tokens, row.seconds, row.cost) == (3, 1, 15, 61.5, 0.25)


def test_sizes_are_told_as_people_read_them():
    assert [size(each) for each in (0, 1023, 1024, 5_500_000, 3 * 1024**4)] == [
        "0 B", "1023 B", "1.0 KB", "5.2 MB", "3.0 TB",
    ]  # fmt: skip
    figures = own_figures(Holdings(turns=2, states={"current": 3, "past": 1}))
    assert (figures["memories"], figures["turns"], "rewound" in figures) == (4, 2, False)


def test_a_day_has_passed_since_the_last_time():
    assert far(measured("hours", timedelta(days=1) / timedelta(hours=1), 6), EN) == "24 h of 6 h since the last time"
