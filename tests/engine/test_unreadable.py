"""A turn that an extractor cannot read is kept, tried once more, and then left alone."""

import logging
from collections import Counter
from typing import Any

import pytest

import gieok
from gieok.extract.reader import Reader
from gieok.language.budget import check_time
from gieok.observe import observer
from gieok.testing import day

POISON = "독이 든 말"


class Choking:
    """Reads Korean, counts how often it is asked to, and chokes on one text; when it is ill, on any."""

    def __init__(self) -> None:
        self.name = "choking/1"
        self.tried: Counter[str] = Counter()
        self.ill = False

    def claims(self, turn: gieok.Turn, *arguments: Any) -> Any:
        said = turn.utterances[0].text
        self.tried[said] += 1
        if self.ill or said.startswith(POISON):
            raise RuntimeError(f"choked on {said}")
        return Reader().claims(turn, *arguments)


@pytest.fixture
def reader():
    return Choking()


@pytest.fixture
def mind(open_bank, reader):
    return open_bank(extractor=reader).scope(user="minsu", character="letia")


def test_a_turn_that_cannot_be_read_is_tried_when_it_is_said_and_once_more(mind, reader):
    assert mind.observe(POISON, at=day(1)).unread
    for number in range(10):
        mind.observe(f"나 {20 + number}살이야", at=day(2))

    assert reader.tried[POISON] == 2
    assert [memory.value for memory in mind.facts()] == ["29"]
    assert [hit.text for hit in mind.recall(POISON, k=1)] == [POISON]


def test_its_traceback_is_logged_once(mind, caplog):
    with caplog.at_level(logging.WARNING, "gieok"):
        mind.observe(POISON, turn_id="t1", at=day(1))
        for _ in range(5):
            mind.observe("안녕", at=day(2))

    about = [record for record in caplog.records if "kept unread" in record.getMessage()]
    assert [bool(record.exc_info) for record in about] == [True, False]
    assert all("t1" in record.getMessage() for record in about)


def test_a_bank_that_is_opened_again_tries_once_more(open_bank, caplog):
    for _ in range(3):
        reader = Choking()
        bank = open_bank(extractor=reader)
        mind = bank.scope(user="minsu", character="letia")
        if not mind.recall(POISON):
            mind.observe(POISON, at=day(1))
        caplog.clear()
        for _ in range(4):
            mind.observe("안녕", at=day(2))
        bank.close()

    assert reader.tried[POISON] == 1
    assert [bool(record.exc_info) for record in caplog.records] == [True]


def test_a_reader_that_can_read_it_reads_it_with_the_next_turn(open_bank):
    bank = open_bank(extractor=Choking())
    bank.scope(user="minsu", character="letia").observe(f"{POISON}. 나 고양이 좋아해", at=day(1))
    bank.scope(user="minsu", character="letia").observe("안녕", at=day(2))
    bank.close()
    better = open_bank().scope(user="minsu", character="letia")
    better.observe("안녕 또 왔어", at=day(3))

    assert [(memory.value, memory.valid_at) for memory in better.facts()] == [("고양이", day(1))]


def test_what_a_reader_missed_while_it_was_ill_is_read_when_it_is_well(mind, reader):
    reader.ill = True
    said = ["나 고양이 좋아해", POISON, "나 판교에 살아", "나 스물다섯 살이야"]
    for text in said:
        mind.observe(text, at=day(1))
    reader.ill = False
    for _ in range(4):
        mind.observe("안녕", at=day(2))

    assert sorted(memory.value or "" for memory in mind.facts()) == ["25", "고양이", "판교"]
    assert [reader.tried[text] for text in said] == [2, 2, 2, 2]


def test_many_that_cannot_be_read_hold_up_no_later_one(mind, reader):
    for number in range(20):
        mind.observe(f"{POISON} {number}", at=day(1))
    reader.ill = True
    mind.observe("나 고양이 좋아해", at=day(2))
    reader.ill = False
    for _ in range(12):
        mind.observe("안녕", at=day(3))

    assert [memory.value for memory in mind.facts()] == ["고양이"]
    assert all(count == 2 for text, count in reader.tried.items() if text.startswith(POISON))


def test_a_turn_that_was_given_up_and_rewound_leaves_its_id_free_of_blame(mind, reader):
    mind.observe(POISON, turn_id="t1", at=day(1))
    mind.observe("안녕", at=day(2))
    mind.rewind("t1")
    reader.ill = True
    mind.observe("나 고양이 좋아해", turn_id="t1", at=day(3))
    reader.ill = False
    mind.observe("안녕", at=day(4))

    assert [memory.value for memory in mind.facts()] == ["고양이"]


def test_the_same_turn_id_in_another_scope_is_another_turn(open_bank, reader):
    bank = open_bank(extractor=reader)
    letia, sera = (bank.scope(user="minsu", character=name) for name in ("letia", "sera"))
    letia.observe(POISON, turn_id="t1", at=day(1))
    letia.observe("안녕", at=day(2))
    reader.ill = True
    sera.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    reader.ill = False
    sera.observe("안녕", at=day(2))

    assert [memory.value for memory in sera.facts()] == ["고양이"]


def test_a_turn_that_takes_too_long_to_read_is_kept_unread_and_read_later(open_bank, monkeypatch, caplog):
    mind = open_bank().scope(user="minsu", character="letia")
    monkeypatch.setattr(observer, "_READING", 0.0)
    kept = mind.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    assert kept.unread
    assert not kept.decisions
    assert "t1 is kept unread" in caplog.text
    assert not any(record.exc_info for record in caplog.records)

    monkeypatch.undo()
    assert not mind.observe("안녕", at=day(2)).unread
    assert [memory.value for memory in mind.facts()] == ["고양이"]
    assert not mind.observed("t1").unread


def test_feelings_and_people_are_noticed_once_and_within_the_time_of_the_reading(open_bank, monkeypatch):
    noticed, tried = observer.noticed_in, list[str]()

    def slowly(turn: gieok.Turn, *arguments: Any) -> Any:
        tried.append(turn.id)
        check_time()
        return noticed(turn, *arguments)

    monkeypatch.setattr(observer, "noticed_in", slowly)
    mind = open_bank().scope(user="minsu", character="letia")
    assert mind.observe("너무 슬퍼", turn_id="t1", at=day(1)).emotions
    monkeypatch.setattr(observer, "_READING", 0.0)
    assert not mind.observe("너무 슬퍼", turn_id="t2", at=day(2)).emotions
    assert tried == ["t1", "t2"]


def test_what_takes_too_long_twice_is_left_alone(open_bank, monkeypatch):
    mind = open_bank().scope(user="minsu", character="letia")
    monkeypatch.setattr(observer, "_READING", 0.0)
    monkeypatch.setattr(observer, "_READING_AGAIN", 0.0)
    mind.observe("나 고양이 좋아해", turn_id="t1", at=day(1))
    monkeypatch.setattr(observer, "_READING", 60.0)
    for number in range(3):
        mind.observe(f"안녕 {number}", at=day(2))
        monkeypatch.setattr(observer, "_READING_AGAIN", 60.0)

    assert mind.observed("t1").unread
    assert not mind.facts()
