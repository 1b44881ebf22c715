"""Recall over a conversation as it is held: questions, short answers, talk about other things in between."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import gieok
from gieok.domain.memory import Memory
from gieok.testing import day

TALK = (
    ("안녕 나 왔어", "어서 와요. 오늘은 뭐 했어요?"),
    ("일했지. 요즘 달빛 우체국이라는 게임 만드느라 바빠", "오, 그게 뭐예요?"),
    ("편지 배달하는 얘기야", "재밌겠다. 저는 게임은 잘 못해요."),
    ("동생은 게임만 하고 공부를 안 해", "동생은 몇 학년이에요?"),
    ("중2", "한창 그럴 때네요. 누나는 무슨 일 해요?"),
    ("사서에요 구립도서관", "멋지다. 주말엔 뭐 해요?"),
    ("그냥 쉬어. 너도 게임 좋아해?", "네, 좋아하지만 잘 못해요. 무슨 게임을 만든다고요?"),
    ("아까 말했잖아 ㅋㅋ", "헤헤 미안해요."),
    ("내일은 비 온대", "비는 몇 시부터 온대요?"),
    ("다섯 시", "우산 챙겨요."),
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[gieok.Mind]:
    path: Path = tmp_path_factory.mktemp("talk") / "bank.db"
    with gieok.open(path, behind_the_scenes="off") as bank:
        mind = bank.scope(user="minsu", character="letia")
        for number, (said, reply) in enumerate(TALK):
            mind.observe(said, reply=reply, at=day(1) + timedelta(minutes=number))
        yield mind


def texts(mind: gieok.Mind, query: str, k: int = 3) -> list[str]:
    return [
        hit.item.content if isinstance(hit.item, Memory) else hit.item.text
        for hit in mind.recall(query, k=k, at=day(2))
    ]


def test_what_is_asked_for_comes_before_talk_of_the_same_thing_nearby(talk: gieok.Mind) -> None:
    first, *_ = texts(talk, "나 무슨 게임 만들어?")

    assert "달빛 우체국" in first


def test_a_short_answer_is_found_by_the_words_of_its_question(talk: gieok.Mind) -> None:
    assert any("중2" in text or "중학교 2" in text for text in texts(talk, "동생 몇 학년이지?"))
    assert any("사서" in text for text in texts(talk, "누나 무슨 일 한다고 했지?"))


@pytest.mark.parametrize("query", ["동생은 몇 학년이에요?", "무슨 게임을 만든다고요?", "누나는 무슨 일 해요?"])
def test_the_same_question_asked_before_is_not_among_the_first_hits(talk: gieok.Mind, query: str) -> None:
    assert query not in texts(talk, query, k=5)


def test_a_short_answer_is_shown_with_its_question(talk: gieok.Mind) -> None:
    [hit] = [hit for hit in talk.recall("비 몇 시부터 온다고 했지?", k=3, at=day(2)) if hit.text == "다섯 시"]
    assert hit.answers is not None
    assert "몇 시부터" in hit.answers.text

    context = talk.context("비 몇 시부터 온다고 했지?", at=day(2), without=["talk"])
    [memories] = [block for block in context.blocks if block.name == "memories"]
    [shown] = [line for line in memories.text.splitlines() if '"다섯 시"' in line]
    assert "비는 몇 시부터 온대요?" in shown
    assert memories.text.count("비는 몇 시부터 온대요?") == 1
    assert hit.answers.id in memories.items
