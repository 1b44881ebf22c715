"""Memory that is late: the reply comes all the same, and says what it was made without."""

from threading import Event, active_count

import pytest

from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Done, MemoryUpdate
from gieok.embedders import HashingEmbedder
from gieok.errors import EmbedderFailed
from gieok.testing import ScriptedModel


class Stuck(HashingEmbedder):
    """Answers questions only while it may."""

    def __init__(self):
        super().__init__()
        self.may = Event()
        self.may.set()
        self.asked = 0

    def embed(self, texts, *, purpose):
        if purpose == "query":
            self.asked += 1
            assert self.may.wait(20)
        return super().embed(texts, purpose=purpose)


class Asleep(HashingEmbedder):
    def warm(self):
        raise EmbedderFailed("its model is not there")


@pytest.fixture
def stuck():
    embedder = Stuck()
    yield embedder
    embedder.may.set()


def built(events):
    return next(event.context for event in events if isinstance(event, ContextBuilt))


def test_late_memory_is_absent_and_named_and_the_window_stands_in(open_bank, stuck):
    mind = open_bank(embedder=stuck).scope(user="minsu", character="letia")
    model = ScriptedModel({"reply": "네."})
    conversation = Conversation(mind, model, persona="너는 레티아다.", patience=0.2)
    list(conversation.say("나 고양이 좋아해"))
    stuck.may.clear()
    seen = list(conversation.say("뭐 할까?"))
    context = built(seen)
    assert context.degraded == ("memory is off: no answer within 0.2 s",)
    assert [(each.role, each.content) for each in model.asked[-1][1]] == [
        ("system", "너는 레티아다."),
        ("user", "나 고양이 좋아해"),
        ("assistant", "네."),
        ("user", "뭐 할까?"),
    ]
    assert context.tokens <= context.budget
    assert isinstance(seen[-1], Done)
    assert any(isinstance(event, MemoryUpdate) for event in seen)


def test_memory_that_hangs_is_not_asked_again_until_it_returns(open_bank, stuck):
    mind = open_bank(embedder=stuck).scope(user="minsu", character="letia")
    conversation = Conversation(mind, ScriptedModel({"reply": "네."}), patience=0.1)
    list(conversation.say("안녕"))
    stuck.may.clear()
    list(conversation.say("하나"))
    before, threads = stuck.asked, active_count()
    for _ in range(3):
        assert built(conversation.say("둘")).degraded
    assert (stuck.asked, active_count()) == (before, threads)
    stuck.may.set()
    conversation._preparation._late.result(20)
    assert not built(conversation.say("셋")).degraded


def test_what_stands_in_keeps_to_the_budget_and_leaves_out_the_oldest(open_bank, stuck):
    mind = open_bank(embedder=stuck).scope(user="minsu", character="letia")
    for number in range(10):
        mind.observe(f"{number}번째로 하는 꽤 긴 이야기입니다. 오늘은 날씨가 참 좋네요.")
    conversation = Conversation(mind, ScriptedModel({"reply": "네."}), patience=0.1, budget=120)
    list(conversation.say("안녕"))
    stuck.may.clear()
    context = built(conversation.say("뭐 할까?"))
    assert context.tokens <= 120
    assert "9번째" in context.text
    assert "0번째" not in context.text


def test_another_reply_without_memory_does_not_see_the_first(open_bank, stuck):
    mind = open_bank(embedder=stuck).scope(user="minsu", character="letia")
    conversation = Conversation(mind, ScriptedModel({"reply": ["하나", "둘", "셋"]}), patience=0.1)
    list(conversation.say("안녕"))
    list(conversation.say("세어 봐"))
    stuck.may.clear()
    context = built(conversation.regenerate())
    assert [message.content for message in context.messages] == ["안녕", "하나", "세어 봐"]


def test_an_encoder_that_cannot_be_loaded_does_not_stop_the_talk(open_bank):
    mind = open_bank(embedder=Asleep()).scope(user="minsu", character="letia")
    with pytest.raises(EmbedderFailed):
        mind.bank.warm()
    assert isinstance(list(Conversation(mind, ScriptedModel({"reply": "네."})).say("안녕"))[-1], Done)
