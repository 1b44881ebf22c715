"""What stands of what was read: somebody else's, taken back, long over, still ahead, supposed or said with a wink."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day

SCOPE = Scope(user="minsu", character="letia")


def read(said: str, *, speaker: str = "user", told: str = "") -> list[Claim]:
    utterance = Utterance(id="u", turn_id="t", speaker=speaker, text=said, at=day(1), position=0)
    other = "character" if speaker == "user" else "user"
    before = Utterance(id="b", turn_id="b", speaker=other, text=told, at=day(1), position=0)
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, SCOPE, (before,) if told else ()))


def so_of(said: str, subject: str = "user") -> list[tuple[str | None, str | None]]:
    return [
        (claim.attribute, claim.value)
        for claim in read(said)
        if claim.subject_id == subject
        and claim.attribute
        and (claim.polarity, claim.act, claim.invalid_at) in (("+", "assert", None), ("+", "prefer", None))
    ]


@pytest.mark.parametrize(
    ("said", "who", "attribute", "value"),
    [
        ("소대장이 고양이 알레르기 있어서 취사장에 고양이 못 들어와", "소대장", "allergy", "고양이"),
        ("새로 온 신입이 03년생이라 내가 다 늙은 기분이야", "신입", "birth_year", "2003"),
        ("우리 부장님 채식하셔서 회식이 늘 샐러드집", "부장님", "diet", "채식"),
        ("친정엄마가 고혈압이라 짠 걸 못 드셔", "친정엄마", "medical_condition", "고혈압"),
        ("선임이 땅콩 알레르기라 부대 빵이 바뀌었어", "선임", "allergy", "땅콩"),
        ("시할머니가 독실한 불교 신자셔서 절에 모시고 갔어요", "시할머니", "religion", "불교"),
        ("하늘이 생일이 6월 9일이라 선물 샀어", "하늘", "birthday", "06-09"),
        ("보라 생일이 3월 14일이야", "보라", "birthday", "03-14"),
    ],
)
def test_whoever_is_spoken_of_by_kin_post_or_name_keeps_their_fact(
    said: str, who: str, attribute: str, value: str
) -> None:
    assert (attribute, value) in so_of(said, who)
    assert attribute not in {key for key, _ in so_of(said)}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("저는 팀장이에요", "job", "팀장"),
        ("간호사가 꿈이야", "dream", "간호사"),
        ("부장님이 시켜서 골프 시작했는데 이제 취미가 됐어", "exercise", "골프"),
        ("한의사가 보약 먹으래서 한약 먹는 중이야", "medication", "한약"),
        ("어릴 때 물린 뒤로 뱀이 무서워졌어 지금도 그래", "phobia", "뱀"),
        ("저는 성당 다니는 사람이에요", "religion", "천주교"),
        ("어릴 때부터 복숭아 알레르기 있어", "allergy", "복숭아"),
        ("다음 주에 이사 가요 지금은 수원 살아요", "residence", "수원"),
        ("땅콩 알레르기 있다고 한 거 기억하지?", "allergy", "땅콩"),
        ("어릴 땐 오이 싫어했는데 지금은 잘 먹어", "likes", "오이"),
    ],
)
def test_what_is_ones_own_and_so_now_stands(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in so_of(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("아까 B형이라 한 거 잘못 알았어 O형이야", "blood_type", "B"),
        ("왼손잡이라 했잖아 그거 거짓말이었어", "handedness", "왼손잡이"),
        ("부산 산다고 했는데 지금은 김해야", "residence", "부산"),
        ("채식한다던 거 일주일 만에 포기했어", "diet", "채식"),
    ],
)
def test_what_the_speaker_once_said_and_puts_right_is_taken_back(said: str, attribute: str, value: str) -> None:
    assert (attribute, value, "retract") in {(each.attribute, each.value, each.act) for each in read(said)}


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("대학 때 카페 알바했었지", "part_time_job"),
        ("어릴 땐 새우 알레르기 있었는데 지금은 없어서 못 먹어", "allergy"),
        ("내일부터 헬스 다닌다", "exercise"),
        ("내년엔 꼭 피아노 배운다", "skill"),
        ("오늘따라 커피가 싫다", "dislikes"),
        ("지금 이 순간은 집이 제일 좋다", "likes"),
    ],
)
def test_what_is_over_ahead_or_only_for_the_moment_is_not_so_now(said: str, attribute: str) -> None:
    assert attribute not in {key for key, _ in so_of(said)}


@pytest.mark.parametrize(
    "said",
    [
        "7월 3일생이면 무슨 자리지",
        "독일 국적 따려면 얼마나 걸려",
        "서울대 나온 사람은 다 저래",
        "판교 사는 사람들은 뭐 먹고 사나",
        "소심한 성격이었으면 못 했을 텐데",
        "당뇨 있으면 이거 먹으면 안 된대",
        "타로 봤는데 나 내년에 이직한대",
        "구글에 검색하니까 갑상선암이래",
        "옆 팀 과장 다음 달에 결혼한다는 소문 들었어",
        "현수막에 010-2222-3333 적혀 있던데 뭐지",
        "010-9999-8888로 전화 달라고 하시네",
        "나 B형 간염 주사 맞았어",
        "*잔을 들며* 나는 포도주를 사랑하네, 공작이 말했다",
        "이번 연극 극중에서 제가 간암 환자예요",
    ],
)
def test_what_is_supposed_foretold_posted_or_narrated_is_nobodys_fact(said: str) -> None:
    assert not {key for key, _ in so_of(said)} - {"vaccination"}


@pytest.mark.parametrize(
    "said", ["내 종교는 떡볶이야", "취미는 숨쉬기예요", "제 최애 음식은 욕입니다 매일 먹어요", "내 특기는 눕기"]
)
def test_what_is_said_with_a_wink_is_no_value(said: str) -> None:
    assert so_of(said) == []


def test_what_the_character_concludes_of_the_user_is_not_its_own() -> None:
    said = "아 그럼 전주에 사는 거네! 비빔밥 먹어야지"
    assert not [claim for claim in read(said, speaker="character", told="나 요즘 전주 내려와 있어") if claim.attribute]


@pytest.mark.parametrize("said", ["넌 바다가 좋아 산이 좋아", "너 학생이야 직장인이야?"])
def test_one_of_two_that_the_other_is_asked_is_not_told(said: str) -> None:
    assert [claim for claim in read(said) if claim.attribute] == []
