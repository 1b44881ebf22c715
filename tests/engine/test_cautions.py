"""A caution is lifted by a direct statement or by a person, never in passing."""

import pytest

from gieok.testing import day


@pytest.fixture
def warned(letia):
    letia.observe("나 땅콩 알레르기 있어", reply="조심할게요", at=day(1))
    [caution] = letia.facts(attribute="allergy")
    assert caution.pinned
    return letia


@pytest.mark.parametrize(
    "said",
    [
        '어제 드라마에서 "나 땅콩 알레르기 이제 없어"라고 하는데 웃겼어',
        "나 땅콩 알레르기 없어졌으면 좋겠다",
        "영작 숙제: 나는 땅콩 알레르기가 없다",
        "나 땅콩 알레르기 없어. 농담이야 ㅋㅋ",
        "동생은 땅콩 알레르기 없어",
        "The sentence is: I am not allergic to peanuts anymore",
    ],
)
def test_it_stays_whatever_is_quoted_wished_or_said_in_fun(warned, said):
    warned.observe(said, reply="네", at=day(2))
    [caution] = warned.facts(about="user", attribute="allergy")
    assert (caution.value, caution.pinned) == ("땅콩", True)
    assert "땅콩" in warned.context("뭐 먹을까?").text


def test_it_is_lifted_by_a_direct_statement_and_that_is_announced(warned, bank):
    heard = []
    bank.on("memory.superseded", heard.append)
    warned.observe("나 이제 땅콩 알레르기 없어", reply="다행이에요", at=day(2))
    assert [fact for fact in warned.facts(attribute="allergy") if fact.polarity == "+"] == []
    assert [event.before.value for event in heard] == ["땅콩"]


def test_what_is_not_direct_is_kept_in_doubt_and_asked_about(warned):
    observed = warned.observe("의사가 나 땅콩 알레르기 없대", reply="네?", at=day(2))
    assert [fact.value for fact in warned.facts(attribute="allergy")] == ["땅콩"]
    [doubt] = warned.doubtful()
    assert (doubt.polarity, doubt.value) == ("-", "땅콩")
    assert observed.questions
    warned.confirm(doubt.id, at=day(3))
    assert [fact for fact in warned.facts(attribute="allergy") if fact.polarity == "+"] == []
