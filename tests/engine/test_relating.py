"""How things came about between the two, and what is connected with what."""

from datetime import timedelta

import pytest

from gieok.domain.entity import Surroundings
from gieok.errors import InvalidQuery, UnknownMemory, UnknownPerson
from gieok.testing import day


def told(around: Surroundings, hops: int | None = None) -> set[str]:
    """What stands in the surroundings, in words."""
    return {
        point.memory.content if point.memory else point.name or point.id
        for point in around.points
        if hops is None or point.hops == hops
    }


def tied(around: Surroundings) -> set[tuple[str, str, str]]:
    names = {point.id: point.memory.content if point.memory else point.name or point.id for point in around.points}
    return {(names[tie.one], tie.relation, names[tie.other]) for tie in around.ties}


@pytest.fixture
def friends(letia):
    letia.observe("친구 지훈이랑 영화 봤어", reply="재밌었겠다!", at=day(1))
    letia.remember("의사임", about="지훈", attribute="job", value="의사", at=day(1))
    letia.remember("지훈이랑 바다에 다녀옴", type="event", at=day(1))
    letia.remember("서울에 삶", attribute="residence", value="서울", at=day(1))
    letia.remember("부산에 삶", attribute="residence", value="부산", at=day(2))
    letia.remember("별을 좋아함", about="character", attribute="likes", value="별", at=day(1))
    return letia


def test_the_way_of_a_relationship_is_leafed_through_and_thinned(letia):
    for number in range(12):
        letia.observe("오늘도 고마워", at=day(1) + timedelta(minutes=number), turn_id=f"t{number}")
    whole = letia.trajectory()
    last = letia.trajectory(5)
    assert last == whole[-5:]
    assert letia.trajectory(5, before=last[0].number) == whole[-10:-5]
    thinned = letia.course(4)
    assert [thinned[0], thinned[-1]] == [whole[0], whole[-1]]
    assert len(thinned) == 4
    assert {each.scene for each in whole} == {letia.scenes()[0].id}


def test_a_level_that_was_reached_is_told_with_its_turn(letia):
    for number in range(60):
        letia.observe(
            "고마워, 너 진짜 멋있다. 사랑해", reply="나도 사랑해", at=day(1 + number / 2), turn_id=f"t{number}"
        )
    changes = letia.level_changes()
    assert [step.relationship.level for step in changes][:2] == ["stranger", "acquaintance"]
    assert changes[0].turn_id == "t0"
    assert changes[1].before is not None
    assert changes[1].before.level == "stranger"


def test_manners_are_told_since_when_and_at_whose_wish(letia):
    letia.observe("안녕하세요", reply="반가워요", at=day(1))
    letia.observe("오늘 뭐 하셨어요?", reply="책 읽었어요", at=day(2))
    letia.observe("우리 이제 말 놓자", reply="그래, 좋아!", at=day(3), turn_id="t3")
    letia.observe("오늘 뭐 먹었어?", reply="라면 먹었어", at=day(4))
    styles = [(each.change.speaker, each.change.before, each.change.after) for each in letia.manner_changes()]
    assert styles == [
        ("user", None, "formal"), ("character", None, "formal"), ("user", "formal", "casual"),
        ("character", "formal", "casual"),
    ]  # fmt: skip
    last = letia.manner_changes()[-1]
    assert (last.turn_id, last.change.asked_by, last.change.at) == ("t3", "user", day(3))
    letia.rewind("t3")
    assert len(letia.manner_changes()) == 2


def test_feelings_are_leafed_through_by_turns(letia):
    for number in range(1, 5):
        letia.observe("너무 행복해!", at=day(number), turn_id=f"t{number}")
    latest = letia.emotions(limit=2)
    assert {each.turn_id for each in latest} == {"t3", "t4"}
    earlier = letia.emotions(limit=9, before=latest[0].turn_number)
    assert {each.turn_id for each in earlier} == {"t1", "t2"}


def test_regards_tell_how_somebody_was_thought_of(letia):
    letia.observe("지훈이랑 싸웠어. 지훈이 진짜 미워", at=day(1))
    letia.observe("지훈이가 도와줬어. 지훈이 정말 고마워", at=day(2))
    letia.observe("엄마 보고 싶다", at=day(3))
    known = {entity.name: entity.id for entity in letia.entities()}
    moods = [each.entity.sentiment for each in letia.regards(known["지훈"])]
    assert len(moods) == 2
    assert moods[0] < moods[1]
    courses = letia.courses_of_regard(known.values())
    assert [each.entity.sentiment for each in courses[known["지훈"]]] == moods
    assert set(courses) == set(known.values())
    assert letia.regards("nobody") == []


def test_the_surroundings_of_the_two_are_what_is_told_of_them_and_whom_they_know(friends):
    around = friends.surroundings()
    assert told(around, 0) == {"user", "character"}
    assert told(around, 1) >= {"지훈", "부산에 삶", "지훈이랑 바다에 다녀옴", "별을 좋아함"}
    assert told(around).isdisjoint({"의사임", "서울에 삶"})
    assert tied(around) >= {
        ("user", "pair", "character"), ("지훈", "knows", "user"), ("부산에 삶", "residence", "user"),
        ("별을 좋아함", "likes", "character"), ("지훈이랑 바다에 다녀옴", "event", "user"),
        ("지훈이랑 바다에 다녀옴", "names", "지훈"),
    }  # fmt: skip
    assert around.relations["residence"] == 1
    assert around.left_out == 0


def test_two_hops_lead_to_what_was_replaced_and_to_the_memories_of_others(friends):
    around = friends.surroundings(hops=2)
    assert told(around, 2) >= {"의사임", "서울에 삶"}
    assert tied(around) >= {("의사임", "job", "지훈"), ("부산에 삶", "replaced", "서울에 삶")}


def test_one_may_stand_at_somebody_or_at_a_memory(friends):
    [jihun] = [entity for entity in friends.entities() if entity.name == "지훈"]
    assert told(friends.surroundings("지훈")) == told(friends.surroundings(jihun.id))
    assert told(friends.surroundings("지훈"), 1) >= {"user", "의사임", "지훈이랑 바다에 다녀옴"}
    [home] = friends.facts(attribute="residence")
    assert told(friends.surroundings(f"memory:{home.id}"), 1) == {"user", "서울에 삶"}


def test_only_the_relations_that_were_asked_for_are_followed(friends):
    assert told(friends.surroundings(relations=["residence"])) == {"user", "character", "부산에 삶"}
    assert told(friends.surroundings(relations=["residence", "replaced"], hops=2), 2) == {"서울에 삶"}
    assert told(friends.surroundings("지훈", relations=["names"]), 1) == {
        "지훈이랑 바다에 다녀옴", "지훈이라는 친구가 있음",
    }  # fmt: skip
    assert told(friends.surroundings(relations=[])) == {"user", "character"}


def test_the_weightiest_stay_where_not_all_fit_and_the_rest_is_counted(letia):
    for number in range(30):
        letia.remember(f"{number}번 책을 읽음", type="event", importance=number / 100 + 0.3, at=day(1))
    around = letia.surroundings(limit=12)
    assert len(around.points) == 12
    assert "29번 책을 읽음" in told(around)
    assert "3번 책을 읽음" not in told(around)
    assert around.left_out == 20


def test_what_was_forgotten_is_nobodys_neighbour(friends):
    [home] = friends.facts(attribute="residence")
    friends.forget(home.id)
    assert "부산에 삶" not in told(friends.surroundings(hops=2))
    with pytest.raises(UnknownMemory):
        friends.surroundings(f"memory:{home.id}")


def test_summaries_are_left_out_unless_they_are_asked_for(friends):
    friends.maintain(["summarise", "reflect", "weekly"], at=day(30))
    assert friends.summaries()
    kinds = {point.memory.content_type for point in friends.surroundings(hops=2).points if point.memory}
    assert "summary" not in kinds
    asked = friends.surroundings(relations=["summary"])
    assert {point.memory.content_type for point in asked.points if point.memory} == {"summary"}


@pytest.mark.parametrize("wrong", [{"hops": 0}, {"hops": 3}, {"limit": 0}])
def test_nobody_walks_too_far(friends, wrong):
    with pytest.raises(InvalidQuery):
        friends.surroundings(**wrong)


def test_nobody_can_stand_at_what_is_not_there(friends):
    with pytest.raises(UnknownPerson):
        friends.surroundings("하나")
    with pytest.raises(UnknownMemory):
        friends.surroundings("memory:none")
