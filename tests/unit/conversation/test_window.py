"""The short-term window: it follows the log."""

import pytest

from gieok.conversation import Conversation
from gieok.testing import ScriptedModel
from support.rows import from_rows


@pytest.fixture
def model():
    return ScriptedModel({"reply": lambda messages: f"{messages[-1].content}라고요?"})


def texts(lines):
    return [line.text for line in lines]


def test_it_holds_the_last_messages_and_no_more(letia, model):
    conversation = Conversation(letia, model, window=3)
    for text in ("하나", "둘", "셋"):
        list(conversation.say(text))
    assert texts(conversation.window) == ["둘라고요?", "셋", "셋라고요?"]


def test_it_is_there_again_after_the_bank_was_closed(open_bank, model):
    who = {"user": "minsu", "character": "letia"}
    first = open_bank()
    list(Conversation(first.scope(**who), model).say("나 고양이 좋아해"))
    first.close()
    again = Conversation(open_bank().scope(**who), model)
    assert texts(again.window) == ["나 고양이 좋아해", "나 고양이 좋아해라고요?"]
    list(again.say("안녕"))
    assert "나 고양이 좋아해" in [message.content for message in model.asked[-1][1]]


def test_it_follows_what_others_take_back_and_say(letia, model):
    conversation = Conversation(letia, model)
    list(conversation.say("하나", turn_id="t1"))
    letia.observe("둘", reply="셋")
    letia.rewind("t1")
    assert texts(conversation.window) == ["둘", "셋"]


def test_it_does_not_hold_words_that_are_forgotten(letia, model):
    conversation = Conversation(letia, model)
    list(conversation.say("나 고양이 좋아해"))
    letia.forget(next(memory.id for memory in letia.facts(about="user") if memory.value == "고양이"))
    assert "나 고양이 좋아해" not in texts(conversation.window)


@from_rows
def test_recent_messages_are_found_by_words(letia, words, found):
    for text in ("바다는 추웠어", "우리 고양이가 아파", "cafe 가자", "비 와", "어제 바다에 갔어"):
        letia.observe(text)
    conversation = Conversation(letia, ScriptedModel())
    assert texts(conversation.recently(words)) == found
    assert texts(conversation.recently("바다", limit=1)) == ["어제 바다에 갔어"]
