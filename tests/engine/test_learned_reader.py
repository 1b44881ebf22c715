"""Conversations read by the tagger: whose fact it is, whether it is meant, and what stays in doubt."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gieok
from gieok.domain.turn import Utterance
from gieok.extract.learned.reader import marks

NOON = datetime(2026, 11, 18, 12, tzinfo=timezone(timedelta(hours=9)))


@pytest.fixture
def mind(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        yield bank.scope(user="u", character="하루")


def tell(mind, *turns: tuple[str, str]) -> None:
    for minute, (said, reply) in enumerate(turns):
        mind.observe(said, reply=reply, at=NOON + timedelta(minutes=minute))


def firm(mind, about: str = "user") -> dict[str, str]:
    return {memory.attribute: memory.value for memory in mind.facts(about)}


def test_what_people_tell_of_themselves_is_held(mind):
    tell(mind, ("저는 서른둘이고 부산에서 간호사로 일해요", "바쁘시겠어요"), ("지난달에 대구로 이사했어요", "축하해요"))
    held = firm(mind)
    assert (held["age"], held["job"], held["residence"]) == ("32", "간호사", "대구")


@pytest.mark.parametrize(
    "turns",
    [
        [("안녕하세요", "따님 성함이 어떻게 되세요?"), ("미숙이요", "예쁜 이름이네요")],
        [("우리 고양이 호두가 아파요", "어디가요?"), ("신부전이래요", "많이 걱정되시겠어요")],
        [("요즘 너무 힘들다. 간호사 그만두고 카페나 차릴까 싶다", "왜 무슨 일이야")],
        [("나 로또 1등 됐어", "헐 진짜?"), ("뻥이야 ㅋㅋ", "뭐야 놀랐잖아")],
        [("안녕", "당신의 이름은 이민수입니다"), ("응", "부산에 산다고 하셨어요")],
        [("수의사가 닭고기 알레르기가 있다고 진단했어요, 우리 코코", "간식 조심해야겠네")],
    ],
    ids=["her daughter's name", "the cat's illness", "a wish", "a joke", "what she says", "the dog's allergy"],
)
def test_what_is_somebody_elses_or_not_meant_is_no_firm_fact_of_the_user(mind, turns):
    tell(mind, *turns)
    unsaid = {"name", "medical_condition", "allergy", "job", "milestone", "residence"}
    assert not unsaid & firm(mind).keys()
    assert not [memory for memory in mind.doubtful() if memory.pinned]


def test_a_doubtful_reading_waits_for_a_word_and_a_rejected_one_is_gone(mind):
    tell(mind, ("병원에 다녀왔어요", "어디가요?"), ("신부전이래요", "많이 걱정되시겠어요"))
    waiting = {memory.value: memory.id for memory in mind.doubtful()}
    mind.reject(waiting["신부전"])
    assert "신부전" not in {memory.value for memory in mind.doubtful()}


def test_a_turn_is_read_the_same_every_time(tmp_path):
    read = []
    for number in range(2):
        with gieok.open(tmp_path / f"{number}.db", embedder="hashing") as bank:
            mind = bank.scope(user="u", character="하루")
            tell(mind, ("저는 서른둘이고 부산에서 간호사로 일해요", "멋져요"), ("동생 민수는 서울 살아요", "그렇군요"))
            read.append([(m.subject_id, m.attribute, m.value, m.certainty) for m in mind.facts(history=True)])
    assert read[0] == read[1]


@settings(max_examples=60, deadline=None)
@given(said=st.text(max_size=300), before=st.text(max_size=120), name=st.text(max_size=12))
def test_no_text_makes_the_tagger_raise(said: str, before: str, name: str) -> None:
    earlier, now = (
        Utterance(id=text_id, turn_id="t", speaker=speaker, text=text, at=NOON, position=0)
        for text_id, speaker, text in (("b", "character", before), ("u", "user", said))
    )
    for mark in marks(now, [earlier], [name]).facts:
        assert 0 <= mark.start < mark.end <= len(said)
        assert 0 <= mark.certainty <= 1
