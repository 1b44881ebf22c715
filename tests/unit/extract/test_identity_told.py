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
        ("위로 오빠가 둘 있어", "gender"),
        ("배달 뛰는 사람들 대단해", "job"),
        ("독일 여권이 제일 세다며", "nationality"),
    ],
)
def test_what_only_looks_like_it_is_not_taken(text: str, attribute: str) -> None:
    assert attribute not in {known for known, _ in read(text)}
