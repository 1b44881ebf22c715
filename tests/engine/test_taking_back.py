"""Taking something back ("그냥 해본 말이야"): what it had ended or replaced is current again; history keeps both."""

from dataclasses import replace
from datetime import timedelta

import pytest

from gieok.testing import DAY_1, claim
from support.stated import StatedReader

TAKEN_BACK = "그냥 해본 말이야"


def talk(open_bank, *turns):
    """Observe one turn for each claim, the last of which is taken back; return the scope."""
    last = turns[-1]
    stated = {f"말 {number}": [each] for number, each in enumerate(turns)}
    taken_back = claim(last.attribute, last.value, act="retract", polarity=last.polarity)
    mind = open_bank(extractor=StatedReader({**stated, TAKEN_BACK: [taken_back]})).scope(
        user="minsu", character="letia"
    )
    for number, text in enumerate((*stated, TAKEN_BACK)):
        mind.observe(text, at=DAY_1 + timedelta(hours=number))
    return mind


def ended(attribute, value):
    return claim(attribute, value, act="end", polarity="-")


@pytest.mark.parametrize(
    "turns",
    [
        (claim("job", "간호사"), ended("job", "간호사")),
        (claim("hobby", "등산"), claim("hobby", "체스"), ended("hobby", "등산")),
        (claim("plan", "4월에 제주 일주하기"), ended("plan", "제주 일주")),
        (claim("residence", "서울"), claim("residence", "부산")),
        (claim("residence", "서울"), claim("residence", "부산", act="correct")),
        (claim("likes", "고양이"), claim("likes", "강아지", act="prefer", instead_of="고양이")),
    ],
    ids=["job ended", "one of two ended", "plan called off", "moved", "corrected", "preferred"],
)
def test_what_was_taken_back_had_changed_nothing(open_bank, turns):
    mind = talk(open_bank, *turns)

    told = [each.value for each in turns[:-1]]
    assert [memory.value for memory in mind.facts()] == told
    first = next(memory for memory in mind.facts() if memory.value == told[0])
    assert (first.invalid_at, first.closed_by, first.retracted) == (None, None, False)
    happened = [change.after for _, change in mind.history(first.id)]
    assert len(happened) == 3, "told, ended, current again"
    assert mind.bank.verify_audit(mind).sound


def test_an_ending_that_is_taken_back_leaves_alone_what_was_said_before(open_bank):
    """The ended value was told again meanwhile: taking the ending back must not take the value back."""
    mind = talk(
        open_bank, claim("hobby", "등산"), ended("hobby", "등산"), claim("hobby", "등산"), ended("hobby", "등산")
    )
    assert [memory.value for memory in mind.facts()] == ["등산"]


def test_taking_a_move_back_returns_to_the_home_before_it_and_not_to_the_first(open_bank):
    homes = [claim("residence", value) for value in ("서울", "대전", "부산")]
    assert [memory.value for memory in talk(open_bank, *homes).facts()] == ["대전"]


def test_what_was_corrected_twice_returns_step_by_step(open_bank):
    homes = [
        claim("residence", "서울"),
        claim("residence", "대전"),
        claim("residence", "부산", act="correct", instead_of="대전"),
    ]
    mind = talk(open_bank, *homes)
    assert [memory.value for memory in mind.facts()] == ["대전"]
    assert [memory.value for memory in mind.facts(history=True)] == ["서울", "대전"]


@pytest.mark.parametrize(
    ("act", "taken_back", "mark"),
    [
        ("retract", "농담이야 그냥 해본 말", "(03-01에 취소함: “농담이야 그냥 해본 말”)"),
        ("correct", "잘못 말했네 수원이야", "(03-01에 취소함: “잘못 말했네 수원이야”)"),
    ],
)
def test_words_that_were_taken_back_are_quoted_only_with_what_took_them_back(open_bank, act, taken_back, mark):
    told = "부산으로 이사 왔어. 요즘은 아침마다 바닷가에서 조깅하다가 갈매기한테 새우깡을 던져 줘."
    home = claim("residence", "부산") if act == "retract" else claim("residence", "수원", instead_of="부산")
    stated = {told: [claim("residence", "부산")], taken_back: [replace(home, act=act)]}
    mind = open_bank(extractor=StatedReader(stated)).scope(user="minsu", character="letia")
    mind.observe(told, at=DAY_1)
    mind.observe(taken_back, at=DAY_1 + timedelta(minutes=1))

    memories = next(each for each in mind.context("갈매기 새우깡", without=["talk"]).blocks if each.name == "memories")
    [line] = [line for line in memories.text.splitlines() if "갈매기" in line]
    assert line.endswith(mark)
    talk = mind.context("갈매기 새우깡").text
    assert talk.count(taken_back) >= talk.count(told), "what is quoted as recent talk is followed by its retraction"


def test_words_of_which_nothing_was_taken_back_are_quoted_as_they_are(open_bank):
    mind = open_bank(extractor=StatedReader({})).scope(user="minsu", character="letia")
    mind.observe("갈매기한테 새우깡 줬어", at=DAY_1)
    assert "취소함" not in mind.context("갈매기").text
