"""What upkeep promotes and what it lets go of, with the documents' numbers."""

import pytest

from gieok.domain.upkeep import UpkeepRules
from gieok.testing.builders import memory
from unit.maintain.grounds import Field, episode, moment


def reasons(ground: Field, when=None, rules: UpkeepRules | None = None) -> list[str]:
    return [kept.why for kept in ground.run("prune", when or moment(10, turn=25), rules)]


@pytest.mark.parametrize(
    ("told", "kind", "importance"),
    [
        (episode("산책을 했다", mentions=3), "semantic", 0.8),
        (episode("산책을 했다", mentions=1, uses=2), "semantic", 0.8),
        (episode("산책을 했다", mentions=2), "episodic", 0.5),
        (episode("산책을 했다", uses=3, importance=0.9), "semantic", 0.9),
        (memory("고양이를 좋아함", uses=5, importance=0.6), "semantic", 0.6),
    ],
)
def test_an_episode_said_again_or_used_3_times_becomes_known_for_good(told, kind, importance):
    ground = Field([told])
    ground.run("promote", moment(2, turn=10))

    assert (ground.known[0].kind, ground.known[0].importance) == (kind, importance)


def test_a_promoted_memory_fades_from_where_it_was():
    ground = Field([episode("산책을 했다", uses=3, importance=0.0)])
    ground.run("promote", moment(2, turn=10))

    assert ground.known[0].strength == pytest.approx(0.95**2)
    assert ground.known[0].touched_turn == 10


@pytest.mark.parametrize(("strength", "mentions", "gone"), [(0.149, 0, True), (0.15, 0, False), (0.1, 1, False)])
def test_what_is_weaker_than_0_15_and_was_never_mentioned_goes(strength, mentions, gone):
    ground = Field([episode("산책을 했다", strength=strength, mentions=mentions, touched_turn=25)])

    assert reasons(ground) == (["faded and never mentioned"] if gone else [])


def test_strength_is_what_is_left_of_it_today():
    """0.95 + 0.05 × 0.15 a step of 5 turns: below 0.15 after 45 steps."""
    ground = Field([episode("산책을 했다")])

    assert reasons(ground, moment(10, turn=5 * 43)) == []
    assert reasons(ground, moment(10, turn=5 * 45)) == ["faded and never mentioned"]


@pytest.mark.parametrize(
    ("importance", "uses", "days", "gone"),
    [(0.2, 0, 60.5, True), (0.21, 0, 60.5, False), (0.2, 1, 60.5, False), (0.2, 0, 60, False)],
)
def test_what_is_at_most_0_2_important_never_used_and_older_than_60_days_goes(importance, uses, days, gone):
    ground = Field([episode("산책을 했다", 1, importance=importance, uses=uses, touched_turn=25)])

    expected = ["unimportant, never used and older than 60 days"] if gone else []
    assert reasons(ground, moment(1 + days, turn=25)) == expected


FAINT = {"strength": 0.11, "importance": 0.1}


@pytest.mark.parametrize(
    "kept",
    [
        memory("이름은 민수임", attribute="name", value="민수", **FAINT),
        memory("주말에 같이 영화 보기로 약속함", attribute="promise", value="영화 보기", **FAINT),
        memory("부산에 삼", attribute="residence", value="부산", invalid_at=moment(5).at, **FAINT),
        episode("고백을 받았다", pinned=True, **FAINT),
        episode("할머니가 돌아가셨다", emotion_intensity=0.7, **FAINT),
        memory("3월 2일의 대화", content_type="summary", origin="reflection", tags=("rolling",), **FAINT),
    ],
    ids=lambda kept: kept.content,
)
def test_facts_promises_pins_strong_feelings_and_summaries_do_not_fade_away(kept):
    assert reasons(Field([kept]), moment(400, turn=3_000)) == []


def test_over_the_cap_of_100_the_weakest_go():
    memories = [episode(f"{number}번 버스를 탔다", importance=number / 200, touched_turn=25) for number in range(103)]
    ground = Field(memories[::-1])

    assert reasons(ground, rules=UpkeepRules(cap=100)) == ["over the cap of 100"] * 3
    assert {each.content for each in ground.hidden} == {"0번 버스를 탔다", "1번 버스를 탔다", "2번 버스를 탔다"}
    assert len(ground.known) == 100


LIKES = [memory(f"{number}을 좋아함", attribute="likes", value=str(number)) for number in range(3)]


@pytest.mark.parametrize(
    ("known", "cap", "left"),
    [
        ([episode(f"{number}번 버스를 탔다") for number in range(300)], None, 300),
        (
            [
                episode("산책을 했다", importance=0.8, strength=0.2, touched_turn=25),
                episode("등산을 했다", importance=0.4, strength=1.0, touched_turn=25),
            ],
            1,
            ["등산을 했다"],
        ),
        (
            [
                episode("울었다", emotion_intensity=0.9, importance=0.1, touched_turn=25),
                episode("산책을 했다", importance=0.9, touched_turn=25),
            ],
            1,
            ["울었다"],
        ),
        ([*LIKES, episode("산책을 했다", touched_turn=25)], 2, [each.content for each in LIKES]),
        (
            [
                memory("부산에 삼", attribute="residence", value="부산", invalid_at=moment(1.5).at),
                episode("산책을 했다", touched_turn=25),
            ],
            1,
            2,
        ),
    ],
    ids=[
        "no cap",
        "strength counts beside importance",
        "strong feelings go last",
        "facts stay",
        "the past takes no room",
    ],
)
def test_the_cap(known, cap, left):
    ground = Field(known)
    ground.run("prune", moment(2, turn=25), UpkeepRules(cap=cap))

    assert left in (len(ground.known), ground.contents())


def test_a_type_is_kept_for_its_days_and_then_let_go_whatever_it_says():
    rules = UpkeepRules(keep_days={"personal": 30})
    phone = memory("전화번호는 010", content_type="personal", attribute="phone", value="010", pinned=True)
    ground = Field([phone, memory("고양이를 좋아함", content_type="preference", attribute="likes", value="고양이")])

    assert ground.run("retain", moment(31, turn=1), rules) == []
    (kept,) = ground.run("retain", moment(31.1, turn=1), rules)
    assert kept.why == "personal is kept for 30 days"
    assert ground.contents() == ["고양이를 좋아함"]


def test_what_upkeep_made_from_it_goes_with_it():
    rules = UpkeepRules(keep_days={"personal": 30})
    phone = memory("전화번호는 010", id="phone", content_type="personal")
    profile = memory("전화번호는 010.", content_type="profile", origin="reflection", made_from=("phone",))
    other = memory("서울에 삼.", content_type="profile", origin="reflection", made_from=("home",))
    ground = Field([phone, profile, other])
    ground.run("retain", moment(40, turn=1), rules)

    assert ground.known == [other]
