"""A change of what somebody is, believes, loves or keeps closes what was told before; a look-alike does not."""

import pytest

CHANGED = [
    ("제일 좋아하는 언어는 자바예요", "이젠 코틀린이 제일 좋아요", "favorite.언어", ["코틀린"]),
    ("내 최애 음료는 콜라야", "요즘은 사이다가 제일 좋아", "favorite.음료", ["사이다"]),
    ("나 여친 있다 자랑임", "차임. 오늘부터 다시 혼자임", "relationship_status", ["이별"]),
    ("여자친구 있어 장거리야", "장거리 결국 못 버티고 끝났다", "relationship_status", ["이별"]),
    ("저는 돌싱이에요", "저 재혼했어요", "relationship_status", ["기혼"]),
    ("저 교회 다녀요", "교회 안 나간 지 꽤 됐고 이젠 믿지도 않아요", "religion", []),
    ("나 천주교야", "성당 완전히 끊었어 이제 나 신자 아니야", "religion", []),
    ("박지헌이라고 합니다", "지헌이 아니라 지훈입니다", "name", ["박지훈"]),
    ("내 이름은 김영숙이야", "개명 허가 났어!! 오늘부터 김서윤으로 새 민증 나온다", "name", ["김서윤"]),
    ("나 그냥 토리라고 불러줘", "토리 말고 이제 달님이라고 불러주라", "nickname", ["달님"]),
    ("저를 대장님이라고 불러주세요", "대장님 소리 민망해요 그만 불러주세요", "nickname", []),
    ("나 지금 58kg", "체중계가 61이래", "weight", ["61"]),
    ("몸무게가 78킬로입니다", "오늘 보건소에서 재니 71킬로 나왔습니다", "weight", ["71"]),
    ("키 177입니다", "사실 175입니다", "height", ["175"]),
    ("제 이름은 한유진이에요", "아 성이 한씨가 아니라 함씨예요. 함유진.", "name", ["함유진"]),
    ("저 윤쌤이라고 불러주세요", "윤쌤 소리 들으니까 일하는 기분이에요.. 그냥 서윤이라고 불러줄래요?", "nickname", []),
    ("나 순자 할매라고 불러", "다들 왕언니라 하드만. 너도 왕언니라고 혀", "nickname", ["왕언니"]),
    ("나 쪼꼬미라고 불러죠", "쪼꼬미 그만ㅋㅋ 이제 쓰지 마", "nickname", []),
    ("나는 절에 다녀 부처님 믿어", "이제 나도 예수 믿는 사람이야", "religion", ["기독교"]),
    ("저는 ISFP예요", "어제 검사하니까 ESFP래요", "mbti", ["ESFP"]),
    ("길고양이 데려와서 키워요. 이름은 감자예요", "감자가 무지개다리 건넌 지 벌써 한 달이네요", "pet", []),
    ("집에 금붕어 키워요", "금붕어가 떠난 어항에 이번엔 구피를 들였어요", "pet", ["구피"]),
    ("제 생일은 12월 24일!", "이브가 아니라 크리스마스 당일이 제 생일이에요", "birthday", ["12-25"]),
    ("생일이 2월 28일입니다", "정확히 말씀드리면 2월 29일이 제 생일입니다", "birthday", ["02-29"]),
    ("저는 예순하나예요", "지난주에 예순두 번째 생일상을 받았어요", "age", ["62"]),
    ("나 고양이 키워 이름은 치즈", "치즈 무지개다리 건넜어", "pet", []),
    ("앵무새 키우는데 이름이 짹이야", "창문 열어놨다가 짹이가 날아가버렸어", "pet", []),
    ("토끼 키워", "토끼 할머니댁 마당으로 보냈어", "pet", []),
    ("저희 집에 햄스터 한 마리 있어요", "햄찌 보내고 고슴도치 데려왔어요", "pet", ["고슴도치"]),
]
UNCHANGED = [
    ("나 여친 있어", "여친이랑 방 정리했어", "relationship_status", ["연애중"]),
    ("나 솔로야", "우리 언니 결혼했어", "relationship_status", ["솔로"]),
    ("저 교회 다녀요", "오늘 절에 다녀왔어요", "religion", ["기독교"]),
    ("나 교회 다녀", "교회 앞 빵집 이제 안 가", "religion", ["기독교"]),
    ("내 이름은 김영숙이야", "친구가 개명해서 이제 김서윤이야", "name", ["김영숙"]),
    ("몸무게 58kg야", "다이어트 영상 조회수 77 찍었어", "weight", ["58"]),
    ("몸무게 58kg야", "사실 오늘 혈압 재니까 77 나왔어", "weight", ["58"]),
    ("키 155예요", "책상 높이 재보니까 157이었어요", "height", ["155"]),
    ("제 이름은 한유진이에요", "동생 이름은 한유민인데 다들 잘못 알아요", "name", ["한유진"]),
    ("나 토리라고 불러줘", "토리는 됐고 밥이나 먹자", "nickname", ["토리"]),
    ("내 생일은 5월 12일이야", "내 생일 파티는 5월 20일에 해", "birthday", ["05-12"]),
    ("고양이 키워 이름은 나비", "나비 병원에 보냈어", "pet", ["고양이"]),
    ("강아지 키워", "드라마에서 강아지가 죽었어", "pet", ["강아지"]),
]


def current(mind, attribute):
    facts = mind.facts(attribute=attribute)
    return [fact.value for fact in facts if fact.subject == "user" and fact.polarity == "+"]


@pytest.mark.parametrize(("first", "later", "attribute", "now"), [*CHANGED, *UNCHANGED])
def test_what_was_told_last_is_current(letia, first, later, attribute, now):
    letia.observe(first)
    assert current(letia, attribute)

    letia.observe(later)

    assert current(letia, attribute) == now


def test_thanks_for_a_meal_end_no_aversion(letia):
    letia.observe("오이는 진짜 싫어해", reply="오이는 빼 달라고 할게요.")
    letia.observe("잘 먹었다!")

    assert current(letia, "dislikes") == ["오이"]


def test_a_pets_name_told_wrong_is_put_right(letia):
    letia.observe("강아지 이름은 보리예요")
    letia.observe("우리 강아지 보리 아니고 버리예요")

    assert [name.value for name in letia.facts(about="강아지", attribute="name")] == ["버리"]
    assert current(letia, "pet") == ["강아지"]


def test_of_two_cats_one_is_left(letia):
    letia.observe("고양이 두 마리 키워. 이름은 나비랑 코코야")
    letia.observe("코코가 무지개다리 건넜어")

    assert current(letia, "pet") == ["고양이"]
    names = letia.facts(about="고양이", attribute="name")
    assert [name.value for name in names if name.polarity == "+"] == ["나비"]
