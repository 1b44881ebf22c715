"""A key that a file can be encrypted with, and those it cannot."""

import pytest

from gieok.errors import InvalidSetting
from gieok.stores.sqlite.connection import checked_key


@pytest.mark.parametrize("key", [None, "a", "비밀 열쇠", "\x01", "\ud7ff", "\ue000", "🗝"])
def test_a_key_of_characters_is_taken_as_it_is_and_none_is_none(key):
    assert checked_key(key) == key


@pytest.mark.parametrize(
    ("key", "trouble"),
    [("", "empty"), ("a\x00b", "NUL"), ("\ud800", "surrogate"), ("비밀\udfff", "surrogate")],
)
def test_a_key_that_no_file_takes_is_refused_without_being_repeated(key, trouble):
    with pytest.raises(InvalidSetting, match=trouble) as refused:
        checked_key(key)
    assert "비밀" not in str(refused.value)
