"""A value is a thing, and no stray piece of a sentence."""

import pytest

from gieok.extract.korean.tidying import is_thing


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("nickname", "기억하세"), ("nickname", "왕자 아니"), ("name", "최예린이에요"), ("dislikes", "야근이 별로")],
)
def test_pieces_of_sentences_are_no_things(attribute, value):
    assert not is_thing(attribute, value)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("name", "보라"), ("name", "남궁보라"), ("friend", "이든"), ("workplace", "우아한형제들"),
        ("phobia", "높은 곳"),
        ("residence", "서울 강남구"), ("likes", "소년이 온다"), ("habit", "손톱 물어뜯기"), ("pet", "골든리트리버"),
    ],
)  # fmt: skip
def test_things_are(attribute, value):
    assert is_thing(attribute, value)
