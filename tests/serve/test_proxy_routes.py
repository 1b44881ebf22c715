"""One address for all models, all routes of OpenAI's clients, and what nobody in a conversation said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import openai
import pytest

from gieok.domain.server_state import Bounds
from gieok.serve.app import create_app, guarded_app
from support.api import caller_with
from support.clients import messages
from support.misbehaving import Exchange, answer, slow
from support.proxied import Proxied, proxied
from support.serving import served

HI = [{"role": "user", "content": "나 고양이 키워"}]
TITLE = [
    {
        "role": "user",
        "content": "### Task:\nGenerate a concise, 3-5 word title summarizing the chat history.\n### Output:\nJSON\n"
        "<chat_history>\nUSER: 나 고양이 키워\nASSISTANT: 이름이 뭐예요?\n</chat_history>",
    }
]


@pytest.fixture
def chat(tmp_path) -> Iterator[Proxied]:
    with proxied(tmp_path) as chat:
        yield chat


def post(chat: Proxied, path: str, body: Any = None, **more: Any) -> httpx2.Response:
    with httpx2.Client(trust_env=False) as client:
        return client.post(f"{chat.url.removesuffix('/v1')}{path}", json=body, **more)


def test_a_model_by_its_own_name_is_asked_without_memory(chat):
    chat.ask(HI)
    got = chat.client.chat.completions.with_raw_response.create(model="small", messages=HI)  # type: ignore[arg-type]  # plain dicts, as apps send them
    assert got.headers["x-gieok-context"] == "none; no character is named"
    asked = chat.model.asked[-1].body
    assert (asked["model"], asked["messages"]) == ("small", HI)
    assert len(chat.mind().turns()) == 1
    assert len(chat.bank.scopes()) == 1


@pytest.mark.parametrize("model", ["gieok/letia", "small"])
def test_what_a_client_asks_for_itself_gets_no_memory_and_leaves_none(chat, model):
    chat.ask(HI)
    before = chat.talk()
    chat.model.will(answer('{"title": "고양이"}'))
    got = chat.client.chat.completions.with_raw_response.create(model=model, messages=TITLE)  # type: ignore[arg-type]  # plain dicts, as apps send them
    assert got.headers["x-gieok-context"].startswith("none; ")
    assert chat.model.asked[-1].body["messages"] == TITLE
    assert chat.talk() == before


def test_a_task_does_not_wait_for_the_reply_of_its_chat(chat):
    chat.ask(HI)
    memory = chat.memory
    (session,) = chat.sessions()
    assert memory.locks.acquire((chat.mind().key, session))  # a long reply is under way
    try:
        assert chat.ask(TITLE) == "좋아요."
    finally:
        memory.release((chat.mind().key, session))


def test_one_model_is_described(chat):
    assert chat.client.models.retrieve("gieok/letia").owned_by == "gieok"
    assert chat.client.models.retrieve("gieok/학원/세라").id == "gieok/학원/세라"
    assert chat.client.models.retrieve("small").owned_by == "test"
    with pytest.raises(openai.NotFoundError, match="GET /v1/models lists"):
        chat.client.models.retrieve("large")


def test_a_key_describes_only_characters_that_it_opens(tmp_path):
    minsu = Bounds(user="minsu", character="letia")
    with proxied(tmp_path, caller_with("reader", minsu, home=minsu)) as chat:
        assert chat.client.models.retrieve("gieok/letia").id == "gieok/letia"
        with pytest.raises(openai.PermissionDeniedError):
            chat.client.models.retrieve("gieok/sera")


@pytest.mark.parametrize(
    "path", ["completions", "embeddings", "moderations", "responses", "rerank", "images/generations"]
)
@pytest.mark.parametrize("base", ["/v1", ""])
def test_what_has_to_do_with_no_character_is_for_the_endpoint(chat, path, base):
    def act(exchange: Exchange) -> None:
        exchange.head(202, x_request_id="r1", set_cookie="a=b")
        exchange.send(b'{"odd": 1.50}')
        exchange.end()

    chat.model.will(act)
    got = post(chat, f"{base}/{path}", {"model": "small", "input": "안녕"}, headers={"authorization": "Bearer x"})
    assert (got.status_code, got.content, got.headers["x-request-id"]) == (202, b'{"odd": 1.50}', "r1")
    assert "set-cookie" not in got.headers
    asked = chat.model.asked[-1]
    assert (asked.path, asked.body) == (f"/v1/{path}", {"model": "small", "input": "안녕"})
    assert asked.headers["authorization"] == "Bearer upstream-key"


def test_the_endpoint_is_not_asked_for_a_character_elsewhere(chat):
    with pytest.raises(openai.BadRequestError, match="at /v1/chat/completions"):
        chat.client.embeddings.create(model="gieok/letia", input="안녕")
    with pytest.raises(openai.BadRequestError, match="name a model of the endpoint"):
        chat.client.responses.create(model="gieok/letia", input="안녕")
    assert chat.model.asked == []


def test_only_a_writer_may_ask_the_endpoint(tmp_path):
    with proxied(tmp_path, caller_with("reader")) as chat:
        with pytest.raises(openai.PermissionDeniedError, match="role writer"):
            chat.client.embeddings.create(model="small", input="안녕")
        with pytest.raises(openai.PermissionDeniedError, match="role writer"):
            chat.ask(HI, model="small")
        assert chat.model.asked == []


def test_a_client_whose_address_lacks_v1_is_answered(chat):
    got = post(chat, "/chat/completions", {"model": "gieok/letia", "messages": HI})
    assert got.json()["choices"][0]["message"]["content"] == "좋아요."
    assert chat.talk() == [("나 고양이 키워", "좋아요.")]
    with httpx2.Client(trust_env=False) as client:
        listed = client.get(f"{chat.url.removesuffix('/v1')}/models").json()
    assert [each["id"] for each in listed["data"]] == ["gieok/letia", "small"]


def test_a_route_that_nobody_has_is_told_in_the_form_of_openai(chat):
    with served(guarded_app(create_app(chat.bank))) as url:
        for path in ("/v1/files", "/v1/v1/chat/completions", "/v1/assistants"):
            with httpx2.Client(trust_env=False) as client:
                got = client.post(f"{url}{path}", json={}, headers={"authorization": "Bearer sk-none"})
            assert got.status_code == 404, path
            assert f"there is nothing at {path}" in got.json()["error"]["message"]


def test_a_reply_without_a_role_gets_one(chat):
    def act(exchange: Exchange) -> None:
        exchange.head(type="text/event-stream")
        for delta in ({"content": "저도 "}, {"content": "좋아해요"}, {}):
            done = None if delta else "stop"
            exchange.event({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": done}]})
        exchange.event(b"[DONE]")
        exchange.end()

    chat.model.will(act)
    stream = chat.client.chat.completions.create(model="gieok/letia", messages=HI, stream=True)  # type: ignore[arg-type]  # plain dicts, as apps send them
    deltas = [chunk.choices[0].delta for chunk in stream]
    assert [each.role for each in deltas if each.role] == ["assistant"]
    assert deltas[0].role == "assistant"
    assert "".join(each.content or "" for each in deltas) == "저도 좋아해요"
    assert chat.talk() == [("나 고양이 키워", "저도 좋아해요")]


def test_what_others_say_in_a_group_is_theirs(chat):
    """레티아 is a doctor and tells so; 세라, who answers, is none, and neither is the user."""
    group = [{"role": "system", "content": "[Start a new group chat. Group members: 레티아, 세라]"}]
    nudge = [{"role": "system", "content": "[Write the next reply only as 세라.]"}]
    said = [{"role": "user", "content": "다들 안녕"}, {"role": "assistant", "content": "레티아: 저는 의사예요."}]
    chat.model.will(answer("반가워요."))
    chat.ask([*group, *said, *nudge], model="gieok/세라", user="민수")
    said += [{"role": "assistant", "content": "세라: 반가워요."}, {"role": "user", "content": "나는 부산에 살아"}]
    chat.ask([*group, *said, *nudge], model="gieok/세라", user="민수")

    mind = chat.mind("세라", "민수")
    heard = [(each.speaker, each.text) for turn in mind.turns() for each in turn.utterances]
    assert heard == [
        ("user", "다들 안녕"),
        ("레티아", "저는 의사예요."),
        ("character", "반가워요."),
        ("user", "나는 부산에 살아"),
        ("character", "좋아요."),
    ]
    assert [(each.subject_id, each.attribute) for each in mind.facts(attribute="job")] == [("레티아", "job")]
    assert [each.value for each in mind.facts(about="user", attribute="residence")] == ["부산"]
    assert not [each for each in mind.journal() if each.kind == "rewind"]


def test_a_history_in_one_message_leaves_no_junk(chat):
    prompt = "레티아는 의사다. 서울에 산다.\n\n[Start a new Chat]\n\n레티아: 어서 와요.\n\n민수: 나 고양이 키워"
    chat.model.will(answer("이름이 뭐예요?"))
    chat.ask([{"role": "user", "content": prompt}], model="gieok/레티아", user="민수")
    chat.ask(
        [{"role": "user", "content": f"{prompt}\n\n레티아: 이름이 뭐예요?\n\n민수: 나비"}],
        model="gieok/레티아",
        user="민수",
    )
    mind = chat.mind("레티아", "민수")
    said = [[each.text for each in turn.utterances] for turn in mind.turns()]
    assert said == [["어서 와요."], ["나 고양이 키워", "이름이 뭐예요?"], ["나비", "좋아요."]]
    assert not mind.facts(attribute="job")
    assert not mind.facts(attribute="residence")


def test_a_document_that_a_client_puts_before_the_words_is_not_said(chat):
    rag = "### Task:\nRespond to the user query.\n<context>\n나는 의사다.\n</context>\n고양이 밥은?"
    chat.ask([{"role": "user", "content": rag}])
    assert chat.model.asked[-1].body["messages"][-1]["content"].endswith(rag)
    chat.ask(messages([("고양이 밥은?", "좋아요.")], "응"))
    assert chat.talk() == [("고양이 밥은?", "좋아요."), ("응", "좋아요.")]


def test_a_model_that_is_too_slow_names_the_setting(tmp_path):
    with proxied(tmp_path, llm_seconds=0.1) as chat:
        chat.model.will(slow())
        with pytest.raises(openai.InternalServerError) as told:
            chat.ask(HI)
        assert "llm_seconds = 0.1" in json.dumps(told.value.body)
