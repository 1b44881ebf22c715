"""What lies ahead, what is owed and what hurts, as people mention it by the way."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.extract.korean.phrasing import sentence
from gieok.testing import day


def told(said: str, asked: str = "") -> list[tuple[str, str | None, str | None, str]]:
    turn = Turn(id="t", utterances=(_utterance("user", said),), at=day(1), recorded_at=day(1))
    before = (_utterance("character", asked),) if asked else ()
    claims = KoreanRules().claims(turn, Scope(user="minsu", character="letia"), before)
    return [(claim.subject_id, claim.attribute, claim.value, claim.polarity) for claim in claims]


def _utterance(speaker: str, text: str) -> Utterance:
    return Utterance(id=speaker, turn_id="t", speaker=speaker, text=text, at=day(1), position=0)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("이번 주 토요일, 강남에서 면접 봐요", "면접"),
        ("토요일에 소개팅 잡혔어", "소개팅"),
        ("12월에 첫 개인전 열어요", "첫 개인전"),
        ("제주도 숙소 잡아놨어", "제주도"),
        ("뮤지컬 표 두 장 예매 성공!!", "뮤지컬"),
        ("전역 D-45", "전역"),
        ("운전면허 딸 거야 이번 방학에", "운전면허 따기"),
        ("올여름에 유럽 배낭여행 가려고 돈 모으는 중", "유럽 배낭여행"),
    ],
)
def test_a_day_ahead_a_ticket_or_a_countdown_tells_a_plan(said: str, value: str) -> None:
    assert ("user", "plan", value, "+") in told(said)


def test_a_plan_that_is_swapped_ends_and_the_new_one_begins() -> None:
    read = told("일본 가려던 거 취소하고 대만으로 바꿨어")

    assert ("user", "plan", "일본", "-") in read
    assert ("user", "plan", "대만", "+") in read


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("관리비 내야 되는데 귀찮다", "관리비 내기"),
        ("프린터 잉크 사야겠다", "프린터 잉크 사기"),
        ("과제 아직 시작도 안 했어", "과제"),
        ("샴푸 다 썼네", "샴푸 사기"),
    ],
)
def test_what_must_be_done_is_undone_or_has_run_out_is_to_do(said: str, value: str) -> None:
    assert ("user", "todo", value, "+") in told(said)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("다시는 거짓말 안 할게", "거짓말 안 하기"),
        ("다음에 만나면 커피 사줄게", "커피 사 주기"),
        ("일찍 일어나기로 너랑 약속했으니까", "일찍 일어나기"),
    ],
)
def test_what_is_firmly_offered_is_a_promise(said: str, value: str) -> None:
    assert ("user", "promise", value, "+") in told(said)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("살 얘기만 나오면 기분 나빠", "살 얘기"),
        ("결혼 언제 하냐고 묻지 좀 마", "결혼 질문"),
        ("충고는 하지 말고 공감만 해줘", "충고"),
        ("밤 11시 이후로는 연락 자제해줘", "밤 11시 이후 연락"),
        ("전 여친 얘기는 하고 싶지 않아", "전 여친 얘기"),
    ],
)
def test_what_hurts_or_is_begged_off_is_a_boundary(said: str, value: str) -> None:
    assert ("user", "boundary", value, "+") in told(said)


@pytest.mark.parametrize(
    ("said", "asked", "value"),
    [
        ("나는 원래 좀 무뚝뚝해", "", "무뚝뚝함"),
        ("급한 성격 때문에 자주 실수해요", "", "급함"),
        ("꽤 활발하고 밝아요", "네 성격은 어때?", "활발함"),
        ("저는 남의 부탁을 거절 못 하는 사람이에요", "", "거절을 못함"),
    ],
)
def test_a_nature_is_a_trait(said: str, asked: str, value: str) -> None:
    assert ("user", "trait", value, "+") in told(said, asked)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("개한테 물린 뒤로 강아지도 못 만져", "trauma", "개한테 물림"),
        ("엘리베이터에 갇힌 적 있어서 계단만 이용해, 무서워서", "trauma", "엘리베이터에 갇힘"),
        ("변호사 시험 붙으려고 하루 12시간 공부해", "goal", "변호사 시험 붙기"),
        ("제 목표는 책 한 권 내는 거예요", "goal", "책 한 권 내기"),
        ("우리 오늘부터 1일이야", "relationship_status", "연애중"),
    ],
)
def test_what_happened_and_what_is_striven_for(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value, "+") in told(said)


@pytest.mark.parametrize(
    "said",
    [
        "내일 비 온대",
        "이제 자야겠다",
        "먼저 갈게 안녕",
        "울지 마",
        "오늘따라 예민하네",
        "주식 또 떨어졌어",
        "그 노래에 빠진 뒤로 다른 건 안 들어",
    ],
)
def test_small_talk_leaves_no_plan_and_no_trait(said: str) -> None:
    kinds = {attribute for _, attribute, _, _ in told(said)}
    assert not kinds & {"plan", "todo", "promise", "boundary", "trait", "trauma"}


def test_an_allergy_is_no_plan_though_a_day_ahead_was_spoken_of() -> None:
    read = told("축제 때 다 같이 먹자. 아, 나 땅콩 알레르기 있어.", "내 생일은 10월 9일이야.")
    assert [(attribute, value) for _, attribute, value, _ in read] == [("allergy", "땅콩")]


@pytest.mark.parametrize("said", ["사실은… 오늘 좀 지쳤어요.", "솔직히… 잘 모르겠어요.", "저기… 할 말이 있어요."])
def test_who_hesitates_before_speaking_of_something_else_has_named_no_favourite(said: str) -> None:
    read = told(said, "그럼 보리차 어때요? 추리 소설은 창가 책장에 많아요.")
    assert not [attribute for _, attribute, _, _ in read if attribute and attribute.startswith("favorite.")]


@pytest.mark.parametrize(
    ("deed", "content"),
    [
        ("왕도로 돌아가기", "왕도로 돌아갈 예정임"),
        ("머리 자르기", "머리 자를 예정임"),
        ("노래 듣기", "노래 들을 예정임"),
        ("집 짓기", "집 지을 예정임"),
        ("유럽 배낭여행", "유럽 배낭여행 예정임"),
        ("독감 걸린 이야기", "독감 걸린 이야기 예정임"),
    ],
)
def test_a_plan_is_told_as_people_tell_it(deed: str, content: str) -> None:
    assert sentence("plan", deed) == content


def test_a_thing_without_a_name_is_told_as_people_tell_it() -> None:
    assert sentence("likes", "빵 굽는 거") == "빵 굽는 걸 좋아함"
    assert sentence("dislikes", "매운 거") == "매운 걸 싫어함"
