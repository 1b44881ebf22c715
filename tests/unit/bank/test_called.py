"""Which calls of models belong to one piece of work."""

from __future__ import annotations

from gieok.bank.models import Calls, collect
from gieok.conversation.replies import in_thread
from gieok.domain.answer import ModelCall
from gieok.recall.time_limit import Running, TimeLimit
from gieok.testing import day


def call(task="reply"):
    return ModelCall(task=task, model="m", at=day(1), seconds=0.1)


def test_calls_are_collected_also_from_threads_that_are_waited_for():
    calls = Calls()

    def work():
        collect(call("reply"))
        in_thread(lambda: collect(call("emotion")), must_end=True).result()
        TimeLimit(9.0).call(lambda: collect(call("rerank")), Running())
        return "done"

    assert calls.run(work) == "done"
    assert [each.task for each in calls.so_far] == ["reply", "emotion", "rerank"]


def test_what_nobody_asked_for_is_nobody_s():
    calls = Calls()
    calls.run(lambda: None)
    collect(call())
    assert calls.so_far == ()


def test_two_pieces_of_work_that_take_turns_do_not_mix():
    one, other = Calls(), Calls()
    for _ in range(2):
        one.run(lambda: collect(call("reply")))
        other.run(lambda: collect(call("emotion")))
    assert [each.task for each in one.so_far] == ["reply"] * 2
    assert [each.task for each in other.so_far] == ["emotion"] * 2
