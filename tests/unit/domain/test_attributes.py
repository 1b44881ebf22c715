"""The attribute schema is a contract."""

import pytest

from gieok.domain.attributes import SCHEMA, attribute
from gieok.errors import InvalidQuery

KEYS = """
name nickname age birth_year birthday gender job workplace major school hometown residence blood_type mbti height
weight family handedness nationality religion phone
allergy phobia medical_condition medication contraindication diet boundary trauma
friend pet relationship_status
likes dislikes hobby exercise
promise todo decision constraint
event timeline milestone vaccination
part_time_job habit skill plan dream goal mood trait opinion note
""".split()


def test_the_keys_are_these_and_no_others():
    assert sorted(SCHEMA) == sorted(KEYS)


@pytest.mark.parametrize("key", ["food", "color", "season", "movie", "music", "book", "game", "마실 것"])
def test_anything_can_be_a_favourite_and_there_is_one_at_a_time(key):
    favourite = attribute(f"favorite.{key}")
    assert favourite.single
    assert not favourite.pinned


@pytest.mark.parametrize("key", ["favorite.", "favorite", "shoe_size", "", "LIKES"])
def test_an_unknown_attribute_is_refused_and_the_known_ones_named(key):
    with pytest.raises(InvalidQuery, match=r"allergy, .* and favorite\.<anything>"):
        attribute(key)


def test_identity_holds_one_value_at_a_time_except_the_family():
    single = {key for key, each in SCHEMA.items() if each.single}
    identity = {key for key, each in SCHEMA.items() if each.category == "identity"}
    assert single == identity - {"family"} | {"relationship_status"}


def test_what_belongs_into_every_context_is_pinned():
    pinned = {key for key, each in SCHEMA.items() if each.pinned}
    by_category = {key for key, each in SCHEMA.items() if each.category in ("identity", "caution")}
    assert pinned == by_category | {"pet", "promise", "constraint"}


def test_liking_and_disliking_exclude_each_other_and_so_do_favourites_and_dislikes():
    assert attribute("likes").opposed_to("dislikes")
    assert attribute("dislikes").opposed_to("likes")
    assert attribute("dislikes").opposed_to("favorite.food")
    assert attribute("favorite.food").opposed_to("dislikes")
    assert not attribute("likes").opposed_to("favorite.food")


def test_importance_and_future_impact_stay_between_0_and_1():
    assert all(0 <= each.importance <= 1 and 0 <= each.future_impact <= 1 for each in SCHEMA.values())
