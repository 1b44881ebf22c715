"""The page "upkeep": what passes wait for, the journal, conclusions and sizes."""

import pytest

from gieok.domain.answer import CallSum
from gieok.domain.decision import Ignore
from gieok.domain.judgement import Moment
from gieok.domain.operation import Learn, Maintain, Operation, Undo
from gieok.domain.scope import Holdings
from gieok.domain.upkeep import Kept, Measured
from gieok.testing import day
from gieok.testing.builders import WALL, claim, memory
from gieok.web.upkeep import calls_by_task, in_order, operation_lines, own_figures, size, sort_of, waits_for
from gieok.words import words_in

KO = words_in("ko")
IGNORED = Ignore(claim=claim("likes", "별"), why="predictable")


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
def test_a_pass_says_what_it_waits_for(what, told):
    assert waits_for(what, KO) == told


def operation(kind, request, **fields):
    moment = Moment(at=day(2), recorded_at=WALL, turn_number=1)
    return Operation(**{"id": "o", "kind": kind, "moment": moment, "who": "person", "request": request, **fields})


@pytest.mark.parametrize(
    ("entry", "lines"),
    [
        (
            operation("observe", Learn(), decisions=(IGNORED,)),
            ["넘긴 말 1개"],
        ),
        (operation("rewind", Undo(operations=("a", "b"))), ["2가지 일을 되감았어요"]),
        (
            operation(
                "pass",
                Maintain(passes=("prune",)),
                kept=(Kept(action="forget", why="faded and never mentioned", changes=()),) * 2,
            ),
            ["흐려졌고 다시 나온 적 없음"],
        ),
        (operation("observe", Learn()), ["기억은 그대로예요"]),
    ],
)
def test_an_entry_of_the_journal_says_what_else_it_did(entry, lines):
    assert operation_lines(entry, KO) == lines


def test_the_story_so_far_comes_first_then_the_newest_of_each_sort():
    made = {"origin": "reflection", "content_type": "summary"}
    rolling = memory(id="r", tags=("rolling",), valid_at=day(1), **made)
    weeks = [memory(id=f"w{each}", tags=("weekly",), valid_at=day(each), **made) for each in (2, 9)]
    insight = memory(id="i", origin="reflection", content_type="insight", valid_at=day(20))
    fused = memory(id="f", origin="reflection", content_type="event", valid_at=day(30))
    ordered = in_order([fused, *weeks, insight, rolling])
    assert [each.id for each in ordered] == ["r", "i", "w9", "w2", "f"]
    assert [sort_of(each) for each in ordered] == ["rolling", "insight", "weekly", "weekly", "merged"]


def test_calls_of_a_model_add_up_over_days_and_outcomes():
    one = CallSum(
        day="2026-11-15", task="reply", model="m", failure=None, calls=2, seconds=1.5, prompt_tokens=10,
        answer_tokens=5, cost=0.25,
    )  # fmt: skip
    failed = CallSum(
        day="2026-11-16", task="reply", model="m", failure="timeout", calls=1, seconds=60, prompt_tokens=0,
        answer_tokens=0, cost=0.0,
    )  # fmt: skip
    assert calls_by_task([one, failed]) == {("reply", "m"): ["3", "1", "15", "61.5 s", "0.2500"]}


def test_sizes_are_told_as_people_read_them():
    assert [size(each) for each in (0, 1023, 1024, 5_500_000, 3 * 1024**4)] == [
        "0 B", "1023 B", "1.0 KB", "5.2 MB", "3.0 TB",
    ]  # fmt: skip
    figures = own_figures(Holdings(turns=2, states={"current": 3, "past": 1}))
    assert (figures["memories"], figures["turns"], "rewound" in figures) == (4, 2, False)
