"""What is told several times becomes one memory; what differs stays apart."""

import pytest

from gieok.domain.upkeep import UpkeepRules
from support.rows import from_rows
from unit.maintain.grounds import Field, episode, moment

KEEP = UpkeepRules(merge_mode="keep")
STUDY = "커피를 마시며 시험 공부를 했다"


def likeness(value: float):
    return lambda one, other: value


def test_three_tellings_become_one_memory_that_says_how_often_and_when():
    ground = Field([episode(STUDY, number, id=f"m{number}", sources=(f"u{number}",)) for number in (2, 5, 9)])

    (kept,) = ground.run("merge", moment(10, turn=10))

    (fused,) = ground.known
    assert fused.content == "커피를 마시며 시험 공부를 했다 (3월 2일~3월 9일, 3번)"
    assert (fused.kind, fused.origin, fused.extractor) == ("semantic", "reflection", "upkeep/merge/1")
    assert fused.made_from == ("m2", "m5", "m9")
    assert fused.sources == ("u2", "u5", "u9")
    assert kept.action == "merge"
    assert kept.why == "told 3 times"
    assert kept.changes[0].after == fused


def test_the_sources_are_closed_and_not_lost():
    ground = Field([episode(STUDY, number) for number in (2, 5)])
    when = moment(10, turn=10)
    ground.run("merge", when)

    assert [(source.faded_at, source.closed_by) for source in ground.hidden] == [(when.at, ground.known[0].id)] * 2


@pytest.mark.parametrize(
    ("told", "content"),
    [
        (
            [(STUDY, 2), ("카페에서 " + STUDY, 5)],  # what tells more gives the words, and claims no more than likeness
            "카페에서 커피를 마시며 시험 공부를 했다 (3월 2일~3월 5일, 비슷한 일이 2번)",
        ),
        (
            [("오늘은 한강에서 자전거를 탔다", 2), ("오늘은 한강에서 자전거를 탔다", 5)],
            "한강에서 자전거를 탔다 (3월 2일~3월 5일, 2번)",
        ),
        (
            [("I baked bread with my sister today", 2), ("I baked bread with my sister today", 5)],
            "I baked bread with my sister (March 2 – March 5, 2 times)",
        ),
        ([(STUDY, 2), (STUDY, 2.1)], f"{STUDY} (3월 2일, 2번)"),
    ],
)
def test_a_fused_memory_tells_its_days_in_place_of_today(told, content):
    ground = Field([episode(*each) for each in told])
    ground.run("merge", moment(10, turn=10))

    assert ground.contents() == [content]


@pytest.mark.parametrize(("likeness_", "left"), [(0.79, 2), (0.80, 1)])
def test_episodes_are_fused_from_a_likeness_of_0_80(likeness_, left):
    ground = Field([episode(STUDY, 2), episode(STUDY, 5)], alike_as=likeness(likeness_))
    ground.run("merge", moment(10, turn=10))

    assert len(ground.known) == left


@pytest.mark.parametrize(("likeness_", "left"), [(0.84, 2), (0.85, 1)])
def test_in_keep_mode_they_are_merged_from_0_85(likeness_, left):
    ground = Field([episode(STUDY, 2), episode(STUDY, 5)], alike_as=likeness(likeness_))
    ground.run("merge", moment(10, turn=10), KEEP)

    assert len(ground.known) == left


def test_in_keep_mode_the_more_important_one_stays_and_links_to_the_other():
    ground = Field(
        [
            episode(STUDY, 2, id="more", importance=0.6, uses=1, sources=("u2",)),
            episode(STUDY, 5, id="less", importance=0.4, emotion_intensity=0.7, mentions=1, sources=("u5",)),
        ]
    )
    ground.run("merge", moment(10, turn=10), KEEP)

    (kept,) = ground.known
    assert (kept.id, kept.content, kept.kind, kept.importance) == ("more", STUDY, "episodic", 0.6)
    assert kept.made_from == ("less",)
    assert kept.emotion_intensity == 0.7
    assert (kept.mentions, kept.uses, kept.sources) == (1, 1, ("u2", "u5"))
    assert ground.hidden[0].closed_by == "more"


@pytest.mark.parametrize(("rules", "most"), [(UpkeepRules(), 50), (KEEP, 500)])
def test_at_most_50_episodes_are_compared_in_fuse_mode_and_500_in_keep_mode(rules, most):
    ground = Field([episode(f"{number}번 버스를 탔다", number / 100) for number in range(most + 20)])
    ground.run("merge", moment(10, turn=10), rules)

    assert ground.compared == most


def test_the_newest_episodes_are_the_ones_compared():
    old = [episode(STUDY, 0.5, id="old-1"), episode(STUDY, 0.6, id="old-2")]
    ground = Field([*(episode(f"{number}번 버스를 탔다", 2 + number / 100) for number in range(50)), *old])
    ground.run("merge", moment(10, turn=10))

    assert {"old-1", "old-2"} <= {memory.id for memory in ground.known}


@from_rows
@pytest.mark.parametrize("rules", [UpkeepRules(), KEEP])
def test_what_differs_stays_apart_however_alike_it_sounds(one, other, rules):
    ground = Field([episode(one, 2), episode(other, 5)], alike_as=likeness(0.99))

    assert ground.run("merge", moment(10, turn=10), rules) == []


@from_rows
def test_the_same_thing_in_other_words_is_merged(one, other):
    ground = Field([episode(one, 2), episode(other, 5)])

    assert len(ground.run("merge", moment(10, turn=10))) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"polarity": "-"},
        {"subject": "other", "subject_id": "엄마"},
        {"speaker": "character"},
        {"details": ("지훈",)},
        {"attribute": "event", "value": STUDY},
        {"pinned": True},
        {"content_type": "opinion"},
        {"invalid_at": moment(6).at},
    ],
    ids=str,
)
def test_what_is_held_over_or_of_another_is_not_merged(fields):
    ground = Field([episode(STUDY, 2), episode(STUDY, 5, **fields)])

    assert ground.run("merge", moment(10, turn=10)) == []
    assert ground.run("merge", moment(10, turn=10), KEEP) == []


def test_only_episodes_are_fused():
    ground = Field([episode(STUDY, 2, kind="semantic"), episode(STUDY, 5)])

    assert ground.run("merge", moment(10, turn=10)) == []


def test_one_more_telling_joins_what_was_fused_before():
    ground = Field([episode(STUDY, 2, id="m2"), episode(STUDY, 5, id="m5")])
    ground.run("merge", moment(10, turn=10))
    ground.known.append(episode(STUDY, 12, id="m12"))
    ground.run("merge", moment(20, turn=20))

    (fused,) = ground.known
    assert fused.content == f"{STUDY} (3월 2일~3월 12일, 3번)"
    assert fused.made_from == ("m2", "m5", "m12")


def test_every_two_of_a_group_are_alike():
    """Of A ~ B ~ C, where A and C are not alike, no three are merged."""
    near = {frozenset({"a", "b"}), frozenset({"b", "c"})}
    ground = Field(
        [episode(STUDY, number, id=name) for number, name in enumerate("abc", start=1)],
        alike_as=lambda one, other: 0.9 if frozenset({one.id, other.id}) in near else 0.5,
    )
    ground.run("merge", moment(10, turn=10))

    assert [memory.made_from for memory in ground.known if memory.made_from] == [("a", "b")]


def test_the_fused_memory_keeps_the_strongest_of_its_sources():
    ground = Field(
        [
            episode(STUDY, 2, importance=0.3, emotion_intensity=0.6, interpretation="열심이다", tags=("happy",)),
            episode(STUDY, 5, importance=0.6, certainty=0.7, interpretation="걱정된다", pii_flags=("name",)),
        ]
    )
    ground.run("merge", moment(10, turn=0))

    (fused,) = ground.known
    assert (fused.importance, fused.emotion_intensity, fused.certainty) == (0.6, 0.6, 0.7)
    assert fused.interpretation == "열심이다 / 걱정된다"
    assert fused.tags == ()
    assert fused.pii_flags == ("name",)
