import pytest

from gieok_evals.planted.wording import fitting


@pytest.mark.parametrize(
    ("word", "pair", "particle"),
    [
        ("책", "을/를", "을"),
        ("고양이", "을/를", "를"),
        ("하늘", "이야/야", "이야"),
        ("보라", "이야/야", "야"),
        ("부산", "으로/로", "으로"),
        ("서울", "으로/로", "로"),
        ("제주", "으로/로", "로"),
        ("INFP", "이/가", "가"),
        ("1", "으로/로", "로"),
        ("178", "이에요/예요", "이에요"),
        ("175", "이에요/예요", "예요"),
        ("163cm", "이야/야", "야"),
        ("64kg", "이야/야", "이야"),
        ("봄(계절)", "이/", "이"),
        ("🐈", "을/를", "를"),
    ],
)
def test_the_particle_follows_the_last_sound(word, pair, particle):
    assert fitting(word, pair) == particle
