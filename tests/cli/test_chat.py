import json

import pytest

from gieok.cli.phrases import filled, phrases
from gieok.domain.attributes import attribute

TALK = """\
안녕
내 이름은 한민수야
나 고양이 좋아해
나 판교에 살아
내가 어디 살아?
내 친구 지훈이는 의사야
지훈이는 무슨 일을 해?
나 땅콩 알레르기 있어
땅콩 먹어도 돼?
요즘은 강아지가 더 좋아
나 강아지 좋아해
주말에 바다에 갔어
언제 바다에 갔지?
[bold]우주[/bold]에는 뭐가 있어? :smile:
/기억
/잊어 2
/잊어 2
/기억
/취소
/모름
/끝
여기는 아무도 듣지 않아
"""


def test_a_talk_without_a_model(run, on_file):
    ran = run("chat", "-u", "민수", "-c", "레티아", stdin=TALK)
    assert ran.code == 0
    assert ran.out.startswith("모델 없이")
    on_file("chat", ran.out)


def test_what_was_said_is_remembered_for_the_next_time_and_the_phrases_are_not(run):
    run("chat", stdin="나 고양이 좋아해\n나 뱀 싫어해\n/undo\n/quit\n")
    facts = json.loads(run("facts", "--json").out)
    assert [(fact["speaker"], fact["content"]) for fact in facts] == [("user", "고양이를 좋아함")]
    again = run("chat", stdin="")
    assert "1가지를 기억하고 있어요" in again.out


def test_a_line_that_cannot_be_kept_does_not_end_the_talk(run):
    ran = run("chat", stdin="가" * 8_001 + "\n나 고양이 좋아해\n")
    assert ran.code == 0
    assert "8,000" in ran.out
    assert "고양이를 좋아하" in ran.out


@pytest.mark.parametrize("typed", ["/도움", "/help"])
def test_help_lists_every_command_with_what_it_does(run, typed):
    shown = run("chat", stdin=f"{typed}\n").out
    assert phrases()["replies"]["unknown"].partition("{")[0] not in shown
    for command, aliases in phrases()["commands"].items():
        assert aliases in shown
        assert phrases()["help"][command] in shown


@pytest.mark.parametrize("number", ["9" * 5_000, "0", "99", "-1", "둘", "²", ""])
def test_a_number_that_was_not_listed_is_asked_for_again(run, number):
    ran = run("chat", stdin=f"나 고양이 좋아해\n/기억\n/잊어 {number}\n/끝\n")
    assert ran.code == 0
    assert phrases()["replies"]["which"] in ran.out
    assert phrases()["replies"]["farewell"] in ran.out


def test_forgetting_what_was_undone_meanwhile_does_not_end_the_talk(run):
    ran = run("chat", stdin="나 고양이 좋아해\n/기억\n/취소\n/잊어 1\n/끝\n")
    assert ran.code == 0
    assert phrases()["replies"]["farewell"] in ran.out


def test_a_character_without_a_name_is_not_called_i(run):
    ran = run("chat", "-u", "민수", stdin="안녕\n")
    assert ran.code == 0
    assert not any(line.startswith("나 ") for line in ran.out.splitlines())
    assert "나는 짧은" not in ran.out
    assert "캐릭터" in ran.out


def test_there_is_nothing_to_undo_before_anything_was_said(run):
    assert phrases()["replies"]["nothing_to_undo"] in run("chat", stdin="/취소\n").out


@pytest.mark.parametrize("table", ["remember", "answer"])
def test_phrases_by_attribute_name_attributes_that_exist(table):
    for key in set(phrases()[table]) - {"any", "other", "said", "nothing"}:
        assert attribute(key)


def test_a_slot_takes_the_particle_that_fits():
    assert filled("{v:을/를} {who}", v="책", who="나") == "책을 나"
    assert filled("{v:을/를}", v="고양이") == "고양이를"
