"""Who somebody is, in whatever words: the families of sayings that give identity away, and those that only seem to."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def read(said: str, asked: str | None = None, names: frozenset[str] = frozenset()) -> list[Claim]:
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    before = [Utterance(id="b", turn_id="b", speaker="character", text=asked, at=day(1), position=0)] if asked else []
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, SCOPE, before, Background(names=names)))


def told(said: str, attribute: str, asked: str | None = None) -> list[str | None]:
    """What `said` tells of the user's `attribute`, as still so."""
    return [
        claim.value
        for claim in read(said, asked)
        if claim.subject == "user"
        and claim.attribute == attribute
        and claim.polarity == "+"
        and claim.invalid_at is None
    ]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("내 부산 산다 아이가", "residence", "부산"),
        ("나 간호사데이", "job", "간호사"),
        ("지는 대전 살아유", "residence", "대전"),
        ("저는 인프피구먼유", "mbti", "INFP"),
        ("광주 산당께", "residence", "광주"),
        ("나 에이형이랑께", "blood_type", "A"),
        ("내 키 168 아이가", "height", "168"),
    ],
)
def test_dialects_say_it_as_well(said: str, attribute: str, value: str) -> None:
    assert told(said, attribute) == [value]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("사회학과야 나", "major", "사회학"),
        ("동국대야 우리 학교, 언덕이 심해", "school", "동국대"),
        ("신한은행이야 내 직장", "workplace", "신한은행"),
        ("세 자매예요 저", "family", "세 자매"),
        ("불려요 두더지라고", "nickname", "두더지"),
    ],
)
def test_the_subject_may_come_last(said: str, attribute: str, value: str) -> None:
    assert told(said, attribute) == [value]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("통성명이 늦었네 나 하늘임", "name", "하늘"),
        ("윤슬이라고 불러주세요", "name", "윤슬"),
        ("출석부에 이수아라고 적혀 있는 게 저예요", "name", "이수아"),
        ("수진이 아니고 수민이야 오타임", "name", "수민"),
        ("학교에서 다들 꿀벌이라고 불러", "nickname", "꿀벌"),
        ("회사에서 먹깨비로 통해요 제가", "nickname", "먹깨비"),
        ("밤톨이라는 별명 아직도 못 버림", "nickname", "밤톨"),
        ("고등학교 때 얻은 별명이 '빵귀신'인데 아직도 그래", "nickname", "빵귀신"),
        ("편하게 만두라고 불러줘요 다들 그러니까", "nickname", "만두"),
    ],
)
def test_names_and_nicknames_are_told_apart_by_the_words_around_them(said: str, attribute: str, value: str) -> None:
    assert told(said, attribute) == [value]
    assert not told(said, "nickname" if attribute == "name" else "name")


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("열일곱 먹고 아직 구구단 헷갈림", "age", "17"),
        ("내년이면 저도 서른이에요", "age", "29"),
        ("칠순 지난 지 두 해 됐어", "age", "72"),
        ("두 살 많은 오빠가 스물아홉이니까 맞혀봐", "age", "27"),
        ("87년생 토끼띠예요", "birth_year", "1987"),
        ("구십삼년에 태어났어요", "birth_year", "1993"),
        ("1미터 84라 문틀에 자주 박아", "height", "184"),
        ("172 찍고 성장판 닫힘", "height", "172"),
        ("5센티 깔창 깔면 저도 180 나와요", "height", "175"),
        ("요즘 살쪄서 71키로 찍음", "weight", "71"),
        ("연락은 010-9876-5432로 주세요", "phone", "010-9876-5432"),
        ("11/30 제 귀 빠진 날이라 연차 냄", "birthday", "11-30"),
        ("내 폰 비번 0823인데 생일이라 너무 뻔하지", "birthday", "08-23"),
        ("어버이날이 하필 내 생일이라 맨날 묻혀", "birthday", "05-08"),
    ],
)
def test_figures_are_read_where_they_stand(said: str, attribute: str, value: str) -> None:
    assert told(said, attribute) == [value]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("ESFP 특징 보는데 다 제 얘기라 소름", "mbti", "ESFP"),
        ("세 번 검사해도 ISTP만 나와", "mbti", "ISTP"),
        ("O형이라고 하면 다들 그럴 줄 알았대", "blood_type", "O"),
        ("헌혈의집에서 AB형 모자라다고 나한테 문자 왔어", "blood_type", "AB"),
        ("밥도 글씨도 왼손으로 해요", "handedness", "왼손잡이"),
        ("둘째인 사람 특징 글 보는데 완전 내 얘기", "family", "둘째"),
    ],
)
def test_a_type_is_ones_own_where_one_claims_it(said: str, attribute: str, value: str) -> None:
    assert told(said, attribute) == [value]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("전북대 학식 또 올랐더라", "school", "전북대"),
        ("요즘 아주대 축제 준비하느라 바빠 우리 학교는 이런 데 진심이야", "school", "아주대"),
        ("농협 출근 3년째 영혼이 없다", "workplace", "농협"),
        ("지금 다니는 한화 때려치울까 고민 중", "workplace", "한화"),
        ("약사 월급으로 월세 내는 중", "job", "약사"),
        ("택배기사 5년차 허리 나감", "job", "택배기사"),
        ("낮엔 개발자, 밤엔 게임 폐인이지", "job", "개발자"),
        ("꽃집 한 지 10년 됐어요", "job", "꽃집 운영"),
        ("통계학과 과제하다 밤샘", "major", "통계학"),
        ("컴공이라 밤샘이 기본값", "major", "컴퓨터공학"),
        ("사는 데가 청주라 심심해", "residence", "청주"),
        ("성수동에 방 얻은 지 한 달 됐어", "residence", "성수동"),
        ("강릉 본가 다녀왔어 거기서 태어났거든", "hometown", "강릉"),
        ("프랑스인인데 한국어 공부해요", "nationality", "프랑스"),
        ("성당 다니는 사람이라 일요일은 안 돼요", "religion", "천주교"),
        ("여고 나와서 남사친이 없어", "gender", "여성"),
        ("언니가 두 명 있어요", "family", "언니 2명"),
        ("할머니랑 단둘이 살아요", "family", "할머니"),
    ],
)
def test_what_is_told_by_the_way_counts(said: str, attribute: str, value: str) -> None:
    assert value in told(said, attribute)


def test_a_birthday_may_answer_a_question() -> None:
    assert told("양력으로 쇠는데, 11월 3일이오", "birthday", asked="생신이 언제세요?") == ["11-03"]


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("우리 오빠 고려대 나왔어", "school"),
        ("남편이 포스코 다녀요", "workplace"),
        ("스타벅스에서 커피 마시는 중", "workplace"),
        ("내년에 부산대 가고 싶어요", "school"),
        ("속초에서 태어났으면 매일 회 먹었을 텐데", "hometown"),
        ("부산 사람이 많더라", "hometown"),
        ("제주도에서 한 달 살고 싶어", "residence"),
        ("예전에 인천 살았었어", "residence"),
        ("내 친구들은 다 ESFP야", "mbti"),
        ("INFJ인 줄 알았는데 아니더라", "mbti"),
        ("우리 가족은 다 O형인데 아빠만 A형이야", "blood_type"),
        ("책상이 150cm야", "height"),
        ("180 넘는 남자가 좋아", "height"),
        ("벤치 80kg 들었다", "weight"),
        ("강아지가 열 살이라 걱정돼", "age"),
        ("스무 살 때 유럽 갔었어", "age"),
        ("97년생들 요즘 힘들대", "birth_year"),
        ("5월 3일에 결혼식 가야 돼", "birthday"),
        ("최애 생일이 9월 1일이라 카페 간다", "birthday"),
        ("의사 선생님이 약 먹으래", "job"),
        ("교사 월급이 적다고 뉴스에 나왔어", "job"),
        ("수학 과제 하기 싫다", "major"),
        ("옆 부서 신입 이름이 예린이래", "name"),
        ("담임 별명이 독사래", "nickname"),
        ("나를 바보라고 부르지 마", "nickname"),
        ("미국에서 왔다는 손님 만났어", "nationality"),
        ("친구 따라 교회 갔어", "religion"),
        ("동생 같은 후배가 있어", "family"),
        ("엄마 번호 010-1111-2222야", "phone"),
    ],
)
def test_what_is_somebody_elses_or_not_so_is_left_alone(said: str, attribute: str) -> None:
    assert told(said, attribute) == []


@pytest.mark.parametrize(
    ("said", "whose", "attribute", "value"),
    [
        ("내 친구 서준이 있는데 걔는 변호사야", "서준", "job", "변호사"),
        ("어제 민지 만났는데 걔 요즘 부산 살아", "민지", "residence", "부산"),
        ("내 동생 있어. 스무 살이야.", "동생", "age", "20"),
    ],
)
def test_she_and_he_are_whoever_was_named_last(said: str, whose: str, attribute: str, value: str) -> None:
    claims = read(said)
    assert (whose, attribute, value) in [(claim.subject_id, claim.attribute, claim.value) for claim in claims]
    assert not [claim for claim in claims if claim.subject == "user" and claim.attribute == attribute]


def test_ones_own_name_means_oneself() -> None:
    facts = [
        (claim.subject, claim.attribute, claim.value)
        for claim in read("서준이는 판교에 살아", names=frozenset({"서준"}))
    ]
    assert facts == [("user", "residence", "판교")]


@pytest.mark.parametrize("said", ["민수라고 합니다", "처음 뵙겠습니다. 민수라고 해요", "제 이름은 민수입니다"])
def test_whoever_the_bank_knows_by_their_name_may_still_tell_it(said: str) -> None:
    claims = KoreanRules().claims(spoken(said), Scope(user="민수", character="레티아"), (), Background())
    assert [(claim.subject, claim.attribute, claim.value) for claim in claims] == [("user", "name", "민수")]
