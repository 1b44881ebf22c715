"""What a bank has read and keeps never shows in its answers: another one, freshly opened, says the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import gieok
from gieok.bank import MemoryBank
from gieok.domain.scope import Scope

SCOPE = Scope(user="민수", character="레티아")
START = datetime(2026, 5, 1, 9, tzinfo=UTC)
QUESTIONS = ("내가 키우는 고양이 이름이 뭐야?", "나 어디 살아?", "커피 좋아해?")
TALK = (
    "나 고양이 키워. 이름은 나비야.",
    "나 서울에 살아.",
    "나 커피 진짜 좋아해.",
    "나 부산으로 이사했어.",
    "이제 커피 안 마셔.",
    "오늘은 비가 왔어.",
)


def answers(bank: MemoryBank, at: datetime) -> list[object]:
    mind = bank.mind(SCOPE)
    return [(mind.context(question, at=at), mind.recall(question, at=at)) for question in QUESTIONS]


def test_a_bank_that_keeps_what_it_read_answers_like_one_that_reads_it_anew(tmp_path: Path) -> None:
    place = tmp_path / "bank.db"
    with gieok.open(place, upkeep="off") as bank, gieok.open(place, upkeep="off") as beside:
        mind, at = bank.mind(SCOPE), START

        def look() -> None:
            with gieok.open(place, upkeep="off") as fresh:
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
        [home] = mind.facts(attribute="residence")
        mind.correct(home.id, "나는 대구에 산다.", at=at)
        look()
        beside.mind(SCOPE).pin(home.id, at=at)
        look()
        mind.forget(mind.facts()[0].id, at=at)
        look()
        mind.rewind(turns[3].id, at=at)
        look()
        beside.mind(SCOPE).observe("나 제주도로 이사했어.", reply="좋겠다.", at=at + timedelta(minutes=1))
        at += timedelta(hours=1)
        look()
        mind.maintain()
        look()
