"""What a bank has read and keeps never shows in its answers: another one, freshly opened, says the same."""

from datetime import UTC, datetime, timedelta

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope
from gieok.embedders import UniversalEncoder

SCOPE = Scope(user="민수", character="레티아")
START = datetime(2026, 5, 1, 9, tzinfo=UTC)
QUESTIONS = (
    "내가 키우는 고양이 이름이 뭐야?",
    "나 어디 살아?",
    "커피 좋아해?",
    "지훈이는 어디 살아?",
    "우리 엄마 얘기 기억나?",
    "학원에는 뭐가 있어?",
)
TALK = (
    "나 고양이 키워. 이름은 나비야.",
    "나 서울에 살아.",
    "나 커피 진짜 좋아해.",
    "나 부산으로 이사했어.",
    "이제 커피 안 마셔.",
    "우리 엄마는 간호사야. 엄마가 나비를 데려왔어.",
    "내 친구 지훈이는 대구에 살아.",
    "오늘은 비가 왔어. 고양이랑 집에 있었어.",
)


def answers(bank: MemoryBank, at: datetime) -> list[object]:
    mind = bank.mind(SCOPE)
    return [(mind.context(question, at=at), mind.recall(question, at=at)) for question in QUESTIONS]


def test_a_bank_that_keeps_what_it_read_answers_like_one_that_reads_it_anew(tmp_path):
    encoder = UniversalEncoder()  # one for all: a text that is encoded in a batch differs in the last digit

    def opened() -> MemoryBank:
        return gieok.open(tmp_path / "bank.db", embedder=encoder, upkeep="off")

    with opened() as bank, opened() as beside:
        mind, at = bank.mind(SCOPE), START

        def look() -> None:
            with opened() as fresh:
                expected = answers(fresh, at)
            assert answers(bank, at) == expected
            assert answers(beside, at) == expected

        turns = []
        for text in TALK:
            at += timedelta(hours=1)
            context = mind.context(QUESTIONS[0], at=at)
            turns.append(mind.observe(text, reply="그랬군요.", at=at, context=context).turn)
            look()
        at += timedelta(hours=1)
        [home] = mind.facts(about="user", attribute="residence")
        mind.correct(home.id, "나는 대구에 산다.", at=at)
        look()
        beside.mind(SCOPE).pin(home.id, at=at)
        look()
        mind.forget(mind.facts()[0].id, at=at)
        look()
        for about in ("엄마", "지훈이"):
            for told in mind.facts(about=about)[:1]:
                beside.mind(SCOPE).forget(told.id, at=at)
                look()
        beside.scope(character="레티아").remember("학원에는 도서관이 있다", about="world", at=START)
        look()
        mind.rewind(turns[3].id, at=at)
        look()
        beside.mind(SCOPE).observe("나 제주도로 이사했어.", reply="좋겠다.", at=at + timedelta(minutes=1))
        at += timedelta(hours=1)
        look()
        mind.maintain()
        look()
