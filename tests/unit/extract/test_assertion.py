"""The certain signs that something is over."""

from __future__ import annotations

import pytest

from gieok.extract.assertion import is_given_up, is_new, is_over, meant_instead, names_nothing


@pytest.mark.parametrize(
    ("said", "value", "over"),
    [
        ("석 달 전만 해도 88킬로였는데 오늘 팔십일 찍었어", "88킬로", True),
        ("남편은 직업군인이었거든", "직업군인", True),
        ("나 간호사였어", "간호사", True),
        ("저는 간호사예요", "간호사", False),
        ("예전엔 서울 살았는데 지금은 부산 살아", "서울", True),
        ("예전엔 서울 살았는데 지금은 부산 살아", "부산", False),
        ("어릴 때부터 피아노 쳤어", "피아노", False),
        ("어릴 땐 피아노 쳤어", "피아노", True),
        ("I used to live in Boston but now I live in Seoul", "Boston", True),
        ("I used to live in Boston but now I live in Seoul", "Seoul", False),
    ],
)
def test_what_was_so_once_is_told_by_tense_and_time_words(said: str, value: str, over: bool) -> None:
    start = said.index(value)
    assert is_over(said, start, start + len(value)) is over


@pytest.mark.parametrize(
    ("said", "value", "new"),
    [
        ("지난달에 대구로 이사했어요", "대구", True),
        ("안동 한옥 팔고 수성구로 이사 나왔습니다", "안동", False),
        ("용인에서 잠실로 이사 완료", "용인", False),
        ("용인에서 잠실로 이사 완료", "잠실", True),
        ("We moved to Leeds last week", "Leeds", True),
        ("We moved from Leeds last week", "Leeds", False),
    ],
)
def test_where_a_move_leads_to_is_new(said: str, value: str, new: bool) -> None:
    start = said.index(value)
    assert is_new(said, start, start + len(value)) is new


@pytest.mark.parametrize(
    ("said", "value", "ended"),
    [
        ("필름은 접었어요 현상값이 비싸서", "필름", True),
        ("불닭 끊었고 요즘은 두부만 먹어", "불닭", True),
        ("불닭 끊었고 요즘은 두부만 먹어", "두부", False),
        ("카페 알바 관둠", "카페", True),
        ("우리 아빠도 시청 퇴직 하셨어", "시청", True),
        ("회사 그만둘까 싶다", "회사", False),
        ("회사 안 그만뒀어", "회사", False),
        ("회사 그만뒀어?", "회사", False),
        ("I quit the gym", "gym", True),
        ("I might quit the gym", "gym", False),
        ("I don't smoke anymore", "smoke", False),
    ],
)
def test_what_was_given_up_is_told_by_what_governs_it(said: str, value: str, ended: bool) -> None:
    start = said.index(value)
    assert is_given_up(said, start, start + len(value)) is ended


@pytest.mark.parametrize(
    ("words", "nothing"),
    [("팔았어요", True), ("취소", True), ("dropped it", True), ("헬스", False), ("quit the gym", False)],
)
def test_words_of_an_end_may_name_nothing(words: str, nothing: bool) -> None:
    assert names_nothing(words) is nothing


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("아니 그거 말고 파스타", "파스타"),
        ("no wait, I meant Austin", "Austin"),
        ("그게 아니고 부산이야", "부산이야"),
        ("말고기 먹어 봤어?", None),
        ("I meant it", None),
    ],
)
def test_what_is_meant_instead_is_found(said: str, meant: str | None) -> None:
    at = meant_instead(said)
    assert (said[slice(*at)] if at else None) == meant
