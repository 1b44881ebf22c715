"""A model behind an endpoint that behaves and misbehaves."""

import logging
import time
import traceback
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.answer import Message
from gieok.errors import ModelFailed
from gieok.llms import EndpointLlm, Patience
from gieok.llms.endpoint import ThoughtFilter, without_thoughts
from support.misbehaving import (
    answer,
    bits,
    empty,
    endless,
    hang_up_midway,
    huge,
    limited,
    page,
    raw,
    refuses,
    reset,
    reset_midway,
    slow,
    slow_body,
    stall,
    status,
    truncated,
)
from support.rows import from_rows

HELLO = (Message(role="user", content="안녕"),)
SCHEMA = {
    "type": "object",
    "properties": {"pet": {"type": "string"}},
    "required": ["pet"],
    "additionalProperties": False,
}
BRIEF = Patience(seconds=0.4, stall=0.2, pause=0.001)
HASTY = Patience(seconds=60.0, stall=0.5, pause=0.001)


def whole(llm, **options):
    return llm.complete(HELLO, most_tokens=16, **options)


def heard(llm, into=None):
    """Listen to the end; return the bits and the whole."""
    into = [] if into is None else into
    stream = llm.stream(HELLO, most_tokens=16)
    while True:
        try:
            into.append(next(stream))
        except StopIteration as end:
            return into, end.value


def failure_of(call, *arguments, **options):
    with pytest.raises(ModelFailed) as caught:
        call(*arguments, **options)
    assert caught.value.model == "small"
    return caught.value.failure


ways = pytest.mark.parametrize("way", [whole, heard])


def test_an_answer_comes_with_its_tokens(server, connect):
    done = whole(connect())
    assert (done.text, done.prompt_tokens, done.answer_tokens) == ("좋아요.", 7, 4)
    (asked,) = server.asked
    assert asked.headers["authorization"] == "Bearer secret"
    assert asked.body == {"model": "small", "messages": [{"role": "user", "content": "안녕"}], "max_tokens": 16}


def test_a_stream_comes_bit_by_bit_and_then_whole_with_its_tokens(connect):
    said, done = heard(connect())
    assert said == ["좋아", "요."]
    assert (done.text, done.prompt_tokens, done.answer_tokens) == ("좋아요.", 7, 4)


def test_a_schema_is_sent_as_one(server, connect):
    server.will(answer('{"pet": "고양이"}'))
    assert whole(connect(), schema=SCHEMA).text == '{"pet": "고양이"}'
    shape = server.asked[0].body["response_format"]
    assert shape["type"] == "json_schema"
    assert (shape["json_schema"]["schema"], shape["json_schema"]["strict"]) == (SCHEMA, True)


@pytest.mark.parametrize(
    ("act", "failure", "requests"),
    [
        (reset, "unreachable", 3),
        (reset_midway, "unreachable", 3),
        (hang_up_midway, "unreachable", 3),
        (status(500), "server_error", 3),
        (status(503), "server_error", 3),
        (status(408), "timeout", 3),
        (status(401), "refused", 1),
        (status(404), "refused", 1),
        (status(400), "refused", 1),
        (limited(), "rate_limited", 1),
        (limited("7"), "rate_limited", 1),
        (empty, "empty", 1),
        (bits("<think>음…", "</think>\n"), "empty", 1),
        (huge(), "too_long", 1),
        (huge(300_000), "too_long", 1),
        (page(), "broken", 1),
        (page(code=502), "server_error", 3),
        (raw({}), "empty", 1),
        (raw([]), "broken", 1),
        (raw({"choices": []}), "empty", 1),
        (raw({"choices": [None], "usage": 3}), "empty", 1),
        (raw({"choices": [{"message": {"content": None}}]}), "empty", 1),
        (raw({"error": {"message": "out of memory"}}), "server_error", 3),
        (raw({"error": {"message": "slow down", "code": 429}}), "rate_limited", 1),
    ],
)
def test_each_misbehaviour_is_a_failure_of_its_kind(server, connect, act, failure, requests):
    server.always(act)
    assert failure_of(whole, connect()) == failure
    assert len(server.asked) == requests


def test_a_body_that_stalls_is_asked_for_again_and_then_given_up(server, connect):
    server.always(slow_body())
    assert failure_of(whole, connect(HASTY)) == "timeout"
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("act", "failure", "requests"),
    [
        (reset, "unreachable", 3),
        (status(500), "server_error", 3),
        (status(401), "refused", 1),
        (limited(), "rate_limited", 1),
        (empty, "empty", 1),
        (page(), "broken", 1),
        (raw({}), "empty", 1),
        (hang_up_midway, "unreachable", 3),
    ],
)
def test_a_stream_that_does_not_begin_is_a_failure_of_its_kind(server, connect, act, failure, requests):
    server.always(act)
    assert failure_of(heard, connect()) == failure
    assert len(server.asked) == requests


@pytest.mark.parametrize(
    ("act", "failure", "given"),
    [(stall(), "timeout", [HASTY]), (reset_midway, "unreachable", []), (huge(), "too_long", [])],
)
def test_a_stream_that_breaks_off_is_not_asked_for_again(server, connect, act, failure, given):
    server.always(act)
    said: list[str] = []
    assert failure_of(heard, connect(*given), said) == failure
    assert said
    assert len(server.asked) == 1


@ways
def test_a_first_byte_that_does_not_come_is_given_up(server, connect, way):
    server.always(slow())
    assert failure_of(way, connect(BRIEF)) == "timeout"
    assert len(server.asked) == 1  # no time was left for another try


def test_a_stream_may_last_longer_than_an_answer_as_long_as_bits_come(server, connect):
    server.will(bits(*"오래 말하는 중", pause=0.2))
    said, _ = heard(connect(Patience(seconds=1.0, stall=30.0)))
    assert "".join(said) == "오래 말하는 중"


def test_a_stream_that_never_ends_is_ended(server, connect):
    server.always(endless())
    said: list[str] = []
    assert failure_of(heard, connect(Patience(seconds=0.4, stall=30.0, stream=2.0)), said) == "timeout"
    assert len(said) > 3


@ways
def test_what_passes_is_tried_again_until_it_goes_well(server, connect, way):
    server.will(status(500), reset)
    way(connect())
    assert len(server.asked) == 3


def test_retries_can_be_turned_off(server, connect):
    server.always(status(500))
    assert failure_of(whole, connect(Patience(retries=0))) == "server_error"
    assert len(server.asked) == 1


def test_nobody_listening_is_unreachable(server):
    gone = server.url.replace(str(server.port), "1")
    llm = EndpointLlm("small", url=gone, key="x", patience=HASTY)
    assert failure_of(whole, llm) == "unreachable"
    llm.close()


def test_after_a_429_nobody_asks_that_endpoint(server, connect):
    server.will(limited())
    assert failure_of(whole, connect()) == "rate_limited"
    other = connect()
    for way in (whole, heard):
        assert failure_of(way, other) == "rate_limited"
    assert len(server.asked) == 1


@pytest.mark.parametrize("retry_after", ["1", "0", "Sun, 15 Nov 2020 12:00:00 GMT"])
def test_after_the_time_that_a_429_names_it_is_asked_again(server, connect, retry_after):
    server.will(limited(retry_after))
    llm = connect()
    assert failure_of(whole, llm) == "rate_limited"
    time.sleep(1.05)
    assert whole(llm).text == "좋아요."


@from_rows
def test_an_endpoint_that_knows_no_schema_is_told_it_in_words_and_that_is_remembered(server, connect, refused, formats):
    server.always(refuses(refused, then=answer('{"pet": "고양이"}')))
    llm = connect()
    for _ in range(2):
        assert whole(llm, schema=SCHEMA).text == '{"pet": "고양이"}'
    sent = [(asked.body.get("response_format") or {}).get("type") for asked in server.asked]
    assert sent == formats
    assert '"required": ["pet"]' in server.asked[-1].text


def test_a_schema_in_words_joins_the_system_message_that_is_there(server, connect):
    server.always(refuses("response_format", then=answer("{}")))
    system = Message(role="system", content="너는 레티아야.")
    connect().complete((system, *HELLO), schema=SCHEMA, most_tokens=16)
    sent = server.asked[-1].body["messages"]
    assert [message["role"] for message in sent] == ["system", "user"]
    assert sent[0]["content"].startswith("너는 레티아야.\n\nAnswer with JSON")


@ways
def test_an_error_whose_body_never_ends_is_not_read_to_its_end(server, connect, way):
    def dripping(exchange):
        exchange.head(500, type="text/plain")
        while True:
            exchange.send(b"x")
            exchange.pause(0.01)

    server.always(dripping)
    assert failure_of(way, connect(Patience(stall=3.0, retries=0))) == "server_error"
    assert server.until(lambda: server.hung_up == 1)


def test_a_request_that_is_refused_for_itself_changes_nothing_for_the_next(server, connect):
    server.will(*[status(400, "the prompt is too long")] * 3)
    llm = connect()
    assert failure_of(whole, llm, schema=SCHEMA) == "refused"
    whole(llm, schema=SCHEMA)
    assert server.asked[-1].body["response_format"]["type"] == "json_schema"


def test_an_endpoint_that_counts_no_streams_is_not_asked_to(server, connect):
    server.always(refuses("stream_options"))
    llm = connect()
    for _ in range(2):
        assert heard(llm)[1].text == "좋아요."
    assert ["stream_options" in asked.body for asked in server.asked] == [True, False, False]


@pytest.mark.parametrize(
    ("field", "complaint"),
    [("temperature", "Unsupported value: temperature"), ("max_tokens", "use max_completion_tokens instead")],
)
def test_what_an_endpoint_complains_of_is_left_out(server, connect, field, complaint):
    def picky(exchange):
        act = status(400, complaint) if field in exchange.asked.body else answer("{}")
        act(exchange)

    server.always(picky)
    assert whole(connect(), schema=SCHEMA).text == "{}"
    assert len(server.asked) == 2
    assert server.asked[-1].body["response_format"]["type"] == "json_schema"


def test_a_whole_answer_to_a_question_for_a_stream_will_do(server, connect):
    server.will(raw({"choices": [{"message": {"content": "한 번에"}}]}))
    assert heard(connect())[0] == ["한 번에"]


def test_thoughts_are_left_out_of_answers_and_streams(server, connect):
    server.always(bits("<thi", "nk>고양이가", " 좋다</th", "ink>\n\n", "네, ", "<3 좋", "아요 <", "th"))
    llm = connect()
    assert whole(llm).text == "네, <3 좋아요 <th"
    said, done = heard(llm)
    assert "".join(said) == done.text == "네, <3 좋아요 <th"


def test_a_listener_who_leaves_hangs_up(server, connect):
    server.always(stall())
    stream = connect(Patience(stall=60.0)).stream(HELLO, most_tokens=16)
    assert next(stream) == "좋"
    stream.close()
    assert server.until(lambda: server.hung_up == 1)


def test_a_closed_model_asks_nobody(server, connect):
    llm = connect()
    whole(llm)
    llm.close()
    assert server.quiet()
    assert failure_of(whole, llm) == "unreachable"
    assert len(server.asked) == 1


def test_closing_hangs_up_on_an_answer_that_is_waited_for(server, connect):
    server.will(slow(60))
    llm = connect(Patience(seconds=60.0, stall=60.0, retries=2, pause=0.001))
    with ThreadPoolExecutor(1) as elsewhere:
        waiting = elsewhere.submit(llm.complete, HELLO, most_tokens=8)
        assert server.until(lambda: bool(server.asked))
        llm.close()
        with pytest.raises(ModelFailed, match="unreachable"):
            waiting.result(timeout=20)
    assert len(server.asked) == 1, "it is not asked again"
    assert server.until(lambda: server.hung_up == 1)


def test_text_that_cannot_be_encoded_is_sent_all_the_same(server, connect):
    connect().complete((Message(role="user", content="고양이\ud83d"),), most_tokens=4)
    assert server.asked[0].text == "고양이\ufffd"


def test_a_truncated_answer_is_given_as_it_is(server, connect):
    server.always(truncated('{"pet": "고'))
    assert whole(connect(), schema=SCHEMA).text == '{"pet": "고'


def told_with(failure: BaseException) -> str:
    """Return everything that a log would show of `failure`."""
    return "".join(traceback.format_exception(failure))


@pytest.mark.parametrize(
    "act",
    [
        status(401, "Incorrect API key provided: secret"),
        raw({"error": {"code": 401, "message": "no such key: secret"}}),
        page("what is secret?"),
    ],
    ids=["refused", "refused in an answer", "no JSON"],
)
def test_the_key_is_in_no_error(server, connect, act):
    server.always(act)
    with pytest.raises(ModelFailed) as caught:
        connect().complete(HELLO, most_tokens=5)
    assert "…" in str(caught.value)
    assert "secret" not in told_with(caught.value).replace('key="secret"', "")


def test_the_password_in_an_address_is_sent_and_told_to_nobody_else(server, caplog):
    caplog.set_level(logging.DEBUG)
    url = server.url.replace("http://", "http://bob:hunt%40er2@")
    server.always(status(401, f"nobody may call {url}"))
    llm = EndpointLlm("small", url=url, key="k3y", patience=HASTY)
    with pytest.raises(ModelFailed) as caught:
        llm.complete(HELLO, most_tokens=5)
    llm.close()
    assert server.asked[-1].headers["authorization"] == f"Basic {b64encode(b'bob:hunt@er2').decode()}"
    assert "er2" not in told_with(caught.value) + caplog.text


def test_endless_patience_is_no_trouble(server, connect):
    llm = connect(Patience(seconds=inf, stream=inf))
    assert llm.complete(HELLO, most_tokens=5).text
    assert list(llm.stream(HELLO, most_tokens=5))


THOUGHTFUL = "<think>사용자가 < 인사를\n했다</think>\n\n안녕하세요 <3 <b>!</b><think>또</think> 반가워요 </"
VISIBLE = "안녕하세요 <3 <b>!</b> 반가워요 </"


@given(st.lists(st.integers(0, len(THOUGHTFUL)), max_size=12))
def test_it_does_not_matter_where_the_bits_are_cut(cuts):
    at = sorted({0, len(THOUGHTFUL), *cuts})
    listening = ThoughtFilter()
    said = [listening.feed(THOUGHTFUL[start:end]) for start, end in pairwise(at)]
    assert "".join(said) + listening.end() == VISIBLE


@from_rows
def test_a_whole_answer_is_what_was_said_aloud(text, said):
    assert without_thoughts(text) == said
