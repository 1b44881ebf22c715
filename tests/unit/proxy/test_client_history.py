"""What was said is what user and character said to each other, whatever else a client sends along."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.turn import LONGEST_UTTERANCE, checked_text
from gieok.proxy.history import ClientHistory, Exchange, client_history, storable
from gieok.proxy.lines import spoken_part


def user(content: object) -> dict[str, object]:
    return {"role": "user", "content": content}


def reply(content: object, **more: object) -> dict[str, object]:
    return {"role": "assistant", "content": content, **more}


def system(content: str = "지시") -> dict[str, object]:
    return {"role": "system", "content": content}


CALL = {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "맑음"}
HI = Exchange(text="안녕", reply="어서 와요")


@pytest.mark.parametrize(
    ("messages", "exchanges", "pending"),
    [
        ([], (), None),
        ([system()], (), None),
        ([user("안녕")], (), Exchange(text="안녕")),
        ([user("안녕"), reply("어서 와요"), user("응")], (HI,), Exchange(text="응")),
        ([reply("왔군요"), user("안녕")], (Exchange(reply="왔군요"),), Exchange(text="안녕")),
        ([user("하나"), user("둘")], (Exchange(text="하나"),), Exchange(text="둘")),
        ([user("하나"), reply("네"), reply("또 네")],
         (Exchange(text="하나", reply="네"), Exchange(reply="또 네")), None),
        ([system(), user("안녕"), system(), reply("어서 와요"), user("응"), system()], (HI,), Exchange(text="응")),
        ([{"role": "developer", "content": "x"}, user("안녕")], (), Exchange(text="안녕")),
        ([user("안녕"), reply("어서 ")], (), Exchange(text="안녕", reply="어서 ")),
        ([user("안녕"), reply("어서 와요"), system("요약해")], (HI,), None),
        ([user("날씨?"), reply(None, **CALL), RESULT], (), Exchange(text="날씨?")),
        ([user("날씨?"), reply("볼게요", **CALL), RESULT], (), Exchange(text="날씨?")),
        ([user("날씨?"), reply("볼게요", **CALL), RESULT, reply("맑아요"), user("응")],
         (Exchange(text="날씨?", reply="맑아요"),), Exchange(text="응")),
        ([user("날씨?"), reply("볼게요", **CALL), RESULT, user("응")],
         (Exchange(text="날씨?", reply="볼게요"),), Exchange(text="응")),
        ([user("날씨?"), reply("", **CALL)], (Exchange(text="날씨?"),), None),
        ([user("안녕"), reply(""), user(" \n")], (), Exchange(text="안녕")),
        ([user("안녕"), reply("어서 와요"), user("")], (HI,), None),
        ([user([{"type": "text", "text": "이거"}, PICTURE, {"type": "text", "text": "봐"}])],
         (), Exchange(text="이거\n봐")),
        ([user([PICTURE])], (), Exchange(text="[그림]")),
        ([user("안녕"), {"role": "assistant", "content": None, "refusal": "안 돼요"}, user("왜")],
         (Exchange(text="안녕", reply="안 돼요"),), Exchange(text="왜")),
        ([user("안녕"), reply("<think>흠</think>\n어서 와요"), user("응")], (HI,), Exchange(text="응")),
        (["x", None, 3, {}, {"role": 3}, user(7), user("안녕")], (), Exchange(text="안녕")),
    ],
)  # fmt: skip
def test_messages_are_exchanges_and_what_is_to_be_answered(messages, exchanges, pending):
    assert client_history(messages) == ClientHistory(exchanges=exchanges, pending=pending)


def test_a_text_is_compared_as_it_is_kept():
    masked = client_history(
        [user("내 번호는 010-1234-5678"), reply("네"), user("응")], lambda text: text.replace("1234", "****")
    )
    assert masked.exchanges[0].text == "내 번호는 010-****-5678"


@pytest.mark.parametrize(
    ("came", "heard"),
    [
        ("안녕", "안녕"),
        ("<think>음…</think>안녕", "안녕"),
        ("음…</think> 안녕", " 안녕"),
        ("<think>아직", ""),
        ("a <b> c", "a <b> c"),
    ],
)
def test_thoughts_are_not_said_aloud(came, heard):
    assert spoken_part(came) == heard


@given(st.text(st.characters()))
def test_what_is_made_fit_can_be_kept_and_stays_as_it_is(text):
    kept = storable(text)
    if kept is not None:
        assert checked_text(kept) == kept
        assert storable(kept) == kept


def test_what_is_too_long_is_cut_and_still_the_same_next_time():
    long = "가나 다" * 4_000
    first = client_history([user(long), reply("네"), user("응")]).exchanges[0]
    assert first.text is not None
    assert len(first.text) <= LONGEST_UTTERANCE
    assert client_history([user(f"{long} \n"), reply("네"), user("응")]).exchanges[0].key == first.key
