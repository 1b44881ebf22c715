from gieok.language import find_month_days
from support.rows import from_rows


@from_rows
def test_a_day_is_found_however_it_is_written(text, month, day):
    assert [(found.month, found.day) for found in find_month_days(text)] == [(month, day)]


@from_rows
def test_what_no_calendar_has_is_left_out(text):
    assert find_month_days(text) == ()


def test_the_year_and_the_place_in_the_text_are_kept():
    text = "나 1998년 3월 15일생"
    (found,) = find_month_days(text)
    assert (found.year, text[found.start : found.end]) == (1998, "1998년 3월 15일")
