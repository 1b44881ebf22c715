"""The page "graph", without a browser."""

from __future__ import annotations

import pytest
from starlette.datastructures import QueryParams

from gieok.domain.entity import Entity, Face, Point, Surroundings, Tie
from gieok.domain.scope import Scope
from gieok.testing.builders import day, memory
from gieok.web.graph import (
    View,
    among_memories,
    graph_options,
    links_of,
    relation_name,
)
from gieok.words import words_in
from support.values import keys_in as keys

KO, EN = words_in("ko"), words_in("en")
SCOPE = Scope(user="민수", character="레티아")
USER = Point(id="user", kind="party", hops=0)
JIHUN = Point(
    id="who-1",
    kind="person",
    hops=1,
    name="지훈",
    entity=Entity(faces=(Face(name="지훈", interactions=3, first_seen=day(1), last_seen=day(1)),)),
)
BUSAN = Point(id="memory:b", kind="memory", hops=1, memory=memory("부산에 삶", id="b", importance=1.0))
SEOUL = Point(id="memory:s", kind="memory", hops=2, memory=memory("서울에 삶", id="s", invalid_at=day(2)))
AROUND = Surroundings(
    points=(USER, JIHUN, BUSAN, SEOUL),
    ties=(
        Tie(one="memory:b", other="user", relation="residence"),
        Tie(one="who-1", other="user", relation="knows"),
        Tie(one="memory:b", other="memory:s", relation="replaced"),
    ),
    relations={"residence": 1},
    left_out=0,
    present=day(3),
)


def test_everybody_is_listed_with_the_people_first_and_memories_among_themselves():
    assert links_of(AROUND, USER) == [("knows", JIHUN), ("residence", BUSAN)]
    assert links_of(AROUND, JIHUN) == [("knows", USER)]
    assert list(among_memories(AROUND)) == [(BUSAN, "replaced", SEOUL)]


@pytest.mark.parametrize(
    ("relation", "name"),
    [
        ("knows", "아는 사이"),
        ("residence", "사는 곳"),
        ("insight", "알게 된 점"),
        ("favorite.food", "가장 좋아하는 음식"),
        ("favorite.<b>", "가장 좋아하는 것: <b>"),
        ("nothing we know", "nothing we know"),
    ],
)
def test_a_relation_has_a_name(relation, name):
    assert relation_name(relation, KO) == name


def test_the_address_says_how_the_graph_is_looked_at_and_is_read_again():
    view = View(of="name:<b>&지훈", hops=2, relations=frozenset({"likes", "favorite.a&b"}))
    assert View.of_params(QueryParams(view.address.partition("?")[2])) == view
    assert View.of_params(QueryParams("hops=99&of=")) == View()


def test_the_picture_has_short_labels_and_past_memories_look_otherwise():
    long = Point(
        id="memory:l", kind="memory", hops=1, memory=memory("아주 길고 긴 이야기를 담은 기억이 여기에 있음", id="l")
    )
    whole = Surroundings(
        points=(*AROUND.points, long), ties=AROUND.ties, relations={}, left_out=0, present=AROUND.present
    )
    [series] = graph_options(whole, SCOPE, KO)["series"]
    drawn = {each["id"]: each for each in series["data"]}
    assert len(drawn["memory:l"]["name"]) == 16
    assert drawn["memory:l"]["hover"] == "아주 길고 긴 이야기를 담은 기억이 여기에 있음"
    assert [series["categories"][each["category"]]["name"] for each in series["data"]] == [
        "두 사람", "사람", "기억", "지난 기억", "기억",
    ]  # fmt: skip
    assert drawn["memory:b"]["symbolSize"] > drawn["memory:l"]["symbolSize"]
    assert series["links"][0] == {"source": "memory:b", "target": "user", "hover": "사는 곳"}


def test_what_somebody_wrote_stands_in_no_key():
    evil = ":{a|<img src=x onerror=alert(1)>}"
    point = Point(id=f"name:{evil}", kind="person", hops=0, name=evil)
    around = Surroundings(
        points=(point,),
        ties=(Tie(one=point.id, other=point.id, relation=evil),),
        relations={evil: 1},
        left_out=0,
        present=day(1),
    )
    options = graph_options(around, Scope(user=evil), KO)
    assert all(evil not in key for key in keys(options))
    assert {key for key in keys(options) if key.startswith(":")} == {":formatter"}
    assert "{" not in options["series"][0]["data"][0]["hover"]
