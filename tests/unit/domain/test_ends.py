"""What a claim that something is over ends: named in part, under another attribute, or not named at all."""

from __future__ import annotations

import pytest

from gieok.domain.decision import Ignore, Remember, Supersede
from gieok.domain.judgement import Beliefs, judge
from gieok.testing import claim, day
from unit.domain.histories import NOW, POLICY, moment


def ended(attribute, value, **fields):
    return claim(attribute, value, act="end", polarity="-", **fields)


def told(*claims):
    """Judge `claims`, each in a turn and on a day of its own; return what is current then, and the last decision."""
    known = Beliefs()
    decisions = [judge([each], known, moment(NOW + n, turn_number=n + 1), POLICY)[0] for n, each in enumerate(claims)]
    current = (each for each in known.all().values() if each.true_at(day(NOW + 50)) and each.polarity == "+")
    return sorted(each.value for each in current if not each.doubtful), decisions[-1]


@pytest.mark.parametrize(
    "end",
    [
        ended("hobby", "필름"),
        ended("habit", "필름 카메라"),
        ended("hobby", None, content="카메라 팔았어"),
        ended("hobby", "필름 카메라", certainty=0.4),
    ],
    ids=["in part", "as another attribute", "without a name", "not quite certain"],
)
def test_what_is_known_ends_however_it_is_named(end):
    left, decision = told(claim("hobby", "필름 카메라"), claim("hobby", "낚시"), end)
    assert left == ["낚시"]
    assert isinstance(decision, Supersede)
    assert decision.claim == end, "the journal keeps the claim as it was read"


def test_an_end_without_a_name_means_the_only_fact_of_its_attribute():
    assert told(claim("free.car", "레이"), claim("hobby", "낚시"), ended("free.car", None))[0] == ["낚시"]


def test_an_end_without_a_name_that_may_mean_several_ends_nothing():
    left, decision = told(claim("hobby", "등산"), claim("hobby", "낚시"), ended("hobby", None, content="그만뒀어"))
    assert left == ["낚시", "등산"]
    assert (type(decision), decision.why) == (Ignore, "nothing_to_end")


def test_what_somebody_gave_up_that_nobody_knew_of_is_in_doubt():
    left, decision = told(claim("hobby", "낚시"), ended("exercise", "헬스"))
    assert left == ["낚시"]
    assert isinstance(decision, Remember)
    assert decision.memory.doubtful


def test_what_was_so_once_is_over_where_it_was_known_to_be_so():
    once = claim("part_time_job", "카페", invalid_at=day(NOW + 2))
    assert told(claim("part_time_job", "카페"), claim("hobby", "낚시"), once)[0] == ["낚시"]
    liked = claim("likes", "커피", invalid_at=day(NOW + 2))
    assert told(claim("likes", "커피"), claim("hobby", "낚시"), liked)[0] == ["낚시", "커피"]
