"""The same conversation on SQLite and on PostgreSQL: the same decisions, the same facts, the same rankings."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import gieok
from gieok.bank import MemoryBank, Mind
from gieok.testing.stand_ins import FixedClock

START = datetime(2026, 3, 1, 11, tzinfo=UTC)
SAID = (
    ("안녕! 나는 민수야. 부산에 살아", "반가워요, 민수 씨!"),
    ("나 고양이 두 마리 키워. 이름은 나비랑 초코", "귀엽겠다!"),
    ("매운 거 진짜 못 먹어. 떡볶이도 힘들어", "그럼 순한 걸로 먹어요"),
    ("지훈이라고 친한 친구가 있는데 요즘 바빠", "지훈 씨가요?"),
    ("나 사실 서울로 이사했어", "서울이요? 축하해요!"),
    ("이제 말 놓자. 편하게 해", "그래, 좋아!"),
    ("오늘 회사에서 너무 힘들었어... 눈물 나더라", "많이 힘들었구나"),
    ("생일은 5월 3일이야. 꼭 기억해 줘!", "꼭 기억할게"),
    ("지훈이가 생일 선물로 책을 줬어. 진짜 고마웠어", "좋은 친구다"),
    ("요즘은 매운 것도 좀 먹어. 입맛이 바뀌었나 봐", "정말?"),
    ("C++ 공부를 시작했어. 전화번호는 010-1234-5678이야", "멋지다"),
    ("다음 주 토요일에 같이 바다 보러 가기로 약속해 줘", "약속!"),
)
QUESTIONS = (
    "민수 어디 살아?",
    "고양이 이름",
    "매운 음식",
    "지훈이가 준 선물",
    "c++",
    "우리 약속",
    "생일",
    "힘들었던 날",
)


def told(bank: MemoryBank, clock: FixedClock) -> tuple[Mind, list[list[str]]]:
    """Tell the story, and return what was decided in each turn."""
    mind = bank.scope(user="민수", character="레티아", world="별의 학원")
    decided = []
    for number, (text, reply) in enumerate(SAID):
        clock.set(START + timedelta(days=number))
        observed = mind.observe(text, reply=reply, at=START + timedelta(days=number), turn_id=f"t{number}")
        decided.append([type(each).__name__ for each in observed.decisions])
    return mind, decided


@pytest.fixture
def both(tmp_path: Path, database: str) -> Iterator[tuple[MemoryBank, MemoryBank, FixedClock]]:
    clock = FixedClock(START)
    with gieok.open(tmp_path / "bank.db", clock=clock) as one, gieok.open(database, clock=clock) as other:
        yield one, other, clock


def test_the_same_story_is_remembered_alike_on_both(both):
    one, other, clock = both
    (mind, decided), (twin, decided_there) = told(one, clock), told(other, clock)
    clock.advance(days=30)

    assert decided == decided_there
    assert [known(each) for each in mind.facts(history=True)] == [known(each) for each in twin.facts(history=True)]
    then = START + timedelta(days=3)
    assert [each.content for each in mind.facts(as_of=then)] == [each.content for each in twin.facts(as_of=then)]
    assert mind.relationship() == twin.relationship()
    assert [each.name for each in mind.entities()] == [each.name for each in twin.entities()]
    assert [each.felt for each in mind.emotions()] == [each.felt for each in twin.emotions()]

    for question in QUESTIONS:
        found, there = mind.recall(question, k=10), twin.recall(question, k=10)
        assert [words(hit) for hit in found] == [words(hit) for hit in there], question
        assert [hit.score for hit in found] == pytest.approx([hit.score for hit in there], abs=2e-3)
        assert mind.context(question).text == twin.context(question).text

    mind.maintain(), twin.maintain()
    assert [known(each) for each in mind.facts(history=True)] == [known(each) for each in twin.facts(history=True)]
    mind.rewind("t4"), twin.rewind("t4")
    assert [known(each) for each in mind.facts(history=True)] == [known(each) for each in twin.facts(history=True)]
    assert one.store.problems() == other.store.problems() == []


def known(memory: gieok.Memory) -> tuple[object, ...]:
    return memory.content, memory.attribute, memory.value, memory.valid_at, memory.invalid_at, round(memory.strength, 6)


def words(hit: gieok.Hit) -> str:
    return hit.item.content if isinstance(hit.item, gieok.Memory) else hit.item.text
