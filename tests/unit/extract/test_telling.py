"""What a whole utterance gives away: people, cautions and situations that no clause states outright."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.claim import Claim
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.extract.korean import KoreanRules
from gieok.extract.korean.importance import importance
from gieok.language.emotions import feel
from gieok.testing import day

SCOPE = Scope(user="minsu", character="letia")


def read(said: str, asked: str = "") -> list[Claim]:
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    question = Utterance(id="q", turn_id="q", speaker="character", text=asked, at=day(1), position=0)
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return list(KoreanRules().claims(turn, SCOPE, (question,) if asked else ()))


def facts(said: str, asked: str = "") -> list[tuple[str, str | None, str | None]]:
    """What is so: subject, attribute and value."""
    return [
        (claim.subject_id, claim.attribute, claim.value)
        for claim in read(said, asked)
        if claim.polarity == "+" and claim.act in ("assert", "prefer") and claim.invalid_at is None and claim.attribute
    ]


def of(attribute: str, said: str) -> list[str | None]:
    return [value for subject, key, value in facts(said) if key == attribute and subject == "user"]


def over(said: str) -> list[tuple[str | None, str | None]]:
    return [(claim.attribute, claim.value) for claim in read(said) if claim.act == "end"]


@pytest.mark.parametrize(
    ("said", "animal"),
    [
        ("기니피그 한 마리랑 같이 지내고 있어", "기니피그"),
        ("집에 가면 고양이가 문 앞에서 기다려", "고양이"),
        ("비숑 보호자입니다", "비숑"),
        ("치와와 키우는 사람으로서 공감", "치와와"),
        ("고양이 모래 사러 가야 돼", "고양이"),
        ("우리 몽이 예방접종 맞히고 왔어 말티즈라 겁이 많아", "말티즈"),
        ("퇴근하면 금붕어 밥부터 줘요", "금붕어"),
        ("본가에 진돗개 있어", "진돗개"),
        ("고양이 두 마리 아빠예요", "고양이"),
        ("어제 햄스터 데려왔어", "햄스터"),
    ],
)
def test_whoever_feeds_walks_or_fathers_an_animal_keeps_it(said: str, animal: str) -> None:
    assert of("pet", said) == [animal]


@pytest.mark.parametrize(
    "said",
    [
        "길에서 고양이 밥 주는 아저씨 봤어",
        "친구네 강아지 산책시켜줬어",
        "고양이 카페 다녀왔어",
        "강아지 키우고 싶은데 엄마가 반대해",
        "강아지 키우는 사람들 존경해",
        "햄스터 수명이 몇 년이야?",
        "이모네서 거북이 키우는데 갈 때마다 신기해",
        "강아지 있으신 분들 사료 뭐 먹이세요",
    ],
)
def test_an_animal_that_is_only_met_is_nobodys_pet(said: str) -> None:
    assert of("pet", said) == []


def test_a_pet_has_a_name_and_an_age_of_its_own() -> None:
    assert ("푸들", "name", "콩이") in facts("우리 집 막내 푸들 콩이가 아파서 병원 갔다왔어")
    assert ("시츄", "age", "9") in facts("아홉 살 먹은 시츄 모시고 살아요")
    assert of("age", "아홉 살 먹은 시츄 모시고 살아요") == []


@pytest.mark.parametrize("said", ["키우던 햄스터가 어제 죽었어", "우리 햄스터 무지개다리 건넜어ㅠㅠ"])
def test_a_pet_that_died_is_a_pet_no_longer(said: str) -> None:
    assert of("pet", said) == []
    assert ("pet", "햄스터") in over(said)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("고등학교 친구 지후랑 어제 술 마셨어", "지후"),
        ("예린이가 제일 친한 친구예요", "예린"),
        ("하윤이랑 나는 초등학교 때부터 단짝이야", "하윤"),
        ("친구 중에 수진이가 제일 웃겨", "수진"),
        ("도현이랑은 15년째 매주 축구해", "도현"),
        ("민수라는 친구가 있어", "민수"),
        ("내 친구 승아 때문에 웃겨 죽겠어", "승아"),
    ],
)
def test_friends_are_named_in_passing(said: str, name: str) -> None:
    assert of("friend", said) == [name]


@pytest.mark.parametrize(
    "said",
    ["엄마 친구 딸 소연이가 서울대 갔대", "친구 한 명이 유학 간대", "영수랑 영화 봤어", "손흥민이랑 친구 하고 싶다"],
)
def test_not_everybody_who_is_named_is_a_friend(said: str) -> None:
    assert of("friend", said) == []


def test_a_quarrel_for_good_ends_a_friendship() -> None:
    assert over("예준이랑 절교했어") == [("friend", "예준")]


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("고양이 털 때문에 재채기가 멈추질 않아", "고양이 털"),
        ("옻닭 먹고 온몸에 두드러기 나서 병원 갔었어", "옻닭"),
        ("견과류 먹으면 입술 퉁퉁 부음", "견과류"),
        ("알러지 있어 나, 키위에", "키위"),
        ("망고만 조심하면 돼, 알레르기거든", "망고"),
        ("병원에서 검사했더니 나 메밀 알레르기래", "메밀"),
    ],
)
def test_an_allergy_is_told_by_its_reaction_or_beside_its_name(said: str, cause: str) -> None:
    assert of("allergy", said) == [cause]


@pytest.mark.parametrize(
    "said", ["땅콩 알레르기 있는 사람은 조심해야 돼", "나 출근 알레르기 있나 봐", "감기 때문에 콧물이 나"]
)
def test_no_allergy_is_made_up(said: str) -> None:
    assert of("allergy", said) == []


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("비행기 타는 게 무서워", "비행기"),
        ("높은 데 올라가면 다리가 후들거려", "높은 데"),
        ("바퀴벌레만 보면 소리 질러", "바퀴벌레"),
        ("천둥 치면 이불 뒤집어쓰고 덜덜 떨어", "천둥"),
        ("사람 많은 데 가면 숨이 막혀", "사람 많은 데"),
        ("놀이기구 못 타 무서워서", "놀이기구"),
        ("고소공포증 때문에 등산은 못 가", "고소공포증"),
        ("저는 좁은 곳이 무서워요", "좁은 곳"),
    ],
)
def test_fear_is_told_by_what_the_body_does(said: str, thing: str) -> None:
    assert of("phobia", said) == [thing]


@pytest.mark.parametrize("said", ["뱀이 무섭지 않아", "카드값이 제일 무섭다ㅋㅋ", "고소공포증 있는 사람은 못 타겠다"])
def test_no_fear_is_made_up(said: str) -> None:
    assert of("phobia", said) == []


@pytest.mark.parametrize(
    ("said", "drug"),
    [
        ("매일 아침 혈압약 먹어", "혈압약"),
        ("탈모약 3년째 복용 중", "탈모약"),
        ("수면제 없이는 못 자", "수면제"),
        ("갑상선약 먹은 지 5년 됐어", "갑상선약"),
        ("천식약 떨어져서 병원 가야 돼", "천식약"),
        ("비염약 먹을 시간이다", "비염약"),
        ("씬지로이드 먹고 나면 속이 울렁거려", "씬지로이드"),
    ],
)
def test_what_is_taken_regularly_is_a_medication(said: str, drug: str) -> None:
    assert of("medication", said) == [drug]


@pytest.mark.parametrize(
    "said", ["어제 두통약 먹었어", "감기약 먹고 자려고", "혈압약 먹어야 하나?", "여드름약 먹는 거 아니야"]
)
def test_what_is_taken_once_or_not_at_all_is_none(said: str) -> None:
    assert of("medication", said) == []


@pytest.mark.parametrize(
    ("said", "illness"),
    [
        ("천식 때문에 오래 못 뛰어", "천식"),
        ("저 빈혈이라 자주 어지러워요", "빈혈"),
        ("작년에 갑상선암 진단받았어", "갑상선암"),
        ("공황장애가 와서 지하철을 못 타", "공황장애"),
        ("불면증에 시달리고 있어", "불면증"),
        ("루푸스 환자입니다", "루푸스"),
    ],
)
def test_lasting_illnesses_are_read(said: str, illness: str) -> None:
    assert of("medical_condition", said) == [illness]


@pytest.mark.parametrize(
    "said", ["감기 걸렸어", "친구가 우울증이래", "당뇨에는 뭐가 좋아?", "우울증에 좋은 음식 추천해줘"]
)
def test_a_cold_is_no_condition_and_others_illnesses_are_not_ones_own(said: str) -> None:
    assert of("medical_condition", said) == []


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("약 때문에 자몽 먹으면 안 돼", "자몽"),
        ("와파린 먹고 있어서 낫토는 못 먹어", "낫토"),
        ("임신 중이라 회 못 먹어", "회"),
        ("의사가 커피 끊으래", "커피"),
    ],
)
def test_what_must_not_be_taken_has_a_reason(said: str, thing: str) -> None:
    assert of("contraindication", said) == [thing]


@pytest.mark.parametrize(
    ("said", "job"),
    [
        ("스타벅스에서 알바 시작했어", "스타벅스"),
        ("서점 알바 끝나고 집 가는 중", "서점"),
        ("빵집 알바 시급이 올랐어", "빵집"),
        ("피시방 야간 알바생입니다", "피시방"),
        ("요즘 과외 두 개 뛰어", "과외"),
    ],
)
def test_work_on_the_side_comes_up_with_its_pay_and_hours(said: str, job: str) -> None:
    assert of("part_time_job", said) == [job]


@pytest.mark.parametrize(
    "said",
    [
        "알바 구하는 중이야",
        "카페 알바 어때?",
        "예전에 알바할 때 진상 많았어",
        "사촌형이 물류센터 알바 갔다가 도망 나옴",
    ],
)
def test_work_that_is_sought_over_or_anothers_is_not_done(said: str) -> None:
    assert of("part_time_job", said) == []


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("와이프 몰래 게임기 샀다", "기혼"),
        ("결혼한 지 5년 됐어요", "기혼"),
        ("시댁 가기 싫다", "기혼"),
        ("여자친구랑 100일이야", "연애중"),
        ("썸 타는 중이야", "썸"),
        ("이혼하고 혼자 살아", "이혼"),
        ("어제 남친이랑 헤어졌어", "이별"),
        ("만나는 사람 없어", "솔로"),
        ("모솔 탈출했다 드디어", "연애중"),
        ("어제 차였다 진짜", "이별"),
        ("나 차임 ㅋㅋ", "이별"),
        ("장거리 연애 결국 끝났습니다", "이별"),
        ("걔랑 완전히 끝냄", "이별"),
        ("저희 헤어지기로 했어요", "이별"),
        ("결국 파혼하게 됐어요", "이별"),
        ("남편이랑 서류 정리 끝났어요", "이혼"),
        ("아내랑 별거 들어갔습니다", "별거"),
        ("지난달부터 별거하고 있습니다", "별거"),
        ("나 걔랑 재결합함", "연애중"),
        ("그 사람이랑 다시 만나고 있어요", "연애중"),
        ("소개팅한 분이랑 잘 돼서 만나고 있어요", "연애중"),
        ("짝사랑하던 오빠가 내 남친이 됐어", "연애중"),
        ("요즘 만나는 분이 생겼습니다", "연애중"),
        ("저희 약혼한 상태예요", "약혼"),
        ("작년에 재혼했습니다", "기혼"),
        ("지난주에 식 올렸어요", "기혼"),
        ("나 이혼 도장 찍었어", "이혼"),
        ("서류 정리까지 다 끝나서 이제 혼자예요. 이혼이 생각보다 조용히 지나가네요", "이혼"),
        ("집사람 떠나보내고 사십구재까지 지냈습니다", "사별"),
        ("남편이 작년에 하늘나라로 떠났어요", "사별"),
        ("걔랑 끝냈어.. 다시 혼자다", "이별"),
        ("장거리 3년 버티다 결국 지난주에 정리함", "이별"),
        ("옆집 살던 분이랑 만난 지 한 달 됐어요", "연애중"),
        ("소개팅했던 분이랑 사귀기로 했습니다", "연애중"),
        ("저 연애 안 하고 혼자 지내요", "솔로"),
    ],
)
def test_love_and_marriage_come_up(said: str, status: str) -> None:
    assert of("relationship_status", said) == [status]


@pytest.mark.parametrize(
    "said",
    [
        "친구 남편이 의사래",
        "남친 있었으면 좋겠다",
        "드라마에서 남편이 바람피우더라",
        "그때는 연애 중이었지",
        "빨간 차였어",
        "저거 내 차임",
        "공에 차였어",
        "장거리 운전 끝났다 피곤해",
        "그 친구랑 다시 만나고 있어 스터디에서",
        "밴드가 재결합함 대박",
        "별거 아니에요 신경쓰지 마세요",
        "부모님이 별거 중이세요",
        "우리 언니 결혼했어",
        "내 친구가 내 남동생 여친이 됐어",
        "언니 결혼식 했어",
        "친구가 지난주에 식 올렸어",
        "친구는 남편을 떠나보냈어",
        "사촌이 사별했어요",
        "회식 끝나고 다시 혼자다",
        "여권 서류 정리 끝났어",
        "프로젝트 3년 버티다 결국 정리함",
        "그 친구랑 만난 지 3년 됐어",
        "우리 애는 연애 안 해",
    ],
)
def test_anothers_love_is_not_ones_own(said: str) -> None:
    assert of("relationship_status", said) == []


def test_a_no_to_the_question_for_a_partner_is_an_answer() -> None:
    assert ("user", "relationship_status", "솔로") in facts("아뇨 없어요", "남자친구 있으세요?")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("내 앞에서 담배 얘기는 하지 말아줘", "담배 얘기"),
        ("전남친 얘기는 꺼내지 말아줘", "전남친 얘기"),
        ("외모 지적은 안 했으면 해요", "외모 지적"),
        ("가족 얘기는 하고 싶지 않아", "가족 얘기"),
        ("나이 묻지 마세요", "나이 묻기"),
        ("돼지라고 부르지 마", "돼지라고 부르기"),
        ("귀신 영상 같은 거 보내지 말아주세요", "귀신 영상"),
        ("나한테 살 빼라는 말 하지 마", "살 빼라는 말"),
        ("다이어트 얘기는 지뢰야", "다이어트 얘기"),
        ("술 강요하지 말아줘", "술 강요"),
    ],
)
def test_what_somebody_asks_to_be_spared_is_a_boundary(said: str, value: str) -> None:
    assert of("boundary", said) == [value]


@pytest.mark.parametrize(
    "said",
    [
        "걱정하지 마",
        "울지 마",
        "나 두고 가지 마",
        "늦지 마",
        "놀리지 마ㅋㅋ",
        "비밀이니까 말하지 마",
        "욕하지 말고 들어봐",
    ],
)
def test_not_every_plea_is_a_boundary(said: str) -> None:
    assert of("boundary", said) == []


def test_a_boundary_may_be_lifted() -> None:
    assert over("이제 회사 얘기 해도 돼") == [("boundary", "회사 얘기")]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("저는 물 트라우마가 있어요", "물"),
        ("어릴 때 개한테 물려서 트라우마가 있어", "개한테 물림"),
        ("계단에서 구른 트라우마가 있어", "계단에서 구름"),
    ],
)
def test_a_trauma_is_named_by_what_happened(said: str, value: str) -> None:
    assert of("trauma", said) == [value]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("다음 달에 이사해", "이사"),
        ("다음 주에 부산 여행 가", "부산 여행"),
        ("모레 캐나다로 출국합니다", "출국"),
        ("내일 아침에 치과 예약 있어", "치과 예약"),
        ("다음 학기에 복학할 예정", "복학"),
        ("8월에 호주로 워홀 가기로 했어", "호주로 워홀 가기"),
        ("12월 3일에 수능 봐", "수능"),
    ],
)
def test_what_is_ahead_is_a_plan(said: str, value: str) -> None:
    assert of("plan", said) == [value]


def test_a_plan_keeps_its_day_where_it_is_shown() -> None:
    (plan,) = [claim for claim in read("다음 달 9일에 면접 봐") if claim.attribute == "plan"]

    assert plan.value == "면접"
    assert plan.surface is not None
    assert "9일" in plan.surface
    assert "다음 달 9일" in plan.content


@pytest.mark.parametrize(
    "said", ["내일 비 온다던데", "내일 뭐 해?", "다음에 얘기하자", "친구 결혼식이 다음 주래", "엄마 생신이 다음 주야"]
)
def test_the_future_holds_more_than_plans(said: str) -> None:
    assert of("plan", said) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("내일 꼭 연락하기로 약속했잖아", "promise", "내일 꼭 연락"),
        ("우리 주말에 영화 보기로 했지", "promise", "주말에 영화 보기"),
        ("노래 불러준다는 약속 잊지 마", "promise", "노래 불러 주기"),
        ("엄마한테 전화하는 거 까먹지 말아야지", "todo", "엄마한테 전화"),
        ("내일까지 보고서 내야 돼", "todo", "내일까지 보고서 내기"),
        ("할 일: 관리비 내기", "todo", "관리비 내기"),
        ("퇴사하기로 결심했어", "decision", "퇴사"),
        ("토익 900점이 목표임", "goal", "토익 900점"),
        ("책 40권 읽기가 목표야", "goal", "책 40권 읽기"),
        ("나 독감 주사 맞았어", "vaccination", "독감 백신"),
    ],
)
def test_promises_todos_decisions_goals_and_vaccinations(said: str, attribute: str, value: str) -> None:
    assert of(attribute, said) == [value]


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("나 엄청 소심해", "소심함"),
        ("저는 낯을 많이 가려요", "낯을 가림"),
        ("완벽주의자라서 피곤해", "완벽주의자"),
        ("성격이 급한 편이에요", "성격이 급함"),
        ("나 길치야", "길치"),
        ("대학 와서 사교적으로 변했어", "사교적"),
    ],
)
def test_what_somebody_is_like(said: str, trait: str) -> None:
    assert of("trait", said) == [trait]


@pytest.mark.parametrize(
    "said", ["오늘 좀 예민해", "요즘 생각이 많아", "눈물이 나", "성격 좋은 사람이 좋아", "언니는 다혈질이야"]
)
def test_a_mood_of_the_day_is_no_trait(said: str) -> None:
    assert of("trait", said) == []


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("할머니가 당뇨약 드셔", ("할머니", "medication", "당뇨약")),
        ("아빠가 고혈압이셔", ("아빠", "medical_condition", "고혈압")),
        ("동생은 새우 알레르기가 있어", ("동생", "allergy", "새우")),
        ("언니는 다혈질이야", ("언니", "trait", "다혈질")),
        ("친구가 고양이 키워", ("친구", "pet", "고양이")),
    ],
)
def test_facts_of_others_stay_theirs(said: str, fact: tuple[str, str, str]) -> None:
    assert facts(said) == [fact]


@pytest.mark.parametrize(
    ("said", "emotion", "stronger"),
    [
        ("합격해서 너무 행복해", "happy", True),
        ("할머니가 돌아가셔서 슬퍼", "sad", False),
        ("팀장 때문에 진짜 짜증나", "angry", True),
        ("나 안 슬퍼", "neutral", False),
        ("걱정하지 마", "neutral", False),
        ("우리 강아지 귀여워ㅠㅠ", "happy", False),
        ("비 온다ㅠㅠ", "sad", False),
        ("나 서울 살아", "neutral", False),
    ],
)
def test_a_feeling_is_read_from_words_and_marks(said: str, emotion: str, stronger: bool) -> None:
    felt = feel(said, speaker="user")

    assert felt.emotion == emotion
    assert (felt.intensity > 0) == (emotion != "neutral")
    assert (felt.intensity >= 0.7) == stronger


def test_what_must_not_be_forgotten_matters_more() -> None:
    (plain,) = read("나 땅콩 알레르기 있어")
    (pet,) = read("나 거북이 키워")
    (loved,) = read("나 거북이 키워 꼭 기억해 줘")

    assert plain.importance == 0.95
    assert loved.importance > pet.importance
    assert importance("별거 아닌데 나 거북이 키워") < 0


def test_a_claim_carries_the_feeling_it_was_told_with() -> None:
    (claim,) = read("나 헤어졌어 너무 슬퍼")

    assert claim.emotion_intensity >= 0.7
    assert claim.tags == ("sad",)


@given(
    st.text(
        alphabet=st.sampled_from("우리 강아지약속트라우마알바ㅠㅋ 내일까지 말고기로했어친구랑때문에못먹어.?!"),
        max_size=60,
    )
)
def test_no_text_makes_reading_fail(said: str) -> None:
    read(said)
    assert -1 <= importance(said) <= 1
