"""Listing memories: which fit, page by page, whom a text names, and how often something was heard."""

from dataclasses import replace

import pytest

from gieok.ports import BrowseFilter, MemoryFilter
from gieok.testing import claim, day, entry_for, memory, turn


def write(scribe, *memories):
    with scribe.store.locked(scribe.scope) as room:
        room.apply(entry_for(memories=memories))


@pytest.fixture
def view(scribe, letia):
    dad = {"subject": "other", "subject_id": "아빠"}
    write(
        scribe,
        memory("하나", id="m1", attribute="likes", value="고양이", pinned=True),
        memory("둘", id="m2", attribute="job", value="의사", **dad),
        memory("셋 cat", id="m3", attribute="job", value="학생", invalid_at=day(5)),
        memory("넷", id="m4", forgotten_at=day(3)),
        memory("다섯", id="m5", attribute="job", value="간호사", valid_at=day(5)),
        memory("여섯", id="m6", faded_at=day(3)),
    )
    with scribe.store.view(letia) as view:
        yield view


def contents(memories):
    return sorted(each.content for each in memories)


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ({"pinned": True}, ["하나"]),
        ({"pinned": False}, ["다섯", "둘", "셋 cat"]),
        ({"subject": "user", "attribute": "job"}, ["다섯", "셋 cat"]),
        ({"subject": "user"}, ["다섯", "셋 cat", "하나"]),
        ({"attribute": "job"}, ["다섯", "둘", "셋 cat"]),
        ({"subject": "user", "attribute": "job", "current_at": day(4)}, ["셋 cat"]),
        ({"subject": "user", "attribute": "job", "current_at": day(5)}, ["다섯"]),
        ({"attribute": "job", "current_at": day(5)}, ["다섯", "둘"]),
        ({"pinned": True, "current_at": day(5)}, ["하나"]),
        ({"pinned": False, "current_at": day(5)}, ["다섯", "둘"]),
        ({"include_faded": True, "subject": "user", "pinned": False}, ["다섯", "셋 cat", "여섯"]),
        ({"include_hidden": True, "subject": "user", "pinned": False}, ["넷", "다섯", "셋 cat", "여섯"]),
    ],
)
def test_memories_are_those_that_fit_and_are_true_when_it_is_asked(view, which, found):
    for _ in range(2):
        assert contents(view.memories(MemoryFilter(**which))) == found


def leaves(view, limit=9, before=None, **which):
    return [each.memory.id for each in view.browse(BrowseFilter(present=day(9), **which), limit, before=before)]


def test_pages_go_back_from_the_newest_and_go_on_before_a_place(view):
    assert leaves(view) == ["m6", "m5", "m4", "m3", "m2", "m1"]
    first = view.browse(BrowseFilter(present=day(9)), 2)
    assert [each.memory.id for each in first] == ["m6", "m5"]
    assert leaves(view, 2, before=first[-1].place) == ["m4", "m3"]
    assert leaves(view, before=0) == leaves(view, before=-1) == leaves(view, 0) == leaves(view, -2) == []
    assert leaves(view, before=10**9) == leaves(view)


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ({"pinned": True}, ["m1"]),
        ({"pinned": False}, ["m6", "m5", "m4", "m3", "m2"]),
        ({"state": "forgotten"}, ["m4"]),
        ({"state": "current"}, ["m5", "m2", "m1"]),
        ({"subject": "user", "subject_id": "user", "attribute": "job"}, ["m5", "m3"]),
        ({"subject_id": "아빠", "attribute": "job"}, ["m2"]),
        ({"subject": "user", "attribute": "job"}, ["m5", "m3"]),
        ({"subject": "user", "subject_id": "user"}, ["m6", "m5", "m4", "m3", "m1"]),
        ({"words": ("셋", "CAT")}, ["m3"]),
        ({"words": ("셋", "dog")}, []),
        ({"since": day(5)}, ["m5"]),
        ({"until": day(5)}, ["m6", "m4", "m3", "m2", "m1"]),
    ],
)
def test_pages_hold_what_fits_whichever_index_knows_it(view, which, found):
    assert leaves(view, **which) == found


def test_a_name_with_a_familiar_ending_is_named_without_it_unless_it_is_short(scribe, letia):
    names = ("지훈이", "순이", "엄마")
    write(scribe, *(memory(name, subject="other", subject_id=name) for name in names))
    with scribe.store.view(letia) as view:
        assert view.people("지훈 뭐 해?").keys() == {"지훈이"}
        assert view.people("지훈이랑 순이").keys() == {"지훈이", "순이"}
        assert view.people("순한 맛").keys() == set()
        assert view.people("엄마").keys() == {"엄마"}


def test_so_many_facts_as_a_text_may_name_are_all_given(scribe, letia):
    write(scribe, *(memory(f"{number}", attribute="likes", value=f"라면{number:02}") for number in range(33)))
    with scribe.store.view(letia) as view:
        assert len(view.mentioned_facts(" ".join(f"라면{number:02}" for number in range(32)))) == 32
        assert len(view.mentioned_facts(" ".join(f"라면{number:02}" for number in range(33)))) == 32
        assert len(view.mentioned_facts("라면05")) == 1


def test_what_was_heard_is_counted_up_to_an_operation(scribe, letia):
    liked = claim("likes", "고양이")
    for number in (1, 2, 3):
        scribe.observe("고양이 좋아", claims=[replace(liked, id=f"c{number}")])
    other = claim("likes", "강아지").saying
    with scribe.store.view(letia) as view:
        assert view.times_heard([liked.saying, other]) == {liked.saying: 3}
        assert [view.times_heard([liked.saying], before=number)[liked.saying] for number in (0, 1, 2, 3, 4)] == [
            0,
            0,
            1,
            2,
            3,
        ]


def test_what_was_read_from_words_is_found_by_their_id_and_nothing_else(scribe, letia):
    said = turn("나 부산 살아", id="t1")
    with scribe.store.locked(letia) as room:
        room.apply(
            entry_for(said, memories=(memory("하나", id="t1/0-0"), memory("둘", id="t1/0-1"), memory("셋", id="t1/01")))
        )
    with scribe.store.view(letia) as view:
        assert contents(view.read_from(["t1/0"])) == ["둘", "하나"]
        assert contents(view.read_from(["t1/0", "t1/1"])) == ["둘", "하나"]
        assert view.read_from(["t1"]) == view.read_from([]) == []
