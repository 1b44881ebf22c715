"""What somebody lives by, learns or keeps to, told by what they do rather than by its name."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day

_LIVING = ("job", "workplace", "part_time_job")


def read(text: str) -> list[tuple[str, str | None, str | None]]:
    said = Utterance(id="u", turn_id="t", speaker="user", text=text, at=day(1), position=0)
    turn = Turn(id="t", utterances=(said,), at=day(1), recorded_at=day(1))
    claims = KoreanRules().claims(turn, Scope(user="minsu", character="letia"), ())
    told = (claim for claim in claims if claim.polarity == "+" and claim.invalid_at is None)
    return [(claim.subject_id, claim.attribute, claim.value) for claim in told]


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ("야간에 택시 모는 사람입니다", "택시기사"),
        ("버스를 몹니다", "버스기사"),
        ("레미콘 몬 지 10년 됐습니다", "레미콘기사"),
        ("가게 해요, 꽃집", "꽃집 운영"),
        ("네일샵 하는 사장", "네일샵 운영"),
        ("남편이랑 횟집 해요", "횟집 운영"),
        ("동네에 빨래방 차렸어요", "빨래방 운영"),
        ("중학교에서 과학 가르쳐요", "과학 교사"),
        ("기간제로 수학 가르쳐요, 남자 중학교에서", "수학 교사"),
        ("초등학교에서 애들 가르쳐", "초등학교 교사"),
        ("학원에서 영어 가르쳐요", "영어 강사"),
        ("보건소에서 인턴 중이에요", "인턴"),
        ("광고회사 인턴하는 24살", "인턴"),
        ("인턴으로 광고회사 다녀요", "인턴"),
        ("구로에서 개발해요", "개발"),
        ("앱 개발하는 사람입니다", "앱 개발"),
        ("도배해요, 20년째", "도배"),
        ("택배 일 해요", "택배"),
        ("보험 영업해요", "보험 영업"),
        ("웹툰 그려서 먹고살아요", "웹툰"),
        ("저 고2예요", "고등학생"),
        ("스무 살이고 재수해요", "재수생"),
        ("취업 준비 중이에요", "취준생"),
        ("공무원 시험 준비해요", "공시생"),
        ("부산 서면에서 옷가게 하는 스물여섯 사장입니다", "옷가게 운영"),
    ],
)
def test_what_somebody_does_says_what_they_live_by(text: str, job: str) -> None:
    assert ("user", "job", job) in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "택시 타고 왔어",
        "나도 택시나 몰까",
        "예전에 택시 몰았어",
        "택시 모는 사람들 대단해",
        "아빠가 택시 모세요",
        "꽃집에 가요",
        "꽃집 하고 싶어",
        "치킨집 하려던 거 접었어",
        "꽃집 하는 친구 있어",
        "고깃집 그대로 하면서 주말엔 키즈카페 알바",
        "중학교에서 과학 배웠어",
        "동생한테 수학 가르쳐요",
        "이 문제 좀 가르쳐 줘",
        "인턴 구하는 중이에요",
        "친구가 방송국에서 인턴해",
        "이거 번역해 줘",
        "우리 집 도배해요 내일",
        "좋은 일 해요",
        "집안 일 해요",
        "고3 때 많이 울었어",
        "재수 없어",
        "면접 준비해요",
        "반수해서 합격했어",
        "휴학하는 걸로 했어",
        "나는 조카가 고3",
    ],
)
def test_what_is_done_once_wished_for_or_by_others_is_no_trade(text: str) -> None:
    assert not [fact for fact in read(text) if fact[0] == "user" and fact[1] == "job"]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("중학교에서 과학 가르쳐요", "workplace", "중학교"),
        ("보건소에서 인턴 중이에요", "workplace", "보건소"),
        ("저는 화장품 회사 인턴하는 24살 여자예요", "workplace", "화장품 회사"),
        ("나 은행 다녀", "workplace", "은행"),
        ("평일엔 평일 꽃집에서 일해", "workplace", "꽃집"),
        ("방학 동안 물류센터에서 알바하고 있어", "part_time_job", "물류센터"),
        ("투잡으로 결혼식 사회 봐요", "part_time_job", "결혼식 사회"),
        ("부업은 사주 봐주는 거", "part_time_job", "사주"),
        ("부업은 배달이에요", "part_time_job", "배달"),
    ],
)
def test_where_one_works_and_what_one_earns_besides(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in read(text)


@pytest.mark.parametrize(
    "text", ["병원 다녀요 허리 때문에", "은행 들렀다 왔어", "부업 뭐 하면 좋을까", "투잡 하고 싶다"]
)
def test_where_one_only_goes_and_what_one_only_thinks_of_is_no_work(text: str) -> None:
    assert not [fact for fact in read(text) if fact[1] in _LIVING]


def test_who_works_part_time_has_no_trade_of_it() -> None:
    assert [fact[1:] for fact in read("영화관 알바생이에요")] == [("part_time_job", "영화관")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("스리랑카에서 온 라히루입니다", "name", "라히루"),
        ("스리랑카에서 온 라히루입니다", "nationality", "스리랑카"),
        ("우즈베키스탄에서 일하러 왔어요", "nationality", "우즈베키스탄"),
        ("서울숲 옆에 삽니다", "residence", "서울숲 옆"),
        ("보라매공원 근처 살아요. 아침마다 거기서 걸어요", "residence", "보라매공원 근처"),
        ("나 이사함! 수원 안녕~ 이제 동탄 주민이다", "residence", "동탄"),
        ("무슬림이라서 돼지고기 안 먹어요", "diet", "돼지고기 안 먹음"),
        ("불교 신자라 고기 안 먹어요", "diet", "고기 안 먹음"),
    ],
)
def test_where_one_is_from_and_lives_and_what_a_faith_keeps_from(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in read(text)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("일본에서 온 택배예요", "name"),
        ("우즈베키스탄에서 일하러 왔어요", "workplace"),
        ("제가 이 동네 이장이에요", "residence"),
        ("내 취미는 동네 빵집 지도 그리기야", "residence"),
        ("보라매공원 근처 맛집 알려줘", "residence"),
        ("친구가 무슬림이라 돼지고기 안 먹어", "diet"),
        ("무슬림이라서 돼지고기 안 먹어요", "dislikes"),
        ("돼지고기 안 먹어요", "diet"),
    ],
)
def test_what_only_looks_like_it_is_not_taken(text: str, attribute: str) -> None:
    assert not [fact for fact in read(text) if fact[0] == "user" and fact[1] == attribute]
