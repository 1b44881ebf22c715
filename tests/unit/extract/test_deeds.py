"""What people do, intend and live through, told by the way."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def of(attribute: str, said: str) -> list[str | None]:
    claims = KoreanRules().claims(spoken(said), SCOPE, ())
    return [claim.value for claim in claims if (claim.attribute, claim.subject) == (attribute, "user")]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("고민 끝에 박사는 안 하기로 했습니다", "박사 안 하기"),
        ("동생이랑 싸우다가 차는 안 사기로 마음 굳혔어", "차 안 사기"),
        ("그 제안은 받지 않고 회사에 남는 걸로 정리했습니다", "회사에 남기"),
        ("석 달 고민했는데 휴학 확정!", "휴학"),
        ("결국 유학 포기했어", "유학 포기"),
    ],
)
def test_what_was_settled_is_a_decision(said: str, value: str) -> None:
    assert value in of("decision", said)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("사장님께 월요일까지 기획서 드리겠다고 말씀드렸어요", "기획서 드리기"),
        ("친구한테 이사할 때 트럭 빌려준다고 말해놨어", "트럭 빌려 주기"),
        ("후배들한테 회식 때 피자 쏜다고 큰소리쳤는데 큰일이네", "피자 쏘기"),
    ],
)
def test_what_one_said_one_would_do_for_somebody_is_a_promise(said: str, value: str) -> None:
    assert value in of("promise", said)


@pytest.mark.parametrize(
    "said",
    [
        "친구가 결혼 안 하기로 했대",
        "엄마가 새 폰 사준다고 했어",
        "퇴사하기로 할까 고민 중이야",
        "오늘 저녁은 피자로 정했어",
        "드라마에서 주인공이 이민 가기로 결심했어",
    ],
)
def test_what_others_resolve_or_nobody_yet_is_not_the_speakers(said: str) -> None:
    assert [of("decision", said), of("promise", said)] == [[], []]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("다음 주까지 구청에 전입 서류 내야 돼", "전입 서류 내기"),
        ("교복 빨아야 되는데 엄마가 알아서 하래", "교복 빨기"),
        ("여권 연장 신청 이번 주에 꼭 해야 돼요", "여권 연장 신청"),
    ],
)
def test_a_thing_to_do_is_named_without_day_and_place(said: str, value: str) -> None:
    assert of("todo", said) == [value]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("남편 코골이 때문에 거실에서 잤어요", "남편"),
        ("딸내미랑 도서관 다녀오는 길이야", "딸"),
        ("조카 돌이 다음 주라 선물 고르는 중", "조카"),
        ("누나 방에서 몰래 게임하다 걸렸어", "누나"),
        ("처제가 우리 집에 와서 저녁 차렸어요", "처제"),
    ],
)
def test_ones_own_people_come_up_by_the_way(said: str, value: str) -> None:
    assert value in of("family", said)


@pytest.mark.parametrize(
    "said",
    [
        "친구 아들이 이번에 대학 갔대",
        "팀장님은 딸이 둘이래요",
        "아는 언니가 카페를 열었어",
        "드라마에서 며느리가 시어머니한테 대들더라",
        "형, 오늘 뭐 해?",
        "나도 오빠 하나 있었으면 좋겠다",
    ],
)
def test_other_peoples_families_are_not_the_speakers(said: str) -> None:
    assert of("family", said) == []


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("시누이가 김치를 또 보내서 냉장고가 꽉 찼어", "기혼"),
        ("여친 전화도 못 받고 회의만 했네", "연애중"),
    ],
)
def test_whom_one_has_tells_how_one_lives(said: str, status: str) -> None:
    assert of("relationship_status", said) == [status]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("파상풍 주사 맞고 왔는데 팔이 아파", "파상풍 백신"),
        ("가다실 2차까지 완료!", "가다실"),
        ("모더나 맞고 이틀을 앓았어", "모더나"),
        ("콜레라 예방접종 하고 파견 나갔어요", "콜레라 백신"),
    ],
)
def test_a_shot_is_told_in_many_ways(said: str, value: str) -> None:
    assert of("vaccination", said) == [value]


@pytest.mark.parametrize(
    "said",
    ["독감 주사 맞아야 하는데", "우리 강아지 광견병 주사 맞고 왔어", "코로나 걸려서 누워 있어", "독감 백신 맞았어?"],
)
def test_a_shot_not_taken_or_not_ones_own_is_none(said: str) -> None:
    assert of("vaccination", said) == []


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("우리 집 통금이 열 시라 먼저 갈게", "통금 열 시"),
        ("회사가 겸직 금지라 유튜브는 취미로만 해", "겸직 금지"),
        ("발목 때문에 계단은 못 올라가요", "계단 못 올라감"),
        ("도서관이라 통화 못 해", "통화 불가"),
    ],
)
def test_a_rule_or_a_reason_makes_a_limit(said: str, value: str) -> None:
    assert of("constraint", said) == [value]


@pytest.mark.parametrize("said", ["나 노래 못 해", "야한 농담 금지", "친구네 집은 통금이 아홉 시래", "더는 못 참겠어"])
def test_what_one_is_bad_at_or_asks_for_is_no_limit(said: str) -> None:
    assert of("constraint", said) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("다음 주 수요일에 사내 체육대회 있어요", "event", "사내 체육대회"),
        ("할아버지 팔순 잔치가 이번 토요일이야", "event", "할아버지 팔순 잔치"),
        ("어제 접촉사고 났어요", "event", "접촉사고"),
        ("저 드디어 운전면허 땄어요!", "milestone", "운전면허 취득"),
        ("구독자 오천 명 찍었어", "milestone", "구독자 오천 명"),
        ("검정고시 합격했어요", "milestone", "검정고시 합격"),
        ("첫 월급 받았다!", "milestone", "첫 월급"),
    ],
)
def test_days_and_steps_go_by_their_names(said: str, attribute: str, value: str) -> None:
    assert value in of(attribute, said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("혈압약 먹어서 자몽 먹으면 안 돼", "contraindication", "자몽"),
        ("심박조율기 달아서 MRI 못 찍어요", "contraindication", "MRI"),
        ("특기는 저글링이야", "skill", "저글링"),
        ("인명구조 할 줄 압니다", "skill", "인명구조"),
        ("민화 배운 지 삼 년 됐어요", "hobby", "민화"),
        ("매일 밤 가계부 써요", "habit", "가계부 쓰기"),
    ],
)
def test_what_is_forbidden_mastered_loved_and_kept_up(said: str, attribute: str, value: str) -> None:
    assert value in of(attribute, said)


@pytest.mark.parametrize("said", ["그날 아침마다 요가를 한다고 했어", "선배가 밤마다 시를 쓴다고 그러더라"])
def test_what_was_only_said_once_is_no_habit(said: str) -> None:
    assert of("habit", said) == []
