import pytest

from gieok.language import josa
from support.rows import from_rows


@from_rows
def test_the_particle_follows_the_last_sound(word, pair, written):
    assert josa(word, pair) == written


def test_a_single_form_is_refused():
    with pytest.raises(ValueError, match="을/를"):
        josa("고양이", "를")
