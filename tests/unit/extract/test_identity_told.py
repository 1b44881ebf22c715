"""Who somebody is, in whatever words: reckoned, read out, in passing, in answer; and what only looks like it."""

from __future__ import annotations

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day


def read(text: str, asked: str = "") -> list[tuple[str | None, str | None]]:
    said = Utterance(id="u", turn_id="t", speaker="user", text=text, at=day(1), position=0)
    before = (Utterance(id="b", turn_id="b", speaker="character", text=asked, at=day(1), position=0),) if asked else ()
    turn = Turn(id="t", utterances=(said,), at=day(1), recorded_at=day(1))
    claims = KoreanRules().claims(turn, Scope(user="minsu"), before)
    return [(claim.attribute, claim.value) for claim in claims if claim.subject == "user" and claim.polarity == "+"]


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("스물다섯에 결혼해서 벌써 20년 됐네", "age", "45"),
        ("해만 바뀌면 스무 살이다", "age", "19"),
        ("92년생 동생이랑 두 살 차이, 내가 위", "birth_year", "1990"),
        ("기준이 165인데 1센티 부족해서 탈락", "height", "164"),
        ("60이었는데 5키로 뺐어", "weight", "55"),
        ("얼마나 먹었으면 체중계가 61이래", "weight", "61"),
        ("77 찍었다 벌크업 성공ㅋㅋ", "weight", "77"),
        ("건강검진에서 정확히 재보니까 157.2였어요", "height", "157.2"),
        ("지난주에 예순두 번째 생일상을 받았어요", "age", "62"),
    ],
)
def test_a_figure_is_reckoned_from_what_is_told(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(text)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("병원에서 '한서진 환자분' 하길래 일어났지", "name", "한서진"),
        ("아버지가 지어주신 도윤이라는 이름이 전 좋아요", "name", "도윤"),
        ("제이름 조민혁이에요", "name", "조민혁"),
        ("디코 닉은 곰탱이 써", "nickname", "곰탱이"),
        ("어릴 때부터 도토리야 도토리야 하고 불렀어 다들", "nickname", "도토리"),
        ("참새! 그게 내 별명임", "nickname", "참새"),
        ("나 정윤아라고 윤.아", "name", "정윤아"),
        ("법원에서 개명 확정됐다고 연락 왔어요. 이제 이하은으로 살아요", "name", "이하은"),
        ("민재 아니고 민제야. 최민제", "name", "최민제"),
        ("이제 달님이라고 불러주라", "nickname", "달님"),
        ("여기선 쭌이라고 해줘", "nickname", "쭌"),
        ("걍 형이라 불러", "nickname", "형"),
        ("회사에서 쓰는 제이슨으로 불러줘", "nickname", "제이슨"),
    ],
)
def test_a_name_is_known_by_where_it_stands(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(text)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("호적엔 12월 1일인데 진짜 생일은 11월 23일이야", "birthday", "11-23"),
        ("딸 하나 키우는 엄마예요", "gender", "여성"),
        ("나 오빠 아니고 언니야", "gender", "여성"),
        ("우리 반에 왼손잡이는 나밖에 없어", "handedness", "왼손잡이"),
        ("오른손 다쳐서 젓가락질을 못 하겠어", "handedness", "오른손잡이"),
        ("제 여권이 몽골 거라 줄이 길어요", "nationality", "몽골"),
        ("종교 란에는 힌두교라고 써요", "religion", "힌두교"),
        ("나 혈액형 O ㅋㅋ", "blood_type", "O"),
        ("정식 검사 돈 내고 받았더니 INFJ래", "mbti", "INFJ"),
        ("T인 줄 알았는데 검사지에 ISFP라고 딱 뜸", "mbti", "ISFP"),
        ("이제 집에서도 양력 9월 15일로 생일 챙기기로 했어요", "birthday", "09-15"),
        ("아내 따라 교회에 등록했습니다", "religion", "기독교"),
        ("INFJ 말고 ISFJ!", "mbti", "ISFJ"),
        ("체중계 올라갔더니 72 나왔어", "weight", "72"),
        ("제가 다니고 있는 법무법인 태산은 조용해요", "workplace", "법무법인 태산"),
        ("만화콘텐츠과임", "major", "만화콘텐츠"),
        ("밀양 시골이 제 고향입니다", "hometown", "밀양"),
        ("대구 집 정리하고 구미로 옮겼어", "residence", "구미"),
    ],
)
def test_what_one_is_shows_in_passing(text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(text)


@pytest.mark.parametrize(
    ("asked", "text", "attribute", "value"),
    [
        ("어느 손잡이야?", "왼손", "handedness", "왼손잡이"),
        ("무슨 과야?", "독문과요.. 어렵다고 하지 마세요", "major", "독문과"),
        ("어느 나라 사람이에요?", "몽골이요", "nationality", "몽골"),
        ("직장이 어디예요?", "직장이요? 강남세무서예요", "workplace", "강남세무서"),
        ("저는 91년생이에요!", "오 저랑 동갑이네요", "birth_year", "1991"),
    ],
)
def test_an_answer_is_read_with_its_question(asked: str, text: str, attribute: str, value: str) -> None:
    assert any(
        known == attribute and said is not None and (said in value or value in said)
        for known, said in read(text, asked)
    )


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("마음만은 스물둘이지", "age"),
        ("계단 오르는데 나 아흔 살인 줄", "age"),
        ("아이돌들은 다 키가 165 넘던데", "height"),
        ("이러다 90킬로 찍겠네", "weight"),
        ("지훈 생일이 4월 2일이라고 떴더라", "birthday"),
        ("민준이는 왼손으로 밥 먹더라", "handedness"),
        ("내 이름은 홍길동이다! 이거 성대모사 어때", "name"),
        ("언니 하나 있었으면 좋겠다", "family"),
        ("며느리가 시어머니한테 대드는 드라마 봤어", "family"),
        ("입사 2년 차 막내입니다", "family"),
        ("아는 오빠가 둘 있어", "gender"),
        ("배달 뛰는 사람들 대단해", "job"),
        ("독일 여권이 제일 세다며", "nationality"),
        ("남친은 검사 받았더니 INFJ래", "mbti"),
        ("오늘 절에 다녀왔어요", "religion"),
        ("인바디 점수 77 나왔어", "weight"),
        ("혈압 재보니까 157이었어요", "height"),
        ("서른 번째 생일엔 뭐 하지", "age"),
        ("개명하면 김서윤으로 할까", "name"),
        ("이제 달님이라고 불러주라", "name"),
        ("애들이 나를 이모라 불러", "nickname"),
    ],
)
def test_what_only_looks_like_it_is_not_taken(text: str, attribute: str) -> None:
    assert attribute not in {known for known, _ in read(text)}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("저 여자예요", [("gender", "여성")]),
        ("편의점에서 일하는 스물둘 여자예요", [("gender", "여성"), ("age", "22")]),
        ("부산 서면에서 네일샵 하는 스물여섯 사장입니당", [("age", "26"), ("job", "사장")]),
        ("올해 서른다섯 된 아저씨입니다", [("gender", "남성"), ("age", "35")]),
        ("중3 남학생입니다", [("gender", "남성")]),
        ("남고딩임", [("gender", "남성")]),
        ("나 유부남이야", [("gender", "남성"), ("relationship_status", "기혼")]),
        ("싱글맘이라 혼자 애 키워요", [("gender", "여성")]),
        ("만으로 스물여덟", [("age", "28")]),
        ("168에 52키로야", [("height", "168"), ("weight", "52")]),
        ("160에 48", [("height", "160"), ("weight", "48")]),
        ("음력 칠월 칠석이 생일이에요", [("birthday", "07-07")]),
    ],
)
def test_who_introduces_themself_tells_several_things_at_once(text: str, facts: list[tuple[str, str]]) -> None:
    assert set(facts) <= set(read(text))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("언니 둘 오빠 하나 있어요", [("family", "언니 2명"), ("family", "오빠 1명")]),
        ("남동생이랑 여동생 있어", [("family", "남동생"), ("family", "여동생")]),
        ("초등학생 아들, 다섯 살 딸 있어요", [("family", "아들"), ("family", "딸")]),
        ("형 하나 동생 하나", [("family", "형 1명"), ("family", "동생 1명")]),
        ("딸 하나 아들 하나예요", [("family", "딸 1명"), ("family", "아들 1명")]),
        ("누나 둘에 막내예요", [("family", "누나 2명"), ("family", "막내")]),
        ("쌍둥이 형이 있는데 하나도 안 닮음", [("family", "쌍둥이 형")]),
        ("7살, 5살 두 딸 키우고 있어요", [("family", "딸 2명")]),
        ("형제는 남동생 하나요", [("family", "남동생 1명")]),
        ("삼형제 중 둘째", [("family", "삼형제"), ("family", "둘째"), ("gender", "남성")]),
        ("두 아이 아빠예요", [("family", "자녀 2명"), ("gender", "남성")]),
        ("딸 키우는 엄마예요", [("family", "딸"), ("gender", "여성")]),
        ("삼 남매 엄마", [("family", "자녀 3명"), ("gender", "여성")]),
        ("손주 보는 할머니예요", [("family", "손주"), ("gender", "여성")]),
        ("애 둘 키우는 싱글맘입니다", [("family", "자녀 2명"), ("gender", "여성")]),
    ],
)
def test_a_family_is_counted_up(text: str, facts: list[tuple[str, str]]) -> None:
    assert set(facts) <= set(read(text))


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("위로 오빠가 둘 있어", "여성"),
        ("우리 누나 결혼해", "남성"),
        ("형부가 차 태워줬어요", "여성"),
        ("처남이 군대 갔어요", "남성"),
        ("우리 남편은 요리를 잘해요", "여성"),
        ("처가가 광주라 자주 못 가요", "남성"),
    ],
)
def test_ones_own_people_tell_whether_one_is_a_woman_or_a_man(text: str, gender: str) -> None:
    assert ("gender", gender) in read(text)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("저 여자예요?", "gender"),
        ("그 의사 여자예요", "gender"),
        ("오빠 나 배고파", "gender"),
        ("언니라고 불러도 돼요?", "gender"),
        ("길에서 만난 여중생이 도와줬어", "gender"),
        ("드라마에서 시어머니가 너무해", "gender"),
        ("남편 노릇 하기 힘들다", "gender"),
        ("너 남편 코골이가 너무 심해", "family"),
        ("딸 키우는 엄마들 부럽다", "family"),
        ("친구는 형이 셋이래", "family"),
        ("필요한 애가 있어서", "family"),
        ("세 자매 중에 고르라면", "family"),
        ("팀장님은 두 아이 아빠예요", "gender"),
        ("손님이 스물둘이나 왔어", "age"),
        ("카페 하는 서른넷 남자를 만났어", "age"),
        ("보증금 500에 45", "weight"),
        ("월세 150에 45만원이에요", "height"),
    ],
)
def test_somebody_elses_people_tell_nothing(text: str, attribute: str) -> None:
    assert attribute not in {known for known, _ in read(text)}


@pytest.mark.parametrize(
    ("asked", "text", "attribute", "value"),
    [
        ("여자야 남자야?", "여자요", "gender", "여성"),
        ("여친 있어?", "없어", "relationship_status", "솔로"),
        ("애인 있어?", "있어", "relationship_status", "연애중"),
    ],
)
def test_a_word_answers_who_one_is(asked: str, text: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(text, asked)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("애인 없어요", "솔로"),
        ("남친이랑 헤어진 지 한 달 됐어", "이별"),
        ("여친이랑 안 헤어졌어", "연애중"),
    ],
)
def test_love_is_told_by_who_is_there(text: str, status: str) -> None:
    assert [value for known, value in read(text) if known == "relationship_status"] == [status]
