"""What upkeep promotes and what it lets go of, with the documents' numbers."""

import pytest

from gieok.domain.upkeep import UpkeepRules
from gieok.testing.builders import memory
from unit.maintain.grounds import Field, episode, moment


def reasons(ground: Field, when=None, rules: UpkeepRules | None = None) -> list[str]:
    return [kept.why for kept in ground.run("prune", when or moment(10, turn=25), rules)]


@pytest.mark.parametrize(("mentions", "uses", "kind"), [(3, 0, "semantic"), (1, 2, "semantic"), (2, 0, "episodic")])
def test_an_episode_said_again_or_used_3_times_becomes_known_for_good(mentions, uses, kind):
    ground = Field([episode("산책을 했다", mentions=mentions, uses=uses)])
    ground.run("promote", moment(2, turn=10))

    assert ground.known[0].kind == kind
    assert ground.known[0].importance == (0.8 if kind == "semantic" else 0.5)


def test_only_episodes_are_promoted_and_none_loses_importance():
    ground = Field([episode("산책을 했다", uses=3, importance=0.9), memory("고양이를 좋아함", uses=5, importance=0.6)])
    ground.run("promote", moment(2, turn=10))

    assert [each.importance for each in ground.known] == [0.9, 0.6]


def test_a_promoted_memory_fades_from_where_it_was():
    ground = Field([episode("산책을 했다", uses=3, importance=0.0)])
    ground.run("promote", moment(2, turn=10))

    assert ground.known[0].strength == pytest.approx(0.95**2)
    assert ground.known[0].touched_turn == 10


@pytest.mark.parametrize(("strength", "gone"), [(0.149, True), (0.15, False)])
def test_what_is_weaker_than_0_15_and_was_never_mentioned_goes(strength, gone):
    ground = Field([episode("산책을 했다", strength=strength, touched_turn=25)])

    assert reasons(ground) == (["faded and never mentioned"] if gone else [])


def test_what_was_mentioned_once_stays_however_weak():
    assert reasons(Field([episode("산책을 했다", strength=0.1, touched_turn=25, mentions=1)])) == []


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


def test_there_is_no_cap_unless_one_is_set():
    assert reasons(Field([episode(f"{number}번 버스를 탔다") for number in range(300)])) == []


def test_over_the_cap_of_100_the_weakest_go():
    memories = [episode(f"{number}번 버스를 탔다", importance=number / 200, touched_turn=25) for number in range(103)]
    ground = Field(memories[::-1])

    assert reasons(ground, rules=UpkeepRules(cap=100)) == ["over the cap of 100"] * 3
    assert {each.content for each in ground.hidden} == {"0번 버스를 탔다", "1번 버스를 탔다", "2번 버스를 탔다"}
    assert len(ground.known) == 100


def test_strength_counts_beside_importance_when_the_weakest_are_sought():
    faint = episode("산책을 했다", importance=0.8, strength=0.2, touched_turn=25)
    strong = episode("등산을 했다", importance=0.4, strength=1.0, touched_turn=25)
    ground = Field([faint, strong])
    ground.run("prune", moment(2, turn=25), UpkeepRules(cap=1))

    assert ground.known == [strong]


def test_what_is_held_takes_up_room_and_never_goes():
    facts = [memory(f"{number}을 좋아함", attribute="likes", value=str(number)) for number in range(3)]
    ground = Field([*facts, episode("산책을 했다", touched_turn=25)])

    assert reasons(ground, rules=UpkeepRules(cap=2)) == ["over the cap of 2"]
    assert ground.known == facts


def test_of_too_many_what_was_felt_strongly_goes_last():
    moved = episode("울었다", emotion_intensity=0.9, importance=0.1, touched_turn=25)
    ground = Field([moved, episode("산책을 했다", importance=0.9, touched_turn=25)])
    ground.run("prune", moment(2, turn=25), UpkeepRules(cap=1))

    assert ground.known == [moved]


def test_the_past_takes_no_room_under_the_cap():
    past = memory("부산에 삼", attribute="residence", value="부산", invalid_at=moment(1.5).at)
    ground = Field([past, episode("산책을 했다", touched_turn=25)])

    assert reasons(ground, moment(2, turn=25), UpkeepRules(cap=1)) == []


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


def test_by_default_nothing_is_past_its_time():
    assert Field([episode("산책을 했다")]).run("retain", moment(5_000, turn=1)) == []
