import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.language.numerals import find_month_days, find_numbers, read_number
from support.rows import from_rows


@from_rows
def test_a_number_is_read_as_said(said, value):
    assert read_number(said) == value


@pytest.mark.parametrize("said", ["이사", "오이", "만 스물넷", "조", "고양이", "", "한두", "1" * 5000])
def test_what_is_no_number_is_not_read(said):
    assert read_number(said) is None


@from_rows
def test_numbers_are_found_in_running_text(text, values):
    assert [number.value for number in find_numbers(text)] == values


@from_rows
def test_everyday_syllables_are_no_numbers(text):
    assert find_numbers(text) == ()


@given(st.text(alphabet="일이삼사오십백천만억조한두세스물열 0123456789,.살년", max_size=40))
def test_what_is_found_reads_as_its_value(text):
    for number in find_numbers(text):
        said = text[number.start : number.end]
        by_digits = text[number.end :].startswith(("년생", "학번"))
        assert by_digits or read_number(said) == number.value


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
