"""Scopes: whose memory it is, and which canon may be read with it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.scope import LONGEST_NAME, Scope
from gieok.errors import InvalidScope

WHOLE = Scope(user="민수", character="레티아", world="아카데미")
names = st.none() | st.sampled_from(["민수", "레티아", "아카데미"])


def test_a_scope_reads_itself_first_and_then_its_canon():
    assert WHOLE.readable() == (
        WHOLE,
        Scope(character="레티아", world="아카데미"),
        Scope(world="아카데미"),
        Scope(character="레티아"),
    )
    assert Scope(user="민수").readable() == (Scope(user="민수"),)
    assert Scope(user="민수", character="레티아").readable()[1:] == (Scope(character="레티아"),)
    assert Scope(user="민수", world="아카데미").readable()[1:] == (Scope(world="아카데미"),)
    assert Scope(world="아카데미").readable() == (Scope(world="아카데미"),)


@given(names, names, names)
def test_nothing_of_another_user_and_nothing_twice_is_readable(user, character, world):
    if (user, character, world) == (None, None, None):
        return
    scope = Scope(user=user, character=character, world=world)
    readable = scope.readable()
    assert len(set(readable)) == len(readable)
    assert all(each == scope or each.is_canon for each in readable)
    assert all(each.character in (None, character) and each.world in (None, world) for each in readable)


def test_a_scope_without_a_user_is_canon():
    assert Scope(character="레티아").is_canon
    assert not WHOLE.is_canon


def test_another_character_stands_beside_in_the_same_world():
    assert WHOLE.beside("세라") == Scope(user="민수", character="세라", world="아카데미")


@pytest.mark.parametrize("name", ["", "  ", "\t", "가" * (LONGEST_NAME + 1), "a\x00b", "a\nb", "\ud800", 7, b"x"])
@pytest.mark.parametrize("field", ["user", "character", "world"])
def test_a_name_that_is_no_name_is_refused(field, name):
    with pytest.raises(InvalidScope, match=field):
        Scope(**{field: name})


def test_a_scope_of_nobody_is_refused():
    with pytest.raises(InvalidScope, match="at least one"):
        Scope()


def test_a_name_is_the_same_however_its_letters_are_composed():
    decomposed = unicodedata.normalize("NFD", "레티아")
    assert Scope(character=decomposed) == Scope(character="레티아")
    assert Scope(user="가" * LONGEST_NAME).user == "가" * LONGEST_NAME


def test_a_scope_says_who_it_is():
    assert str(WHOLE) == "user=민수 character=레티아 world=아카데미"
    assert str(Scope(world="아카데미")) == "world=아카데미"


def test_names_have_at_most_200_characters():
    assert LONGEST_NAME == 200


@pytest.mark.parametrize("given", [{"user": "민수"}, {"character": "레티아"}, {"world": "아카데미"}])
def test_one_name_of_any_kind_is_enough(given):
    assert str(Scope(**given)) == " ".join(f"{field}={name}" for field, name in given.items())
