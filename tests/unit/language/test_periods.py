"""What a question about a time asks for. Unless a line says otherwise, it is Wednesday 14 June 2023 in Seoul."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from gieok.language import Period, asked_periods

SEOUL = timezone(timedelta(hours=9))
NOW = date(2023, 6, 14)

# question | first day .. first day no longer meant (or nothing: open) | today, where it is another day
ASKED = """
오늘 뭐 먹었더라? | 2023-06-14 .. 2023-06-15
어제 내가 뭐라고 했지? | 2023-06-13 .. 2023-06-14
그저께 만난 사람 누구였지 | 2023-06-12 .. 2023-06-13
그제 뭐 했게 | 2023-06-12 .. 2023-06-13
엊그제 본 영화 뭐야? | 2023-06-10 .. 2023-06-14
어젯밤에 무슨 얘기 했어? | 2023-06-13 .. 2023-06-15
내일 뭐 하기로 했지? | 2023-06-15 .. 2023-06-16
모레 약속 있었나 | 2023-06-16 .. 2023-06-17
지난주에 뭐 했어? | 2023-06-05 .. 2023-06-12
지난 주에 내가 어디 갔지 | 2023-06-05 .. 2023-06-12
저번 주에 산 거 기억나? | 2023-06-05 .. 2023-06-12
지지난주에는? | 2023-05-29 .. 2023-06-05
지난주 금요일에 누구 만났지? | 2023-06-09 .. 2023-06-10
저번주 토요일 기억나? | 2023-06-10 .. 2023-06-11
지난 금요일에 뭐 먹었지 | 2023-06-09 .. 2023-06-10
지난 수요일에 뭐 먹었지 | 2023-06-07 .. 2023-06-08
지난 주말에 어디 갔더라 | 2023-06-10 .. 2023-06-12
이번 주말에 뭐 하기로 했지 | 2023-06-17 .. 2023-06-19
이번 주에 힘들었던 일 | 2023-06-12 .. 2023-06-19
이번 주 화요일 회의 어땠더라 | 2023-06-13 .. 2023-06-14
다음 주에 내 일정 뭐 있어? | 2023-06-19 .. 2023-06-26
다음주 월요일에 뭐 있지 | 2023-06-19 .. 2023-06-20
다다음 주는? | 2023-06-26 .. 2023-07-03
지난달에 읽은 책 | 2023-05-01 .. 2023-06-01
저번 달에 산 거 | 2023-05-01 .. 2023-06-01
지난달 15일에 뭐 했지 | 2023-05-15 .. 2023-05-16
지난달 말에 뭐 했지 | 2023-05-21 .. 2023-06-01
지지난달에 어디 여행 갔어? | 2023-04-01 .. 2023-05-01
이번 달에 몇 번 만났지? | 2023-06-01 .. 2023-07-01
다음 달에 뭐 한다고 했지? | 2023-07-01 .. 2023-08-01
작년에 다니던 회사 이름 뭐였지 | 2022-01-01 .. 2023-01-01
지난해에 있었던 일 | 2022-01-01 .. 2023-01-01
재작년에는 어디 살았지? | 2021-01-01 .. 2022-01-01
올해 목표 뭐였어? | 2023-01-01 .. 2024-01-01
내년에 뭐 하고 싶댔지? | 2024-01-01 .. 2025-01-01
작년 여름에 어디 놀러 갔지? | 2022-06-01 .. 2022-09-01
작년 여름휴가 어디로 갔지? | 2022-06-01 .. 2022-09-01
지난 여름에 뭐 했지 | 2022-06-01 .. 2022-09-01
지난여름 기억나? | 2023-06-01 .. 2023-09-01 | 2023-10-02
재작년 겨울에 뭐 배웠지? | 2021-12-01 .. 2022-03-01
지난 겨울 여행지 | 2022-12-01 .. 2023-03-01
지난 겨울 여행지가 어디였지 | 2022-12-01 .. 2023-03-01 | 2024-01-05
올여름 휴가 계획 뭐였지 | 2023-06-01 .. 2023-09-01
올 봄에 본 영화 | 2023-03-01 .. 2023-06-01
이번 겨울에 뭐 하고 싶댔지 | 2023-12-01 .. 2024-03-01 | 2024-01-05
2022년 가을에 만난 사람 | 2022-09-01 .. 2022-12-01
작년 초에 무슨 일 있었지 | 2022-01-01 .. 2022-05-01
작년 말에는? | 2022-09-01 .. 2023-01-01
올해 상반기에 뭐 했더라 | 2023-01-01 .. 2023-07-01
3일 전에 뭐 먹었지? | 2023-06-10 .. 2023-06-13
이틀 전에 한 말 | 2023-06-12 .. 2023-06-13
사흘 전에 뭐라 했지 | 2023-06-10 .. 2023-06-13
일주일 전에 한 약속 | 2023-06-04 .. 2023-06-11
2주 전에 뭐 했어 | 2023-05-28 .. 2023-06-04
두 달 전에 시작한 운동 | 2023-03-30 .. 2023-04-30
한 달쯤 전에 산 가방 | 2023-04-22 .. 2023-06-06
한 두 달 전에 간 데 | 2023-03-23 .. 2023-05-07
3개월 전에 그만둔 거 | 2023-02-27 .. 2023-03-30
2년 전 남자친구 이름 | 2020-12-16 .. 2021-12-12
1년 전에 뭐 했지 | 2022-03-16 .. 2022-09-13
1년 반 전에 뭐 했지 | 2020-09-17 .. 2023-03-12
작년 이맘때 뭐 했지 | 2022-05-30 .. 2022-06-30
설에 뭐 먹었지 | 2023-01-20 .. 2023-01-25
두세 달 전에 읽은 책 | 2023-02-20 .. 2023-05-07
2~3일 전에 뭐라고 했더라 | 2023-06-10 .. 2023-06-14
며칠 전에 본 영화 제목 | 2023-06-04 .. 2023-06-14
몇 주 전에 얘기한 식당 | 2023-04-19 .. 2023-06-08
몇 달 전에 산 거 | 2022-06-14 .. 2023-05-15
몇 년 전에 갔던 데 | 2013-06-14 .. 2022-06-15
얼마 전에 산 신발 | 2023-04-15 .. 2023-06-15
최근에 본 영화 뭐야? | 2023-05-15 .. 2023-06-15
요즘 내가 뭐에 빠졌지 | 2023-05-15 .. 2023-06-15
요새 뭐 듣지 | 2023-05-15 .. 2023-06-15
최근 3일 사이에 무슨 일 있었어? | 2023-06-11 .. 2023-06-15
지난 2주 동안 뭐 했지 | 2023-05-31 .. 2023-06-15
최근 한 달간 읽은 책 | 2023-05-14 .. 2023-06-15
두 시간 전에 뭐라고 했지 | 2023-06-14 .. 2023-06-15
3일 뒤에 뭐 하기로 했지 | 2023-06-16 .. 2023-06-19
두 달 후에 뭐 있지 | 2023-07-30 .. 2023-08-30
5월에 간 여행 | 2023-05-01 .. 2023-06-01
9월에 뭐 했지? | 2022-09-01 .. 2022-10-01
6월에 산 거 뭐야 | 2023-06-01 .. 2023-07-01
오월에 뭐 했지 | 2023-05-01 .. 2023-06-01
5월 7일에 뭐 했지 | 2023-05-07 .. 2023-05-08
7월 7일에 뭐 했지 | 2022-07-07 .. 2022-07-08
5월 초에 만난 사람 | 2023-05-01 .. 2023-05-11
5월 중순쯤 뭐 했지 | 2023-05-11 .. 2023-05-21
5월말에 뭐 했더라 | 2023-05-21 .. 2023-06-01
5월 둘째 주에 뭐 했지 | 2023-05-08 .. 2023-05-15
2023년에 산 것들 | 2023-01-01 .. 2024-01-01
2021년도에 다닌 학교 | 2021-01-01 .. 2022-01-01
2023년 5월에 뭐 했지 | 2023-05-01 .. 2023-06-01
2023년 5월 7일 일기 | 2023-05-07 .. 2023-05-08
2023-05-07에 뭐 했지 | 2023-05-07 .. 2023-05-08
5/7에 뭐 했지 | 2023-05-07 .. 2023-05-08
22년 5월에 뭐 했지 | 2022-05-01 .. 2022-06-01
작년 5월에 어디 갔지 | 2022-05-01 .. 2022-06-01
작년 5월 7일은? | 2022-05-07 .. 2022-05-08
지난 5월에 산 거 | 2023-05-01 .. 2023-06-01
90년대에 좋아하던 가수 | 1990-01-01 .. 2000-01-01
크리스마스에 뭐 했지? | 2022-12-24 .. 2022-12-26
작년 크리스마스에 받은 선물 | 2022-12-24 .. 2022-12-26
재작년 크리스마스엔? | 2021-12-24 .. 2021-12-26
이번 크리스마스에 뭐 하기로 했지 | 2023-12-24 .. 2023-12-26 | 2023-11-20
설날에 뭐 먹었지? | 2023-01-20 .. 2023-01-25
작년 추석에 어디 갔지 | 2022-09-08 .. 2022-09-13
어린이날에 어디 갔지? | 2023-05-05 .. 2023-05-06
5월 이후에 뭐 했지 | 2023-05-01 ..
2022년 이전에 살던 곳 | .. 2022-01-01
작년부터 다닌 학원 | 2022-01-01 ..
지난주까지 하던 거 | .. 2023-06-12
5월부터 7월까지 뭐 했지 | 2022-05-01 .. 2022-08-01
작년 5월부터 7월까지 뭐 했지 | 2022-05-01 .. 2022-08-01
2022년 5월 ~ 2022년 7월 | 2022-05-01 .. 2022-08-01
6월 9일 전날 뭐 했지 | 2023-06-08 .. 2023-06-09
What did I eat today? | 2023-06-14 .. 2023-06-15
what did I say yesterday | 2023-06-13 .. 2023-06-14
Who did I meet the day before yesterday? | 2023-06-12 .. 2023-06-13
what did we talk about last night | 2023-06-13 .. 2023-06-15
what am I doing tomorrow? | 2023-06-15 .. 2023-06-16
What did I do last week? | 2023-06-05 .. 2023-06-12
who did I meet last Friday | 2023-06-09 .. 2023-06-10
Where did I go on Friday last week? | 2023-06-09 .. 2023-06-10
where was I last weekend | 2023-06-10 .. 2023-06-12
what's on next week | 2023-06-19 .. 2023-06-26
What happened the week before last? | 2023-05-29 .. 2023-06-05
What did Caroline do the week before 9 June 2023? | 2023-06-02 .. 2023-06-09
What did Mel do the Friday before 15 July 2023? | 2023-07-14 .. 2023-07-15
What did he do the day after 9 June 2023? | 2023-06-10 .. 2023-06-11
two weeks before 9 June 2023 | 2023-05-23 .. 2023-05-30
What book did I read last month? | 2023-05-01 .. 2023-06-01
What did I do this month? | 2023-06-01 .. 2023-07-01
Where did I go last May? | 2023-05-01 .. 2023-06-01
where did i go last may | 2023-05-01 .. 2023-06-01
Where did I go last July? | 2022-07-01 .. 2022-08-01
What did I buy in May? | 2023-05-01 .. 2023-06-01
what did i buy in march | 2023-03-01 .. 2023-04-01
What did I buy in November? | 2022-11-01 .. 2022-12-01
Where was Melanie in May 2023? | 2023-05-01 .. 2023-06-01
What happened on 7 May 2023? | 2023-05-07 .. 2023-05-08
What happened on May 7th, 2023? | 2023-05-07 .. 2023-05-08
what happened on may 7 | 2023-05-07 .. 2023-05-08
What did I do on the 7th of July? | 2022-07-07 .. 2022-07-08
Where did we go in the summer of 2022? | 2022-06-01 .. 2022-09-01
Where did we go summer 2022? | 2022-06-01 .. 2022-09-01
Which festival was it last summer? | 2022-06-01 .. 2022-09-01
What did I learn last fall? | 2022-09-01 .. 2022-12-01
What did I start two weeks ago? | 2023-05-28 .. 2023-06-04
What did I say 3 days ago? | 2023-06-10 .. 2023-06-13
what did I cook a month ago | 2023-04-29 .. 2023-05-30
where did I live a year ago | 2022-03-16 .. 2022-09-13
what did I watch a few days ago | 2023-06-04 .. 2023-06-14
what did I watch a couple of weeks ago | 2023-05-20 .. 2023-06-05
what did I watch the other day | 2023-06-04 .. 2023-06-14
What have I watched recently? | 2023-05-15 .. 2023-06-15
what am I into these days | 2023-05-15 .. 2023-06-15
what did I do in the past two weeks | 2023-05-31 .. 2023-06-15
what did I read over the last few months | 2022-06-14 .. 2023-06-15
Where did I work in 2022? | 2022-01-01 .. 2023-01-01
2022? | 2022-01-01 .. 2023-01-01
What are my goals this year? | 2023-01-01 .. 2024-01-01
where was I last year | 2022-01-01 .. 2023-01-01
What happened in early June? | 2023-06-01 .. 2023-06-11
What happened in mid-May 2022? | 2022-05-11 .. 2022-05-21
what did I do in late May | 2023-05-21 .. 2023-06-01
what did I do at the end of May | 2023-05-21 .. 2023-06-01
What did I do in the first week of June? | 2023-06-01 .. 2023-06-08
What did I do between May and July 2023? | 2023-05-01 .. 2023-08-01
from May 2022 to March 2023 | 2022-05-01 .. 2023-04-01
What did I do before 9 June 2023? | .. 2023-06-09
Where did I live before 2020? | .. 2020-01-01
What did I do after May 2023? | 2023-06-01 ..
What changed since last summer? | 2022-06-01 ..
What did I get last Christmas? | 2022-12-24 .. 2022-12-26
What did we do for Christmas 2021? | 2021-12-24 .. 2021-12-26
Who did I see on Halloween? | 2022-10-31 .. 2022-11-01
What have I got in the next two weeks? | 2023-06-14 .. 2023-06-29
What did I read in the last month? | 2023-05-14 .. 2023-06-15
two weekends before 17 July 2023 | 2023-07-08 .. 2023-07-10
What was I doing this time last year? | 2022-05-30 .. 2022-06-30
What am I doing next Friday? | 2023-06-23 .. 2023-06-24
What did I do in the 1990s? | 1990-01-01 .. 2000-01-01
"""

# Durations, ages, frequencies, names, verbs and times without a date.
NOT_ASKED = """
3일 동안 뭐 했지
2년간 다닌 회사 이름
한 달 동안 배운 거
여행은 3박 4일이었지?
나 몇 살이지?
스물다섯 살인 사람 누구야
연애한 지 2년째야
3년차 개발자 누구야
3일에 한 번 운동하는 사람
일주일에 몇 번 운동하지?
한 달에 얼마 써?
매주 금요일에 뭐 하지
매년 5월에 가는 곳
나 98년생이야?
1998년생 친구 누구
5월의 신부라는 노래 누구 거야
카페 '5월'이 어디 있지
5월드 갔던 거 기억해?
이월 상품 좋아해?
5개월 된 강아지 이름
전에 말한 거
그때 뭐라고 했지
이번 주제가 뭐야
다음 주소 알려줘
지난번에 뭐라고 했지
이번에 산 거
그제서야 알았어?
3일 전화 안 했지
2주 전부 쉬었어?
여름 좋아해?
내 생일이 언제야
내 MBTI 뭐야?
오만 원 빌린 사람
30분 전에 뭐랬지
What have I done for two years?
How many weeks did it take?
I am two years old
How old was I at 25?
Who may come along?
What may I eat?
it may be hot
May I come in?
Do they march at night?
Which march was it?
Who came second?
the second time
Just a second
I need it in 10 seconds
What does June like?
Is April my sister?
Did Jan call?
Who did Augusta marry?
I fall asleep early
Is spring my favourite season?
2000 steps a day
Does it cost 2022 won?
the last time we met
What is my last name?
Who was last in line?
the next thing
What did I do on Fridays?
How often per week do I run?
Was it 3 or 4 days?
What's my favourite day?
Where do we go every July?
24/7
"""


def at(day):
    return datetime.combine(day, datetime.min.time(), SEOUL)


def lines(table):
    return [line.split(" | ") for line in table.strip().splitlines()]


def window(said):
    start, _, end = said.partition("..")
    return tuple(at(date.fromisoformat(day.strip())) if day.strip() else None for day in (start, end))


@pytest.mark.parametrize("line", lines(ASKED), ids=lambda line: line[0])
def test_a_time_in_a_question_is_a_window(line):
    question, said, *today = line
    now = at(date.fromisoformat(today[0]) if today else NOW) + timedelta(hours=15)
    found = asked_periods(question, now, SEOUL)
    assert [(period.start, period.end) for period in found] == [window(said)]


@pytest.mark.parametrize("line", lines(NOT_ASKED), ids=lambda line: line[0])
def test_what_only_looks_like_a_time_asks_for_none(line):
    assert asked_periods(line[0], at(NOW), SEOUL) == ()


def test_two_times_are_two_windows_in_the_order_they_are_said():
    found = asked_periods("지난주랑 작년 여름 중에 언제였지?", at(NOW), SEOUL)
    assert [period.text for period in found] == ["지난주", "작년 여름"]


def test_days_begin_at_midnight_where_the_user_lives():
    night_in_seoul = datetime(2023, 6, 13, 16, tzinfo=UTC)  # 01:00 on the 14th there
    assert asked_periods("어제", night_in_seoul, SEOUL) == (
        Period(start=at(date(2023, 6, 13)), end=at(date(2023, 6, 14)), text="어제"),
    )


@pytest.mark.parametrize(
    "text", ["", "0월 0일", "9999년", "13월에", "2월 30일", "99999년 전", "9999년 12월 31일", "3000년 뒤"]
)
def test_no_text_is_too_odd(text):
    asked_periods(text, at(NOW), SEOUL)


@pytest.mark.parametrize(
    "piece", ["지난 ", "last ", "5월 ", "2023년 ", "한 ", "the week before ", "1/2 ", " ", "between May and ", "3"]
)
def test_a_long_line_takes_a_moment(piece):
    asked_periods(piece * 8000, at(NOW), SEOUL)
