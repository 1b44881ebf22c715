import time

import pytest

from gieok.domain.json_text import json_in

PET = {"pet": "고양이"}


@pytest.mark.parametrize(
    "text",
    [
        '{"pet": "고양이"}',
        '\n {"pet": "고양이"} \n',
        '```json\n{"pet": "고양이"}\n```',
        '```\n{"pet": "고양이"}\n```',
        '네, 여기 있습니다.\n```json\n{"pet": "고양이"}\n```\n더 필요하신가요?',
        '답은 {"pet": "고양이"} 입니다 {아마도}.',
        '[1]에 따르면 {"pet": "고양이"}',
        '{이름}을 넣으면: {"pet": "고양이"}',
        '<think>{"pet": "개"}?</think>{"pet": "고양이"}',
        '"따옴표" {"pet": "고양이"}',
    ],
)
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
    assert time.process_time() - start < 2
