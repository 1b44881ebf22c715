"""Names behind a description, names of one's people, cautions as a reason, results from hearsay, moves at work."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day

_NAMING = ("name", "nickname")


def read(text: str, asked: str = "") -> list[tuple[str, str | None, str | None]]:
    said = Utterance(id="u", turn_id="t", speaker="user", text=text, at=day(1), position=0)
    before = (Utterance(id="b", turn_id="b", speaker="character", text=asked, at=day(1), position=0),) if asked else ()
    turn = Turn(id="t", utterances=(said,), at=day(1), recorded_at=day(1))
    claims = KoreanRules().claims(turn, Scope(user="minsu", character="letia"), before)
    return [(claim.subject_id, claim.attribute, claim.value) for claim in claims if claim.polarity == "+"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("안녕하세요, 이번에 마케팅팀으로 입사한 서지훈입니다", "서지훈"),
        ("아랫집에 새로 이사 온 강민주예요. 잘 부탁드려요", "강민주"),
        ("도서관에서 사서로 일하는 윤채원이라고 해요", "윤채원"),
        ("네 여보세요, 총무과 이정호입니다", "이정호"),
        ("음 저기, 어제 전화드렸던 최다은인데요", "최다은"),
        ("동아리에서 기타 치는 한지민이라고 합니다", "한지민"),
        ("이번 학기부터 같이 수업 듣게 된 배수현이야 잘 부탁해", "배수현"),
        ("아 맞다 인사가 늦었네, 영업부 신입 조은서라고 해", "조은서"),
        ("방송국에서 피디로 일하는 신유나예요", "신유나"),
        ("회계팀 남도현이에요", "남도현"),
    ],
)
def test_a_name_behind_what_one_is_or_does_is_the_speakers(text: str, name: str) -> None:
    assert ("user", "name", name) in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "쟤는 옆 팀에 새로 온 김태현입니다",
        "이쪽은 저희 팀 막내 이수빈이에요",
        "저 사람이 이번에 입사한 서지훈이야?",
        "옆 팀 팀장이 강민주예요",
        "그 노래 부른 가수 윤하예요",
        "요즘 뜨는 배우 정해인이야",
        "담당자는 총무과 이정호입니다",
        "나한테 전화한 최다은이래",
        "오늘 1등은 영업부 조은서입니다",
        "전화 온 거 기획팀 박소연이에요",
        "어제 같이 밥 먹은 정유진이에요",
        "어제 전화 온 최다은이에요",
        "아 그 전학 온 강민주예요",
        "오늘의 게스트, 부산에서 올라온 정유진입니다",
        "새 대표로 온 김태현이에요 뉴스 봤어요?",
        "옆 팀에 새로 온 서지훈이면 좋겠다",
        "기획팀 팀장입니다",
        "카페에서 일하는 바리스타예요",
    ],
)
def test_anothers_name_and_what_is_no_name_are_not_the_speakers(text: str) -> None:
    assert not [claim for claim in read(text) if claim[0] == "user" and claim[1] in _NAMING]


def test_who_came_is_not_who_speaks() -> None:
    assert ("user", "name", "김태현") not in read("옆 팀에 새로 온 김태현이에요", asked="아까 누가 왔어?")
    assert ("user", "name", "김태현") in read("옆 팀에 새로 온 김태현이에요", asked="누구세요?")


@pytest.mark.parametrize(
    ("text", "who", "name"),
    [
        ("우리 아들놈 도윤이가 어제 열이 펄펄 끓었어", "아들", "도윤"),
        ("요즘 딸내미 서아가 자꾸 안아 달래", "딸", "서아"),
        ("우리 막내 하준이는 아직 기저귀를 못 뗐어요", "막내", "하준"),
        ("우리 집 큰애 지우가 이번에 중학교 들어가", "큰애", "지우"),
        ("말 안 듣는 조카 녀석 민재가 놀러 왔어", "조카", "민재"),
        ("조카 꼬맹이 시우한테 세뱃돈 줬어", "조카", "시우"),
        ("둘째 녀석 이름이 은우인데 잠을 안 자요", "둘째", "은우"),
        ("막내딸 예린이 때문에 웃고 살지 뭐", "막내딸", "예린"),
        ("작은애는 이름이 다온이에요", "작은애", "다온"),
        ("막내 이름은 하준이야", "막내", "하준"),
        ("우리 고양이 녀석 치즈가 또 커튼을 뜯었어", "고양이", "치즈"),
    ],
)
def test_the_name_of_ones_own_people_is_theirs(text: str, who: str, name: str) -> None:
    names = [claim for claim in read(text) if claim[1] == "name"]
    assert names == [(who, "name", name)]


@pytest.mark.parametrize(
    "text",
    [
        "친구 딸 서아가 아파",
        "언니네 막내 하준이가 왔어",
        "걔 동생 준혁이가 아프대",
        "친구가 낳은 딸 서아가 예뻐",
        "아들 이름 도윤이로 지을까?",
        "나중에 딸 낳으면 이름은 서아로 짓고 싶어",
        "드라마에서 막내아들 이름이 진도준이잖아",
        "우리 딸 유나 팬이야",
        "동생 지원 사업 떨어졌대",
        "막내 서울 보냈어",
        "조카 선물 뭐가 좋을까",
    ],
)
def test_other_peoples_people_and_what_is_no_name_are_not_named(text: str) -> None:
    assert not [claim for claim in read(text) if claim[1] == "name"]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("나 복숭아 알레르기 때문에 그 젤리는 못 먹어", "allergy", "복숭아"),
        ("갑각류 알레르기 때문에 해물탕은 못 먹어요", "allergy", "갑각류"),
        ("저는 견과류 알레르기라 그 과자는 좀 어려워요", "allergy", "견과류"),
        ("땅콩 알러지 땜에 땅콩버터는 입에도 못 대", "allergy", "땅콩"),
        ("우유가 안 받아서 라떼는 두유로 바꿔 마셔", "contraindication", "우유"),
        ("카페인이 안 받는 체질이라 커피는 디카페인만 마셔요", "contraindication", "카페인"),
        ("돼지고기가 몸에 안 맞아서 안 먹어요", "contraindication", "돼지고기"),
        ("혈압 때문에 약 먹고 있어", "medication", "혈압약"),
        ("건강검진 결과 나왔는데 지방간이래요", "medical_condition", "지방간"),
    ],
)
def test_a_caution_is_read_where_it_is_only_the_reason(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "동료가 갑각류 알레르기 때문에 회식을 못 와",
        "우리 애가 계란만 먹으면 두드러기 나",
        "엄마는 우유가 안 받아서 두유만 드셔",
        "오늘따라 술이 안 받네",
        "사진이 잘 안 받아서 속상해",
        "전화를 안 받아서 걱정했어",
        "이 음식은 입에 안 맞아서 못 먹겠어",
        "유제품이 안 받으면 두유 마셔",
        "엄마가 혈압 때문에 약 드셔",
        "저 가수 ADHD래",
        "월요일 알레르기라 출근하기 싫다",
    ],
)
def test_what_others_cannot_take_and_what_passes_is_no_caution_of_the_speaker(text: str) -> None:
    cautions = ("allergy", "contraindication", "medication", "medical_condition")
    assert not [claim for claim in read(text) if claim[0] == "user" and claim[1] in cautions]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("저 INTP래요", "mbti", "INTP"),
        ("나 결국 ENFP라더라", "mbti", "ENFP"),
        ("나 AB형이래 헌혈하다 처음 알았어", "blood_type", "AB"),
        ("저 사실 A형이라네요", "blood_type", "A"),
    ],
)
def test_what_one_hears_of_oneself_was_found_out(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in read(text)


@pytest.mark.parametrize(
    "text",
    ["저 사람 ESTJ래", "저 언니 A형이래", "애들이 나 ENFP래", "친구가 나보고 INFP래", "나 A형이래?", "나 ENTP 같대"],
)
def test_what_is_heard_of_others_or_only_thought_of_one_is_not(text: str) -> None:
    assert not [claim for claim in read(text) if claim[0] == "user" and claim[1] in ("mbti", "blood_type")]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("저 경영학과로 옮겼어요", "major", "경영학과"),
        ("지난달에 통계학과로 전과해서 요즘 정신없어", "major", "통계학과"),
        ("부서 옮겨서 이제 인사팀이야", "workplace", "인사팀"),
        ("구매팀으로 발령받았습니다", "workplace", "구매팀"),
        ("기획팀으로 발령이 났어", "workplace", "기획팀"),
        ("저 이번에 생산관리팀으로 이동했어요", "workplace", "생산관리팀"),
    ],
)
def test_a_move_within_work_or_school_is_read(text: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in read(text)


@pytest.mark.parametrize(
    "text",
    [
        "내년에 홍보팀으로 옮기고 싶어",
        "기획팀으로 옮길까",
        "만약 홍보팀으로 발령나면 어떡하지",
        "홍보팀으로 안 옮겼어",
        "자료를 개발팀으로 이동했어",
        "짐을 창고로 옮겼어",
        "팀 옮겨서 이제 두산이야",
        "동생이 영업팀으로 발령났어",
        "안과로 옮겼어",
    ],
)
def test_what_is_wished_for_denied_or_carried_is_no_move(text: str) -> None:
    assert not [claim for claim in read(text) if claim[0] == "user" and claim[1] in ("workplace", "major", "job")]
