"""Words that keep the same company are of one family."""

from gieok.language.terms import families_of
from support.rows import from_rows


@from_rows
def test_a_family_holds_what_stands_among_the_same_words(one: str, other: str, stranger: str):
    wide = [families_of(word)[0] for word in (one, other, stranger)]
    assert wide[0] == wide[1] != wide[2]


def test_a_narrow_family_joins_who_and_where():
    assert families_of("간호사")[1] == families_of("병동")[1]


def test_every_word_has_a_wide_family_and_a_narrow_one_and_an_unknown_word_has_none():
    assert len(families_of("사람")) == 2
    assert families_of("쀍꿻") == ()
    assert families_of("") == ()
