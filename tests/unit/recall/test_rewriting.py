"""A question that leans on the talk is also searched for as a model understands it."""

from __future__ import annotations

import pytest

import gieok
from gieok.recall.model import leans_on_talk
from gieok.testing import ScriptedModel, day
from unit.recall.advice import Advised

SHORT = "걔 뭐 한댔지?"
MEANT = "지훈이 직업이 뭐야?"


@pytest.fixture
def mind(bank: gieok.MemoryBank) -> gieok.Mind:
    mind = bank.scope(user="minsu", character="letia")
    mind.remember("회계사로 일함", about="지훈", attribute="job", value="회계사", at=day(1))
    mind.remember("떡볶이를 좋아함", attribute="likes", value="떡볶이", at=day(2))
    mind.observe("지난주에 제주도 갔다 왔어", reply="바다는 어땠어요?", at=day(3))
    mind.observe("어제 지훈이 만났어", reply="어릴 적 친구라고 했죠?", at=day(8))
    return mind


@pytest.fixture
def advised(bank: gieok.MemoryBank, mind: gieok.Mind) -> Advised:
    return Advised(bank, mind, ScriptedModel({"rewrite_query": MEANT}), rewrite=True)


@pytest.mark.parametrize(
    "query",
    [
        "그거 뭐였지?",
        "걔 이름이 뭐랬지?",
        "거기 언제 갔었지?",
        "그 영화 제목 뭐였더라",
        "그때 뭐 먹었어?",
        "그건 왜 그랬어?",
        "왜?",
        "언제였지?",
        "이름이 뭐야?",
        "What was it called?",
        "Where did she go that day?",
        "and then?",
        "",
    ],
)
def test_these_questions_lean_on_the_talk(query: str) -> None:
    assert leans_on_talk(query)


@pytest.mark.parametrize(
    "query",
    [
        "오늘 저녁 뭐 먹을까?",
        "내 생일 언제인지 기억해?",
        "나 무슨 알레르기 있지?",
        "지훈이 직업이 뭐야?",
        "지난주에 강릉에서 만난 그 친구 지훈이가 다니는 회사 이름이 뭐였지?",
        "What is my sister's name?",
        "Which hotel did Caroline book for the trip to Lisbon that her brother planned last summer?",
    ],
)
def test_these_questions_stand_alone(query: str) -> None:
    assert not leans_on_talk(query)


def test_what_is_meant_is_found_beside_what_was_asked(advised: Advised, mind: gieok.Mind) -> None:
    plain = {hit.item.id: hit.score for hit in mind.recall(SHORT, k=50)}
    full = {hit.item.id: hit.score for hit in mind.recall(MEANT, k=50)}

    hits = advised.recall(SHORT, k=50)

    assert hits[0].text == "회계사로 일함"
    assert hits[0].score > plain[hits[0].item.id]
    both = {item_id: max(plain.get(item_id, 0), full.get(item_id, 0)) for item_id in plain | full}
    assert {hit.item.id: hit.score for hit in hits} == both


def test_a_context_holds_what_is_meant_and_repeats_the_question_as_it_was_asked(
    advised: Advised, mind: gieok.Mind
) -> None:
    context = advised.context(SHORT)

    assert context.query == SHORT
    assert context.messages[-1].content == SHORT
    assert MEANT not in context.text
    [block] = [block for block in context.blocks if block.name == "memories"]
    assert "회계사로 일함" in block.text.splitlines()[1]
    assert context.degraded == ()


def test_the_model_hears_the_last_of_the_talk_and_what_day_it_is(advised: Advised) -> None:
    advised.recall(SHORT)

    [(task, messages)] = advised.model.asked
    heard = "\n".join(message.content for message in messages)
    assert task == "rewrite_query"
    assert '"speaker": "minsu", "text": "어제 지훈이 만났어"' in heard
    assert '"speaker": "letia", "text": "어릴 적 친구라고 했죠?"' in heard
    assert SHORT in heard
    assert "2026-03-20" in heard


def test_words_of_a_forgotten_memory_are_not_shown_to_the_model(advised: Advised, mind: gieok.Mind) -> None:
    observed = mind.observe("나 땅콩 알레르기 있어", reply="조심할게요", at=day(8.5))
    [allergy] = mind.facts(attribute="allergy")
    mind.forget(allergy.id, at=day(8.6))

    advised.recall(SHORT)

    [(_, messages)] = advised.model.asked
    heard = "\n".join(message.content for message in messages)
    assert observed.turn.utterances[0].text not in heard
    assert "조심할게요" in heard


def test_a_question_that_stands_alone_costs_no_call(advised: Advised, mind: gieok.Mind) -> None:
    query = "지훈이 직업이 뭐야?"

    assert advised.recall(query) == mind.recall(query)
    assert advised.model.asked == []


@pytest.mark.parametrize("answer", [SHORT, f'{{"text": "{SHORT}"}}', f" {SHORT}\n"])
def test_a_model_that_repeats_the_question_changes_nothing(advised: Advised, mind: gieok.Mind, answer: str) -> None:
    advised.model.will_answer("rewrite_query", answer)

    assert advised.recall(SHORT) == mind.recall(SHORT)


@pytest.mark.parametrize("answer", ["", '{"text": ""}', '{"text": 7}', '{"question": "누구?"}', "\x00"])
def test_an_answer_that_is_no_question_is_told_and_does_no_harm(
    advised: Advised, mind: gieok.Mind, answer: str
) -> None:
    advised.model.will_answer("rewrite_query", answer)

    context = advised.context(SHORT)

    assert context.text == mind.context(SHORT).text
    [told] = context.degraded
    assert told.startswith("rewrite_query is off: model 'scripted' gave no answer (broken)")
