"""The attribute schema is a contract."""

import unicodedata

import pytest

from gieok.domain.attributes import CATEGORIES, SCHEMA, attribute
from gieok.errors import InvalidQuery
from support.rows import from_rows

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


@pytest.mark.parametrize("key", ["favorite.", "favorite", "shoe_size", "size_of_the_left_shoe", "", "LIKES"])
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


@from_rows
def test_a_category_lends_its_attributes_their_weight(category, content_type, importance, future_impact):
    base = CATEGORIES[category]
    assert (base.content_type, base.importance, base.future_impact) == (content_type, importance, future_impact)
    for each in (each for each in SCHEMA.values() if each.category == category):
        assert (each.importance, each.future_impact) == (importance, future_impact)


def test_an_attribute_has_the_type_of_its_category_unless_it_has_one_of_its_own():
    own = {
        "promise": "promise", "decision": "decision", "constraint": "constraint", "timeline": "timeline",
        "trait": "trait", "opinion": "opinion", "note": "note",
    }  # fmt: skip
    for key, each in SCHEMA.items():
        assert each.content_type == own.get(key, CATEGORIES[each.category].content_type), key


def test_cautions_weigh_most_and_situations_least():
    by_weight = sorted(CATEGORIES, key=lambda category: CATEGORIES[category].importance)
    assert (by_weight[0], by_weight[-1]) == ("situation", "caution")


def test_hardly_anybody_changes_where_and_as_whom_they_were_born():
    lifelong = {key for key, each in SCHEMA.items() if each.lifelong}
    assert lifelong == {
        "name", "birth_year", "birthday", "gender", "hometown", "blood_type", "handedness", "nationality",
    }  # fmt: skip
    assert not attribute("favorite.food").lifelong


def test_only_likes_dislikes_and_favourites_exclude_anything():
    assert {key for key, each in SCHEMA.items() if each.opposes} == {"likes", "dislikes"}
    assert not attribute("dislikes").opposed_to("hobby")
    assert not attribute("dislikes").opposed_to("likes.food")
    assert not attribute("dislikes").opposed_to("favorite")


def test_a_favourite_is_a_preference_however_its_letters_are_composed():
    favourite = attribute(unicodedata.normalize("NFD", "favorite.음료"))
    assert (favourite.key, favourite.category, favourite.content_type) == ("favorite.음료", "preference", "preference")
