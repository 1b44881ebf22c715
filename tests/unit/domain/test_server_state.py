"""What a key opens, and what it may do."""

import pytest

from gieok.domain.scope import Scope
from gieok.domain.server_state import ROLES, AccessKey, Bounds
from gieok.testing.builders import WALL
from support.rows import from_rows

MINSU = Scope(user="민수", character="레티아", world="학원")


def key(**fields) -> AccessKey:
    return AccessKey(**{"id": "k1", "name": "앱", "role": "writer", "digest": "…", "created_at": WALL, **fields})


@pytest.mark.parametrize(
    ("bounds", "holds"),
    [
        (Bounds(), True),
        (Bounds(user="민수"), True),
        (Bounds(character="레티아"), True),
        (Bounds(world="학원"), True),
        (Bounds(user="민수", character="레티아", world="학원"), True),
        (Bounds(user="지훈"), False),
        (Bounds(character="소라"), False),
        (Bounds(world="바다"), False),
        (Bounds(user="민수", character="소라"), False),
        (Bounds(user="지훈", character="레티아", world="학원"), False),
    ],
)
def test_bounds_hold_a_scope_that_has_every_name_they_give(bounds, holds):
    assert bounds.hold(MINSU) is holds


def test_canon_does_not_lie_within_a_users_bounds():
    assert not Bounds(user="민수").hold(Scope(character="레티아", world="학원"))
    assert Bounds(world="학원").hold(Scope(world="학원"))


def test_a_key_without_bounds_opens_everywhere_and_one_with_bounds_within_any_of_them():
    assert key().opens(MINSU)
    assert key(bounds=(Bounds(user="지훈"), Bounds(user="민수"))).opens(MINSU)
    assert not key(bounds=(Bounds(user="지훈"), Bounds(world="바다"))).opens(MINSU)


@from_rows
def test_each_role_may_do_what_those_before_it_may(role, may):
    assert [each for each in ROLES if key(role=role).may(each)] == may
