"""Notes are put as one would say them to somebody's face."""

import pytest

from gieok.language.wording import politely


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("이름은 김민수임", "이름은 김민수예요"),
        ("25살임", "25살이에요"),
        ("키는 180cm임", "키는 180cm예요"),
        ("MBTI는 INFP임", "MBTI는 INFP예요"),
        ("고양이를 좋아함", "고양이를 좋아해요"),
        ("땅콩 알레르기가 있음", "땅콩 알레르기가 있어요"),
        ("우유를 먹으면 안 됨", "우유를 먹으면 안 돼요"),
        ("서울에 삶", "서울에 살아요"),
        ("요즘 힘듦", "요즘 힘들어요"),
        ("마음이 무거움", "마음이 무거워요"),
        ("서로 존댓말을 쓴다.", "서로 존댓말을 써요"),
        ("3월 9일부터 서로 말을 놓았다.", "3월 9일부터 서로 말을 놓았어요"),
        ("약속: 다음 주 토요일에 벚꽃 보러 가기", "다음 주 토요일에 벚꽃 보러 가기로 했어요"),
        ("할 일: 우유 사기", "우유 사기로 했어요"),
        ("벚꽃 보러 가기로 약속함", "벚꽃 보러 가기로 했어요"),
        ("내년 봄 스팀 출시 예정", "내년 봄 스팀 출시 예정이에요"),
        ("취미는 그림 그리기임", "취미는 그림 그리기예요"),
        ("전화번호는 [전화번호]임", "전화번호는 [전화번호]예요"),
    ],
)
def test_a_note_becomes_a_polite_sentence(note, said):
    assert politely(note) == said


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("1999년에 태어남", "1999년에 태어났어요"),
        ("엄마와 다툼", "엄마와 다퉜어요"),
        ("롤러코스터를 탔음", "롤러코스터를 탔어요"),
        ("제주도로 결정함", "제주도로 결정했어요"),
    ],
)
def test_what_happened_is_told_in_the_past(note, said):
    assert politely(note, past=True) == said


@pytest.mark.parametrize(
    "text", ["승진", "likes the film Inception best", "", "  ", "ㅋㅋㅋ", "첫 줄\n둘째 줄임", "임", "🐈"]
)
def test_what_is_no_note_stays_as_it_is(text):
    assert politely(text) == text
