import time

import pytest

from gieok.domain.json_text import json_in, values_in
from support.rows import from_rows

PET = {"pet": "고양이"}


@from_rows
def test_json_is_found_in_fences_and_prose(text):
    assert json_in(text) == PET


def test_a_list_is_json_too():
    assert json_in("목록: [1, 2, 3]") == [1, 2, 3]


def test_braces_in_a_value_are_a_value():
    assert json_in('답: {"pet": "}{"}') == {"pet": "}{"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "모르겠어요.",
        '"고양이"',
        "25",
        "{pet: 고양이}",
        '{"pet": "고양이",}',
        '{"pet": NaN}',
        '{"pet": "고양',
        '{"pet": ',
        '{"facts": [{"pet": "고양이"}, {"pet": "개"}',
        '설명: {"facts": [{"pet": "고양이"}, {"pe',
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_what_is_no_whole_json_is_refused(text):
    with pytest.raises(ValueError):
        json_in(text)


def test_a_model_that_falls_silent_line_by_line_in_a_fence_holds_up_nobody():
    start = time.process_time()
    assert json_in('{"pet": "고양이"} ```json' + "\n" * 100_000 + "끝") == PET
    assert time.process_time() - start < 10  # what grows with the square takes minutes


def test_of_several_the_longest_is_meant_and_of_equal_ones_the_first():
    assert json_in('[1] 그리고 {"pet": "고양이"} 또는 [2, 3]') == PET
    assert json_in("하나 [1] 둘 [2]") == [1]


def test_a_fence_holds_the_answer_even_where_prose_holds_a_longer_one():
    assert json_in('보기: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n```json\n{"a": 1}\n```') == {"a": 1}
    assert json_in('```\n{"a": 1} 끝\n```\n```\n{"b": 2}\n```') == {"b": 2}


def test_what_was_only_thought_is_no_answer():
    with pytest.raises(ValueError, match="no JSON in ''"):
        json_in('<think>{"pet": "개"}</think>')


def test_64_openings_are_tried():
    assert json_in("{x " * 63 + '{"pet": "고양이"} 끝') == PET
    with pytest.raises(ValueError, match="no JSON"):
        json_in("{x " * 64 + '{"pet": "고양이"} 끝')
    assert list(values_in("{x " * 63 + "[1] [2]")) == [[1]]
    assert list(values_in("{x " * 64 + "[1]")) == []


def test_no_answer_is_quoted_by_its_beginning_and_a_broken_one_by_its_end():
    with pytest.raises(ValueError, match=r"^no JSON in '가{80}'$"):
        json_in("가" * 500)
    with pytest.raises(ValueError, match=r"^the JSON breaks off: …'나{40}'$"):
        json_in('{"pet": "' + "나" * 500)


@pytest.mark.parametrize("cut", ['{"a": 1', '{"a": [1, 2', '{"a": "b', '[{"a": 1}, {"b": 2}', '{"a"'])
def test_json_that_breaks_off_fails_even_if_some_of_it_is_whole(cut):
    for text in (cut, f"답은 {cut}"):
        with pytest.raises(ValueError, match="breaks off"):
            json_in(text)


def test_json_that_is_merely_wrong_does_not_hide_what_follows():
    assert json_in('{a: 1} {"pet": "고양이"} 입니다') == PET
    assert json_in('{"a": NaN} {"pet": "고양이"} 입니다') == PET
    assert json_in("[" + "9" * 5_000 + '] {"pet": "고양이"} 입니다') == PET


def test_whole_values_are_found_also_inside_of_a_broken_one():
    assert list(values_in('{"facts": [{"a": 1}, {"b": 2}, {"c')) == [{"a": 1}, {"b": 2}]
    assert list(values_in('[1] {"a": [2]} 3 "[x"')) == [[1], {"a": [2]}]
    assert list(values_in("아무것도")) == []
