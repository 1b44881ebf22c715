"""A talk with a real, small model on this machine. What it says is not judged."""

from contextlib import closing
from datetime import UTC, datetime

import pytest

from gieok import llms
from gieok.conversation import Conversation
from gieok.conversation.events import Delta, Done, Failed
from support.small_model import weights


@pytest.fixture(scope="module")
def model():
    llm = llms.create(f"gguf:{weights()}", seconds=60)
    yield llms.CountedModel(llm, record=lambda call: None, now=lambda: datetime.now(UTC))
    llm.close()


def test_a_real_model_answers_is_broken_off_and_answers_again(model, letia):
    talk = Conversation(letia, model, persona="You are Letia, a cheerful student.", reply_tokens=24, budget=1_000)
    events = list(talk.say("나 고양이 좋아해. Say hello to me."))
    assert not [event for event in events if isinstance(event, Failed)]
    assert len([event for event in events if isinstance(event, Delta)]) > 1
    assert events[-1].reply
    with closing(talk.say("Tell me a long story about a cat.")) as stream:
        for event in stream:
            if isinstance(event, Delta):
                break
    assert letia.turns(1)[0].cut_off
    *_, done = talk.regenerate()
    assert isinstance(done, Done)
    assert not done.cut_off
    assert len(letia.turns()) == 2
    assert [memory.value for memory in letia.facts(about="user")][:1] == ["고양이"]
