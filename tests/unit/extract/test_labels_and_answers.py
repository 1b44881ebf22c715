"""Labels however their value is announced, and answers however they come to the point."""

from __future__ import annotations

import pytest

from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day
from support.speech import spoken


def read(said: str, asked: str = "") -> list[tuple[str | None, str | None]]:
    """Read what `said` tells of the user, in answer to what was `asked`."""
    question = Utterance(id="q", turn_id="q", speaker="character", text=asked, at=day(1), position=0)
    before = (question,) if asked else ()
    claims = KoreanRules().claims(spoken(said), Scope(user="minsu"), before, Background())
    return [(each.attribute, each.value) for each in claims if each.subject == "user"]


@pytest.mark.parametrize(
    ("asked", "said", "attribute", "value"),
    [
        ("이름이 뭐야?", "음.. 박서준! ㅎㅎ", "name", "박서준"),
        ("이름이 뭐예요?", "흠... 김도현이요", "name", "김도현"),
        ("별명 있어?", "글쎄요… 감자?", "nickname", "감자"),
        ("취미가 뭐야?", "ㅋㅋㅋ 체스", "hobby", "체스"),
        ("좋아하는 가수 누구야?", "흐음 아이유!", "favorite.music", "아이유"),
        ("인생 영화 뭐야?", "흠 잠깐만. 인터스텔라!", "favorite.movie", "인터스텔라"),
        ("알레르기 있으세요?", "아 네 저는 새우요 ㅠㅠ", "allergy", "새우"),
        ("취미가 뭐야?", "굳이 말하자면 체스?", "hobby", "체스"),
        ("인생 책 뭐야?", "하나만 꼽자면 데미안", "favorite.book", "데미안"),
        ("최애 음식 뭐야?", "아귀찜. 콩나물까지 싹싹 긁어", "favorite.food", "아귀찜"),
        ("무서운 거 있어?", "나방. 날갯짓 소리만 나도 도망가", "phobia", "나방"),
        ("별명 있어?", "밥순이요 ㅋㅋ 맨날 밥만 먹어서", "nickname", "밥순이"),
        ("뭐 좋아해?", "바다, 그건 왜 물어봐", "likes", "바다"),
        ("뭘 좋아해?", "비 오는 날", "likes", "비 오는 날"),
        ("노래 뭐 좋아해?", "발라드요", "favorite.music", "발라드"),
        ("인생 영화 뭐야?", "'이터널 선샤인'이요", "favorite.movie", "이터널 선샤인"),
        ("종교 있어?", "종교는 불교요 ㅋㅋ", "religion", "불교"),
        ("취미가 뭐야?", "내 취미? 글쎄, 체스?", "hobby", "체스"),
        ("고향이 어디야?", "어릴 때 살던 목포", "hometown", "목포"),
        ("친구 이름이 뭐라고 했죠?", "경혜요. 같은 병실 쓰다 친해졌어요", "friend", "경혜"),
    ],
)
def test_an_answer_is_what_is_named_after_the_hesitation(asked: str, said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(said, asked)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("이름이 뭐야?", "음.."),
        ("이름이 뭐야?", "어 잠깐만"),
        ("별명 있어?", "헤헤"),
        ("별명 있어?", "ㅋㅋㅋㅋ"),
        ("취미가 뭐야?", "딱히, 그건 왜 물어봐"),
        ("취미가 뭐야?", "음... 그게 뭐였더라"),
        ("꿈이 뭐야?", "좋은 질문이네"),
        ("뭐 좋아해?", "아무거나"),
        ("뭐 좋아해?", "너는?"),
        ("최애 이름이 뭐야?", "카리나"),
    ],
)
def test_who_only_hesitates_or_asks_back_has_told_nothing(asked: str, said: str) -> None:
    assert read(said, asked) == []


@pytest.mark.parametrize(
    ("asked", "said", "attribute", "values"),
    [
        ("알레르기 있어?", "땅콩이랑 복숭아요", "allergy", ["땅콩", "복숭아"]),
        ("무슨 운동 해?", "수영하고 요가요", "exercise", ["수영", "요가"]),
        ("", "하는 운동은 클라이밍이랑 수영 두 개", "exercise", ["클라이밍", "수영"]),
        ("", "취미는 체스랑 바둑", "hobby", ["체스", "바둑"]),
        ("", "체스랑 바둑이 취미야", "hobby", ["바둑", "체스"]),
        ("취미가 뭐야?", "외계인이랑 대화하기", "hobby", ["외계인이랑 대화하기"]),
        ("", "취미는 엄마랑 산책", "hobby", ["엄마랑 산책"]),
    ],
)
def test_things_told_together_are_kept_apart(asked: str, said: str, attribute: str, values: list[str]) -> None:
    assert [value for key, value in read(said, asked) if key == attribute] == values


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("싫어하는 거? 오이.", "dislikes", "오이"),
        ("내 별명? 밥순이", "nickname", "밥순이"),
        ("제 취미요? 뜨개질이요", "hobby", "뜨개질"),
        ("베프? 당연 정호지ㅋㅋ", "friend", "정호"),
        ("고향 어디냐면 삼척이요", "hometown", "삼척"),
        ("취미를 말하자면 체스", "hobby", "체스"),
        ("별명을 말하자면 감자", "nickname", "감자"),
        ("취미라고 할 만한 건 체스", "hobby", "체스"),
        ("제 취미 중 하나는 뜨개질이에요", "hobby", "뜨개질"),
        ("저 취미 있어요, 뜨개질", "hobby", "뜨개질"),
        ("감자, 내 별명", "nickname", "감자"),
        ("제 꿈은요 작가예요", "dream", "작가"),
        ("제 꿈은 조종사라고 할 수 있죠", "dream", "조종사"),
        ("취미 체스", "hobby", "체스"),
        ("별명 감자", "nickname", "감자"),
        ("알레르기 땅콩", "allergy", "땅콩"),
        ("알바 편의점", "part_time_job", "편의점"),
        ("고향은 목포요", "hometown", "목포"),
        ("좋아하는 가수는 아이유요", "favorite.music", "아이유"),
        ("좋아하는 가수는 잔나비야", "favorite.music", "잔나비"),
        ("가수는 당연히 아이유", "favorite.music", "아이유"),
        ("게임은 역시 젤다지", "favorite.game", "젤다"),
        ("색은 무조건 보라", "favorite.color", "보라"),
        ("좋아하는 건 바다요", "likes", "바다"),
        ("요즘 빠진 건 분재", "hobby", "분재"),
        ("요즘 꽂힌 건 마라샹궈예요", "likes", "마라샹궈"),
        ("제가 제일 잘하는 건 요리예요", "skill", "요리"),
        ("제일 자신 있는 건 수학", "skill", "수학"),
    ],
)
def test_a_label_is_understood_however_its_value_is_announced(said: str, attribute: str, value: str) -> None:
    assert read(said) == [(attribute, value)]


def test_labels_in_a_row_have_each_their_own_value() -> None:
    assert read("이름 박서준 나이 스물다섯 취미 볼링") == [("name", "박서준"), ("age", "25"), ("hobby", "볼링")]


@pytest.mark.parametrize(
    "said",
    [
        "취미 생활",
        "취미 부자야",
        "별명 부자라 다 못 외워",
        "직업 상담",
        "고향? 비밀",
        "꿈? 그런 거 없어",
        "특기는? 몰라",
        "취미를 말하자면 길어",
        "동생 취미? 체스",
        "취미 체스?",
        "별명이라면 지긋지긋해",
        "요즘 빠진 건 머리카락",
        "좋아하는 가수 콘서트!",
        "최애 게임 업데이트",
        "최애 카페",
        "영화는 역시 팝콘",
        "이름이 예쁘네요",
        "그 가수는 인생이 노래지",
    ],
)
def test_a_label_with_something_else_behind_it_names_no_value(said: str) -> None:
    named = {key for key, _ in read(said) if key != "family"}
    assert not named


def test_a_label_of_somebody_else_is_announced_for_them() -> None:
    assert ("hobby", "체스") not in read("동생 취미를 말하자면 체스")
    assert ("favorite.music", "잔나비") not in read("동생이 좋아하는 가수는 잔나비야")


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("장래희망 특수분장사", "dream", "특수분장사"),
        ("장래 희망 가수", "dream", "가수"),
        ("꿈 가수", "dream", "가수"),
        ("오른손잡이입니다만 그건 왜요?", "handedness", "오른손잡이"),
        ("저는 간호사입니다만 왜요?", "job", "간호사"),
        ("나 ADHD야 성인 돼서 알았음", "medical_condition", "ADHD"),
        ("나는 스물셋이고 광주 상무지구 살고 네일샵에서 일해", "workplace", "네일샵"),
        ("스페인어 꽤 해요", "skill", "스페인어"),
        ("떡볶이가 최애 음식인 사람 여기 있습니다", "favorite.food", "떡볶이"),
    ],
)
def test_a_plain_word_about_oneself_is_understood(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in read(said)


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("우리 반에 땅콩 알레르기 있는 애 있어", "allergy"),
        ("우리 과에 복숭아 알레르기 있는 친구 있거든", "allergy"),
        ("아내 고향이 여수라 명절마다 가요", "hometown"),
        ("결혼 공포증이란 말도 있더라", "phobia"),
        ("인생책 물어보면 난 데미안이라고 해", "name"),
        ("나 대만인이야 한국어 좀 틀려도 봐줘", "name"),
        ("저는 한예종 출신이에요", "hometown"),
        ("네팔 여권은 반납했어요", "nationality"),
        ("꿈 해몽", "dream"),
        ("운동 조금 해", "skill"),
    ],
)
def test_what_only_sounds_like_it_is_no_word_about_oneself(said: str, attribute: str) -> None:
    assert not [each for each in read(said) if each[0] == attribute]
