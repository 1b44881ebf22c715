"""What becomes of a fact: replaced, put right, taken back, ended."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day, memory
from support.speech import spoken


def read(said: str, **known: str) -> list[Claim]:
    """Read `said` by a user of whom `known` (attribute=value) is known; dots in attributes are written as __."""
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    facts = [
        memory(key, id=key, attribute=key.replace("__", "."), value=value, surface=value)
        for key, value in known.items()
    ]
    background = Background(
        mentioned=tuple(fact for fact in facts if (fact.value or "") in said),
        unnamed=tuple(fact for fact in facts if (fact.value or "") not in said),
    )
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, Scope(user="minsu"), (), background))


def changes(said: str, **known: str) -> list[tuple[str | None, str | None, str, str, str | None]]:
    return [(each.attribute, each.value, each.polarity, each.act, each.instead_of) for each in read(said, **known)]


@pytest.mark.parametrize(
    ("said", "attribute", "new", "old"),
    [
        ("이제 망원동 아니고 합정동이야, 이사했어", "residence", "합정동", "망원동"),
        ("망원동 방 빼고 판교로 옮겼어요", "residence", "판교", "망원동"),
        ("요즘은 네일아트 대신 캠핑에 빠졌어요", "hobby", "캠핑", "네일아트"),
        ("검사했더니 INFJ에서 INTP로 바뀌었어", "mbti", "INTP", "INFJ"),
        ("인생 목표 수정했어, 소설가 말고 사육사", "dream", "사육사", "소설가"),
        ("헬스 접고 수영으로 갈아탔어", "exercise", "수영", "헬스"),
        ("이제 헬스 안 해 클라이밍 해", "exercise", "클라이밍", "헬스"),
        ("축구 하다가 무릎 나가서 수영으로 바꿨어", "exercise", "수영", "축구"),
        ("떡볶이는 물렸고 요즘은 곱창이 제일 좋아", "favorite.food", "곱창", "떡볶이"),
        ("기생충은 2등으로 밀렸고 이제 라라랜드가 1등이야", "favorite.movie", "라라랜드", "기생충"),
        ("의사는 엄마 꿈이고 내 꿈은 가수야", "dream", "가수", "의사"),
        ("햄스터 보내고 나서 고양이 데려왔어", "pet", "고양이", "햄스터"),
        ("감자라고는 이제 아무도 안 불러 요즘은 호빵이라 불려", "nickname", "호빵", "감자"),
        ("삼성 다닌다고 한 건 뻥이고 사실 작은 스타트업이야", "workplace", "작은 스타트업", "삼성"),
        ("아직 신정동인 줄 아는구나 나 목동으로 이사했잖아", "residence", "목동", "신정동"),
        ("INTP야 INFP 아니라", "mbti", "INTP", "INFP"),
        ("건국대 자퇴하고 중앙대 편입했어", "school", "중앙대", "건국대"),
        ("롤 접고 요즘 발로란트 해", "favorite.game", "발로란트", "롤"),
        ("캠핑은 흥미 잃었고 낚시에 꽂혔어", "hobby", "낚시", "캠핑"),
    ],
)
def test_what_is_named_as_given_up_tells_what_the_new_value_is(said: str, attribute: str, new: str, old: str) -> None:
    claims = read(said, **{attribute: old})

    assert (attribute, new) in [(each.attribute, each.value) for each in claims if each.polarity == "+"]
    assert not any(each.value == old and each.polarity == "+" for each in claims)


@pytest.mark.parametrize(
    "said",
    [
        "가산동 산다고 한 거 취소할게",
        "가산동 산다고 한 거 농담이었어",
        "가산동 산다는 거 거짓말이었어 미안",
        "가산동 산다고 했던 거 잊어줘",
        "가산동 산다고 한 건 못 들은 걸로 해줘",
    ],
)
def test_what_was_said_in_jest_is_taken_back(said: str) -> None:
    assert changes(said, residence="가산동") == [("residence", "가산동", "+", "retract", None)]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("나 어제 편의점 알바 그만뒀어", "part_time_job", "편의점"),
        ("우리 햄스터 어제 무지개다리 건넜어", "pet", "햄스터"),
        ("다꾸 이제 안 해 흥미 떨어졌어", "hobby", "다꾸"),
        ("나 숭실대 졸업했어!", "school", "숭실대"),
        ("접었어 뜨개질", "hobby", "뜨개질"),
        ("뜨개질은 이제 손도 안 대", "hobby", "뜨개질"),
        ("땅콩 알레르기 다 나았어", "allergy", "땅콩"),
        ("이제 거미 안 무서워", "phobia", "거미"),
        ("비건 때려쳤어 고기 먹음", "diet", "비건"),
        ("민지랑 손절했어", "friend", "민지"),
        ("떡볶이 권태기 왔어", "favorite.food", "떡볶이"),
        ("이제 오이 잘 먹어", "dislikes", "오이"),
        ("국민대 자퇴서 냈어", "school", "국민대"),
        ("이사 취소됐어", "plan", "이사"),
    ],
)
def test_what_no_longer_goes_on_is_ended(said: str, attribute: str, value: str) -> None:
    assert (attribute, value, "-", "end", None) in changes(said, **{attribute: value})


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("이번 주에 약 완전히 끊었어", "medication", "우울증 약"),
        ("약 안 먹은 지 두 달 됐어요", "medication", "피임약"),
        ("그 습관 없어졌어", "habit", "늦게 자기"),
        ("나 손톱 안 뜯은지 두달째", "habit", "손톱 물어뜯기"),
        ("드디어 목표 달성했다", "goal", "10키로 감량"),
        ("그 꿈은 접었어", "dream", "유튜버"),
        ("낚싯대 전부 처분했습니다", "hobby", "낚시"),
        ("카메라 중고로 다 넘겼어", "hobby", "사진 찍기"),
        ("단식 그만뒀어", "diet", "간헐적 단식"),
        ("신의탑 하차했어", "favorite.book", "신의 탑"),
        ("내 최애 유튜버 자리 뺏겼다", "favorite.유튜버", "침착맨"),
        ("이제 운동 아무것도 안 해요", "exercise", "크로스핏"),
    ],
)
def test_what_is_named_by_its_kind_in_part_or_by_its_gear_is_ended(said: str, attribute: str, value: str) -> None:
    assert (attribute, value, "-", "end", None) in changes(said, **{attribute: value})


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("약 끊고 싶어요", "medication", "혈압약"),
        ("오늘 약 안 먹었어요", "medication", "혈압약"),
        ("엄마가 약 끊었어요", "medication", "혈압약"),
        ("약속 취소했어요", "medication", "혈압약"),
        ("동생 버릇 고쳤어", "habit", "손톱 물어뜯기"),
        ("버릇 고치고 싶다", "habit", "손톱 물어뜯기"),
        ("목표 달성하면 여행 갈 거야", "goal", "토익 900"),
        ("어제 이상한 꿈 꿨어", "dream", "배우"),
        ("낚싯대 부러져서 새로 샀어", "hobby", "낚시"),
        ("낚싯대 팔고 더 좋은 걸로 샀어", "hobby", "낚시"),
        ("아빠가 낚싯대 다 팔았어", "hobby", "낚시"),
        ("당분간 운동 안 해", "exercise", "헬스"),
        ("최애 유튜버가 새 채널 만들었어", "favorite.유튜버", "침착맨"),
    ],
)
def test_what_is_only_wished_others_do_or_pass_by_ends_nothing(said: str, attribute: str, value: str) -> None:
    assert not [each for each in changes(said, **{attribute: value}) if each[0] == attribute]


@pytest.mark.parametrize(
    ("said", "attribute", "new", "old"),
    [
        ("나 정국 아니고 지민이 최애라고", "favorite.music", "지민", "BTS 정국"),
        ("새우는 아니고 게 알레르기래요", "allergy", "게", "새우"),
        ("오이 아니고 가지!", "dislikes", "가지", "오이"),
        ("와인 말고 위스키요 제가 헷갈렸어요", "favorite.술", "위스키", "와인"),
        ("너구리 말고 요즘은 안성탕면이 최애", "favorite.라면", "안성탕면", "너구리"),
        ("낚싯대는 처분했고 요즘 취미는 목공입니다", "hobby", "목공", "낚시"),
        ("목표 달성했으니까 이제 오픽 AL이 다음 목표", "goal", "오픽 AL", "토익 900"),
        ("헬스장 환불받고 그 돈으로 클라이밍 끊음", "exercise", "클라이밍", "헬스"),
        ("강아지보다 고양이가 더 좋아졌어", "likes", "고양이", "강아지"),
        ("저탄고지 그만하고 간헐적 단식으로 바꿨어요", "diet", "간헐적단식", "저탄고지"),
    ],
)
def test_something_else_takes_the_place_of_a_taste(said: str, attribute: str, new: str, old: str) -> None:
    assert (attribute, new, "+", old) in [
        (each.attribute, each.value, each.polarity, each.instead_of) for each in read(said, **{attribute: old})
    ]


@pytest.mark.parametrize(
    "said", ["커피 말고 물 줘", "오늘은 커피 말고 홍차 마실래", "오늘 점심은 커피 말고 주스 먹었어"]
)
def test_what_is_ordered_instead_today_takes_no_place(said: str) -> None:
    assert changes(said, likes="커피") == []


@pytest.mark.parametrize("said", ["민트초코 요즘 없어서 못 먹어", "민트초코 이제 안 싫어해", "민트초코가 좋아졌어"])
def test_what_one_cannot_have_enough_of_is_disliked_no_longer(said: str) -> None:
    assert ("dislikes", "민트초코", "-", "end", None) in changes(said, dislikes="민트초코")


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("어제 헤어질 결심 보고 인생영화 갱신함", "favorite.movie", "헤어질 결심"),
        ("제 최애 술은 위스키가 됐어요", "favorite.술", "위스키"),
        ("푸라닭 고추마요 먹고 세상이 달라졌다. 내 치킨 순위 1위 교체됨", "favorite.치킨", "푸라닭 고추마요"),
        ("플랫화이트 없으면 못 살아 내 원픽 커피 됐음", "favorite.커피", "플랫화이트"),
        ("에스파 콘서트 갔다 와서 최애 그룹이 바뀌었어요", "favorite.music", "에스파"),
        ("요즘 최애는 데이식스로 옮겨감", "favorite.music", "데이식스"),
        ("저 열라면파로 전향했어요", "favorite.라면", "열라면"),
        ("엘지 버리고 한화로 갈아탔다", "favorite.야구팀", "한화"),
        ("된장찌개가 치고 올라와서 이제 1등임", "favorite.food", "된장찌개"),
    ],
)
def test_a_new_favourite_is_read_though_the_old_one_is_not_named(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(each.attribute, each.value) for each in read(said) if each.polarity == "+"]


@pytest.mark.parametrize(
    "said",
    [
        "최애 배우가 새 드라마 주연이 됐어",
        "엄마 최애 배우가 박은빈으로 바뀌었대",
        "내 최애 과자 리뉴얼돼서 맛이 바뀌었어",
        "최애 카페가 문 닫게 됐어",
    ],
)
def test_what_becomes_of_a_favourite_makes_no_new_one(said: str) -> None:
    assert not [each for each in read(said) if (each.attribute or "").startswith("favorite.")]


@pytest.mark.parametrize("said", ["성당 완전히 끊었어", "의사가 술 끊으랬어", "이번 주에 끊었어"])
def test_not_all_that_is_left_off_was_liked(said: str) -> None:
    assert not [each for each in read(said) if each.attribute == "likes"]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("회사 옮기고 나서 별명이 호빵으로 바뀌었어", "nickname", "호빵"),
        ("최애 영화를 파묘로 변경합니다", "favorite.movie", "파묘"),
        ("새 별명 생겼어요, 펭귄이에요!", "nickname", "펭귄"),
        ("나 저번 검사에서 ESTP로 바뀌었어", "mbti", "ESTP"),
    ],
)
def test_what_something_has_turned_into_is_its_value(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(each.attribute, each.value) for each in read(said)]


def test_a_quotation_of_oneself_is_replaced_by_what_follows() -> None:
    assert changes("나 스물다섯이라고 했는데 이제 26이야") == [("age", "26", "+", "prefer", "25")]


def test_a_name_that_was_got_wrong_was_never_true() -> None:
    assert changes("제 이름 유진 아니고 유빈이에요") == [("name", "유빈", "+", "correct", "유진")]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("판교에서 친구 만났어", "residence", "판교"),
        ("오늘은 떡볶이 말고 피자 먹었어", "favorite.food", "떡볶이"),
        ("떡볶이 말고 피자도 좋아해", "likes", "떡볶이"),
        ("헬스 오늘은 안 가", "exercise", "헬스"),
        ("헬스 끝나고 집 가는 중", "exercise", "헬스"),
        ("헬스 3개월 끊었어", "exercise", "헬스"),
        ("카페 알바 그만둘까 고민 중", "part_time_job", "카페"),
        ("카페 알바 그만두고 싶다", "part_time_job", "카페"),
        ("카페 알바 아직 안 그만뒀어", "part_time_job", "카페"),
        ("친구가 카페 알바 그만뒀대", "part_time_job", "카페"),
        ("엄마는 커피 끊었어", "likes", "커피"),
        ("커피 끊는 게 쉽지 않네", "likes", "커피"),
        ("헬스 그만둔 거 아니야", "exercise", "헬스"),
        ("고양이 말고 강아지 키우고 싶어", "pet", "고양이"),
        ("우리 고양이 병원 보냈어", "pet", "고양이"),
        ("너 커피 끊었어?", "likes", "커피"),
        ("떡볶이는 절대 안 질려", "favorite.food", "떡볶이"),
        ("홍차 말고 커피 줘", "likes", "홍차"),
        ("서울 산다고 말했잖아", "residence", "서울"),
        ("서울에서 부산으로 출장 가는 중", "residence", "서울"),
        ("민지랑 헤어지고 집에 왔어 오늘 재밌었다", "friend", "민지"),
    ],
)
def test_what_is_only_mentioned_goes_on(said: str, attribute: str, value: str) -> None:
    own = [each for each in read(said, **{attribute: value}) if each.subject == "user" and each.attribute == attribute]

    assert not [each for each in own if each.polarity == "-" or each.act in ("end", "retract") or each.instead_of]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("저 MBTI 바뀌었어요 ESTP로요", "mbti", "ESTP"),
        ("나 이제 ISFJ 됐어", "mbti", "ISFJ"),
        ("다시 검사해보니까 INFJ래", "mbti", "INFJ"),
        ("드디어 서른 살 찍었다", "age", "30"),
        ("나 이제 간호사 됐어", "job", "간호사"),
        ("거처를 동탄으로 옮겼습니다", "residence", "동탄"),
        ("드디어 잠실 입성!", "residence", "잠실"),
        ("이제 성수동 주민이야", "residence", "성수동"),
        ("회사 옮겼어, 지금은 카카오 다녀", "workplace", "카카오"),
        ("지난달부로 한전 소속 됐습니다", "workplace", "한전"),
        ("재수해서 이번에 고려대 붙었어", "school", "고려대"),
        ("이제 여름파로 전향했어", "favorite.season", "여름"),
        ("최애 색 남색으로 갈아탐", "favorite.color", "남색"),
        ("요즘은 훠궈가 최고야", "favorite.food", "훠궈"),
        ("인생 영화 바뀌었다 기생충으로", "favorite.movie", "기생충"),
        ("새로운 취미가 생겼어요, 사진 찍기예요", "hobby", "사진 찍기"),
        ("취미를 사진 찍기로 바꿨어", "hobby", "사진 찍기"),
        ("요즘은 성우가 새로운 꿈이에요", "dream", "성우"),
        ("나 드디어 솔로 탈출했어", "relationship_status", "연애중"),
        ("여친이랑 헤어졌어", "relationship_status", "이별"),
        ("연애 상태 업데이트: 솔로", "relationship_status", "솔로"),
        ("키 다시 쟀는데 이제 181이야", "height", "181"),
        ("혈액형 잘못 알고 있었음 B형이었어", "blood_type", "B"),
        ("생일 3월 5일이 아니라 5월 3일이야", "birthday", "05-03"),
    ],
)
def test_a_change_is_read_though_nothing_was_known(said: str, attribute: str, value: str) -> None:
    assert (attribute, value) in [(each.attribute, each.value) for each in read(said) if each.invalid_at is None]


@pytest.mark.parametrize(
    "said",
    [
        "폰을 파란색으로 바꿨어",
        "자리를 창가로 옮겼어",
        "회사가 강남으로 이전해서 출퇴근 힘들어",
        "나도 강남으로 이사 가면 좋겠다",
        "프로필 사진 고양이로 바꿨어",
        "오늘 저녁은 치킨으로 정했어",
    ],
)
def test_what_turns_into_something_is_not_always_a_fact(said: str) -> None:
    assert [each for each in read(said) if each.attribute] == []


def answered(question: str, said: str) -> list[tuple[str | None, str | None, str]]:
    asked = Utterance(id="q", turn_id="q", speaker="character", text=question, at=day(1), position=0)
    turn = spoken(said)
    claims = KoreanRules().claims(turn, Scope(user="minsu"), (asked,), Background())
    return [(each.attribute, each.value, each.polarity) for each in claims if each.attribute]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("땅콩 알레르기가 있다고 했었죠?", "커피"),
        ("고양이 좋아한다고 했지?", "치킨"),
        ("취미가 등산이라고 했죠?", "커피 마시고 싶다"),
    ],
)
def test_a_word_that_neither_agrees_nor_denies_is_not_another_of_the_kind(question: str, said: str) -> None:
    assert answered(question, said) == []


@pytest.mark.parametrize(
    ("question", "said", "fact"),
    [
        ("너 A형이지?", "ㄴㄴ 오형", ("blood_type", "O", "+")),
        ("혹시 A형이야?", "아니 B형", ("blood_type", "B", "+")),
        ("너 A형이지?", "응 맞아", ("blood_type", "A", "+")),
        ("너 부산 살지?", "ㅇㅇ", ("residence", "부산", "+")),
        ("고양이 키우는구나?", "어 맞아 어떻게 알았어", ("pet", "고양이", "+")),
        ("분당 살아?", "아니 판교", ("residence", "판교", "+")),
        ("아직도 분당 살아?", "아 그건 예전이고 지금은 판교", ("residence", "판교", "+")),
        ("요즘 헬스 다녀?", "아뇨 수영이요", ("exercise", "수영", "+")),
        ("헬스 아직 다녀?", "그만뒀어 한 달 됐나", ("exercise", "헬스", "-")),
        ("너 외동이야?", "아니 나 막내야", ("family", "막내", "+")),
    ],
)
def test_an_answer_confirms_denies_or_replaces_what_was_guessed(
    question: str, said: str, fact: tuple[str, str, str]
) -> None:
    assert fact in answered(question, said)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("민지 INFP지?", "응 맞아"),
        ("너 초밥 제일 좋아한다고 했잖아!", "응? 내가 언제 그랬지 ㅋㅋ"),
        ("너 INFP야?", "몰라"),
        ("친구가 고양이 키운다며?", "응 근데 왜"),
    ],
)
def test_what_is_not_confirmed_is_no_fact(question: str, said: str) -> None:
    assert not [fact for fact in answered(question, said) if fact[2] == "+"]


def test_what_was_asked_about_may_be_ended_without_naming_it() -> None:
    pet = memory("pet", id="pet", attribute="pet", value="콩이", surface="콩이")
    turn = spoken("지난주에 무지개다리 건넜어")

    (claim,) = KoreanRules().claims(turn, Scope(user="minsu"), (), Background(mentioned=(pet,)))

    assert (claim.attribute, claim.value, claim.act) == ("pet", "콩이", "end")


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("이제 나 신자 아니야", True),
        ("이젠 믿지도 않아요", True),
        ("이제 하나님 안 믿어", True),
        ("신앙생활 그만뒀어요", True),
        ("나 그 말 안 믿어", False),
        ("나 이제 사람 안 믿어", False),
        ("신자 수가 줄었어", False),
        ("동생은 이제 신자 아니야", False),
    ],
)
def test_whichever_faith_is_known_is_lost(said: str, ends: bool) -> None:
    faith = memory("faith", id="faith", attribute="religion", value="천주교", surface="천주교")

    claims = KoreanRules().claims(spoken(said), Scope(user="minsu"), (), Background(mentioned=(faith,)))

    assert any((claim.attribute, claim.value, claim.act) == ("religion", "천주교", "end") for claim in claims) == ends


@pytest.mark.parametrize(
    ("said", "ends"),
    [
        ("강아지 이모네로 보냈어", True),
        ("강아지는 친구한테 보냈어요", True),
        ("강아지들 다른 집에 입양 보냄", True),
        ("강아지를 떠나보냈어요", True),
        ("강아지 미용실 보냈어", False),
        ("강아지 사진 친구한테 보냈어", False),
        ("강아지 이틀만 엄마한테 보냈어", False),
        ("강아지 간식 친구네 보냈어", False),
    ],
)
def test_an_animal_given_away_is_kept_no_more(said: str, ends: bool) -> None:
    assert (("pet", "강아지", "-", "end", None) in changes(said, pet="강아지")) == ends


@pytest.mark.parametrize(
    "said",
    [
        "아~ 야근 너무 좋아 진짜 신난다 (한숨)",
        "출근 사랑합니다 정말… 하",
        "내 취미가 빨래지 뭐",
        "월급 알레르기 있나봐 돈이 다 나가",
        "할머니네서 닭 키우는데 귀여워",
        "옆집에서 강아지 키우는데 시끄러워",
        "나 몰래 나를 꼰대라고 부르는 사람 있다더라",
        "중학생 때는 돼지라고 불렸었는데 이제는 아니야",
        "혈압약 먹는 거 아니고 사탕이야",
        "드라마 주인공이 변호사인데 멋있어",
        "우리 부장님이 제일 좋아하는 게 아구찜이라 회식은 맨날 거기예요",
        "통장 잔고 보기가 귀신보다 무섭다",
    ],
)
def test_irony_idioms_and_others_are_no_facts_of_the_speaker(said: str) -> None:
    assert not [each for each in read(said) if each.subject == "user" and each.attribute and each.polarity == "+"]
