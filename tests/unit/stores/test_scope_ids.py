"""Private ids: 24 bits of running numbers below the number of their scope."""

import pytest

from gieok.errors import ScopeFull
from gieok.stores.tables.columns import MOST, first_id, last_id, number_of, numbered


def test_all_ids_of_a_scope_lie_in_one_range_and_nothing_else_does():
    assert MOST == 2**24 - 1
    assert (first_id(3), last_id(3)) == (3 * 2**24, 4 * 2**24 - 1)
    assert last_id(3) + 1 == first_id(4)
    assert numbered(3, 1) == first_id(3) + 1
    assert number_of(numbered(3, 77)) == 77


def test_the_last_number_is_given_and_the_one_after_it_refused():
    assert numbered(3, MOST) == last_id(3)
    with pytest.raises(ScopeFull, match="16,777,215"):
        numbered(3, MOST + 1)
