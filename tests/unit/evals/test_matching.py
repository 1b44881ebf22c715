from datetime import UTC, datetime, timedelta

import pytest

from gieok.domain.claim import Claim
from gieok_evals.cases import Expected
from gieok_evals.matching import matched, same_subject, violates
from gieok_evals.statement import Statement, statements

AT = datetime(2026, 3, 2, tzinfo=UTC)


def said(attribute, value, polarity="+", *, subject="user", past=False, implied=False):
    return Statement(subject=subject, attribute=attribute, value=value, polarity=polarity, past=past, implied=implied)


def wanted(attribute, value, polarity="+", *, alt=(), subject="user", past=False, optional=False):
    statement = said(attribute, value, polarity, subject=subject, past=past)
    return Expected(said=statement, accepted=(value, *alt), optional=optional)


def claim(attribute, value, **fields):
    return Claim(
        id="c", speaker="user", subject=fields.pop("subject", "user"), subject_id=fields.pop("subject_id", "user"),
        content="…", content_type="fact", attribute=attribute, value=value, **fields,
    )  # fmt: skip


def counts(ours, theirs):
    match = matched(ours, theirs)
    return len(match.found), len(match.missed), len(match.extra)


def test_values_are_compared_without_spaces_and_case_and_by_their_other_spellings():
    assert counts([said("mbti", "infp")], [wanted("mbti", "INFP")]) == (1, 0, 0)
    assert counts([said("family", "언니둘")], [wanted("family", "언니 2명", alt=["언니 둘"])]) == (1, 0, 0)
    assert counts([said("age", "26")], [wanted("age", "25")]) == (0, 1, 1)


def test_the_attribute_and_the_subject_must_be_right():
    assert counts([said("residence", "부산")], [wanted("hometown", "부산")]) == (0, 1, 1)
    assert counts([said("mbti", "INFP")], [wanted("mbti", "INFP", subject="동생")]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("user", "user", True),
        ("user", "동생", False),
        ("서준", "친구 서준", True),
        ("내 동생", "동생", True),
        ("엄마", "아빠", False),
        ("강아지", "반려동물", True),
        ("뭉치", "반려동물", True),
        ("엄마", "반려동물", False),
        ("user", "반려동물", False),
    ],
)
def test_subjects_are_compared_by_whom_they_mean(ours, theirs, same):
    assert same_subject(ours, theirs, frozenset({"뭉치"})) is same


def test_to_dislike_is_to_like_with_no():
    assert counts([said("dislikes", "오이")], [wanted("dislikes", "오이", "-")]) == (1, 0, 0)
    assert counts([said("likes", "오이", "-")], [wanted("dislikes", "오이", "-")]) == (1, 0, 0)
    assert counts([said("dislikes", "커피")], [wanted("likes", "커피", "-")]) == (1, 0, 0)
    assert counts([said("likes", "오이")], [wanted("dislikes", "오이", "-")]) == (0, 1, 1)


def test_what_is_past_is_met_by_what_ended():
    past = [wanted("residence", "캐나다", past=True)]
    assert counts([said("residence", "캐나다", past=True)], past) == (1, 0, 0)
    assert counts([said("residence", "캐나다", "-")], past) == (1, 0, 0)
    assert counts([said("residence", "캐나다")], past) == (0, 1, 1)


def test_what_b_not_a_says_of_a_may_be_expected_and_is_no_extra():
    read = list(statements(claim("residence", "합정", act="correct", instead_of="망원동"), AT))
    assert counts(read, [wanted("residence", "합정"), wanted("residence", "망원동", "-", past=True)]) == (2, 0, 0)
    assert counts(read, [wanted("residence", "합정")]) == (1, 0, 0)


def test_an_end_and_a_retraction_say_no():
    for act in ("end", "retract"):
        (read,) = statements(claim("job", "의사", act=act), AT)
        assert read.polarity == "-"
    (read,) = statements(claim("job", "의사", invalid_at=AT - timedelta(days=1)), AT)
    assert read.past


def test_a_free_sentence_states_nothing_that_could_be_compared():
    assert list(statements(claim(None, None), AT)) == []


def test_what_is_optional_is_no_miss():
    assert counts([], [wanted("dream", "고양이 키우기", optional=True)]) == (0, 0, 0)


def test_only_what_is_said_to_hold_now_is_a_false_memory():
    forbidden = said("residence", "캐나다")
    assert violates(said("residence", "캐나다"), forbidden)
    assert not violates(said("residence", "캐나다", past=True), forbidden)
    assert not violates(said("residence", "캐나다", "-"), forbidden)
    assert not violates(said("residence", "캐나다", subject="동생"), forbidden)


def test_saying_the_same_twice_is_no_extra():
    assert counts([said("age", "25"), said("age", "25")], [wanted("age", "25")]) == (1, 0, 0)
