"""Whatever happens to the model, to the client or to memory: the client is told, and what was said is kept."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import httpx2
import openai
import pytest

import gieok
from gieok.access.caller import Caller
from gieok.errors import BankUnavailable
from gieok.proxy.routes import ChatMemory, Proxy
from gieok.serve.app import create_app
from support.api import let_in_as
from support.clients import messages
from support.misbehaving import (
    LONG,
    Act,
    Exchange,
    answer,
    bits,
    gated,
    hang_up_midway,
    page,
    reset,
    reset_midway,
    slow,
    stall,
    status,
    streaming,
)
from support.proxied import Proxied, proxied
from support.serving import served

SAID = "나 고양이 좋아해"
PATIENT, HURRIED = 30.0, 0.1  # `llm_seconds`; a silence may last ten times as long
HI = [{"role": "user", "content": SAID}]


@pytest.fixture
def chat(request, tmp_path) -> Iterator[Proxied]:
    """A proxy that waits for long until a model says something, or as long as the test says."""
    with proxied(tmp_path, llm_seconds=getattr(request, "param", PATIENT)) as chat:
        yield chat


def post(chat: Proxied, body: object, **headers: str) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    with httpx2.Client(trust_env=False) as client:
        return client.post(f"{chat.url}/chat/completions", content=content, headers=headers)


@pytest.mark.parametrize("code", [400, 401, 404, 429, 500, 503])
@pytest.mark.parametrize("stream", [False, True])
def test_an_error_of_the_model_comes_back_unchanged(chat, code, stream):
    chat.model.will(status(code, "무슨 일이죠?", retry_after="7"))
    got = post(chat, {"model": "gieok/letia", "messages": HI, "stream": stream})
    assert got.status_code == code
    assert (
        got.content == json.dumps({"error": {"message": "무슨 일이죠?", "type": "error"}}, ensure_ascii=False).encode()
    )
    assert got.headers["retry-after"] == "7"
    assert chat.talk() == [(SAID, None)]
    assert chat.mind().turns()[0].cut_off


def test_the_next_request_heals_what_was_kept_alone(chat):
    chat.model.will(status(500))
    with pytest.raises(openai.InternalServerError):
        chat.ask(HI)
    chat.model.will(answer("저도요!"))
    chat.ask(HI)
    assert chat.talk() == [(SAID, "저도요!")]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("chat", "act", "told"),
    [(PATIENT, reset, "hung up"), (HURRIED, slow(), "fell silent")],
    indirect=["chat"],
    ids=["reset", "silence"],
)
def test_a_model_that_does_not_answer_is_named_without_secrets(chat, act, told, stream):
    chat.model.will(act)
    got = post(chat, {"model": "gieok/letia", "messages": HI, "stream": stream})
    error = got.json()["error"]
    assert (got.status_code, error["code"]) == (502, "upstream_unreachable")
    assert told in error["message"]
    assert "127.0.0.1" in error["message"]
    assert "upstream-key" not in got.text
    assert chat.talk() == [(SAID, None)]


@pytest.mark.parametrize(
    ("chat", "act"),
    [(PATIENT, reset_midway), (PATIENT, hang_up_midway), (HURRIED, stall("좋", "아"))],
    indirect=["chat"],
    ids=["reset", "hang up", "stall"],
)
def test_half_a_body_is_no_answer(chat, act):
    chat.model.will(act)
    with pytest.raises(openai.InternalServerError, match="the model at http"):
        chat.ask(HI)
    assert chat.talk() == [(SAID, None)]


@pytest.mark.parametrize(
    ("chat", "act"),
    [(PATIENT, reset_midway), (HURRIED, stall("좋", "아"))],
    indirect=["chat"],
    ids=["reset", "stall"],
)
def test_a_stream_that_breaks_off_says_so_and_is_kept_as_far_as_it_came(chat, act):
    chat.model.will(act)
    stream = chat.client.chat.completions.create(model="gieok/letia", messages=HI, stream=True)  # type: ignore[arg-type]  # plain dicts, as apps send them
    assert [next(stream).choices[0].delta.content for _ in "좋아"] == ["좋", "아"]
    with pytest.raises(openai.APIError, match="the model at http"):
        next(stream)
    assert chat.talk() == [(SAID, "좋아")]
    assert chat.mind().turns()[0].cut_off


def test_a_failed_reroll_leaves_the_turn_as_it_was(chat):
    chat.model.will(answer("저도 좋아해요."), status(503))
    chat.ask(HI)
    with pytest.raises(openai.InternalServerError):
        chat.ask(HI)
    assert chat.talk() == [(SAID, "저도 좋아해요.")]


def test_a_client_that_goes_away_hangs_up_and_what_it_heard_is_kept(chat):
    chat.model.will(bits("저도 ", "고양이 ", pause=0.2))
    address = urlsplit(chat.url)
    body = json.dumps({"model": "gieok/letia", "messages": HI, "stream": True}).encode()
    with socket.create_connection((address.hostname, address.port)) as client:
        client.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        came = b""
        while "저도".encode() not in came.replace(rb"\uc800\ub3c4", "저도".encode()):
            came += client.recv(1_000)
    assert chat.model.until(lambda: chat.model.hung_up == 1)
    # Its place is free again once the turn is kept: this waits for it.
    chat.model.will(answer("네."))
    chat.ask(messages([(SAID, "저도")], "듣고 있어?"))
    assert chat.talk() == [(SAID, "저도"), ("듣고 있어?", "네.")]


def test_a_client_that_goes_away_before_the_first_word_hangs_up_too(chat):
    reached = threading.Event()
    chat.model.will(lambda exchange: (reached.set(), exchange.pause(60)))
    address = urlsplit(chat.url)
    body = json.dumps({"model": "gieok/letia", "messages": HI}).encode()
    with socket.create_connection((address.hostname, address.port)) as client:
        client.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        assert reached.wait(10)
    assert chat.model.until(lambda: chat.model.hung_up == 1)


def test_a_page_instead_of_an_answer_is_passed_on(chat):
    chat.model.will(page("<html>It works!</html>"))
    got = post(chat, {"model": "gieok/letia", "messages": HI})
    assert (got.text, got.headers["content-type"]) == ("<html>It works!</html>", "text/html")
    assert chat.talk() == [(SAID, None)]


@pytest.mark.parametrize(
    ("body", "code", "told"),
    [
        (b"{", 400, "not a JSON object"),
        (b"\xff", 400, "not a JSON object"),
        ({"model": "gieok/", "messages": HI}, 404, "gieok/<character>"),
        ({"model": "gieok/" + "a" * 300, "messages": HI}, 400, "character"),
    ],
)
def test_what_is_wrong_with_a_request_is_told_as_openai_does(chat, body, code, told):
    got = post(chat, body)
    assert got.status_code == code
    assert told in got.json()["error"]["message"]
    assert {*got.json()["error"]} == {"message", "type", "param", "code"}
    assert chat.model.asked == []


@pytest.mark.parametrize("sent", [{"messages": None}, {"messages": []}, {}, {"messages": [3, {}, {"role": "user"}]}])
def test_messages_that_make_no_sense_are_for_the_model_to_refuse(chat, sent):
    chat.model.will(status(400, "messages?"))
    assert post(chat, {"model": "gieok/letia", **sent}).status_code == 400
    assert chat.model.asked[-1].body == {"model": "small", **sent}
    assert chat.sessions() == {}


def test_without_a_model_the_way_out_is_told(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        app = let_in_as(create_app(bank), Caller())
        with served(app) as url, openai.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0) as client:
            with pytest.raises(openai.InternalServerError, match="proxy_url") as told:
                client.chat.completions.create(model="gieok/letia", messages=HI)  # type: ignore[arg-type]  # plain dicts, as apps send them
            assert told.value.status_code == 503
            assert client.models.list().data == []


def test_a_model_nobody_named_is_told(tmp_path):
    with proxied(tmp_path, proxy_model=None) as chat:
        with pytest.raises(openai.InternalServerError, match="proxy_model"):
            chat.ask(HI)
        assert chat.ask(HI, model="gieok/letia@small") == "좋아요."


def test_a_bank_in_trouble_costs_memory_and_not_the_reply(chat, monkeypatch):
    """The disk is full, say: both looking and keeping fail."""

    def fails(*_: object, **__: object) -> None:
        raise BankUnavailable("the disk is full")

    monkeypatch.setattr(gieok.Mind, "context", fails)
    monkeypatch.setattr(gieok.Mind, "observe", fails)
    assert chat.ask(HI) == "좋아요."
    assert chat.ask(HI) == "좋아요."
    monkeypatch.undo()
    assert chat.ask(messages([(SAID, "좋아요.")], "그렇지?")) == "좋아요."
    assert chat.talk() == [(SAID, "좋아요."), ("그렇지?", "좋아요.")]


def test_memory_that_is_late_is_left_out_and_the_turn_is_kept(chat, monkeypatch):
    """Another request has the bank: the model is asked without it, and the turn is kept when it comes free."""
    held, real = threading.Event(), gieok.Mind.context

    def waits(self: gieok.Mind, *given: object, **more: object) -> object:
        assert held.wait(30)
        return real(self, *given, **more)  # type: ignore[arg-type]  # plain dicts, as apps send them

    monkeypatch.setattr(gieok.Mind, "context", waits)
    chat.model.will(lambda exchange: (held.set(), answer("저도요.")(exchange)))
    got = chat.client.chat.completions.with_raw_response.create(model="gieok/letia", messages=HI)  # type: ignore[arg-type]  # plain dicts, as apps send them
    assert got.headers["x-gieok-context"] == "none; memory was not there in time"
    assert chat.talk() == [(SAID, "저도요.")]


def done_but(*more: bytes, seconds: float = LONG) -> Act:
    """Stream a reply to its end, then `more`, and keep the line open."""

    def act(exchange: Exchange) -> None:
        exchange.head(type="text/event-stream")
        exchange.event({"choices": [{"index": 0, "delta": {"content": "저도요."}, "finish_reason": "stop"}]})
        exchange.event(b"[DONE]")
        for each in more:
            exchange.send(each)
        exchange.pause(seconds)

    return act


@pytest.mark.parametrize("more", [(), (b": still here\n\n" * 10_000,) * 3], ids=["silent", "never silent"])
def test_a_model_that_keeps_the_line_open_after_its_end_keeps_nobody_waiting(chat, more):
    chat.model.will(done_but(*more))
    stream = chat.client.with_options(timeout=10).chat.completions.create(
        model="gieok/letia",
        messages=HI,  # type: ignore[arg-type]  # plain dicts, as apps send them
        stream=True,
    )
    assert "".join(each.choices[0].delta.content or "" for each in stream) == "저도요."
    assert chat.talk() == [(SAID, "저도요.")]
    assert chat.model.until(lambda: chat.model.hung_up == 1)


def test_a_request_beside_a_long_reply_of_its_sitting_does_not_wait_for_that_to_be_kept(chat):
    """Clients have a title made, say, while the reply is still coming in."""
    gate, begun = threading.Event(), threading.Event()
    chat.model.will(lambda exchange: (begun.set(), gated(gate, ["저도"], ["요."])(exchange)), when=streaming)
    named = {"X-Gieok-Session": "noon"}
    first = chat.client.chat.completions.create
    with ThreadPoolExecutor(1) as elsewhere:
        reply = elsewhere.submit(
            lambda: list(first(model="gieok/letia", messages=HI, stream=True, extra_headers=named))  # type: ignore[call-overload]  # plain dicts, as apps send them
        )
        try:
            assert begun.wait(10)
            title = [{"role": "user", "content": "제목을 지어 줘"}]
            assert chat.ask(title, extra_headers=named, timeout=9) == "좋아요."
            assert not reply.done()
        finally:
            gate.set()
        assert reply.result(10)


def listing(*pieces: bytes) -> Act:
    """Answer with a list of models in these pieces, the last again and again."""

    def act(exchange: Exchange) -> None:
        exchange.head()
        for each in pieces:
            exchange.send(each)
        while True:
            exchange.send(pieces[-1])
            exchange.pause(0.001)

    return act


@pytest.mark.parametrize(
    ("act", "listed"),
    [
        (listing(b'{"data":[', b'{"id":"one"},' * 10_000), ["gieok/letia"]),
        (listing(b'{"data":[{"id":"one"}]}', b" "), ["gieok/letia"]),
        (page('{"data": [{"id": "one", "size": NaN}]}'), ["gieok/letia"]),
        (page("[" * 100_000), ["gieok/letia"]),
        (page('{"data": [{"id": "\\ud800"}]}'), ["gieok/letia", "\ud800"]),
    ],
    ids=["much", "slowly", "no number", "deep", "half a letter"],
)
def test_whatever_a_model_lists_the_characters_are_there(chat, act, listed):
    chat.mind().observe(SAID, reply="저도요.")
    chat.model.will(act)
    with httpx2.Client(trust_env=False, timeout=10) as client:
        got = client.get(f"{chat.url}/models")
    assert [each["id"] for each in got.json()["data"]] == listed


def test_what_is_wrong_with_the_bank_is_for_the_log_alone(chat, monkeypatch, caplog):
    def fails(*_: object) -> None:
        raise BankUnavailable("/home/minsu/secret.db: the disk is full")

    monkeypatch.setattr(Proxy, "_known", fails)
    with pytest.raises(openai.InternalServerError, match="in its log") as told:
        chat.client.models.list()
    assert "secret.db" not in str(told.value)
    assert "secret.db" in caplog.text


def test_nothing_is_masked_on_the_event_loop(chat, monkeypatch):
    threads = []
    shown = ChatMemory.shown

    def noting(memory: ChatMemory, text: str) -> str:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        threads.append(threading.current_thread())
        return shown(memory, text)

    monkeypatch.setattr(ChatMemory, "shown", noting)
    chat.ask([{"role": "user", "content": "내 번호는 010-4482-9173이야"}])
    assert len(threads) == 1
