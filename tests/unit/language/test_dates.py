import pytest

from gieok.language import find_month_days


@pytest.mark.parametrize(
    ("text", "month", "day"),
    [
        ("3월 15일", 3, 15),
        ("생일은 3/15야", 3, 15),
        ("8.15", 8, 15),
        ("삼월 십오일", 3, 15),
        ("유월 육일", 6, 6),
        ("시월 삼일", 10, 3),
        ("시월 스무날", 10, 20),
        ("유월 초하루", 6, 1),
        ("5월 열이틀", 5, 12),
        ("8월의 마지막 날", 8, 31),
        ("구월 말일", 9, 30),
        ("March 15", 3, 15),
        ("15 March", 3, 15),
        ("the 15th of Mar", 3, 15),
        ("12월 이십오일", 12, 25),
        ("2월 29일", 2, 29),
    ],
)
def test_a_day_is_found_however_it_is_written(text, month, day):
    assert [(found.month, found.day) for found in find_month_days(text)] == [(month, day)]


@pytest.mark.parametrize(
    "text",
    ["2월 30일", "삼월 보름 동안", "시월 이틀", "13/45", "4월 31일", "학점 4.3", "3.14kg", "010-12-15", "키 1.75"],
)
def test_what_no_calendar_has_is_left_out(text):
    assert find_month_days(text) == ()


def test_the_year_and_the_place_in_the_text_are_kept():
    text = "나 1998년 3월 15일생"
    (found,) = find_month_days(text)
    assert (found.year, text[found.start : found.end]) == (1998, "1998년 3월 15일")
