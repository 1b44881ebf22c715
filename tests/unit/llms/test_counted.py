import json
import logging
from datetime import UTC, datetime

import pytest

from gieok.domain.answer import Message, Prompt
from gieok.domain.json_text import json_in
from gieok.errors import ModelFailed
from gieok.llms import CountedModel
from support.misbehaving import answer, bits, empty, limited, status, truncated

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
HELLO = (Message(role="user", content="고양이 얘기"),)
GOOD = '{"pet": "고양이"}'


def pet(text: str) -> str:
    found = json_in(text)
    if not isinstance(found, dict) or not isinstance(found.get("pet"), str):
        raise ValueError("no pet")
    return found["pet"]


PROMPT = Prompt(task="extract", version="extract/2", messages=HELLO, schema={"type": "object"}, read=pet)


@pytest.fixture
def calls():
    return []


@pytest.fixture
def model(connect, calls):
    return CountedModel(connect(), record=calls.append, now=lambda: NOON, price=(1.0, 2.0))


def failures(calls):
    return [call.failure for call in calls]


def test_an_answer_is_typed_and_counted(server, model, calls):
    server.will(answer(GOOD))
    assert model.ask(PROMPT) == "고양이"
    (call,) = calls
    assert (call.task, call.model, call.at, call.failure) == ("extract", "small", NOON, None)
    assert (call.prompt_tokens, call.answer_tokens) == (7, len(GOOD))
    assert call.cost == pytest.approx(7 + 2 * len(GOOD))
    assert call.seconds > 0


@pytest.mark.parametrize("text", [f"네! {GOOD}", f"```json\n{GOOD}\n```"])
def test_prose_around_the_answer_needs_no_repair(server, model, calls, text):
    server.will(answer(text))
    assert model.ask(PROMPT) == "고양이"
    assert len(server.asked) == 1


@pytest.mark.parametrize("act", [truncated(), answer("모르겠어요."), answer('{"dog": 1}'), answer("[]")])
def test_an_answer_that_cannot_be_read_is_put_right_once(server, model, calls, act):
    server.will(act, answer(GOOD))
    assert model.ask(PROMPT) == "고양이"
    assert failures(calls) == [None, None]
    repair = server.asked[1].body["messages"]
    assert [message["role"] for message in repair] == ["user", "assistant", "user"]
    assert json.dumps(PROMPT.schema) in repair[-1]["content"]


def test_an_answer_that_stays_broken_is_a_failure(server, model, calls):
    server.always(truncated())
    with pytest.raises(ModelFailed) as caught:
        model.ask(PROMPT)
    assert caught.value.failure == "broken"
    assert failures(calls) == [None, "broken"]
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("act", "failure"), [(status(500), "server_error"), (limited(), "rate_limited"), (empty, "empty")]
)
def test_a_call_that_fails_is_counted_once(server, model, calls, act, failure):
    server.always(act)
    with pytest.raises(ModelFailed):
        model.ask(PROMPT)
    assert failures(calls) == [failure]
    assert (calls[0].prompt_tokens, calls[0].cost) == (0, 0.0)


def test_a_repair_that_fails_on_the_way_is_that_failure(server, model, calls):
    server.will(truncated(), status(401))
    with pytest.raises(ModelFailed) as caught:
        model.ask(PROMPT)
    assert caught.value.failure == "refused"
    assert failures(calls) == [None, "refused"]


def test_tokens_that_nobody_tells_are_estimated(server, model, calls):
    server.will(answer(GOOD, usage=False))
    model.ask(PROMPT)
    assert calls[0].prompt_tokens == 6  # 고양이 얘기: five syllables and a space
    assert calls[0].answer_tokens > 0
    assert calls[0].cost > 0


def test_a_stream_is_counted_at_its_end(server, model, calls):
    assert "".join(model.stream(HELLO, most_tokens=9)) == "좋아요."
    (call,) = calls
    assert (call.task, call.failure, call.prompt_tokens, call.answer_tokens) == ("reply", None, 7, 4)


def test_a_stream_that_is_left_is_counted_as_cancelled_with_what_was_said(server, model, calls):
    server.will(bits("네,", " 저도", pause=0.05))
    stream = model.stream(HELLO, most_tokens=9)
    next(stream)
    assert calls == []
    stream.close()
    (call,) = calls
    assert (call.failure, call.answer_tokens) == ("cancelled", 2)
    assert call.prompt_tokens == 6


def test_a_stream_that_was_never_listened_to_is_no_call(server, model, calls):
    model.stream(HELLO, most_tokens=9).close()
    assert (calls, server.asked) == ([], [])


def test_a_log_of_calls_that_fails_costs_no_answer(server, connect, caplog):
    def full(call):
        raise OSError("no room left")

    server.always(answer(GOOD))
    model = CountedModel(connect(), record=full, now=lambda: NOON)
    with caplog.at_level(logging.WARNING):
        assert model.ask(PROMPT) == "고양이"
    assert "could not be recorded" in caplog.text
