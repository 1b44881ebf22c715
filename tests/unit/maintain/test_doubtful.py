"""What upkeep does with doubtful memories: they may fade, and nothing rests on them."""

from dataclasses import replace

import pytest

from gieok.testing.builders import memory
from unit.maintain.grounds import Field, episode, moment, turn_of

CAT = memory("고양이를 좋아함", id="cat", attribute="likes", value="고양이", value_class="animal", sources=("u1",))


def doubted(*memories):
    return [replace(each, doubtful=True) for each in memories]


def test_a_doubtful_memory_fades_away_though_it_has_an_attribute():
    weak = replace(CAT, strength=0.1, doubtful=True)
    ground = Field([weak, replace(weak, id="firm", doubtful=False)])
    ground.run("prune", moment(10, turn=25))

    assert [each.id for each in ground.hidden] == ["cat"]


STUDY = "커피를 마시며 시험 공부를 했다"
TURNS = [turn_of(number, "고양이가 또 왔어", on=number) for number in range(1, 7)]
TASTES = [replace(CAT, id=f"m{n}", value=value, surface=value) for n, value in enumerate(("고양이", "강아지", "토끼"))]


@pytest.mark.parametrize(
    ("name", "memories"),
    [
        ("merge", [episode(STUDY, 2), episode(STUDY, 5)]),
        ("promote", [episode(STUDY, 2, mentions=3)]),
        ("reflect", [CAT, *TASTES]),
    ],
)
def test_no_pass_concludes_from_what_is_doubtful(name, memories):
    assert Field(memories, TURNS).run(name, moment(10, turn=10))
    assert not Field(doubted(*memories), TURNS).run(name, moment(10, turn=10))


@pytest.mark.parametrize("name", ["summarise", "weekly"])
def test_a_summary_does_not_tell_what_is_doubtful(name):
    def told(memories):
        ground = Field(memories, TURNS)
        ground.run(name, moment(16, turn=16))
        return [made_from for each in ground.known if (made_from := each.made_from)]

    assert told([CAT]) == [("cat",)]
    assert told(doubted(CAT)) == []
