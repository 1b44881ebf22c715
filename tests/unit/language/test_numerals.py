import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.language import find_numbers, read_number


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("스물다섯", 25),
        ("이십오", 25),
        ("백칠십육", 176),
        ("25", 25),
        ("스물 다섯", 25),
        ("열여덟", 18),
        ("반오십", 25),
        ("서른", 30),
        ("천구백구십팔", 1998),
        ("2천", 2000),
        ("만 3천", 13_000),
        ("3만5천", 35_000),
        ("1억2천만", 120_000_000),
        ("1,234", 1234),
        ("백스물하나", 121),
        ("2천500", 2500),
        ("십만", 100_000),
    ],
)
def test_a_number_is_read_as_said(said, value):
    assert read_number(said) == value


@pytest.mark.parametrize("said", ["이사", "오이", "만 스물넷", "조", "고양이", "", "한두", "1" * 5000])
def test_what_is_no_number_is_not_read(said):
    assert read_number(said) is None


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("저는 스물일곱이고요", [27]),
        ("나 이제 스물다섯 됨ㅋㅋ 반오십이야", [25, 25]),
        ("오 년 전에", [5]),
        ("세 살이야", [3]),
        ("고양이 두마리", [2]),
        ("열 시에 보자", [10]),
        ("만 25세", [25]),
        ("만 스물넷이야", [24]),
        ("사천 원", [4000]),
        ("3만 5천원이야", [35_000]),
        ("키는 백칠십육이야", [176]),
        ("구팔년생", [98]),
        ("이십대 후반", [20]),
        ("176cm", [176]),
    ],
)
def test_numbers_are_found_in_running_text(text, values):
    assert [number.value for number in find_numbers(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "이사했어",
        "네 시험 언제야",
        "네 생일",
        "이번 주에",
        "이천에 살아",
        "열이 나",
        "백화점",
        "천만에요",
        "일이 많아",
        "오이 싫어",
        "한 일이 없어",
        "두부",
        "세상",
        "열심히",
        "조금만",
        "MP3",
        "3.5kg",
    ],
)
def test_everyday_syllables_are_no_numbers(text):
    assert find_numbers(text) == ()


@given(st.text(alphabet="일이삼사오십백천만억조한두세스물열 0123456789,.살년", max_size=40))
def test_what_is_found_reads_as_its_value(text):
    for number in find_numbers(text):
        said = text[number.start : number.end]
        by_digits = text[number.end :].startswith(("년생", "학번"))
        assert by_digits or read_number(said) == number.value
