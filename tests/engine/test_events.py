"""What a bank tells those who listen: every event by some operation, after it is kept; no listener breaks a turn."""

import logging
from collections.abc import Callable

import pytest

import gieok
from gieok.bank.events import EVENTS, Event
from gieok.domain.relationship import new_relationship, score
from gieok.errors import InvalidQuery
from gieok.testing import ScriptedModel, day
from support.models import ponderer

Deed = Callable[[gieok.Mind], object]


def said(*lines: str) -> Deed:
    def say(mind: gieok.Mind) -> None:
        for number, line in enumerate(lines):
            mind.observe(line, at=day(1 + number / 100), turn_id=f"t{number}")

    return say


def kept(*passes: str, notes: tuple[str, ...] = ()) -> Deed:
    def keep(mind: gieok.Mind) -> None:
        for number, note in enumerate(notes):
            mind.remember(note, type="event", at=day(1 + number / 100))
        mind.maintain(passes=passes, at=day(2))

    return keep


def told_and_forgotten(mind: gieok.Mind) -> None:
    mind.observe("나 고양이 좋아해", at=day(1))
    mind.forget(mind.facts()[0].id, at=day(1))


def staged(mind: gieok.Mind) -> None:
    mind.start_scene(place="카페", at=day(1))
    mind.end_scene(day(1))


def summarised(mind: gieok.Mind) -> None:
    said("나 서울에 살아", "나 고양이 좋아해", "나 간호사야")(mind)
    mind.maintain(passes=["reflect", "summarise"], at=day(2))


def spoken_otherwise(mind: gieok.Mind) -> None:
    for number, line in enumerate(
        ["안녕하세요", "저는 학생이에요", "반가워요", "야 뭐 해", "나 밥 먹었어", "같이 놀자", "심심해"]
    ):
        mind.observe(line, at=day(1 + number / 100))


def retold(mind: gieok.Mind) -> None:
    mind.remember("한강에서 자전거를 탔다", type="event", importance=0.9, at=day(1))
    ponderer(mind._bank, ScriptedModel({"interpret": '{"text": "함께 달리고 싶었다."}'})).ponder(mind.key, at=day(2))


def rewound(mind: gieok.Mind) -> None:
    mind.observe("나 서울에 살아", at=day(1), turn_id="t1")
    mind.rewind("t1")


BY_WHAT: dict[str, tuple[Deed, Callable[[Event], bool]]] = {
    "memory.remembered": (said("나 서울에 살아"), lambda event: event.what.value == "서울"),
    "memory.reinforced": (said("나 고양이 좋아해", "나 고양이 좋아해"), lambda event: event.what.mentions == 1),
    "memory.superseded": (
        said("나 서울에 살아", "나 부산으로 이사했어"),
        lambda event: event.what.value == "서울" and event.what.invalid_at is not None,
    ),
    "memory.retracted": (
        said("나 땅콩 알레르기 있어", "뻥이야"),
        lambda event: event.what.retracted,
    ),
    "memory.forgotten": (told_and_forgotten, lambda event: event.what.forgotten_at == day(1)),
    "memory.merged": (
        kept("merge", notes=("한강에서 자전거를 탔어", "한강에서 자전거를 탔다")),
        lambda event: len(event.what.made_from) == 2,
    ),
    "memory.promoted": (
        kept("promote", notes=("한강에서 자전거를 탔어",) * 4),
        lambda event: (event.before.kind, event.what.kind) == ("episodic", "semantic"),
    ),
    "memory.retold": (
        retold,
        lambda event: (event.before.interpretation, event.what.interpretation) == (None, "함께 달리고 싶었다."),
    ),
    "relationship.changed": (
        said("고마워, 정말 고마워"),
        lambda event: score(event.what) > score(event.before or new_relationship()),
    ),
    "relationship.level": (
        said("오늘 날씨 좋다", "고마워, 정말 고마워"),
        lambda event: (event.before.level, event.what.level) == ("stranger", "acquaintance"),
    ),
    "manners.changed": (spoken_otherwise, lambda event: event.what.user.style is not None),
    "emotion.changed": (said("시험에 떨어져서 너무 슬퍼"), lambda event: event.what.emotion == "sad"),
    "scene.started": (staged, lambda event: event.what.place == "카페" and event.what.ended_at is None),
    "scene.ended": (staged, lambda event: event.what.ended_at == day(1)),
    "reflected": (summarised, lambda event: event.what.origin == "reflection"),
    "summarised": (summarised, lambda event: event.what.content_type == "summary"),
    "turn.rewound": (rewound, lambda event: event.operation.kind == "rewind"),
}  #: how each event comes about, and what it tells of
OF_DOUBTFUL = ("memory.doubtful", "memory.confirmed", "memory.rejected")  #: told in test_doubtful.py


@pytest.fixture
def close_to(open_bank, tmp_path):
    """A bank in which two are about to become acquaintances."""
    rules = tmp_path / "relationship.toml"
    rules.write_text("[start]\ntrust = 19.8\naffection = 19.8\nfamiliarity = 19.8\nrespect = 19.8\n", encoding="utf-8")
    return open_bank("level.db", relationship_rules=str(rules), upkeep="off")


def test_the_table_names_every_event():
    assert {*BY_WHAT, *OF_DOUBTFUL} == set(EVENTS)


@pytest.mark.parametrize("name", BY_WHAT)
def test_an_event_is_told_with_what_it_is_about(close_to, name):
    heard: list[Event] = []
    everything: list[Event] = []
    close_to.on(name, heard.append)
    close_to.on("*", everything.append)
    mind = close_to.scope(user="minsu", character="letia")
    deed, right = BY_WHAT[name]
    deed(mind)

    assert {event.name for event in heard} == {name}
    assert any(right(event) for event in heard), [event.what for event in heard]
    assert all(event.scope == mind.key for event in heard)
    kept_operations = {operation.id for operation in mind.journal()}
    assert {event.operation.id for event in heard} <= kept_operations
    assert [event for event in everything if event.name == name] == heard


def test_a_first_turn_that_makes_acquaintances_is_told(close_to):
    heard: list[Event] = []
    close_to.on("relationship.level", heard.append)
    mind = close_to.scope(user="minsu", character="letia")
    mind.observe("고마워, 정말 고마워", at=day(1))
    assert mind.relationship().level == "acquaintance"
    assert len(heard) == 1


@pytest.mark.parametrize("trouble", [ValueError("망가졌어요"), KeyError("x"), RecursionError()])
def test_a_listener_that_fails_breaks_neither_the_turn_nor_the_others(bank, trouble, caplog):
    heard: list[str] = []

    def fail(event: Event) -> None:
        raise trouble

    bank.on("*", fail)
    bank.on("*", lambda event: heard.append(event.name))
    mind = bank.scope(user="minsu", character="letia")
    with caplog.at_level(logging.ERROR):
        observed = mind.observe("나 서울에 살아", at=day(1), turn_id="t1")
        mind.rewind("t1")
    assert observed.decisions
    assert {"memory.remembered", "scene.started", "turn.rewound"} <= set(heard)
    assert "a listener failed at memory.remembered" in caplog.text
    assert mind.turns() == []


def test_a_listener_may_use_the_mind_it_hears_of(bank):
    mind = bank.scope(user="minsu", character="letia")
    found: list[list[str]] = []

    def look_and_write(event: Event) -> None:
        found.append([memory.content for memory in mind.facts()])
        if len(found) == 1:
            mind.observe("나 고양이 좋아해", at=day(2))

    bank.on("memory.remembered", look_and_write)
    mind.observe("나 서울에 살아", at=day(1))
    assert found == [["서울에 삶"], ["서울에 삶", "고양이를 좋아함"]]


def test_nothing_is_told_of_a_turn_that_was_known(bank):
    mind = bank.scope(user="minsu", character="letia")
    mind.observe("나 서울에 살아", at=day(1), turn_id="t1")
    heard: list[Event] = []
    bank.on("*", heard.append)
    assert mind.observe("나 서울에 살아", at=day(1), turn_id="t1").again
    assert heard == []


def test_who_stops_listening_hears_no_more(bank):
    heard: list[Event] = []
    stop = bank.on("memory.remembered", heard.append)
    stop()
    stop()
    bank.scope(user="minsu", character="letia").observe("나 서울에 살아", at=day(1))
    assert heard == []


def test_an_unknown_event_is_refused_with_those_there_are(bank):
    with pytest.raises(InvalidQuery, match=r"memory\.remembered"):
        bank.on("memory.rememberd", print)


def test_a_follower_gets_all_events_of_an_operation_at_once_and_may_fail(bank, letia, caplog):
    heard = []

    def fail(events):
        raise RuntimeError

    bank.follow(fail)
    unfollow = bank.follow(heard.append)
    letia.observe("나 고양이 좋아해", reply="저도요!")
    (events,) = heard
    assert "memory.remembered" in {event.name for event in events}
    assert len({event.operation.id for event in events}) == 1
    assert "a listener failed at operation" in caplog.text
    unfollow()
    letia.observe("나 라면 싫어해")
    assert len(heard) == 1
