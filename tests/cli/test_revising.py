import json

import pytest

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    run("observe", "나 판교에 살아", "-r", "나는 고양이 좋아해", *LETIA, "--turn-id", "t1")
    run("observe", "나 커피 좋아해", *LETIA, "--turn-id", "t2")
    return run


def contents(run):
    return {memory["content"] for memory in json.loads(run("facts", "--json").out)}


def test_another_reply_takes_the_place_of_the_first_and_of_what_followed(told):
    ran = told("reroll", "t1", "나는 강아지 좋아해")
    assert ran.code == 0
    assert "강아지를 좋아함" in ran.out
    assert ran.out.endswith("turn t1\n")
    assert contents(told) == {"판교에 삶", "강아지를 좋아함"}


def test_an_earlier_turn_is_said_otherwise(told):
    record = json.loads(told("edit", "t1", "--text", "나 부산에 살아", "--json").out)
    assert record["turn_id"] == "t1"
    assert contents(told) == {"부산에 삶", "고양이를 좋아함"}


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("reroll", "t9", "안녕"), "no turn 't9' in this scope"),
        (("reroll", "t1", " "), "empty"),
        (("edit", "t1"), "give --text"),
        (("edit", "t9", "--text", "안녕"), "no turn 't9' in this scope"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_takes_nothing_back(told, arguments, trouble):
    before = contents(told)
    ran = told(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
    assert ran.err.count("\n") == 1
    assert contents(told) == before
