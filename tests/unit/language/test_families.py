"""Words that keep the same company are of one family."""

import pytest

from gieok.language.terms import families_of


@pytest.mark.parametrize(
    ("one", "other", "stranger"),
    [
        ("고양이", "강아지", "병동"),
        ("순대", "어묵", "퇴근"),
        ("출근", "퇴근", "고양이"),
        ("먹다", "마시다", "병동"),
    ],
)
def test_a_family_holds_what_stands_among_the_same_words(one: str, other: str, stranger: str):
    wide = [families_of(word)[0] for word in (one, other, stranger)]
    assert wide[0] == wide[1] != wide[2]


def test_a_narrow_family_joins_who_and_where():
    assert families_of("간호사")[1] == families_of("병동")[1]


def test_every_word_has_a_wide_family_and_a_narrow_one_and_an_unknown_word_has_none():
    assert len(families_of("사람")) == 2
    assert families_of("쀍꿻") == ()
    assert families_of("") == ()
