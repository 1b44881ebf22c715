"""What is tied to what, without a bank."""

from __future__ import annotations

from typing import Any

from gieok.domain.entity import (
    Entity,
    Face,
    People,
    Point,
    Surroundings,
    Tie,
    acquaintance,
    names_of,
    relation_of,
    ties_between,
)
from gieok.testing.builders import day, memory

USER = Point(id="user", kind="party", hops=0)
CHARACTER = Point(id="character", kind="party", hops=0)


def entity(*names: str, **fields: Any) -> Entity:
    faces = tuple(Face(name=name, first_seen=day(1), last_seen=day(1), **fields) for name in names)
    return Entity(faces=faces)


def person(known: Entity) -> Point:
    return Point(id=known.id, kind="person", hops=1, entity=known, name=known.display_name)


def told(content: str, **fields: Any) -> Point:
    known = memory(content, **fields)
    return Point(id=f"memory:{known.id}", kind="memory", hops=1, memory=known)


JIHUN = entity("지훈", "지훈쌤")
PEOPLE = People([JIHUN, entity("코")])


def tied(*points: Point, character: str | None = "레티아") -> set[tuple[str, str, str]]:
    return {(tie.one, tie.relation, tie.other) for tie in ties_between(points, PEOPLE, character)}


def test_people_are_known_by_all_their_names_and_strangers_by_the_one_they_have():
    assert PEOPLE.called("지훈") == PEOPLE.called("지훈쌤") == PEOPLE.called("지훈이") == JIHUN.id
    assert PEOPLE.called("하나") == "name:하나"
    assert names_of(JIHUN) == ("지훈", "지훈쌤")


def test_people_are_found_in_words_by_names_of_two_letters_at_least():
    assert PEOPLE.named_in("지훈쌤이랑 코코아를 마심") == [JIHUN.id]
    assert PEOPLE.named_in("하나랑 놀음") == []


def test_a_memory_tells_of_its_subject():
    assert PEOPLE.subject_of(memory(subject="character", subject_id="letia")) == "character"
    assert PEOPLE.subject_of(memory(subject="other", subject_id="지훈이")) == JIHUN.id
    assert relation_of(memory(attribute="likes")) == "likes"
    assert relation_of(memory(content_type="event")) == "event"


def test_the_two_are_tied_and_everybody_else_to_the_one_who_knows_them():
    assert tied(USER, CHARACTER, person(JIHUN)) == {("user", "pair", "character"), (JIHUN.id, "knows", "user")}
    hers = entity("레티아의 엄마")
    assert acquaintance(person(hers), "레티아") == "character"
    assert acquaintance(person(hers), None) == "user"


def test_nothing_is_tied_to_what_is_not_there():
    assert tied(USER) == tied(person(JIHUN)) == set()
    assert tied(told("지훈이랑 놀음", id="m", closed_by="n", made_from=("o",))) == set()


def test_a_memory_is_tied_to_whom_it_tells_of_and_to_those_it_names_in_passing():
    job = told("지훈은 의사임", id="m", subject="other", subject_id="지훈", attribute="job")
    trip = told("지훈이랑 바다에 감", id="n", content_type="event")
    assert tied(USER, person(JIHUN), job, trip) == {
        (JIHUN.id, "knows", "user"),
        ("memory:m", "job", JIHUN.id),
        ("memory:n", "event", "user"),
        ("memory:n", "names", JIHUN.id),
    }


def test_what_replaced_another_is_tied_to_it_and_what_was_merged_only_as_that():
    old, new = told("서울에 삶", id="old", closed_by="new"), told("부산에 삶", id="new")
    assert tied(old, new) == {("memory:new", "replaced", "memory:old")}
    source, merged = told("바다에 감", id="s", closed_by="m"), told("바다에 자주 감", id="m", made_from=("s", "gone"))
    assert tied(source, merged) == {("memory:m", "made_from", "memory:s")}


def test_a_point_knows_its_ties_from_either_side_and_what_is_past():
    tie = Tie(one="memory:m", other="user", relation="likes")
    past, now = told("옛날", id="p", invalid_at=day(2)), told("지금", id="m", invalid_at=day(9))
    around = Surroundings(points=(USER, now, past), ties=(tie,), relations={}, left_out=0, present=day(2))
    assert list(around.tied_to("user")) == [(tie, "memory:m")]
    assert list(around.tied_to("memory:m")) == [(tie, "user")]
    assert list(around.tied_to("character")) == []
    assert [around.is_past(point) for point in around.points] == [False, False, True]
