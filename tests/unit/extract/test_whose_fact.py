"""Whose it is, where a sentence leaves that unsaid: names without an owner, friends just brought in, echoes, visits."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import NOTHING_KNOWN, Background
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.testing import day, memory

Fact = tuple[str, str | None, str | None]


def read(*said: str, background: Background = NOTHING_KNOWN) -> list[Claim]:
    """Read the last of `said`; a line of the character's begins with "> "."""
    lines = tuple(
        Utterance(
            id=f"u{place}",
            turn_id="t",
            speaker="character" if line.startswith("> ") else "user",
            text=line.removeprefix("> "),
            at=day(1),
            position=place,
        )
        for place, line in enumerate(said)
    )
    turn = Turn(id="t", utterances=lines[-1:], at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, Scope(user="minsu", character="haru"), lines[:-1], background))


def facts(*said: str) -> set[Fact]:
    return {(claim.subject_id, claim.attribute, claim.value) for claim in read(*said)}


def told_of(subject: str, *said: str) -> set[str | None]:
    """Return the attributes that the last of `said` tells of `subject`."""
    return {claim.attribute for claim in read(*said) if claim.subject == subject}


@pytest.mark.parametrize(
    ("said", "animal", "names"),
    [
        (["고양이 두 마리 키워요. 이름은 나비랑 초코예요"], "고양이", {"나비", "초코"}),
        (["고양이 두 마리 키우는데 이름은 나비랑 초코예요"], "고양이", {"나비", "초코"}),
        (["고양이 이름은 나비랑 초코야"], "고양이", {"나비", "초코"}),
        (["토끼 세 마리를 키우는데 이름이 하양이, 까망이, 점박이야"], "토끼", {"하양이", "까망이", "점박이"}),
        (["강아지 두 마리랑 살고 있어요. 애들 이름은 몽이하고 별이예요"], "강아지", {"몽이", "별이"}),
        (["길에서 주운 고양이랑 살아. 되게 순해. 이름은 두부야"], "고양이", {"두부"}),
        (["강아지 키워요~ 이름은 초코고 세 살이에요"], "강아지", {"초코"}),
        (["고양이 두 마리 키워요.", "> 우와 귀엽겠다!", "이름은 나비랑 초코예요"], "고양이", {"나비", "초코"}),
        (["나 강아지 키워", "> 이름이 뭐예요?", "초코예요"], "강아지", {"초코"}),
        (["나 강아지 키워", "> 강아지 이름이 뭐야?", "이름은 초코야"], "강아지", {"초코"}),
        (["> 강아지 이름이 뭐야?", "초코랑 보리"], "강아지", {"초코", "보리"}),
    ],
)
def test_a_name_without_an_owner_is_that_of_the_animal_just_spoken_of(
    said: list[str], animal: str, names: set[str]
) -> None:
    read_names = {(claim.subject_id, claim.value) for claim in read(*said) if claim.attribute in ("name", "nickname")}
    assert read_names == {(animal, name) for name in names}


@pytest.mark.parametrize(
    ("said", "whose", "name"),
    [
        (["여자친구 생겼어! 이름은 수아야"], "여자친구", "수아"),
        (["동생이 한 명 있어요. 이름은 지우예요"], "동생", "지우"),
        (["여동생이 하나 있어", "> 그래?", "이름은 지아야"], "여동생", "지아"),
        (["여자친구 생겼어", "> 축하해! 이름이 뭐야?", "수아라고 해"], "여자친구", "수아"),
    ],
)
def test_a_name_without_an_owner_is_that_of_the_person_just_spoken_of(said: list[str], whose: str, name: str) -> None:
    assert (whose, "name", name) in facts(*said)
    assert not {"name", "nickname"} & told_of("user", *said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (["나는 이름이 초코야"], "초코"),
        (["고양이 키워요. 제 이름은 민서예요"], "민서"),
        (["부산 살고 고양이도 있어요. 저는 대학생이에요. 이름은 한지우예요"], "한지우"),
        (["안녕하세요! 이름은 한지우예요"], "한지우"),
        (["고양이를 좋아해요. 저는 박서연이라고 해요"], "박서연"),
        (["동생이랑 둘이 살아. 내 이름은 하린이야"], "하린"),
        (["나 강아지 키워", "> 귀엽겠다! 근데 넌 이름이 뭐야?", "민서라고 해"], "민서"),
        (["나 강아지 키워", "> 그래요? 성함이 어떻게 되세요?", "김민서예요"], "김민서"),
        (["> 저는 고양이 키워요.", "저는 안 키워요. 이름은 한서윤이에요"], "한서윤"),
    ],
)
def test_one_s_own_name_stays_one_s_own_beside_an_animal(said: list[str], name: str) -> None:
    assert ("user", "name", name) in facts(*said)
    assert not any(attribute == "name" and whose != "user" for whose, attribute, _ in facts(*said))


@pytest.mark.parametrize(
    "said",
    [
        "고양이 키워요. 이름은 비밀이에요",
        "고양이 키워요. 이름은 뭐가 좋을까요?",
        "딸이 태어났어요. 이름은 아직 못 정했어요",
    ],
)
def test_a_name_that_is_not_told_is_nobody_s(said: str) -> None:
    assert not any(attribute == "name" for _, attribute, _ in facts(said))


def test_the_name_of_a_pet_leaves_the_known_name_of_the_user_alone() -> None:
    known = Background(
        mentioned=(memory("이름은 민서임", id="m", attribute="name", value="민서"),), names=frozenset({"민서"})
    )
    claims = read("고양이 두 마리 키워요.", "> 귀엽겠다!", "이름은 나비랑 초코예요", background=known)
    assert all(claim.subject_id == "고양이" for claim in claims if claim.attribute == "name")


@pytest.mark.parametrize(
    ("said", "whose", "attribute", "value"),
    [
        ("지훈이라는 친구가 있는데 의사야", "지훈", "job", "의사"),
        ("지훈이라는 친구가 있어. 의사야", "지훈", "job", "의사"),
        ("친구 중에 지훈이라는 애가 있는데 의사야", "지훈", "job", "의사"),
        ("소연이라는 사람이 있는데 변호사야", "소연", "job", "변호사"),
        ("수빈이라는 친구가 있거든. 부산 살아", "수빈", "residence", "부산"),
        ("수민이라는 언니가 있어서 든든해. 간호사거든", "수민", "job", "간호사"),
        ("유라라는 애가 있거든? 고등학생이야", "유라", "job", "고등학생"),
        ("동생 있는데 고등학생이야", "동생", "job", "고등학생"),
        ("내 친구 중에 유진이라고 있는데 승무원이야", "유진", "job", "승무원"),
    ],
)
def test_what_follows_without_a_subject_is_said_of_the_one_just_introduced(
    said: str, whose: str, attribute: str, value: str
) -> None:
    assert (whose, attribute, value) in facts(said)
    assert attribute not in told_of("user", said)


@pytest.mark.parametrize(
    "said", ["내 친구 중에 유진이라고 있는데 승무원이야", "지훈이라는 친구가 있는데 서울대병원 의사야"]
)
def test_neither_work_nor_workplace_of_a_friend_is_the_user_s(said: str) -> None:
    assert not {"job", "workplace"} & told_of("user", said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("친구가 있는데 나는 의사야", "job", "의사"),
        ("지훈이라는 친구가 있는데 걔는 의사고 나는 교사야", "job", "교사"),
        ("예린이라는 친구가 있는데 저는 부산에 살아서 자주 못 봐요", "residence", "부산"),
        ("은수라는 후배가 있는데 저랑 친해요. 저는 네이버 다녀요", "workplace", "네이버"),
        ("저는 이하은이라는 사람이에요. 간호사예요", "job", "간호사"),
        ("시험이 있어서 바빠. 대학생이야", "job", "대학생"),
        ("여동생이 있어요. 저는 대학생이고요", "job", "대학생"),
    ],
)
def test_who_says_i_after_a_friend_was_introduced_speaks_of_themself(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("told", "echo"),
    [
        ("저 개발자예요", "와, 개발자시군요"),
        ("나 의사야", "의사시네요! 멋지다"),
        ("부산 살아요", "부산 사시는구나"),
        ("고양이 키워요", "고양이 키우시는군요. 귀엽겠다"),
        ("저 스물다섯이에요", "스물다섯이시구나"),
        ("저 삼성 다녀요", "삼성 다니시는구나! 대단하세요"),
        ("복숭아 알레르기 있어요", "복숭아 알레르기가 있으시군요. 조심하세요"),
        ("저 결혼했어요", "결혼하셨군요! 축하드려요"),
        ("저 간호사예요", "간호사이신데 야근도 하세요?"),
        ("저 등산 다녀요", "취미가 등산이시군요"),
    ],
)
def test_whom_the_character_honours_is_not_the_character(told: str, echo: str) -> None:
    assert told_of("character", told, f"> {echo}") - {None} == set()


@pytest.mark.parametrize(
    ("told", "echo"),
    [
        ("지훈이라는 친구가 있어", "지훈이라는 친구 좋은 사람이구나"),
        ("베프가 민지야", "민지랑 베프구나"),
        ("나 강아지 키워", "강아지를 키우는구나! 이름이 뭐야?"),
        ("나 간호사야", "간호사구나, 힘들겠다"),
        ("나 떡볶이 좋아해", "떡볶이를 좋아하네"),
        ("나 25살", "스물다섯이구나 한창이네"),
        ("동생 있어", "동생이 있구나"),
    ],
)
def test_what_the_character_takes_note_of_is_no_fact_of_theirs(told: str, echo: str) -> None:
    assert told_of("character", told, f"> {echo}") - {None} == set()


@pytest.mark.parametrize("echo", ["개발자구나", "와 개발자시구나", "개발자네 멋지다"])
def test_the_user_s_echo_of_the_character_is_no_fact_of_the_user(echo: str) -> None:
    assert "job" not in told_of("user", "> 저는 개발자예요", echo)


@pytest.mark.parametrize(
    ("told", "reply", "attribute", "value"),
    [
        ("저는 INFP예요", "INFP시네요, 저도 INFP예요", "mbti", "INFP"),
        ("나 부산 살아", "부산 사는구나. 나는 서울 살아", "residence", "서울"),
        ("저 강아지 키워요", "강아지 키우시네요! 저도 강아지 키워요", "pet", "강아지"),
        ("뭐 하세요?", "저는 요리사예요. 개발자시죠?", "job", "요리사"),
        ("나 떡볶이 좋아해", "나도 떡볶이 좋아해", "likes", "떡볶이"),
        ("나 스물이야", "나는 벌써 서른이네", "age", "30"),
    ],
)
def test_what_the_character_says_of_themself_beside_an_echo_is_theirs(
    told: str, reply: str, attribute: str, value: str
) -> None:
    assert ("haru", attribute, value) in facts(told, f"> {reply}")


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        (["우리 어머니는 교사시고 나는 개발자야"], ("user", "job", "개발자")),
        (["우리 어머니는 교사시고 나는 개발자야"], ("어머니", "job", "교사")),
        (["> 서른이야?", "응 서른이네 벌써"], ("user", "age", "30")),
        (["손이 자꾸 떨려서 글씨를 못 써, 파킨슨 초기라고 하시네"], ("user", "medical_condition", "파킨슨")),
    ],
)
def test_honour_paid_to_others_and_an_answer_in_ne_are_no_echo(said: list[str], fact: Fact) -> None:
    assert fact in facts(*said)


@pytest.mark.parametrize(
    "said",
    [
        "우체국 다녀오는 길",
        "우체국 다녀오는 길이야",
        "우체국에 다녀왔어요",
        "병원 갔다 왔어",
        "점심에 은행 다녀왔어",
        "네이버 다녀옴 면접 봄",
        "네이버 다녀 왔어",
        "서울대 다녀왔어 캠퍼스 넓더라",
        "의대 다녀왔어 친구 보러",
        "은행 갔다가 우체국 들렀다 왔어",
    ],
)
def test_who_goes_somewhere_once_neither_works_nor_studies_there(said: str) -> None:
    assert not {"workplace", "school", "major", "job"} & told_of("user", said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("우체국 다녀요. 벌써 5년 됐어요", "workplace", "우체국"),
        ("네이버 다니는데 오늘 병원 갔다 왔어", "workplace", "네이버"),
        ("카카오 다녀 오늘 회식이야", "workplace", "카카오"),
        ("나 삼성전자 다녀", "workplace", "삼성전자"),
        ("연세대 다녀", "school", "연세대"),
        ("의대 다녀", "major", "의학"),
    ],
)
def test_who_goes_there_every_day_does(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("나 성격 유형은 ESFJ래", "mbti", "ESFJ"),
        ("나 어둠 공포증이래", "phobia", "어둠"),
        ("저 새우 알레르기래요", "allergy", "새우"),
        ("나 혈액형 B형이래", "blood_type", "B"),
    ],
)
def test_what_a_doctor_or_a_test_says_of_oneself_is_one_s_own(said: str, attribute: str, value: str) -> None:
    assert facts(said) == {("user", attribute, value)}


@pytest.mark.parametrize("said", ["걔 고양이 알레르기래", "친구가 폐소공포증이래", "그 배우 공황장애래"])
def test_what_is_heard_of_others_is_not(said: str) -> None:
    assert "user" not in {subject for subject, *_ in facts(said)}


@pytest.mark.parametrize(
    "said",
    [
        "새로 온 애는 이름이 수아야",
        "종탑에 사는 고양이는 이름이 두부예요",
        "그 녀석은 이름이 두부야",
    ],
)
def test_a_name_that_somebody_without_one_is_given_is_not_the_speakers(said: str) -> None:
    assert "name" not in told_of("user", said)


def test_who_says_what_they_are_called_is_the_one_who_is_called_so() -> None:
    assert ("user", "name", "김민수") in facts("저는 이름이 김민수예요")
    assert ("친구", "name", "수아") in facts("내 친구는 이름이 수아야")


def test_what_somebody_else_prefers_is_not_done_by_the_speaker() -> None:
    assert facts("지훈이는 축구보다 농구를 좋아해") == {("지훈이", "likes", "농구")}
    assert ("user", "likes", "농구") in facts("나는 축구보다 농구를 좋아해")


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("수진이는 간호사야", "job"),
        ("지영이는 고양이 키워", "pet"),
        ("유빈이는 스물다섯이야", "age"),
        ("민준이가 축구를 좋아해", "likes"),
        ("서준이는 판교 살아", "residence"),
        ("하늘이는 강아지 키워", "pet"),
        ("여름이는 부산 살아", "residence"),
        ("정다은은 간호사야", "job"),
        ("지민 씨는 의사예요", "job"),
        ("은영씨는 의사예요", "job"),
        ("서연이도 떡볶이 좋아해", "likes"),
        ("민지네 집은 부산이야", "residence"),
        ("하윤이 생일은 3월 2일이야", "birthday"),
    ],
)
def test_whoever_is_spoken_of_by_name_is_not_the_speaker(said: str, attribute: str) -> None:
    assert attribute not in told_of("user", said)
    assert attribute in told_of("other", said)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("떡볶이는 좋아해", ("user", "likes", "떡볶이")),
        ("하늘이 좋아", ("user", "likes", "하늘")),
        ("아이유도 좋아해", ("user", "likes", "아이유")),
        ("나도 떡볶이 좋아해", ("user", "likes", "떡볶이")),
        ("저는요, 국악을 제일 좋아해요", ("user", "favorite.music", "국악")),
        ("나는요 고양이가 좋아요", ("user", "likes", "고양이")),
    ],
)
def test_things_that_end_like_a_name_stay_things_and_i_am_no_part_of_them(said: str, fact: Fact) -> None:
    assert fact in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "요즘 애들은 강아지를 많이 키워",
        "손님들이 커피를 좋아해",
        "국민들이 오이를 싫어하더군요",
        "외국인들이 스타벅스에서 일해",
        "사람들이 교회에 다녀",
        "옆 반 애가 피아노를 배워",
        "정부가 다이어트를 해",
    ],
)
def test_what_others_do_is_not_done_by_the_speaker(said: str) -> None:
    assert not told_of("user", said)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("손님들이 커피를 좋아해서 카페에서 일해", "workplace", "카페"),
        ("취미가 등산 다니는 거야", "hobby", "등산 다니기"),
        ("꿈이 세계여행을 하는 거야", "dream", "세계여행"),
        ("비가 오는 날을 좋아해", "likes", "비가 오는 날"),
        ("주말엔 애들이랑 캠핑을 해", "hobby", "캠핑"),
        ("의사가 커피 마시지 말래", "contraindication", "커피"),
    ],
)
def test_what_stands_beside_it_makes_it_nobody_elses(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "고양이 키우는 거야?",
        "언제부터 고양이 키운 거야?",
        "간호사인 건가요?",
        "결혼한 거야?",
        "혈압약 먹은 적 있어?",
        "왜 서울 사는 거야",
        "남친이랑 헤어지는 거야?",
        "A형이라고?",
    ],
)
def test_who_asks_whether_it_is_so_tells_nothing(said: str) -> None:
    assert not facts(said)


@pytest.mark.parametrize(
    "said", ["나 고양이 키우는 거 몰랐어?", "내가 고양이 키우는 거 알아?", "나 고양이 키우는 거야"]
)
def test_who_asks_whether_it_is_known_tells_it(said: str) -> None:
    assert ("user", "pet", "고양이") in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "고양이 키우는구나",
        "병원에서 일하네",
        "교회 다니는구나",
        "다이어트 하는 드라마 봤어",
        "교회 다니는 척했어",
        "수영 배우는 꿈 꿨어",
        "서울 사는 사람 부럽다",
        "서울 살지 마",
        "교회 다니자",
    ],
)
def test_remarks_tales_and_advice_tell_nothing_of_the_speaker(said: str) -> None:
    assert not told_of("user", said) - {"boundary", None}


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("나 벌써 서른이구나", "age", "30"),
        ("역시 난 고양이를 좋아하는구나", "likes", "고양이"),
        ("제일 좋아하는 영화는 왕의 남자야", "favorite.movie", "왕의 남자"),
        ("저는 채식하는 사람이에요", "diet", "채식"),
    ],
)
def test_what_one_notices_of_oneself_is_told(said: str, attribute: str, value: str) -> None:
    assert ("user", attribute, value) in facts(said)


@pytest.mark.parametrize(
    "said",
    [
        "요즘 애들은 다 INFP야",
        "손님들이 다 O형이야",
        "과외 학생이 땅콩 알레르기가 있어",
        "사람들이 취미가 등산이야",
        "우리 반 애들은 커피 좋아해",
    ],
)
def test_what_others_are_and_have_is_not_the_speakers(said: str) -> None:
    assert not told_of("user", said) - {"part_time_job"}
