"""Tastes: what somebody likes best, likes, and cannot stand, however it is put."""

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
        ("김치만두가 내 최애야", "favorite.food", "김치만두"),
        ("제 인생 영화는 그린북입니다", "favorite.movie", "그린북"),
        ("인생겜은 포켓몬이지", "favorite.game", "포켓몬"),
        ("내가 제일 좋아하는 색이 라일락이야", "favorite.color", "라일락"),
        ("라일락이지, 내가 제일 좋아하는 색은", "favorite.color", "라일락"),
        ("좋아해요 겨울, 눈이 오니까", "favorite.season", "겨울"),
        ("사계절 중에 늦가을을 으뜸으로 쳐", "favorite.season", "늦가을"),
        ("위대한 유산만 한 책이 없어", "favorite.book", "위대한 유산"),
        ("갈비탕을 이길 음식이 없지", "favorite.food", "갈비탕"),
        ("감자탕 하나면 돼", "favorite.food", "감자탕"),
        ("제가 제일 좋아하는 영화는 '봄날의 햇살'이에요", "favorite.movie", "봄날의 햇살"),
    ],
)
def test_a_favourite_is_read_by_label_by_praise_and_by_choice(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("미나리부터 찾게 돼요, 제 소울푸드예요", "favorite.food", "미나리"),
        ("우울할 때면 그린북을 틀어놔, 내 인생작이거든", "favorite.movie", "그린북"),
        ("월든을 하도 읽어서 표지가 너덜너덜해, 그 책을 제일 아껴서", "favorite.book", "월든"),
    ],
)
def test_praise_may_be_meant_for_a_thing_of_another_clause(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("재즈에 푹 빠졌어", "favorite.music", "재즈"),
        ("파란색만 입어", "favorite.color", "파란색"),
        ("옷장이 온통 회색이야", "favorite.color", "회색"),
        ("나는 국악만 들어", "favorite.music", "국악"),
        ("호러 영화라면 사족을 못 써", "likes", "호러 영화"),
        ("라떼는 한여름에도 못 끊어", "likes", "라떼"),
        ("번데기 얘기만 나와도 인상 써져", "dislikes", "번데기"),
        ("오징어 좋아하는 사람 이해 불가", "dislikes", "오징어"),
        ("시끄러운 카페는 질색이야", "dislikes", "시끄러운 카페"),
        ("마늘은 냄새도 맡기 싫어", "dislikes", "마늘"),
        ("줄넘기하는 거 싫어해", "dislikes", "줄넘기하는 거"),
    ],
)
def test_what_somebody_does_tells_what_they_like(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("나 매운 거 못 먹어", "매운 거"),
        ("난 느끼한 건 잘 못 먹어", "느끼한 거"),
        ("나 오이 못 먹어", "오이"),
        ("저는 짠 음식을 못 먹어요", "짠 음식"),
        ("나 생선 못 먹어", "생선"),
        ("저 우유를 못 마셔요", "우유"),
    ],
)
def test_what_somebody_cannot_eat_may_be_known_by_its_taste_alone(said: str, value: str) -> None:
    assert ("user", "dislikes", value) in facts(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("약속 늦는 사람 딱 질색", "dislikes", "약속 늦는 사람"),
        ("약속 시간 안 지키는 사람 진짜 싫어", "dislikes", "약속 시간 안 지키는 사람"),
        ("거짓말하는 사람은 못 참아", "dislikes", "거짓말하는 사람"),
        ("난 추운 거 못 참아", "dislikes", "추운 거"),
        ("비 오는 날 싫어요", "dislikes", "비 오는 날"),
        ("오징어젓은 별로", "dislikes", "오징어젓"),
        ("운동이라면 딱 질색이에요", "dislikes", "운동"),
        ("공포영화는 사절합니다", "dislikes", "공포영화"),
        ("고수? 난 절대 안 먹어", "dislikes", "고수"),
        ("홍어랑 과메기는 죽어도 못 먹겠어요", "dislikes", "홍어"),
        ("거미는 사진도 못 봐", "phobia", "거미"),
        ("뱀은 사진도 못 봅니다. 공포증이에요", "phobia", "뱀"),
        ("뱀은 진짜 안 돼, 기절해", "phobia", "뱀"),
        ("고양이? 완전 좋아하지", "likes", "고양이"),
        ("책 냄새 좋아해요", "likes", "책 냄새"),
        ("혼자 있는 시간이 좋아요", "likes", "혼자 있는 시간"),
        ("저는 통바지파", "likes", "통바지"),
        ("부먹파입니다", "likes", "부먹"),
        ("로코보다 스릴러", "likes", "스릴러"),
        ("치킨 vs 피자? 난 치킨", "likes", "치킨"),
        ("짜장 짬뽕 중엔 짬뽕", "likes", "짬뽕"),
        ("술은 막걸리가 제일이죠", "favorite.술", "막걸리"),
        ("디저트 중에 크렘브륄레가 제일 좋아", "favorite.food", "크렘브륄레"),
        ("국악 중에선 수제천이 제일이라", "favorite.music", "수제천"),
        ("한식 중에선 김치찜이 최고라고 생각합니다", "favorite.food", "김치찜"),
        ("오뎅은 진짜 못 참지", "favorite.food", "오뎅"),
    ],
)
def test_a_taste_is_told_in_few_words(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "아는 사람이 싫어해",
        "나를 싫어하는 사람은 못 참아",
        "줄 서다 하루 다 가는 거 못 참음",
        "그 드라마는 별로",
        "맛은 별로",
        "빵은 사양할게요",
        "선물은 사양할게요",
        "지금은 게임 사양할게요",
        "거미는 못 봤어",
        "뭐? 극혐",
        "저녁? 안 먹어",
        "노력파예요",
        "한파다",
        "반민초파예요",
        "동생은 찍먹파야",
        "말보다 행동",
        "어제보다 오늘",
        "치킨 vs 피자?",
        "돈 없이는 못 살아",
        "눈이 녹내장이라 안약 없인 못 산다",
        "서비스는 여기가 최고",
    ],
)
def test_few_words_about_something_else_are_no_taste(said: str) -> None:
    kinds = ("favorite.", "likes", "dislikes", "phobia")
    assert not {fact for fact in facts(said) if fact[0] == "user" and (fact[1] or "").startswith(kinds)}


def test_things_named_together_are_liked_together() -> None:
    assert facts("나는 국화랑 장미를 좋아해") == {("user", "likes", "국화"), ("user", "likes", "장미")}
    assert facts("홍차와 녹차를 좋아합니다") == {("user", "likes", "홍차"), ("user", "likes", "녹차")}
    assert ("user", "likes", "오만과 편견") in facts("오만과 편견 좋아해")


def test_the_taste_of_others_is_theirs() -> None:
    assert facts("엄마 최애가 트로트야") == {("엄마", "favorite.music", "트로트")}
    assert ("user", "favorite.color", "노란색") not in facts("딸내미가 노란색을 제일 좋아해서 다 노란색이에요")


@pytest.mark.parametrize(
    "said",
    [
        "야근 사랑해^^",
        "월요일 너무 좋아",
        "구성품도 좋네요",
        "속이 안 좋아",
        "마카롱이 최애인 건 아니고 그냥 먹는 정도야",
        "역시 날씨가 최고야",
        "짝남이 나를 좋아해",
        "출근하기 싫어",
    ],
)
def test_what_is_no_taste_gives_none(said: str) -> None:
    assert not {fact for fact in facts(said) if (fact[1] or "").startswith(("favorite.", "likes", "dislikes"))}


@pytest.mark.parametrize("said", ["안녕", "안녕하세요!", "그냥 그래", "고마워"])
def test_who_is_asked_about_a_taste_and_greets_has_named_none(said: str) -> None:
    asked = spoken("땅콩 알레르기가 있다고 했었죠?", speaker="character").utterances
    assert not KoreanRules().claims(spoken(said), SCOPE, asked)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("나는 고기를 못 먹어", {("user", "diet", "고기 제외")}),
        ("기쁜 소식이에요", set()),
        ("나 라면 좋아해", {("user", "likes", "라면")}),
        ("나라면 안 갔어", set()),
        ("나비는 신부전이라 짠 거 먹으면 안 돼", {("나비", "medical_condition", "신부전")}),
        ("무릎은 관절염이야", {("user", "medical_condition", "관절염")}),
        ("커피 안 마셔", set()),
        ("내 친구 직업이 소방관이야", {("친구", "job", "소방관")}),
        ("내 동생 이름이 지수야", {("동생", "name", "지수")}),
        ("아는 사람이 있는데 직업이 소방관이야", {("아는 사람", "job", "소방관")}),
        ("친한 형이 있는데 이름이 민호야", {("형", "name", "민호")}),
    ],
)
def test_what_was_said_is_not_turned_around_nor_given_to_somebody_else(
    said: str, told: set[tuple[str, str | None, str | None]]
) -> None:
    assert {(whom, attribute, value) for whom, attribute, value in facts(said) if attribute} == told


@pytest.mark.parametrize("said", ["어릴 때 강에 빠졌거든", "수영장에 빠져서 죽을 뻔했어", "동생이랑 호수에 빠졌어"])
def test_who_falls_into_the_water_does_not_like_it_for_that(said: str) -> None:
    assert not {attribute for _, attribute, _ in facts(said)} & {"likes", "hobby"}


def test_who_is_taken_with_the_sea_likes_it() -> None:
    assert ("user", "likes", "바다") in facts("요즘 바다에 푹 빠졌어")


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("최애 유튜버는 침착맨", "favorite.유튜버", "침착맨"),
        ("내 최애 향수는 조말론 블랙베리야", "favorite.향수", "조말론 블랙베리"),
        ("최애 과자는 새우깡이지", "favorite.과자", "새우깡"),
        ("제일 좋아하는 꽃은 장미야", "favorite.꽃", "장미"),
        ("제일 좋아하는 잠옷은 곰돌이 잠옷이야", "favorite.잠옷", "곰돌이 잠옷"),
        ("제일 좋아하는 작가는 한강이라고 답해요", "favorite.작가", "한강"),
        ("좋아하는 배우 누구냐면 나는 유아인", "favorite.배우", "유아인"),
        ("과일 1순위는 이제 샤인머스캣이에요", "favorite.과일", "샤인머스캣"),
        ("축구팀은 토트넘 제일 좋아합니다", "favorite.축구팀", "토트넘"),
        ("커피 중에 아아가 제일 좋아", "favorite.커피", "아아"),
        ("드라마는 도깨비가 내 인생드라마", "favorite.드라마", "도깨비"),
        ("인생 드라마는 나의 해방일지예요", "favorite.드라마", "나의 해방일지"),
        ("최애 캐릭터는 쿠로미", "favorite.캐릭터", "쿠로미"),
        ("나 야구는 LG트윈스 팬이야", "favorite.야구팀", "LG트윈스"),
        ("나 두산 팬이야", "favorite.야구팀", "두산"),
        ("제일 좋아하는 가수 물어보면 무조건 백예린이에요", "favorite.music", "백예린"),
        ("세븐틴이 최애예요", "favorite.music", "세븐틴"),
        ("나 최애가 BTS 정국이야", "favorite.music", "BTS 정국"),
    ],
)
def test_a_favourite_is_kept_by_what_it_is_a_favourite_of(said: str, attribute: str, value: str) -> None:
    assert {fact for fact in facts(said) if fact[1].startswith("favorite.")} == {("user", attribute, value)}


@pytest.mark.parametrize(
    "said",
    [
        "이 노래에서 제일 좋아하는 부분은 후렴이야",
        "최애 부분은 후렴이야",
        "최애 캐릭터 짱구에서 치이카와로 환승 완료",
        "너 제일 좋아하는 꽃이 뭐야?",
        "커피는 향이 제일 좋아",
    ],
)
def test_a_part_a_reason_or_a_question_is_no_favourite(said: str) -> None:
    assert not [fact for fact in facts(said) if fact[1].startswith("favorite.")]
