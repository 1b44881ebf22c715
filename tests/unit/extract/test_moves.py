"""Coming somewhere to stay, being raised to a post, leaving work or school: what is so now, and what is over."""

from __future__ import annotations

import pytest

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.scope import Scope
from gieok.extract.korean import KoreanRules
from gieok.testing import memory
from support.speech import spoken

SCOPE = Scope(user="minsu", character="letia", world="academy")


def read(said: str, **known: str) -> list[Claim]:
    """Read `said` by a user of whom `known` (attribute=value) stands."""
    facts = tuple(memory(key, id=key, attribute=key, value=value, surface=value) for key, value in known.items())
    named = tuple(fact for fact in facts if (fact.value or "") in said)
    return list(KoreanRules().claims(spoken(said), SCOPE, (), Background(mentioned=named, unnamed=facts)))


def of(attribute: str, said: str) -> list[str | None]:
    told = (claim for claim in read(said) if claim.polarity == "+" and claim.subject == "user")
    return [claim.value for claim in told if claim.attribute == attribute]


def ended(said: str, **known: str) -> list[str | None]:
    return [claim.attribute for claim in read(said, **known) if claim.act == "end"]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("송도로 넘어온 뒤로 바람이 왜이리 쎄냐", "residence", "송도"),
        ("회사 근처 성수동에 원룸 구해서 독립했어요", "residence", "성수동"),
        ("포항 효자동 원룸 들어옴", "residence", "포항 효자동"),
        ("결혼하고 창원에 신혼살림 차렸습니다", "residence", "창원"),
        ("나도 이제 상무지구 사람이다", "residence", "상무지구"),
        ("미사 오니까 한강도 가깝고 좋아요. 이사 잘했죠", "residence", "미사"),
        ("엄마 회사 땜에 방이동으로 이사했는데 좋아", "residence", "방이동"),
        ("토스 첫 출근했는데 다들 어려 보임", "workplace", "토스"),
        ("전보 나서 3월부터 남산초로 출근해요", "workplace", "남산초"),
        ("이번 학기부터 병설유치원에 나가요", "workplace", "병설유치원"),
        ("포스텍으로 박사 옴", "school", "포스텍"),
        ("전학 온 지 일주일째.. 창덕여고 애들 다 착한데", "school", "창덕여고"),
        ("어린이집 보조교사로 일 시작한 지 2주 됐는데", "job", "어린이집 보조교사"),
        ("월요일부터 마케터로 출근하고 있어요", "job", "마케터"),
        ("광교 온 지 열흘짼데 호수공원 벌써 여덟번 돎", "residence", "광교"),
        ("강릉 내려온 지 3주 됐어요", "residence", "강릉"),
        ("지난 토요일에 의정부로 이사를 마쳤습니다", "residence", "의정부"),
        ("대전으로 이사 나왔어요", "residence", "대전"),
        ("남편 발령 때문에 온 가족이 포항으로 내려왔어요", "residence", "포항"),
        ("결혼하면서 김해로 넘어왔어요", "residence", "김해"),
        ("분당에 집 구해서 어제부터 살고 있어요", "residence", "분당"),
        ("인자 나도 목포 사람이다, 이사 온 김에 낙지부터 먹었다", "residence", "목포"),
        ("컬리로 왔어", "workplace", "컬리"),
        ("투썸 온 뒤로 케이크 이름 외우느라 죽겠다", "workplace", "투썸"),
        ("아산병원으로 옮겨왔어요", "workplace", "아산병원"),
        ("토스뱅크로 옮긴 지 한 달 됨", "workplace", "토스뱅크"),
        ("요즘은 유기견 보호소로 출근해요", "workplace", "유기견 보호소"),
        ("오늘부터 오뚜기로 출근합니다", "workplace", "오뚜기"),
        ("아산공장에 발령 나서 와 있습니다", "workplace", "아산공장"),
        ("구청으로 발령났어", "workplace", "구청"),
        ("신세계로 스카웃돼서 넘어왔어요", "workplace", "신세계"),
        ("구글코리아 온보딩 주간 끝났다", "workplace", "구글코리아"),
        ("대학원은 카이스트로 왔어요", "school", "카이스트"),
        ("전과 성공!! 이제 컴공이야", "major", "컴공"),
    ],
)
def test_where_somebody_has_come_to_stay_is_where_they_are_now(said: str, attribute: str, value: str) -> None:
    assert value in of(attribute, said)


@pytest.mark.parametrize(
    ("said", "attribute"),
    [
        ("제주 오니까 너무 좋다", "residence"),
        ("사무실 이사하고 첫날인데 줄이 길어", "residence"),
        ("월요일부터 한의원에 나가고 있어 허리 때문에", "workplace"),
        ("휴가 끝나고 첫 출근했는데 졸리다", "workplace"),
        ("유튜버 준비 시작한 지 한 달", "job"),
        ("전학 온 애가 창덕여고 애들 얘기해줬어", "school"),
        ("제주 온 지 3일째, 여행 중이야", "residence"),
        ("부산 내려온 지 일주일째인데 출장이라 바빠", "residence"),
        ("명절이라 목포 내려온 지 열흘 됐어요", "residence"),
        ("광교 온 지 한 시간째 친구가 안 와", "residence"),
        ("홍대로 넘어와서 술 마시는 중", "residence"),
        ("동생이 서울로 올라온 지 한 달 됐어", "residence"),
        ("서울로 이사 온 친구 집들이 갔어요", "residence"),
        ("제주로 이사 가고 싶다", "residence"),
        ("투썸 왔는데 케이크 맛있다", "workplace"),
        ("점심에 삼성으로 미팅 왔어", "workplace"),
        ("SK로 이직 제안 왔어요", "workplace"),
        ("오늘은 서울대병원으로 출장 왔어요", "workplace"),
        ("서울대로 놀러 왔어", "school"),
    ],
)
def test_a_visit_a_wish_and_what_others_do_move_nobody(said: str, attribute: str) -> None:
    assert of(attribute, said) == []


@pytest.mark.parametrize(
    ("said", "post"),
    [
        ("점장 달았다 ㅋㅋㅋ", "점장"),
        ("상사 계급장 달았습니다!", "상사"),
        ("오늘 경장 임용장 받았습니다", "경장"),
        ("이번 달부로 원감이 되었습니다", "원감"),
        ("오늘 대리로 승진했어요", "대리"),
        ("디자이너 승급했다ㅠㅠ", "디자이너"),
        ("대박 저 정규직 전환됐어요!!!", "정규직"),
        ("PM으로 직무 전환되고 하루종일 회의만 함", "PM"),
        ("채용담당자가 된 지 3주째야", "채용담당자"),
        ("저는 팀장을 맡고 있어요", "팀장"),
    ],
)
def test_a_post_that_one_is_raised_to_is_ones_job(said: str, post: str) -> None:
    assert of("job", said) == [post]


@pytest.mark.parametrize(
    "said",
    [
        "과장 달면 뭐가 달라질까",
        "제 동기는 벌써 과장 달았어요",
        "나도 언젠가 팀장 되겠지",
        "드라마에서 점장 역할 맡았어요",
        "게임에서 길드 대장 됐다",
        "정규직 전환 됐으면 좋겠어요",
    ],
)
def test_a_post_that_is_hoped_for_played_or_anothers_is_not(said: str) -> None:
    assert of("job", said) == []


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("에기연 계약 끝나서 짐 뺌", "workplace", "에너지기술연구원"),
        ("경비 일은 지난달 말로 마쳤습니다", "job", "아파트 경비"),
        ("팀장은 지난달에 내려놨어요", "job", "팀장"),
        ("마지막 출근하고 앞치마 반납했어요", "part_time_job", "스타벅스"),
        ("지난달 정년퇴임했습니다", "workplace", "포스코"),
        ("나 지난주에 퇴사했어", "workplace", "네이버"),
        ("저 회사 그만뒀어요", "workplace", "LG전자"),
        ("사직서 수리됐다", "job", "승무원"),
        ("권고사직 당했어", "workplace", "게임회사"),
        ("지난주가 마지막 출근이었어", "job", "은행원"),
        ("나 이제 회사 안 다녀", "workplace", "코레일"),
        ("다니던 출판사가 문을 닫았어", "workplace", "출판사"),
        ("공장 망해서 실업급여 받는다", "workplace", "공장"),
        ("쿠팡은 계약 끝나서 안 나간 지 좀 됐어요", "workplace", "쿠팡 물류센터"),
        ("외대 졸업식 어제였어요!", "school", "한국외대"),
        ("방통대는 한 학기 하고 그만뒀어요", "school", "방송통신대"),
        ("나 학교 자퇴했어", "school", "원광대"),
        ("랩실 자퇴서 냈고 처리도 끝남", "job", "대학원생"),
        ("소방 퇴직했음", "job", "소방관"),
        ("딸기농사 접었습니다", "job", "농부"),
        ("나 어제 전역함", "job", "병장"),
        ("오늘 첫 출근했어요", "job", "취준생"),
        ("카페 폐업했어요", "job", "카페 운영"),
        ("알바 짤렸어요", "part_time_job", "카페"),
        ("배달 접었어", "part_time_job", "쿠팡이츠 배달"),
        ("피씨방 그만뒀어", "part_time_job", "pc방"),
    ],
)
def test_who_leaves_has_left_though_it_is_not_named_in_full(said: str, attribute: str, value: str) -> None:
    assert ended(said, **{attribute: value}) == [attribute]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("이번 주 마지막 출근했다", "workplace", "네이버"),
        ("개발자 일 오늘은 일찍 마쳤어", "job", "개발자"),
        ("경영 아니고 뭐라고?", "major", "경영학"),
        ("시간 아니고 장소가 문제야", "major", "시각디자인"),
        ("퇴사하고 싶다", "workplace", "네이버"),
        ("나 퇴사하면 뭐 하지", "workplace", "네이버"),
        ("아빠가 지난달에 정년퇴임하셨어", "workplace", "네이버"),
        ("퇴사한 동기가 부럽다", "workplace", "네이버"),
        ("회사 그만둔 거 아니야 그냥 휴가야", "workplace", "네이버"),
        ("이번 주는 휴가라 회사 안 가", "workplace", "네이버"),
        ("회사 앞 식당이 폐업했어", "workplace", "네이버"),
        ("오늘 가게 문 일찍 닫았어요", "job", "요리사"),
        ("고등학교 졸업한 지 3년 됐어요", "school", "서강대"),
        ("동생 졸업식 다녀왔어요", "school", "동국대"),
        ("올해 농사 끝났어요", "job", "농부"),
        ("내년에 전역해", "job", "군인"),
        ("친구가 알바 짤렸어", "part_time_job", "카페"),
        ("오늘은 비 와서 배달 안 해", "part_time_job", "배달"),
    ],
)
def test_a_wish_a_break_and_others_leaving_end_nothing(said: str, attribute: str, value: str) -> None:
    assert ended(said, **{attribute: value}) == []


def test_who_leaves_a_firm_keeps_a_trade_but_who_retires_does_not() -> None:
    assert ended("나 퇴사했어", workplace="네이버", job="개발자") == ["workplace"]
    assert ended("나 은퇴했어", workplace="네이버", job="개발자") == ["workplace", "job"]


def test_who_is_through_with_school_keeps_what_they_studied_but_who_drops_out_does_not() -> None:
    assert ended("나 졸업했어! 이제 학교 안 다녀", school="부산교대", major="생명공학") == ["school"]
    assert ended("나 자퇴했어", school="부산교대", major="생명공학") == ["school", "major"]


def test_what_takes_its_place_needs_no_end_beside_it() -> None:
    claims = read("퇴사하고 당근 다닌 지 이제 2주차야", workplace="토스")
    assert [(each.value, each.polarity) for each in claims if each.attribute == "workplace"] == [("당근", "+")]


@pytest.mark.parametrize(
    ("said", "new", "old"),
    [
        ("나 대한항공 아니야 아시아나야 ㅠㅠ 어차피 합친다고들 하지만", "아시아나", "대한항공"),
        ("저 이마트 아니에요 홈플러스예요", "홈플러스", "이마트"),
        ("병원 그만두고 보건소로 왔어요", "보건소", "병원"),
    ],
)
def test_the_name_behind_takes_the_place_of_the_one_denied(said: str, new: str, old: str) -> None:
    claims = [each for each in read(said, workplace=old) if each.attribute == "workplace"]
    assert [(each.value, each.instead_of) for each in claims] == [(new, old)]


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("불판 닦기 싫어서 옮김. 요샌 올리브영에서 알바하는데 좋아", "올리브영"),
        ("다이소 알바로 갈아탔어요", "다이소"),
        ("영화관 알바 첫 주인데 팝콘 냄새가 배었어요. 카페 때보다 재밌어요", "영화관"),
    ],
)
def test_a_part_time_job_that_was_changed_for_another_gives_way_to_it(said: str, new: str) -> None:
    claims = [each for each in read(said, part_time_job="카페") if each.attribute == "part_time_job"]
    assert [(each.value, each.act) for each in claims] == [(new, "prefer")]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("나 게임회사 다녀 넥슨", "넥슨"),
        ("나 구청에서 일해 종로구청", "종로구청"),
        ("스타트업 다니는데 토스야", "토스"),
    ],
)
def test_a_workplace_is_what_it_is_called_most_closely(said: str, value: str) -> None:
    assert of("workplace", said) == [value]
