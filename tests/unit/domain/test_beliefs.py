"""What is believed while an operation is decided."""

import pytest

from gieok.domain.judgement import Beliefs
from gieok.domain.memory import Change
from gieok.testing import day, memory, note

SAYING = ("user", "user", "likes", "차")


def liked(id: str, **fields):
    return memory("차를 좋아함", id=id, **{"attribute": "likes", "value": "차", **fields})


def ids(memories) -> list[str]:
    return [each.id for each in memories]


def test_about_somebody_are_the_visible_memories_with_an_attribute_oldest_truth_first():
    beliefs = Beliefs(
        [
            liked("new", valid_at=day(5)),
            liked("old", valid_at=day(2)),
            liked("ended", valid_at=day(1), invalid_at=day(2)),
            liked("hidden", retracted=True),
            memory("별을 봤다", id="free"),
            liked("father", subject="other", subject_id="아빠"),
            liked("world", subject="world"),
        ]
    )
    assert ids(beliefs.about("user", "user")) == ["ended", "old", "new"]
    assert ids(beliefs.about("other", "아빠")) == ["father"]
    assert beliefs.about("other", "엄마") == []


def test_what_a_memory_closed_is_found_by_it_until_another_closes_it():
    one = liked("m1", closed_by="m9", valid_at=day(3))
    beliefs = Beliefs([one, liked("m2", closed_by="m9"), liked("m3", closed_by="m9", faded_at=day(2)), liked("m4")])
    assert ids(beliefs.closed_by("m9")) == ["m2", "m1"]

    beliefs.absorb([Change(before=one, after=one.changed(closed_by="m8"))])
    assert (ids(beliefs.closed_by("m9")), ids(beliefs.closed_by("m8"))) == (["m2"], ["m1"])


def test_a_memory_that_is_gone_is_nowhere_and_one_that_never_was_can_go():
    one = liked("m1", closed_by="m9")
    beliefs = Beliefs([one])
    beliefs.absorb([Change(before=one, after=None), Change(before=liked("m7"), after=None)])
    assert beliefs.all() == {}
    assert beliefs.get("m1") is None
    assert beliefs.about("user", "user") == beliefs.closed_by("m9") == []


@pytest.mark.parametrize(
    ("fields", "concluded", "retold"),
    [
        ({"made_from": ("m1",), "content_type": "insight"}, True, True),
        ({"made_from": ("m1",), "content_type": "summary"}, True, True),
        ({"made_from": ("m1",), "content_type": "profile"}, True, True),
        ({"made_from": ("m1",), "content_type": "fact"}, True, False),
        ({"made_from": ("m1",), "content_type": "summary", "tags": ("weekly",)}, True, False),
        ({"sources": ("u1",), "content_type": "summary"}, True, False),
        ({"sources": ("u2",), "content_type": "summary"}, False, False),
        ({"made_from": ("m2",), "content_type": "insight"}, False, False),
        ({"made_from": ("m1",), "content_type": "insight", "origin": "rule"}, False, False),
        ({"made_from": ("m1",), "content_type": "insight", "faded_at": day(2)}, False, False),
    ],
)
def test_conclusions_are_found_by_what_they_rest_on_and_quote(fields, concluded, retold):
    told = memory("차를 마셨다", id="m1", sources=("u1",))
    page = memory("차 이야기", id="page", **{"origin": "reflection", **fields})
    beliefs = Beliefs([told, page])
    assert ids(beliefs.concluded_from(told)) == ["page"] * concluded
    assert ids(beliefs.retelling(told)) == ["page"] * retold


def nearest(*known, similarity):
    claim = note("별을 봤다", id="c1")
    return Beliefs(known, similarity={("c1", each): cosine for each, cosine in similarity.items()}).nearest(
        claim, day(9)
    )


def test_the_nearest_is_the_most_similar_and_of_equal_ones_the_oldest():
    far, near, old = (memory(id=id, valid_at=day(when)) for id, when in (("far", 1), ("near", 5), ("old", 4)))
    found, cosine = nearest(far, near, old, similarity={"far": 0.5, "near": 0.75, "old": 0.75})
    assert (found.id, cosine) == ("old", 0.75)


@pytest.mark.parametrize(
    "fields",
    [
        {"attribute": "likes"},
        {"content_type": "insight"},
        {"content_type": "summary"},
        {"content_type": "profile"},
        {"subject_id": "아빠"},
        {"subject": "world"},
        {"invalid_at": day(8)},
        {"valid_at": day(10)},
        {"retracted": True},
    ],
)
def test_a_free_sentence_is_compared_with_such_as_were_told_of_the_same_one_and_hold(fields):
    assert nearest(memory(id="m1", **fields), similarity={"m1": 0.9}) == (None, 0.0)
    assert nearest(memory(id="m1"), similarity={"m1": 0.9})[1] == 0.9


@pytest.mark.parametrize("similarity", [{}, {"m1": 0.0}, {"m1": -0.3}])
def test_what_is_not_alike_at_all_is_not_near(similarity):
    assert nearest(memory(id="m1"), similarity=similarity) == (None, 0.0)


def test_likeness_may_be_asked_for_instead():
    beliefs = Beliefs([memory(id="m1"), memory(id="m2")], likeness=lambda claim, each: {"m1": 0.2, "m2": 0.4}[each.id])
    found, cosine = beliefs.nearest(note("별"), day(9))
    assert (found.id, cosine) == ("m2", 0.4)


def test_the_newest_visible_memory_that_says_it_is_the_one():
    known = [
        liked("m1", valid_at=day(2)),
        liked("m2", valid_at=day(3)),
        liked("m3", valid_at=day(4), forgotten_at=day(5)),
        liked("m4", valid_at=day(5), value="커피"),
    ]
    assert Beliefs(known).that_says(SAYING).id == "m2"
    assert Beliefs(known[2:]).that_says(SAYING) is None
    assert (
        Beliefs([liked("m1", subject="other", subject_id="아빠")]).that_says(("other", "아빠", "likes", "차")).id
        == "m1"
    )


def test_what_is_heard_is_counted_from_what_was_heard_before():
    beliefs = Beliefs(heard={SAYING: 2})
    beliefs.hear(SAYING)
    assert (beliefs.times_heard(SAYING), beliefs.times_heard(("user", "user", None, "?"))) == (3, 0)
    fresh = Beliefs()
    fresh.hear(SAYING)
    assert fresh.times_heard(SAYING) == 1
