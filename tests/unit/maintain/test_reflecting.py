"""Insights and profiles: counted, dated, and only said when true."""

import pytest

from gieok.domain.upkeep import Ran, UpkeepRules
from gieok.testing.builders import memory
from unit.maintain.grounds import Field, episode, moment, turn_of


def likes(thing: str, **fields):
    about = {"attribute": "likes", "value": thing, "surface": thing, "content_type": "preference"}
    return memory(f"{thing}를 좋아함", **{**about, **fields})


def insights(ground: Field) -> list[str]:
    return [each.content for each in ground.known if each.content_type == "insight"]


def cat_turns(*feelings: str, start: int = 1) -> list:
    said = [
        "고양이가 새 장난감을 물고 왔어",
        "고양이 사료를 샀어",
        "고양이랑 낮잠을 잤어",
        "고양이 털을 빗겼어",
        "고양이가 왔어",
    ]
    return [
        turn_of(number, said[number % len(said)], on=number * 2, felt=felt)
        for number, felt in enumerate(feelings, start=start)
    ]


def test_what_the_user_came_back_to_is_counted_and_dated_with_the_feeling():
    ground = Field([likes("고양이", id="cat")], cat_turns(*["happy"] * 5))
    (kept,) = ground.run("reflect", moment(15, turn=5))

    (insight,) = ground.known[1:]
    assert insight.content == "최근 2주 동안 고양이 얘기를 5번 했고 늘 즐거워했다"
    assert (insight.content_type, insight.kind, insight.origin) == ("insight", "insight", "reflection")
    assert insight.made_from == ("cat",)
    assert insight.sources == ("u1", "u2", "u3", "u4", "u5")
    assert kept.action == "reflect"


@pytest.mark.parametrize(
    ("feelings", "told"),
    [
        (["sad"] * 5, "5번 했고 늘 슬퍼했다"),
        (["angry"] * 5, "5번 했고 늘 화를 냈다"),
        (["happy"] * 4 + ["neutral"], "5번 했고 대체로 즐거워했다"),
        (["happy"] * 3 + ["sad"] * 2, "5번 했고 대체로 즐거워했다"),
        (["happy"] * 2 + ["sad"] * 2, "4번 했고 즐거워할 때도 있었고 슬퍼할 때도 있었다"),
        (["happy"] * 2 + ["neutral"] * 3, "5번 했다"),
        (["neutral"] * 5, "5번 했다"),
        (["happy"] * 2, None),  # twice is not often
    ],
)
def test_always_is_said_only_of_always_and_mostly_of_most(feelings, told):
    ground = Field([likes("고양이")], cat_turns(*feelings))
    ground.run("reflect", moment(15, turn=5))

    assert insights(ground) == ([f"최근 2주 동안 고양이 얘기를 {told}"] if told else [])


@pytest.mark.parametrize(
    ("known", "said", "turns", "rules", "told"),
    [
        (likes("고양이"), "고양이가 왔어", 30, {"look_back_turns": 10}, "최근 일주일 동안 고양이 얘기를 7번 했다"),
        (episode("시험 공부를 했다"), "시험 공부를 했어", 4, {}, "최근 4일 동안 공부 얘기를 4번 했다"),
        (
            memory("likes jazz", attribute="likes", value="jazz", surface="jazz"),
            "went to another jazz concert",
            3,
            {},
            "talked about jazz 3 times in the last 3 days",
        ),
    ],
    ids=["no further back than is known", "words that only come together", "English"],
)
def test_what_is_told_of_a_topic(known, said, turns, rules, told):
    ground = Field([known], [turn_of(number, said, on=number) for number in range(1, turns + 1)])
    ground.run("reflect", moment(turns + 1, turn=turns), UpkeepRules(**rules))

    assert insights(ground) == [told]


def test_a_word_inside_another_is_not_talked_of():
    ground = Field([episode("사과를 땄다")], [turn_of(n, "친구에게 사과했어", on=n) for n in range(1, 3)])
    ground.turns += [turn_of(3, "배고파서 배달을 시켰어", on=3), turn_of(4, "배달이 늦었어", on=4)]
    ground.known.append(likes("배"))
    ground.run("reflect", moment(5, turn=4))

    assert insights(ground) == []


def test_all_of_the_stretch_that_is_told_of_is_counted():
    """Five turns since the last reflection eight days ago; two more lie within the two weeks that are told of."""
    before = [
        turn_of(1, "고양이 사진을 봤어", on=1),
        turn_of(2, "고양이 카페에 갔어", on=6),
        turn_of(3, "고양이 꿈을 꿨어", on=7),
    ]
    since = [turn_of(number, "고양이가 또 왔어", on=number + 6) for number in range(4, 9)]
    ground = Field([likes("고양이", known_at=moment(12).at)], before + since)
    ground.ran["reflect"] = Ran(turn_number=3, at=moment(9).at)
    ground.run("reflect", moment(18, turn=8))

    assert insights(ground) == ["최근 2주 동안 고양이 얘기를 7번 했다"]


def test_whom_memories_are_about_is_a_topic_too():
    turns = [turn_of(number, "엄마가 전화했어", on=number, felt="angry") for number in range(1, 4)]
    ground = Field(
        [memory("직업은 간호사임", subject="other", subject_id="엄마", attribute="job", value="간호사")], turns
    )
    ground.run("reflect", moment(4, turn=3))

    assert insights(ground) == ["최근 3일 동안 엄마 얘기를 3번 했고 늘 화를 냈다"]


def test_a_newer_insight_about_the_same_takes_the_place_of_the_older():
    ground = Field([likes("고양이")], cat_turns("happy", "happy", "happy"))
    ground.run("reflect", moment(7, turn=3))
    ground.turns += cat_turns("sad", "sad", "sad", start=4)
    ground.known.append(likes("고양이", known_at=moment(8).at))
    ground.run("reflect", moment(13, turn=6))

    assert insights(ground) == ["최근 5일 동안 고양이 얘기를 3번 했고 늘 슬퍼했다"]
    (older,) = ground.hidden
    assert older.closed_by == next(each.id for each in ground.known if each.content_type == "insight")


def test_three_of_a_kind_are_named_together():
    ground = Field([likes(thing, id=thing, value_class="animal") for thing in ("고양이", "강아지", "햄스터")])
    ground.run("reflect", moment(2, turn=20))

    assert insights(ground) == ["좋아하는 동물로 강아지, 고양이, 햄스터를 꼽았다"]


def test_somebody_s_profile_tells_identity_and_cautions_first():
    ground = Field(
        [
            likes("고양이", importance=0.9),
            memory("땅콩 알레르기가 있음", attribute="allergy", value="땅콩"),
            memory("이름은 민수임", attribute="name", value="민수"),
        ]
    )
    ground.run("reflect", moment(2, turn=20))

    profile = next(each for each in ground.known if each.content_type == "profile")
    assert profile.content == "이름은 민수임. 땅콩 알레르기가 있음. 고양이를 좋아함."
    assert (profile.subject, profile.subject_id) == ("user", "user")
    assert len(profile.made_from) == 3


def test_a_profile_is_of_one_person_and_needs_three_facts():
    mother = [
        memory(content, subject="other", subject_id="엄마", attribute=attribute, value=content)
        for attribute, content in (("job", "간호사임"), ("residence", "대구에 삼"), ("hobby", "등산을 즐김"))
    ]
    ground = Field([*mother, likes("고양이")])
    ground.run("reflect", moment(2, turn=20))

    (profile,) = [each for each in ground.known if each.content_type == "profile"]
    assert (profile.subject, profile.subject_id) == ("other", "엄마")
    assert profile.content == "간호사임. 대구에 삼. 등산을 즐김."


def test_a_profile_that_grows_too_long_says_how_much_it_leaves_out():
    ground = Field([likes(f"{number}번 노래") for number in range(10)])
    ground.run("reflect", moment(2, turn=20), UpkeepRules(profile_tokens=40))

    (profile,) = [each for each in ground.known if each.content_type == "profile"]
    told = profile.content.count("좋아함")
    assert 0 < told < 10
    assert profile.content.endswith(f" 그 밖에 {10 - told}가지.")
    assert len(profile.made_from) == told


def test_a_newer_profile_closes_the_older_and_an_equal_one_is_not_written():
    ground = Field([likes(thing) for thing in ("고양이", "강아지", "햄스터")])
    ground.run("reflect", moment(2, turn=20))
    ground.known.append(episode("산책을 했다", 3))
    assert ground.run("reflect", moment(4, turn=40)) == []

    ground.known.append(likes("토끼", known_at=moment(5).at))
    (kept,) = ground.run("reflect", moment(6, turn=60))
    assert [change.after.content_type for change in kept.changes] == ["profile", "profile"]
    assert kept.changes[1].after.closed_by == kept.changes[0].after.id


def test_a_profile_that_a_person_put_right_is_left_alone():
    ground = Field([likes(thing) for thing in ("고양이", "강아지", "햄스터")])
    ground.run("reflect", moment(2, turn=20))
    ground.known = [
        each.changed(content="동물이라면 다 좋아함.", origin="person") if each.content_type == "profile" else each
        for each in ground.known
    ]
    ground.known.append(likes("토끼", known_at=moment(5).at))

    assert ground.run("reflect", moment(6, turn=60)) == []


def test_what_is_no_longer_true_is_in_no_profile():
    past = memory("부산에 삼", attribute="residence", value="부산", invalid_at=moment(1.5).at)
    ground = Field([past, *(likes(thing) for thing in ("고양이", "강아지", "햄스터"))])
    ground.run("reflect", moment(2, turn=20))

    (profile,) = [each for each in ground.known if each.content_type == "profile"]
    assert "부산" not in profile.content
