"""One memory with its clocks and its history."""

from collections.abc import Iterator

import pytest

import gieok
from gieok.testing import FixedClock, day
from gieok.web.memory_sheet import believed_until, entries, what_happened
from gieok.words import words_in

KO = words_in("ko")


@pytest.fixture
def letia(tmp_path) -> Iterator[gieok.Mind]:
    with gieok.open(tmp_path / "bank.db", embedder="hashing", clock=FixedClock(day(40))) as bank:
        yield bank.scope(user="민수", character="레티아", world="학원")


def told(mind: gieok.Mind, memory_id: str) -> list[str]:
    return [what_happened(each, KO) for each in entries(mind.history(memory_id), mind.memory(memory_id))]


def moved(mind: gieok.Mind) -> tuple[gieok.Memory, gieok.Memory]:
    mind.observe("저는 서울에 살아요", at=day(1))
    mind.observe("나 부산으로 이사했어", at=day(5))
    [seoul] = mind.facts(attribute="residence", as_of=day(2))
    [busan] = mind.facts(attribute="residence", as_of=day(6))
    return seoul, busan


def test_a_memory_is_believed_until_something_contradicts_it_and_again_once_it_is_restored(letia):
    seoul, busan = moved(letia)
    assert believed_until(letia.history(seoul.id)) == day(5)

    letia.restore(seoul.id, letia.history(seoul.id)[0][0].id, at=day(7))
    assert believed_until(letia.history(seoul.id)) is None
    assert believed_until(letia.history(busan.id)) == day(7)


def test_a_history_says_what_was_done_and_what_one_can_go_back_to(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    [known] = letia.facts()
    for number in range(3):
        letia.observe("응", at=day(2 + number), context=letia.context("고양이"))
    letia.correct(known.id, "나 강아지 좋아해", at=day(6))
    letia.pin(known.id, at=day(7))
    letia.forget(known.id, at=day(8))

    found = entries(letia.history(known.id), letia.memory(known.id))
    assert told(letia, known.id) == ["기억", "문맥에 3번 쓰임", "고침", "고정", "잊기"]
    assert [each.restorable for each in found] == [True, False, True, True, False]

    letia.restore(known.id, found[0].operation.id, at=day(9))
    found = entries(letia.history(known.id), letia.memory(known.id))
    assert told(letia, known.id)[-1] == "되돌림"
    assert [found[0].restorable, found[-1].restorable] == [False, False]


def test_what_another_memory_did_to_it_is_part_of_its_history(letia):
    seoul, busan = moved(letia)
    assert told(letia, seoul.id) == ["기억", "새 기억으로 바뀜"]
    assert told(letia, busan.id) == ["바뀜"]

    letia.restore(seoul.id, letia.history(seoul.id)[0][0].id, at=day(7))
    assert told(letia, busan.id) == ["바뀜", "철회"]
