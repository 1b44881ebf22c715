"""What is current after somebody has moved, changed work, been raised or left, told as people tell it."""

import pytest


def current(scope, attribute):
    facts = scope.facts(attribute=attribute)
    return [fact.value for fact in facts if (fact.subject, fact.polarity) == ("user", "+")]


@pytest.mark.parametrize(
    ("first", "later", "attribute", "now"),
    [
        ("나 인천 부평 살잖아", "송도로 넘어온 뒤로 바람이 왜이리 쎄냐", "residence", ["송도"]),
        ("지금 롯데마트 본사 다니고 있어", "롯데 10년 채우고 컬리로 왔어", "workplace", ["컬리"]),
        ("직장은 국민은행 목동지점이야", "인사이동 떠서 화곡지점으로 왔음", "workplace", ["화곡지점"]),
        ("바리스타로 일하는데 라떼아트 잘함", "점장 달았다 ㅋㅋㅋ", "job", ["점장"]),
        ("포스코 다닙니다", "지난달 정년퇴임했습니다", "workplace", []),
        ("쿠팡 물류센터 다녀요", "쿠팡은 계약 끝나서 안 나간 지 좀 됐어요", "workplace", []),
        ("저 한국외대 다니고 있어요", "외대 졸업식 어제였어요!", "school", []),
        ("주말에 쿠팡이츠 배달 알바 해", "오토바이 사고 나고 배달 접었어", "part_time_job", []),
        ("고깃집 서빙 알바 뛰고 있음", "싫어서 옮김. 요샌 올리브영에서 알바하는데 좋아", "part_time_job", ["올리브영"]),
        ("신촌에 살아요", "신촌 방 빼고 춘천에 전세 얻었어", "residence", ["춘천"]),
        ("저는 시각디자인 전공했어요", "시디 아니고 산업디자인이에요", "major", ["산업디자인"]),
        ("팀홀튼에서 알바해", "지금은 영어학원에서 보조교사 알바해", "part_time_job", ["보조교사"]),
        ("대한항공 다녀", "나 대한항공 아니야 아시아나야", "workplace", ["아시아나"]),
    ],
)
def test_a_change_leaves_nothing_stale(letia, first, later, attribute, now):
    letia.observe(first)
    letia.observe(later)
    assert current(letia, attribute) == now


@pytest.mark.parametrize(
    ("first", "later", "attribute", "still"),
    [
        ("나 네이버 다녀", "퇴사하고 싶다 진짜", "workplace", ["네이버"]),
        ("나 네이버 다녀", "우리 팀장님이 지난주에 퇴사하셨어", "workplace", ["네이버"]),
        ("나 부평 살아", "제주 온 지 3일째, 여행 중이야", "residence", ["부평"]),
        ("나 대리야", "제 동기는 벌써 과장 달았어요", "job", ["대리"]),
    ],
)
def test_what_has_not_changed_stays(letia, first, later, attribute, still):
    letia.observe(first)
    letia.observe(later)
    assert current(letia, attribute) == still
