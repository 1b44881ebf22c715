import pytest

from gieok.language import josa


@pytest.mark.parametrize(
    ("word", "pair", "written"),
    [
        ("고양이", "을/를", "고양이를"),
        ("책", "을/를", "책을"),
        ("서울", "으로/로", "서울로"),
        ("부산", "으로/로", "부산으로"),
        ("민수", "이/가", "민수가"),
        ("INFP", "은/는", "INFP는"),
        ("LOL", "을/를", "LOL을"),
        ("cat", "을/를", "cat을"),
        ("apple", "을/를", "apple을"),
        ("minseok", "이/가", "minseok이"),
        ("Jack", "은/는", "Jack은"),
        ("Matt", "과/와", "Matt과"),
        ("minsu", "이/가", "minsu가"),
        ("street", "을/를", "street를"),
        ("7", "으로/로", "7로"),
        ("10", "이/가", "10이"),
        ("176cm", "을/를", "176cm를"),
        ("60kg", "을/를", "60kg을"),
        ("“고양이”", "을/를", "“고양이”를"),
        ("🐈", "을/를", "🐈을(를)"),
    ],
)
def test_the_particle_follows_the_last_sound(word, pair, written):
    assert josa(word, pair) == written


def test_a_single_form_is_refused():
    with pytest.raises(ValueError, match="을/를"):
        josa("고양이", "를")
