"""Ways of life: hobbies, habits, exercise, dreams, skills and diets, named or told by what is done."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def facts(said: str) -> set[tuple[str, str | None, str | None]]:
    turn = spoken(said)
    return {(claim.subject_id, claim.attribute, claim.value) for claim in KoreanRules().claims(turn, SCOPE, ())}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("십자수 놓는 게 내 유일한 취미야", "hobby", "십자수 놓기"),
        ("취미 묻길래 목공이라고 말했어", "hobby", "목공"),
        ("주말마다 수채화 그려요", "hobby", "수채화 그리기"),
        ("퀼트에 취미 붙였어", "hobby", "퀼트"),
        ("피아노 치는 재미로 살아", "hobby", "피아노 치기"),
        ("귀 만지는 버릇 있어", "habit", "귀 만지기"),
        ("버릇이야 발 구르는 거", "habit", "발 구르기"),
        ("나도 모르게 펜 돌리고 있더라", "habit", "펜 돌리기"),
        ("메모하는 게 몸에 뱄어", "habit", "메모하기"),
        ("작은 서점 여는 게 꿈이야", "dream", "서점 열기"),
        ("약사가 꿈이라 공부 중이에요", "dream", "약사"),
        ("오페라 가수를 꿈꾸며 살아", "dream", "오페라 가수"),
        ("통역사가 되려고 매일 열심히 공부하고 있어", "dream", "통역사"),
        ("올해 목표는 10키로 감량하는 거야", "goal", "10키로 감량"),
        ("나 중국어 할 줄 알아", "skill", "중국어"),
        ("저는 일본어를 유창하게 합니다", "skill", "일본어"),
        ("나 운전 하나는 자신 있어", "skill", "운전"),
        ("펜싱 6개월 차야", "exercise", "펜싱"),
        ("복싱 수업 때문에 온몸이 쑤셔", "exercise", "복싱"),
        ("필라테스 하느라 약속을 못 잡아", "exercise", "필라테스"),
        ("저염식으로 먹고 있어", "diet", "저염식"),
        ("설탕 끊은 지 한 달 됐어", "diet", "설탕 끊기"),
    ],
)
def test_a_way_of_life_is_read_by_name_or_by_what_is_done(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("수영 잘해", "수영"),
        ("나 노래 잘 불러", "노래"),
        ("운전은 못 해도 재봉틀은 잘 돌려", "재봉틀"),
        ("손재주는 없는데 사격은 잘해", "사격"),
        ("운전 잘하는 편이야", "운전"),
        ("엑셀은 자유자재로 다뤄요", "엑셀"),
        ("김치찌개는 기가 막히게 끓여", "김치찌개"),
        ("기타 좀 쳐요", "기타"),
        ("영어는 좀 해", "영어"),
        ("요리에는 자신 있지", "요리"),
        ("일본어는 자막 없이 볼 정도로 해", "일본어"),
        ("중국어는 일상 대화 정도는 해요", "중국어"),
        ("독일어 가능해요", "독일어"),
        ("기타 좀 칠 줄 알아요", "기타 치기"),
        ("운전면허 있어요", "운전면허"),
        ("나 면허 있어", "운전면허"),
        ("지게차 면허 있습니다", "지게차 면허"),
        ("정보처리기사 땄어", "정보처리기사"),
        ("컴활 1급 있어요", "컴활 1급"),
        ("자격증은 조경기능사 하나 있습니다", "조경기능사"),
        ("한식조리사 자격증도 땄거든", "한식조리사"),
        ("태권도 3단이야", "태권도 3단"),
    ],
)
def test_a_skill_is_told_plainly_or_on_paper(said: str, value: str) -> None:
    assert ("user", "skill", value) in facts(said)


def test_skills_named_together_are_two() -> None:
    assert facts("영어랑 일본어 둘 다 잘해") == {("user", "skill", "영어"), ("user", "skill", "일본어")}


@pytest.mark.parametrize(
    "said",
    [
        "동생 있어. 요리 잘해",
        "우리 학교는 축구를 잘해",
        "손흥민 축구 잘해",
        "참가자가 난청인데 노래를 그렇게 잘해",
        "아이가 나보다 수학을 잘해서 속상해",
        "노래 잘 부르네",
        "운전 잘해!",
        "운전 잘하고 와",
        "영어 잘하는 사람 부럽다",
        "밥은 잘 먹어",
        "산책 좀 해",
        "여기 영어 가능해요",
        "환불 가능해요",
        "운전면허 없어요",
        "이 식당 자격증 있어요",
        "아빠가 택시 면허 있어",
        "운전면허 땄다고 자랑하더라",
        "면허 있으면 돼",
        "아는 기사 있어",
        "계단이 3단이야",
    ],
)
def test_what_others_are_good_at_or_what_is_wished_is_no_skill(said: str) -> None:
    assert not {fact for fact in facts(said) if fact[0] == "user" and fact[1] == "skill"}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("주말엔 낚시", "hobby", "낚시"),
        ("주말엔 족구예요", "exercise", "족구"),
        ("심심하면 종이접기 해", "hobby", "종이접기"),
        ("시간 나면 전시회 보러 다녀", "hobby", "전시회 보러 다니기"),
        ("쉬는 날엔 민화 그려요", "hobby", "민화 그리기"),
        ("우표를 모아요", "hobby", "우표 모으기"),
        ("아코디언 배우고 있어요", "hobby", "아코디언"),
        ("일본어 공부한 지 1년", "hobby", "일본어"),
        ("요즘 빠진 건 뜨개질", "hobby", "뜨개질"),
        ("요즘 빠진 건 테니스", "exercise", "테니스"),
        ("손톱을 자꾸 물어뜯는 버릇이 있어", "habit", "손톱 물어뜯기"),
        ("언젠가 카페 차리고 싶어", "dream", "카페 차리기"),
        ("언젠가는 책을 한 권 내고 싶어요", "dream", "책 한 권 내기"),
        ("죽기 전에 오로라 보고 싶어", "dream", "오로라 보기"),
        ("죽기 전에 오로라 한번 보는 게 소원이에요", "dream", "오로라 보기"),
        ("수의사 되려고 공부해", "dream", "수의사"),
        ("세무사 되겠다고 회사 관둔 지 반년", "dream", "세무사"),
        ("나 필라테스 강사 준비 중인데", "dream", "필라테스 강사"),
        ("내 이름으로 된 빵집을 여는 게 꿈이야", "dream", "빵집 열기"),
        ("마당 있는 집에서 개 다섯 마리랑 사는 게 꿈이야", "dream", "마당 있는 집에서 개 다섯 마리랑 살기"),
        ("버킷리스트는 산티아고 순례길 걷기", "dream", "산티아고 순례길 걷기"),
    ],
)
def test_a_pastime_or_a_dream_is_told_in_few_words(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "주말엔 비",
        "주말엔 약속",
        "주말엔 여행",
        "이번 주말엔 낚시",
        "돈을 모아요",
        "기타 배우고 싶어",
        "언젠가 그만두고 싶어",
        "언젠가 다시 만나고 싶어",
        "나중에 커피 마시고 싶다",
        "언젠가 카페 열고 싶어?",
        "친구가 수의사 되려고 공부해",
        "어른이 되려고 노력해",
        "동생이 가수 되겠다고 난리야",
        "가수 되겠다고 한 적 없어",
        "동생이 승무원 준비 중이야",
        "저녁 준비 중이야",
        "반찬에서 빠진 건 소금",
    ],
)
def test_a_plan_a_passing_wish_and_the_dreams_of_others_are_no_way_of_life(said: str) -> None:
    kinds = ("hobby", "dream", "exercise")
    assert not {fact for fact in facts(said) if fact[0] == "user" and fact[1] in kinds}


def test_what_others_do_is_theirs() -> None:
    assert facts("내 동생은 코 파는 버릇 있어") == {("동생", "habit", "코 파기")}
    assert ("user", "diet", "키토 식단") not in facts("친구가 키토 식단 중이야")


@pytest.mark.parametrize(
    "said",
    [
        "안경 올리는 버릇은 없어",
        "손톱 뜯는 버릇을 고쳤어",
        "어릴 적 꿈은 화가였어",
        "내 취미가 설거지지 아주",
        "어제 야구 경기 봤어",
        "너 노래 진짜 잘한다",
        "취미로 자수 같은 거 배워볼까?",
    ],
)
def test_what_is_no_way_of_life_gives_none(said: str) -> None:
    kinds = ("hobby", "habit", "dream", "skill", "exercise")
    assert not {fact for fact in facts(said) if fact[0] == "user" and fact[1] in kinds}
