"""Reading what models answer: what was asked for, or a ValueError that says why not."""

import dataclasses
import json
import string
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.prompts.data import seen
from gieok.prompts.tasks import ModelReading
from support.prompts import ANSWERS, TASKS, asked, written
from support.rows import from_rows

EVERY = pytest.mark.parametrize("task", TASKS)
TEXTS = [task for task in TASKS if isinstance(ANSWERS[task][1], str)]
LISTS = {
    "extract": "facts", "reflect": "reflections", "conflict": "conflicts", "rerank": "ids", "compress": "items",
}  # fmt: skip
MOST_ITEMS = 60
NOT_EMOTION = [task for task in TASKS if task != "emotion"]  # it takes prose, too
AROUND = {
    "alone": "{}",
    "fenced": "```json\n{}\n```",
    "fenced without a word": "```\n{}\n```",
    "after prose": "네, 알겠습니다! 답은 다음과 같습니다:\n{}",
    "before prose": "{}\n\n도움이 되었기를 바랍니다 :) [끝]",
    "in prose and a fence": "Sure!\n```JSON\n{}\n```\nLet me know.",
    "after thoughts": '<think>어쩌면 {{"ids": ["m1"], "text": "아니"}}?</think>\n{}',
    "with room": "\n\n  {}  \n",
}


def read(task, answer):
    return asked(task, "ko").read(answer)


def items(told):
    """What an answer lists: a reading holds its facts beside what it says of earlier readings."""
    return told.facts if isinstance(told, ModelReading) else told


@EVERY
@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_the_right_answer_is_read_whatever_stands_around_it(task, around):
    assert read(task, around.format(written(task))) == ANSWERS[task][1]


@EVERY
def test_the_right_answer_is_read_on_many_lines_too(task):
    assert read(task, json.dumps(ANSWERS[task][0], indent=2)) == ANSWERS[task][1]


@pytest.mark.parametrize("task", NOT_EMOTION)
def test_half_an_answer_is_none(task):
    whole = written(task)
    for length in range(len(whole)):
        with pytest.raises(ValueError):
            read(task, whole[:length])
        with pytest.raises(ValueError):
            read(task, "```json\n" + whole[:length])


def test_an_empty_list_out_of_the_middle_of_half_an_answer_does_not_say_that_there_is_nothing():
    with pytest.raises(ValueError, match='no list "reflections"'):
        read("reflect", r'{"reflections": [{"memory_ids": [], "about": "\u00')


@pytest.mark.parametrize("task", NOT_EMOTION)
@pytest.mark.parametrize(
    "answer", ["", " \n\t", "\x00", "null", "{}", '{"x": 1}', '{"text": 3}', "[1, 2]", '[["m1"]]', "```json\n```", '""']
)
def test_an_empty_answer_or_one_of_another_shape_says_what_is_wrong(task, answer):
    with pytest.raises(ValueError, match=r"the answer |nothing under |no JSON |JSON breaks off"):
        read(task, answer)


@pytest.mark.parametrize("task", sorted(set(NOT_EMOTION) - set(TEXTS)))
def test_words_are_no_answer_where_an_object_was_asked_for(task):
    with pytest.raises(ValueError):
        read(task, "죄송하지만 그 요청은 도와드릴 수 없어요.")


@pytest.mark.parametrize(("task", "key"), LISTS.items())
def test_a_bare_list_will_do(task, key):
    assert items(read(task, json.dumps(ANSWERS[task][0][key]))) == items(ANSWERS[task][1])


@pytest.mark.parametrize(("task", "key"), LISTS.items())
def test_an_empty_list_says_that_there_is_nothing(task, key):
    assert items(read(task, json.dumps({key: []}))) == ()
    assert items(read(task, "[]")) == ()


@pytest.mark.parametrize(("task", "key"), LISTS.items())
def test_items_that_cannot_be_read_are_left_out_but_some_must_be_left(task, key):
    good = ANSWERS[task][0][key]
    junk = [None, 7, "m99", [], {}, {"content": ""}, {"memory_ids": ["m99"], "content": "지어냄", "about": "x"}]
    assert items(read(task, json.dumps({key: [*junk, *good, *junk]}))) == items(ANSWERS[task][1])
    with pytest.raises(ValueError, match="nothing under"):
        read(task, json.dumps({key: junk}))


@pytest.mark.parametrize("task", TEXTS)
@from_rows
def test_a_text_is_read_plain_and_on_one_line(task, answer, text):
    assert read(task, answer) == text


@pytest.mark.parametrize("task", TEXTS)
def test_a_long_text_ends_with_a_sentence(task):
    told = read(task, json.dumps({"text": "그날은 비가 왔다. " * 500}))
    assert 30 < len(told) <= 1_200
    assert told.endswith("그날은 비가 왔다.")
    assert read(task, "가" * 50_000).endswith("가…")


@EVERY
def test_a_huge_answer_gives_something_small_or_nothing(task):
    for huge in ("[" * 200_000, '{"a":' * 200_000, "가나다 " * 200_000, '{"text": "' + "\\n" * 200_000, "`" * 200_000):
        assert len(repr(outcome(asked(task, "ko"), huge))) < 2_000


@pytest.mark.parametrize(("task", "key"), LISTS.items())
def test_a_list_of_ten_thousand_items_is_cut(task, key):
    told = read(task, json.dumps({key: ANSWERS[task][0][key] * 10_000}))
    assert 1 <= len(items(told)) <= MOST_ITEMS


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["m1", "m2", "user", "trust", "1"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["text", "note", "newer"]), inner),
    max_leaves=8,
)


def fields(schema):
    """Answers of the right shape with anything in their fields."""
    if schema.get("type") == "object":
        return st.fixed_dictionaries({name: fields(each) | JSON_VALUES for name, each in schema["properties"].items()})
    if schema.get("type") == "array":
        return st.lists(fields(schema["items"]) | JSON_VALUES, max_size=4)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return st.text() if schema["type"] == "string" else st.floats()


def harmless(told):
    """Whether `told` can be kept and shown: no half characters, nothing unseen, no number without end."""
    if isinstance(told, str):
        return told == seen(told) and len(told) <= 1_200
    if isinstance(told, float):
        return isfinite(told)
    if isinstance(told, tuple):
        return all(map(harmless, told))
    if told is None or isinstance(told, int):
        return True
    return all(harmless(getattr(told, field.name)) for field in dataclasses.fields(told))


def outcome(prompt, answer):
    """What comes of `answer`: a value, or the error that says why there is none."""
    try:
        return prompt.read(answer)
    except ValueError as wrong:
        return wrong


def is_fair(task, told):
    if isinstance(told, ValueError):
        return bool(str(told)) and not isinstance(told, UnicodeError)
    return type(told) is type(ANSWERS[task][1]) and harmless(told)


@EVERY
@given(data=st.data())
def test_any_json_gives_a_value_or_a_value_error(task, data):
    prompt = asked(task, "ko")
    value = data.draw(JSON_VALUES | fields(prompt.schema))
    assert is_fair(task, outcome(prompt, json.dumps(value)))


@EVERY
@given(answer=st.text() | st.text(alphabet=string.punctuation + "m1 text가\n"))
def test_any_text_gives_a_value_or_a_value_error(task, answer):
    assert is_fair(task, outcome(asked(task, "ko"), answer))


def test_an_answer_without_end_is_kept_in_part():
    mood = asked("emotion", "ko").read(json.dumps({"angry": 1, "why": "아" * 5_000}, ensure_ascii=False))
    assert mood.emotion == "angry"
    assert harmless(mood)
