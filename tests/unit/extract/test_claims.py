"""What a claim carries beside its value: words, certainty, importance, feeling, and which reader made it."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.extract.feelings import feel
from gieok.extract.reader import NAME, Reader
from gieok.testing import turn
from support.reading import Row
from support.reading import read as read_row

SCOPE = Scope(user="minsu", character="letia")


def read(said: str) -> list[Claim]:
    """Read `said`; a line of the character begins with "> "."""
    return list(read_row(Row.of(said)))


def test_a_claim_is_numbered_within_its_own_utterance_and_names_its_reader() -> None:
    said = turn("I love dogs", ("user", "나 고양이 키워"))
    first, second = (utterance.id for utterance in said.utterances)
    claims = Reader().claims(said, SCOPE, ())
    assert [each.id for each in claims] == [f"{first}-0", f"{second}-0"]
    assert {each.extractor for each in claims} == {NAME}


@pytest.mark.parametrize("said", ["민수라고 합니다", "처음 뵙겠습니다. 민수라고 해요", "제 이름은 민수입니다"])
def test_whoever_the_bank_knows_by_their_name_may_still_tell_it(said: str) -> None:
    claims = Reader().claims(turn(said), Scope(user="민수", character="레티아"), ())
    assert [(claim.subject, claim.attribute, claim.value) for claim in claims] == [("user", "name", "민수")]


def test_what_was_wrong_is_corrected() -> None:
    (claim,) = read("제 이름 유진 아니고 유빈이에요")
    assert (claim.act, claim.value, claim.instead_of) == ("correct", "유빈", "유진")


def test_what_kind_of_thing_is_liked_is_known() -> None:
    assert [claim.value_class for claim in read("나 강아지 진짜 좋아해")] == ["animal"]


def test_a_value_keeps_the_words_it_was_said_in() -> None:
    (age,) = read("저 올해 스물여덟이에요")
    assert (age.value, age.surface) == ("28", "스물여덟")


def test_a_plan_keeps_its_day_where_it_is_shown() -> None:
    (plan,) = [claim for claim in read("저는 다음 달 9일에 제주도 여행을 갈 예정이에요") if claim.attribute == "plan"]
    assert "9일" in plan.content


def test_a_claim_carries_the_feeling_it_was_told_with() -> None:
    (claim,) = read("나 헤어졌어 너무 슬퍼")
    assert claim.emotion_intensity >= 0.7
    assert claim.tags == ("sad",)


def test_the_name_of_an_animal_is_tagged_as_a_pets() -> None:
    assert [claim.tags for claim in read("우리 강아지 이름은 보리야") if claim.attribute == "name"] == [("pet",)]


def test_a_feeling_is_read_from_words_and_marks() -> None:
    felt = {
        "합격해서 너무 행복해": ("happy", True),
        "할머니가 돌아가셔서 슬퍼": ("sad", False),
        "팀장 때문에 진짜 짜증나": ("angry", True),
        "나 안 슬퍼": ("neutral", False),
        "걱정하지 마": ("neutral", False),
        "우리 강아지 귀여워ㅠㅠ": ("happy", False),
        "비 온다ㅠㅠ": ("sad", False),
        "나 서울 살아": ("neutral", False),
    }
    read_as = {said: feel(said, speaker="user") for said in felt}
    assert {said: (each.emotion, each.intensity >= 0.7) for said, each in read_as.items()} == felt
    assert all((each.intensity > 0) == (each.emotion != "neutral") for each in read_as.values())
