"""What was not said: figures of speech, other people, scenes, and what only looks like a fact."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from gieok.testing import memory
from support.speech import spoken


def read(said: str, *, known: dict[str, str] | None = None) -> list[Claim]:
    turn = spoken(said)
    facts = tuple(memory(key, id=key, attribute=key, value=value) for key, value in (known or {}).items())
    return list(KoreanRules().claims(turn, Scope(user="minsu"), (), Background(mentioned=facts)))


def of_the_user(said: str) -> set[tuple[str | None, str | None]]:
    return {(each.attribute, each.value) for each in read(said) if each.subject == "user" and each.attribute}


@pytest.mark.parametrize(
    "said",
    [
        # felt, not so
        "마음만은 스무 살이지",
        "기분은 재벌이야",
        "체력은 여든이다 진짜",
        "나 방금 거지인 줄",
        "거울 보고 나 쉰 살인 줄",
        # would be
        "이러다 90킬로 되겠네",
        "나 이 정도면 가수 해도 되겠는데",
        "내가 왼손으로 그려도 그거보단 낫겠다",
        # of many
        "아이돌들은 다 키가 175 넘던데",
        "99년생들이 벌써 과장이라니",
        "배우들은 다 50킬로도 안 나가더라",
        # other people by name
        "수빈 생일이 12월 5일이라고 기사 떴어",
        "철수 그놈은 광주 토박이라 입맛이 까다로워",
        "영호는 약대 다니더니 얼굴 보기 힘들어",
        "너의 취미는 나 놀리기지",
        "저 사람 배우인가 봐",
        # scenes
        "내 이름은 장고야! 방금 명대사 어땠어",
        "난 왕이로소이다, 사극 대사 따라해 봤어",
        "게임에서 내 캐릭터 직업이 궁수야",
        # of anybody, of all, of what one is oneself
        "고양이 키우는 건 힘들지",
        "요즘 1위 노래는 아파트야",
        "팟캐스트 1위가 나꼼수네",
        "나는 독자의 심금을 울리는 최고의 작가다",
        "한국 온 지 5년 됐어",
        # neither here nor there
        "카페에서 재즈가 크게 나왔어",
        "회사에 갔는데 에어컨이 미쳤음",
        "과녁 위치에 꽂힘",
        "어제 처음으로 스쿼시 쳐봤는데 힘들더라",
        "카페 알바 시급 얼마야?",
        "누나 한 명 있었으면 좋겠다",
        "너를 내 고양이로 임명한다",
        "목표 같은 거 없어도 살지",
    ],
)
def test_what_is_only_felt_imagined_acted_or_of_others_is_no_fact_of_the_user(said: str) -> None:
    assert of_the_user(said) == set()


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("제가 좋아하는 것 중 하나가 사극이에요", "likes", "사극"),
        ("메뉴 고르라고 하면 내 대답은 오 년째 냉면이야", "favorite.food", "냉면"),
        ("제가 저혈압인 줄 몰랐어요", "medical_condition", "저혈압"),
        ("나 ISTP. 반가워", "mbti", "ISTP"),
        ("저 스물여덟이거든요?", "age", "28"),
    ],
)
def test_a_value_comes_without_what_leads_up_to_it(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in of_the_user(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("고양이 키우는 게 힘들어", "pet", "고양이"),
        ("내 1위 노래는 밤편지야", "favorite.music", "밤편지"),
        ("라면 1위는 신라면이지", "favorite.라면", "신라면"),
        ("서울 온 지 5년 됐어", "residence", "서울"),
        ("썸 끝났다. 어제부터 1일이야", "relationship_status", "연애중"),
        ("오늘부터 1일 1식 한다", "diet", "1일1식"),
    ],
)
def test_what_is_ones_own_is_told_in_nearly_the_same_words(said: str, attribute: str, value: str) -> None:
    assert of_the_user(said) == {(attribute, value)}


def test_nobody_honours_themself() -> None:
    assert of_the_user("고혈압이셔서 짠 음식을 못 드신대") == set()


@pytest.mark.parametrize(
    ("said", "liked", "disliked"),
    [
        ("고수 싫어했는데 태국 다녀와서 완전 빠졌어", ("+", "고수"), ("-", "고수")),
        ("가지 극혐이었는데 요샌 없어서 못 먹어", ("+", "가지"), ("-", "가지")),
        ("홍어 못 먹었는데 이젠 잘 먹어", ("+", "홍어"), ("-", "홍어")),
        ("그렇게 좋아하던 순대인데 이제 질색이야", ("-", "순대"), ("+", "순대")),
        ("치킨 좋아했는데 이제 물렸어", ("-", "치킨"), ("+", "치킨")),
    ],
)
def test_a_taste_that_turned_ends_the_old_one(said: str, liked: tuple[str, str], disliked: tuple[str, str]) -> None:
    tastes = {(each.attribute, each.polarity, each.value) for each in read(said)}
    assert {("likes", *liked), ("dislikes", *disliked)} <= tastes


@pytest.mark.parametrize("said", ["마라탕 싫어했는데 아직도 싫어", "점심 못 먹었는데 저녁은 맛있더라"])
def test_a_taste_that_stayed_has_not_turned(said: str) -> None:
    assert not any(each.attribute == "likes" for each in read(said))


@pytest.mark.parametrize(
    ("said", "attribute", "old", "new"),
    [
        ("인프피 아니고 인티제래 다시 검사했어", "mbti", "INFP", "INTJ"),
        ("enfp 아니고 entp야", "mbti", "ENFP", "ENTP"),
        ("스물다섯이라고 했는데 사실 스물여섯이야", "age", "25", "26"),
        ("에이형 아니고 오형이야", "blood_type", "A", "O"),
        ("3/15 아니고 3/16이야 생일", "birthday", "03-15", "03-16"),
        ("AB는 언니고 나는 O야", "blood_type", "AB", "O"),
    ],
)
def test_a_known_value_is_recognised_in_other_words(said: str, attribute: str, old: str, new: str) -> None:
    changed = read(said, known={attribute: old})
    assert (attribute, new, old) in {(each.attribute, each.value, each.instead_of) for each in changed}


@pytest.mark.parametrize("said", ["우리 이제 말 놓을까?", "우리 말 놨어", "우리 새 집 좋지?", "우리 양이 너무 많다"])
def test_a_word_that_only_sounds_like_an_animal_is_no_pet(said: str) -> None:
    assert "pet" not in {claim.attribute for claim in read(said)}


def test_an_animal_of_such_a_name_can_still_be_kept() -> None:
    assert ("pet", "말") in {(claim.attribute, claim.value) for claim in read("나 말 키워")}


@pytest.mark.parametrize("said", ["오늘 정말 고마웠어! 덕분에 살았다", "고마웠어! 네 덕에 살았어", "난 추억에 살아"])
def test_nobody_lives_in_what_is_no_place(said: str) -> None:
    assert of_the_user(said) == set()
