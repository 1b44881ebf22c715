"""How a turn came about, told afterwards."""

from dataclasses import asdict

import pytest

import gieok
from gieok.conversation import Conversation
from gieok.domain.answer import ModelCall
from gieok.errors import NoTrace, UnknownTurn
from gieok.testing import ScriptedModel, day
from support.misbehaving import Misbehaving, answer, bits, saying, streaming

HAPPY = '음… {"neutral": 0, "sad": 0, "happy": 1, "angry": 0, "intensity": 0.8} 예요!'
CALL = ModelCall(task="reply", model="upstream", at=day(1), seconds=0.5, prompt_tokens=70, answer_tokens=9, cost=0.02)


def test_a_trace_tells_what_was_found_shown_and_used(letia):
    letia.observe("나 고양이 좋아해")
    letia.remember("땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩")
    context = letia.context("고양이 얘기 하자", budget=600)
    letia.observe("고양이 얘기 하자", reply="좋아요!", context=context, turn_id="t2")
    trace = letia.trace("t2")
    assert (trace.tokens, trace.budget) == (context.tokens, 600)
    assert [(each.item_id, each.why) for each in trace.scored] == [(hit.item.id, hit.why) for hit in context.hits]
    for each, hit in zip(trace.scored, context.hits, strict=True):
        assert each.score == pytest.approx(hit.score, abs=1e-5)
        assert asdict(each.parts) == pytest.approx(asdict(hit.parts), abs=1e-5)
    assert {each.source: each.hits for each in trace.gathered}["keyword"] >= 1
    assert sum(each.tokens for each in trace.injected) == context.tokens
    assert {item for each in trace.injected for item in each.items} == set(context.items)
    used = {memory.id for memory in letia.facts() if memory.uses}
    assert set(trace.used) == used != set()


def test_what_was_left_out_is_told_with_the_reason(letia):
    for number in range(30):
        letia.remember(f"고양이 나비가 {number}번째 생일에 {number}번 방 창가에서 생선을 먹음", type="event")
    context = letia.context("고양이 나비 생일", budget=200)
    letia.observe("고양이 나비 생일", context=context, turn_id="t1")
    left_out = {each for block in letia.trace("t1").injected for each in block.left_out}
    assert left_out == {each for block in context.blocks for each in block.left_out} != set()


def test_calls_that_somebody_else_made_are_told(letia):
    letia.observe("안녕", reply="네.", turn_id="t1", calls=[CALL])
    trace = letia.trace("t1")
    assert (trace.calls, trace.cost, trace.seconds) == ((CALL,), 0.02, 0.5)
    assert trace.budget is None


def test_a_turn_observed_without_a_context_tells_who_read_its_feelings(letia):
    letia.observe("너무 기뻐!", reply="I am so happy", turn_id="t1")
    read = {each.speaker: each for each in letia.trace("t1").emotions}
    assert (read["user"].emotion, read["user"].by, read["user"].raw) == ("happy", "classifier/2", "")
    assert read["character"].by == "classifier/2"


def test_the_last_turns_have_a_trace_and_the_others_say_why_not(open_bank):
    letia = open_bank(keep_traces=2).scope(user="minsu", character="letia")
    for number in range(4):
        letia.observe(f"안녕 {number}", turn_id=f"t{number}")
    with pytest.raises(NoTrace, match=r"'t1' has no trace; only the last 2 turns .* raise keep_traces"):
        letia.trace("t1")
    assert letia.trace("t2").emotions
    with pytest.raises(UnknownTurn):
        letia.trace("t9")


def test_a_trace_goes_with_a_rewind_and_another_reply_has_its_own(letia):
    letia.observe("안녕", reply="네.", turn_id="t1", calls=[CALL])
    letia.reroll("t1", "아니요.")
    assert letia.trace("t1").calls == ()
    letia.rewind("t1")
    with pytest.raises(UnknownTurn):
        letia.trace("t1")


def test_whoever_only_heard_it_has_none(bank, letia):
    letia.observe("안녕", turn_id="t1", present=["noa"], calls=[CALL])
    with pytest.raises(NoTrace):
        bank.scope(user="minsu", character="noa", world="academy").trace("t1")
    assert letia.trace("t1").calls == (CALL,)


def talk(bank: gieok.MemoryBank, turn_id: str = "t1", text: str = "오늘 어땠어?") -> gieok.Mind:
    letia = bank.scope(user="minsu", character="letia")
    list(Conversation(letia).say(text, turn_id=turn_id))
    return letia


def test_a_talk_tells_every_call_that_it_took_and_what_that_cost(open_bank):
    with Misbehaving() as server:
        settings = {"model_emotion": True, "rewrite_query": True, "llm_price": "1 2", "upkeep": "off"}
        bank = open_bank(llm="openai:small", llm_url=server.url, **settings)
        server.always(bits("정말 ", "좋았어요!"), when=streaming)
        server.always(answer(HAPPY), when=saying("감정"))
        server.always(answer('{"text": "영화는 어땠어?"}'), when=saying("검색 질문"))
        talk(bank, "t1", "어제 영화 봤어")
        trace = talk(bank, "t2", "그거 어땠어?").trace("t2")
    assert [call.task for call in trace.calls] == ["rewrite_query", "reply", "emotion"]
    assert all(call.seconds > 0 and call.cost > 0 and call.model == "small" for call in trace.calls)
    [read] = [each for each in trace.emotions if each.speaker == "character"]
    assert (read.emotion, read.intensity, read.raw) == ("happy", 0.8, HAPPY)
    assert read.by == "emotion/1 small"


def test_the_raw_answer_stands_in_the_trace_alone(open_bank):
    model = ScriptedModel({"reply": "좋았어요!", "emotion": HAPPY})
    letia = talk(open_bank(model=model, model_emotion=True))
    assert letia.trace("t1").emotions[-1].raw == HAPPY
    [operation] = [each for each in letia.journal() if each.turn_id == "t1"]
    assert [felt.raw for felt in operation.request.noticed.felt] == ["", ""]
    assert [felt.felt.emotion for felt in letia.emotions()][-1] == "happy"


def test_an_answer_that_nobody_can_read_is_shown_beside_what_the_classifier_read(open_bank):
    model = ScriptedModel({"reply": "정말 슬퍼요…", "emotion": "글쎄요, 모르겠네요."})
    letia = talk(open_bank(model=model, model_emotion=True))
    read = letia.trace("t1").emotions[-1]
    assert (read.emotion, read.by, read.raw) == ("sad", "classifier/2", "글쎄요, 모르겠네요.")


def test_two_talks_at_once_do_not_mix_their_calls(open_bank):
    with Misbehaving() as server:
        bank = open_bank(llm="openai:small", llm_url=server.url, upkeep="off")
        minds = [bank.scope(user=user, character="letia") for user in ("minsu", "jiho")]
        under_way = [Conversation(mind).say("안녕", turn_id="t1") for mind in minds]
        for _ in range(2):
            for events in under_way:
                next(events)
        for events in under_way:
            list(events)
        assert [[call.task for call in mind.trace("t1").calls] for mind in minds] == [["reply"], ["reply"]]


def test_a_reply_that_fails_is_told_as_a_call_that_failed(open_bank):
    with Misbehaving() as server:
        bank = open_bank(llm="openai:small", llm_url=server.url, llm_retries=0, upkeep="off")
        server.will(lambda exchange: exchange.reset())
        assert [call.failure for call in talk(bank).trace("t1").calls] == ["unreachable"]


def test_what_became_of_a_turn_can_be_asked_afterwards(letia):
    observed = letia.observe("나 고양이 좋아해", reply="저도요!", turn_id="t1")
    again = letia.observed("t1")
    assert (again.turn, again.decisions, again.emotions) == (observed.turn, observed.decisions, observed.emotions)
    assert again.again
    with pytest.raises(UnknownTurn):
        letia.observed("t2")


def test_the_items_of_a_trace_can_be_read_as_long_as_nobody_forgot_them(letia):
    told = letia.observe("나 고양이 좋아해").decisions[0].memory
    context = letia.context("고양이 얘기 하자")
    letia.observe("고양이 얘기 하자", reply="좋아요!", context=context, turn_id="t2")
    named = [item for each in letia.trace("t2").injected for item in each.items]
    assert set(letia.items([*named, "nobody knows it"])) == set(context.items) >= {told.id}
    assert letia.items([told.id])[told.id] == letia.memory(told.id)

    letia.forget(told.id)
    assert told.id not in letia.items(named)


def test_why_nothing_was_told_is_known_afterwards(letia):
    letia.observe("오늘 뭐 먹을까?", reply="카레요!", turn_id="asked")
    letia.observe("음, 그렇구나", reply="네.", turn_id="said")
    assert (letia.silence("asked"), letia.silence("said")) == (("question",), ())
    with pytest.raises(UnknownTurn):
        letia.silence("nobody knows it")
