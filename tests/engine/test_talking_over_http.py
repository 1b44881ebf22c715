"""A talk over a real HTTP endpoint that misbehaves: the turn is kept, what rules read is there, and nothing leaks."""

import threading
from contextlib import closing
from datetime import UTC, datetime

import pytest

import gieok
from gieok import llms
from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Delta, Done, Event, Failed
from gieok.ports import Llm
from support.misbehaving import Misbehaving, bits, empty, endless, huge, reset, reset_midway, slow, stall, status

SAID = "나 고양이 좋아해"
PATIENT, HURRIED = 30.0, 1.0


@pytest.fixture
def server():
    with Misbehaving() as server:
        yield server


@pytest.fixture
def calls():
    return []


@pytest.fixture
def llm(request, server):
    """Return a model that is waited for, or for as many seconds as the test says."""
    llm = llms.create("small", url=server.url, seconds=getattr(request, "param", PATIENT), retries=0)
    yield llm
    llm.close()


@pytest.fixture
def conversation(llm, calls, letia):
    return Conversation(letia, llms.CountedModel(llm, record=calls.append, now=lambda: datetime.now(UTC)))


def lines(mind: gieok.Mind) -> list[str]:
    return [said.text for turn in mind.turns() for said in turn.utterances]


def values(mind: gieok.Mind) -> list[str | None]:
    return [memory.value for memory in mind.facts(about="user")]


def told(events: list[Event]) -> list[str]:
    return [event.failure for event in events if isinstance(event, Failed)]


def test_a_reply_comes_over_the_wire(server, calls, conversation, letia):
    server.will(bits("저도 ", "고양이 ", "좋아해요."))
    events = list(conversation.say(SAID))
    assert events[-1].reply == "저도 고양이 좋아해요."
    assert lines(letia) == [SAID, "저도 고양이 좋아해요."]
    assert [(call.task, call.failure) for call in calls] == [("reply", None)]


@pytest.mark.parametrize(
    ("llm", "act", "failure", "kept"),
    [
        (HURRIED, slow(), "timeout", None),
        (HURRIED, stall("저도 ", "고양"), "timeout", "저도 고양"),
        (PATIENT, reset, "unreachable", None),
        (PATIENT, reset_midway, "unreachable", "좋아"),
        (PATIENT, status(500), "server_error", None),
        (PATIENT, status(401), "refused", None),
        (PATIENT, empty, "empty", None),
    ],
    indirect=["llm"],
    ids=["slow first byte", "stall", "reset", "reset midway", "500", "401", "empty"],
)
def test_an_endpoint_in_trouble_costs_the_reply_and_nothing_else(
    server, llm, calls, conversation, letia, act, failure, kept
):
    server.will(act)
    events = list(conversation.say(SAID))
    assert told(events) == [failure]
    assert isinstance(events[-1], Done)
    assert events[-1].cut_off
    assert lines(letia) == [SAID, *([kept] if kept else [])]
    assert values(letia) == ["고양이"]
    assert [call.failure for call in calls] == [failure]
    server.will(bits("네."))
    assert list(conversation.say("안녕"))[-1].reply == "네."
    assert_nothing_leaks(server, llm)


@pytest.mark.parametrize("act", [huge(), endless(0)], ids=["10 MB", "endless"])
def test_a_reply_without_end_is_cut_and_hung_up_on(server, conversation, letia, act):
    server.will(act)
    [done] = [event for event in conversation.say(SAID) if isinstance(event, Done)]
    assert (len(done.reply), done.cut_off) == (8_000, True)
    assert server.until(lambda: server.hung_up == 1)
    assert values(letia) == ["고양이"]


@pytest.mark.parametrize("wanted", [ContextBuilt, Delta])
def test_who_goes_away_hangs_up(server, llm, calls, conversation, letia, wanted):
    server.will(stall("저도 "))
    with closing(conversation.say(SAID)) as events:
        while not isinstance(next(events), wanted):
            pass
    assert lines(letia) == ([SAID] if wanted is ContextBuilt else [SAID, "저도"])
    assert letia.turns()[0].cut_off
    assert [call.failure for call in calls] == ([] if wanted is ContextBuilt else ["cancelled"])
    assert_nothing_leaks(server, llm)


def assert_nothing_leaks(server: Misbehaving, llm: Llm) -> None:
    assert "gieok-talk" not in [thread.name for thread in threading.enumerate()]
    llm.close()  # an idle connection is kept for the next question until then
    assert server.quiet()
