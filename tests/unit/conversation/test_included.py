"""What is picked out for the next reply is before the model, whatever the question is."""

from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Done
from gieok.testing import ScriptedModel


def memories_in(events):
    [context] = [event.context for event in events if isinstance(event, ContextBuilt)]
    return next(block for block in context.blocks if block.name == "memories")


def test_what_is_included_stands_among_the_memories_of_that_turn_alone(letia):
    letia.observe("나 민트초코 좋아해", reply="정말요?")
    for number in range(60):
        letia.observe(f"오늘은 {number}번 버스를 탔어", reply="그랬군요.")
    [liked] = letia.facts(about="user", attribute="likes")
    talk = Conversation(letia, ScriptedModel({"reply": "좋아요."}))

    said = list(talk.say("버스가 또 늦었어", include=[liked.id]))
    assert liked.id in memories_in(said).items
    assert liked.content in memories_in(said).text
    assert memories_in(said).items[0] == liked.id

    *_, done = said
    assert isinstance(done, Done)
    assert liked.id in memories_in(talk.regenerate(include=[liked.id])).items
    assert liked.id in memories_in(talk.edit(done.turn.id, "버스가 일찍 왔어", include=[liked.id])).items
