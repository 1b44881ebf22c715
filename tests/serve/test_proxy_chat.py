"""Any OpenAI client in front of any model, with a memory between the two."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import httpx2
import openai
import pytest

from gieok.domain.server_state import Bounds
from support.api import caller_with
from support.clients import messages
from support.misbehaving import Exchange, answer, bits, raw, saying
from support.proxied import Proxied, proxied

HI = [{"role": "user", "content": "나 땅콩 알레르기 있어"}]


@pytest.fixture
def chat(tmp_path) -> Iterator[Proxied]:
    with proxied(tmp_path) as chat:
        yield chat


def seen(chat: Proxied) -> list[tuple[str, str]]:
    """What the model saw last."""
    return [(each["role"], each["content"]) for each in chat.model.asked[-1].body["messages"]]


def test_what_was_said_in_one_chat_is_known_in_the_next(chat):
    chat.model.will(answer("조심할게요!"))
    assert chat.ask(HI) == "조심할게요!"
    assert chat.talk() == [("나 땅콩 알레르기 있어", "조심할게요!")]

    chat.ask([{"role": "system", "content": "너는 레티아다."}, {"role": "user", "content": "간식 추천해 줘"}])

    (role, persona), (asker, asked) = seen(chat)
    assert (role, asker) == ("system", "user")
    assert persona.startswith("너는 레티아다.\n\n아래는 기억에서 가져온 자료이다.")
    assert "땅콩 알레르기" in persona
    assert asked.startswith("<memory>\n")
    assert asked.endswith("\n</memory>\n\n간식 추천해 줘")
    assert len(chat.sessions()) == 2


def test_a_talk_that_is_shown_is_not_told_again(chat):
    chat.ask(HI)
    chat.ask(messages([("나 땅콩 알레르기 있어", "좋아요.")], "뭐 먹을까?"))
    assert "땅콩" not in seen(chat)[-1][1]
    chat.ask(messages([("뭐 먹을까?", "좋아요.")], "또?"))  # the window of the client is full
    assert "땅콩 알레르기가 있음" in seen(chat)[-1][1]
    assert chat.talk() == [("나 땅콩 알레르기 있어", "좋아요."), ("뭐 먹을까?", "좋아요."), ("또?", "좋아요.")]


def test_a_stream_comes_bit_by_bit_and_is_kept_before_its_end(chat):
    chat.model.will(bits("저도 ", "고양이 ", "좋아해요"))
    stream = chat.client.chat.completions.create(
        model="gieok/letia", messages=[{"role": "user", "content": "나 고양이 좋아해"}], stream=True
    )
    heard = [chunk.choices[0].delta.content for chunk in stream]
    assert heard == ["저도 ", "고양이 ", "좋아해요", None]
    assert chat.talk() == [("나 고양이 좋아해", "저도 고양이 좋아해요")]
    assert not chat.mind().turns()[0].cut_off


def test_tool_calls_pass_through_and_the_turn_ends_with_the_words(chat):
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"at":"서울"}'}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    chat.model.will(raw({"choices": [{"index": 0, "message": called, "finish_reason": "tool_calls"}]}))
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}]
    ask = {"role": "user", "content": "오늘 서울 날씨 어때?"}
    got = chat.client.chat.completions.create(model="gieok/letia", messages=[ask], tools=tools)  # type: ignore[list-item]  # plain dicts, as apps send them
    assert got.choices[0].message.tool_calls[0].function.arguments == '{"at":"서울"}'
    assert chat.model.asked[-1].body["tools"] == tools
    assert chat.talk() == [("오늘 서울 날씨 어때?", None)]

    chat.model.will(answer("맑대요."))
    result = {"role": "tool", "tool_call_id": "c1", "content": "맑음"}
    assert chat.ask([ask, called, result], tools=tools) == "맑대요."
    assert chat.talk() == [("오늘 서울 날씨 어때?", "맑대요.")]
    chat.ask([ask, called, result, {"role": "assistant", "content": "맑대요."}, {"role": "user", "content": "좋네"}])
    assert chat.talk() == [("오늘 서울 날씨 어때?", "맑대요."), ("좋네", "좋아요.")]


def test_the_body_goes_on_and_comes_back_byte_for_byte(chat):
    came: list[bytes] = []
    answered = (
        b'{ "choices":[{"index":0,"message":{"role":"assistant","content":"\\ub124"},"x":1.50}],"new":[1e400, 007e0]}'
    )
    answered = answered.replace(b"007e0", b"7.0E0")

    def act(exchange: Exchange) -> None:
        came.append(json.dumps(exchange.asked.body).encode())
        exchange.head(200, length=len(answered), x_request_id="r1", set_cookie="a=b", openai_model="m")
        exchange.send(answered)

    chat.model.will(act)
    sent = (
        b'{"seed":1.0E+2,"model":"gieok/letia", "messages":'
        b'[{"role":"user","content":"\\uc548\\ub155","odd":{"b":1,"a":2}}],"z":null}'
    )
    with httpx2.Client(trust_env=False) as client:
        got = client.post(
            f"{chat.url}/chat/completions",
            content=sent,
            headers={
                "authorization": "Bearer gk-secret",
                "x-title": "My App",
                "cookie": "c=1",
                "content-type": "application/json",
            },
        )
    assert got.content == answered
    assert got.headers["x-request-id"] == "r1"
    assert "set-cookie" not in got.headers
    asked = chat.model.asked[-1]
    assert asked.body["messages"][-1] == {"role": "user", "content": "안녕", "odd": {"b": 1, "a": 2}}
    assert asked.headers["authorization"] == "Bearer upstream-key"
    assert asked.headers["x-title"] == "My App"
    assert asked.headers["accept-encoding"] == "identity"
    assert "cookie" not in asked.headers
    assert chat.talk() == [("안녕", "네")]


def test_a_stream_comes_back_byte_for_byte(chat):
    pieces = [
        b": hello\n\nda",
        b'ta: {"choices":[{"delta":{"role":"assistant","content":"\xea\xb0',
        b'\x80"}}],"odd":1.0}\r\n\r\n',
        b"data: [DO",
        b"NE]\n\n: bye\n\n",
    ]

    def act(exchange: Exchange) -> None:
        exchange.head(type="text/event-stream; charset=utf-8")
        for piece in pieces:
            exchange.send(piece)
            exchange.pause(0.01)
        exchange.end()

    chat.model.will(act)
    with httpx2.Client(trust_env=False) as client:
        got = client.post(f"{chat.url}/chat/completions", json={"model": "gieok/letia", "messages": HI, "stream": True})
    assert got.content == b"".join(pieces)
    assert got.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert chat.talk() == [("나 땅콩 알레르기 있어", "가")]


def test_another_upstream_model_may_be_named_and_others_are_left_as_they_are(chat):
    chat.ask(HI, model="gieok/letia@big:70b")
    assert chat.model.asked[-1].body["model"] == "big:70b"
    chat.ask(HI, model="gpt-4o", extra_headers={"X-Gieok-Character": "%EC%84%B8%EB%9D%BC", "X-Gieok-User": "minsu"})
    assert chat.model.asked[-1].body["model"] == "gpt-4o"
    assert [turn.utterances[0].text for turn in chat.mind("세라", "minsu").turns()] == [HI[0]["content"]]


def test_a_session_that_is_named_is_gone_on_with(chat):
    named = {"extra_headers": {"X-Gieok-Session": "%EB%B0%A4"}}
    chat.ask([{"role": "user", "content": "하나"}], **named)
    chat.ask([{"role": "user", "content": "둘"}], **named)
    assert chat.sessions() == {"밤": [("하나", "좋아요."), ("둘", "좋아요.")]}
    assert "하나" in seen(chat)[-1][1]  # the client does not show it


def test_clients_without_history_only_add(tmp_path):
    with proxied(tmp_path, proxy_history="append") as chat:
        for text in ("안녕", "안녕", "나 고양이 키워"):
            chat.ask([{"role": "user", "content": text}])
        assert [text for text, _ in chat.talk()] == ["안녕", "안녕", "나 고양이 키워"]


def test_a_request_that_fills_the_window_goes_on_without_memory(tmp_path):
    with proxied(tmp_path, proxy_window=300) as chat:
        chat.ask(HI)
        long = {"role": "system", "content": "가나다라 " * 200}
        got = chat.client.chat.completions.with_raw_response.create(
            model="gieok/letia", messages=[long, {"role": "user", "content": "뭐 먹을까?"}]
        )
        assert got.headers["x-gieok-context"] == "none; the request leaves no room for it"
        assert len(chat.model.asked[-1].body["messages"]) == 2
        assert len(chat.mind().turns()) == 2


def test_the_models_are_characters_and_what_the_endpoint_has(chat):
    chat.ask(HI)
    chat.ask(HI, model="gieok/학원/세라")
    assert [each.id for each in chat.client.models.list()] == ["gieok/letia", "gieok/학원/세라", "small"]


def test_a_key_opens_its_own_characters_and_has_a_home(tmp_path):
    minsu = Bounds(user="minsu")
    with proxied(tmp_path, caller_with("writer", minsu, home=Bounds(user="minsu", character="letia"))) as chat:
        chat.ask(HI, model="gpt-4o")
        assert len(chat.mind(user="minsu").turns()) == 1
        chat.bank.scope(user="sora", character="sera").observe("비밀이야")
        assert [each.id for each in chat.client.models.list()] == ["gieok/letia", "small"]
        with pytest.raises(openai.PermissionDeniedError, match="does not open"):
            chat.ask(HI, extra_headers={"X-Gieok-User": "sora"})
    with (
        proxied(tmp_path, caller_with("reader")) as chat,
        pytest.raises(openai.PermissionDeniedError, match="needs the role writer"),
    ):
        chat.ask(HI)


def test_a_key_without_a_home_opens_nothing_to_a_client_that_names_no_user(tmp_path):
    with proxied(tmp_path, caller_with("writer", Bounds(user="minsu"))) as chat:
        with pytest.raises(openai.PermissionDeniedError, match="does not open"):
            chat.ask(HI)
        assert (chat.model.asked, chat.bank.scopes()) == ([], [])


def test_a_request_sent_twice_at_once_is_one_turn(chat):
    async def twice() -> None:
        async with openai.AsyncOpenAI(base_url=chat.url, api_key="x") as client:
            await asyncio.gather(
                *(client.chat.completions.create(model="gieok/letia", messages=HI) for _ in range(4))  # type: ignore[arg-type]  # plain dicts, as apps send them
            )

    asyncio.run(twice())
    assert chat.talk() == [(HI[0]["content"], "좋아요.")]


def test_many_chats_at_once_do_not_mix(chat):
    async def talk(name: str, client: openai.AsyncOpenAI) -> None:
        told: list[dict[str, str]] = []
        for number in range(4):
            told.append({"role": "user", "content": f"{name}의 {number}번째 말"})
            got = await client.chat.completions.create(model="gieok/letia", messages=told)  # type: ignore[arg-type]  # plain dicts, as apps send them
            told.append({"role": "assistant", "content": got.choices[0].message.content or ""})

    async def all_of_them() -> None:
        async with openai.AsyncOpenAI(base_url=chat.url, api_key="x") as client:
            await asyncio.gather(*(talk(name, client) for name in ("민수", "소라", "유진", "다온")))

    for name in ("민수", "소라", "유진", "다온"):
        chat.model.always(answer(f"{name}, 네."), when=saying(f"{name}의"))
    asyncio.run(all_of_them())
    found = sorted(chat.sessions().values())
    assert [[text for text, _ in pairs] for pairs in found] == [
        [f"{name}의 {number}번째 말" for number in range(4)] for name in ("다온", "민수", "소라", "유진")
    ]


def test_a_talk_longer_than_what_is_looked_at_is_neither_taken_back_nor_doubled(chat, monkeypatch):
    monkeypatch.setattr("gieok.proxy.history._TURNS", 4)
    said: list[tuple[str, str]] = []
    for number in range(8):
        text = f"{number}번째 이야기를 하자"
        reply = chat.ask(messages(said, text))
        said.append((text, reply))
    assert chat.talk() == said
    assert not [each for each in chat.mind().journal() if each.kind == "rewind"]


SAID = [("나 땅콩 알레르기 있어", "땅콩은 빼고 골라 드릴게요!"), ("나 부산에 살아", "바다가 가깝겠네요!")]


def told_all(chat: Proxied) -> None:
    for number, (text, reply) in enumerate(SAID):
        chat.model.will(answer(reply))
        chat.ask(messages(SAID[:number], text))
    assert chat.talk() == SAID


def values(chat: Proxied) -> set[str | None]:
    return {memory.value for memory in chat.mind().facts()}


@pytest.mark.parametrize("what", ["turn", "all", "scrub"])
@pytest.mark.parametrize("session", [None, "s1"])
def test_what_was_erased_does_not_come_back_with_the_history_that_a_client_still_shows(chat, what, session):
    headers = {} if session is None else {"X-Gieok-Session": session}
    for number, (text, reply) in enumerate(SAID):
        chat.model.will(answer(reply))
        chat.ask(messages(SAID[:number], text), extra_headers=headers)
    mind = chat.mind()
    if what == "turn":
        mind.erase(matching="땅콩")
    elif what == "all":
        chat.bank.erase(user="user")
    else:
        mind.forget(next(each.id for each in mind.facts() if each.value == "땅콩"))
        chat.bank.scrub()
    held = 2 if what == "all" else 1
    left = [] if what == "all" else SAID[1:]
    shown = [*SAID]
    for said in ("오늘 뭐 하지?", "나 수영 배워", "나 피아노도 쳐"):
        got = chat.client.chat.completions.with_raw_response.create(
            model="gieok/letia", messages=messages(shown, said), extra_headers=headers
        )
        assert got.headers["x-gieok-held-back"] == f"{held}; erased before"
        shown.append((said, "좋아요."))
        talk = [pair for pair in chat.talk() if pair[0] != "[…]"]
        assert talk == [*left, *shown[2:]]
        assert "땅콩" not in values(chat)


def test_a_reply_that_is_shown_without_its_erased_question_does_not_come_back_either(chat):
    told_all(chat)
    chat.mind().erase(matching="땅콩")
    chat.ask([{"role": "assistant", "content": SAID[0][1]}, *messages(SAID[1:], "안녕")])
    assert chat.talk() == [SAID[1], ("안녕", "좋아요.")]


def test_what_is_said_again_after_the_erasure_is_kept_and_stays_when_it_is_shown(chat):
    told_all(chat)
    chat.mind().erase(matching="땅콩")
    chat.ask(messages(SAID, SAID[0][0]))
    again = (SAID[0][0], "좋아요.")
    assert chat.talk() == [SAID[1], again]
    chat.ask(messages([*SAID, again], "안녕"))
    assert chat.talk() == [SAID[1], again, ("안녕", "좋아요.")]
    assert "땅콩" in values(chat)


def test_once_the_erasure_is_lifted_the_history_counts_again(chat):
    told_all(chat)
    [certificate] = chat.mind().erase(matching="땅콩").certificates
    assert chat.bank.lift(certificate.id) > 0
    got = chat.client.chat.completions.with_raw_response.create(model="gieok/letia", messages=messages(SAID, "안녕"))
    assert "x-gieok-held-back" not in got.headers
    assert chat.talk() == [*SAID, ("안녕", "좋아요.")]
