"""Personal data in sentences: what is found, and what only looks like it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.personal import PERSONAL_KINDS
from gieok.privacy.find import found
from gieok.privacy.numbers import figures, plain
from support.personal import PIECES, PLANTED, TRICKY

MARK = re.compile(r"\{(\w+):([^}]*)\}")


def marked(line: str) -> tuple[str, list[tuple[str, str]]]:
    return MARK.sub(lambda mark: mark[2], line), [(mark[1], mark[2]) for mark in MARK.finditer(line)]


def told(text: str) -> list[tuple[str, str]]:
    return [(each.kind, text[each.start : each.end]) for each in found(text)]


@pytest.mark.parametrize(
    "line",
    [
        "내 폰 {phone:010-9922-1043}이고 집전화는 {phone:02-998-1243}",
        "번호 {phone:010_4482_9173} 저장",
        "{phone:010 - 2231 - 8890}입니다",
        "전번은{phone:공일공삼사오육칠팔구공}이야",
        "{phone:공일공 삼사오육 칠팔구영}이 내 번호야",
        "번호가 {phone:공일공-구삼이일-공공일이}였나",
        "{phone:010 가운데 4482 끝 9173}",
        "{phone:82-10-4482-9173}",
        "{phone:+82 (0)10-4482-9173}",
        "{phone:(02) 3471-0092}로 전화",
        "전화는 {phone:041)552-8830}",
        "내 번호 {phone:𝟎𝟏𝟎-𝟒𝟒𝟖𝟐-𝟗𝟏𝟕𝟑}",
        "{phone:０１０ ４４８２ ９１７３}",
        "my cell is {phone:(213) 555-0147}, call anytime",
        "UK number {phone:+44 20 7946 0958} still works",
        "일본 번호 {phone:+81-90-1234-5678}",
    ],
)
def test_telephone_numbers_are_found_however_they_are_written(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "주민번호 앞자리 {resident:880214 뒷자리는 2138462}",
        "주민번호 {resident:구오공칠삼공 일일이오칠사육}",
        "민증 번호 {resident:950730‐1125746}",
        "외국인등록번호가 {foreigner:900412-5480763}이에요",
        "사업자등록번호 {business:214-87-29534}입니다",
        "여권은 {passport:M 482 C 1739}",
        "운전면허번호가 {licence:110848271639}예요",
        "{licence:인천 09-482716-39} 이거 면허",
        "SSN: {us_ssn:219487365}",
        "my driver's licence no is {us_licence:S530-4601-9051}",
        "my US passport number is {us_passport:548271639}",
    ],
)
def test_identity_numbers_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "카뱅 {account:3333074819265}",
        "계좌번호 {account:110-384-729105} (신한)",
        "{account:302-0837-2916-41}로 입금해주세요",
        "국민은행 계좌는 {account:284702 04 158396}이야",
        "카드 {card:4521 7390 0628 4157} 08/27",
        "앞은 {card:4521 7390이고 뒤는 0628 4157}",
        "IBAN {iban:CH93 0076 2011 6238 5295 7} pls",
    ],
)
def test_accounts_and_cards_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "{email:hojin91 골뱅이 지메일 닷컴}",
        "{email:hojin91(골뱅이)naver.com}",
        "{email:hojin91@네이버}로 보내",
        "my email is {email:mina.kwon at gmail.com}",
        "{email:ｈｏｊｉｎ９１＠ｎａｖｅｒ．ｃｏｍ}",
        "집 주소 {address:서울 마포구 성산동 123-4}",
        "우리 집은 {address:와우산로 94}야",
        "{address:분당구 정자동 178-1}",
        "{address:서울 강남구 봉은사로 524 (삼성동)}",
        "{address:부산 남구 용호동 176-30 LG메트로시티 101동 1203호}",
        "{address:강남구 대치동 은마아파트 12동 305호}",
        "my address is {us_address:12 Oak Street, Apt 5}, come by",
        "i live at {us_address:88 willow street}",
    ],
)
def test_mail_and_street_addresses_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "오늘 아침 7시 30분에 일어났어",
        "생일은 1998년 4월 12일이야",
        "고객센터 1588-1234로 전화해",
        "번호가 010-****-5678로 가려져 있어",
        "주문번호 2024031548273916 언제 와",
        "송장 384719205536 조회해줘",
        "880230-1029384는 없는 날이잖아",
        "카드 4521-7390-0628-4158 틀린 번호",
        "계좌에서 1,200,000원 빠졌어",
        "하나 1000000000원",
        "서울 강남구 역삼동 2층 카페",
        "을지로 4가에서 봐",
        "강남대로 10차선 너무 넓어",
        "부산 버스로 40분 걸려",
        "이대로 10-9로 끝나면 좋겠다",
        "다시 운동 45분",
        "구구단 이이는 사 이삼은 육",
        "일이 삼 일째 안 끝나",
        "안주로 골뱅이 네 접시 시켰어",
        "it's a 10 minute drive",
        "there are 300 people on main street",
        "ticket 104-86-56659",
        "meet me at naver.com office",
        "ISBN 978-89-374-6044-9",
        "192.168.0.14 핑이 안 나가",
        "https://live.staticflickr.com/2730/1048656659_6bee96b5d7_b.jpg",
    ],
)
def test_dates_prices_orders_and_the_like_are_nobody_s(text):
    assert told(text) == []


def test_a_check_digit_tells_where_no_word_does():
    assert told("104-86-56659") == [("business", "104-86-56659")]
    assert told("104-86-56658") == []
    assert told("사업자번호 104-86-56658") == [("business", "104-86-56658")]


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.data)
def test_every_kind_is_found_in_a_plain_sentence(planted):
    assert [kind for kind, _ in told(planted.sentence)] == [planted.kind]


def test_who_is_a_foreigner_is_told_by_the_seventh_digit():
    assert [kind for kind, _ in told("880214-2138462 880214-6138462")] == ["resident", "foreigner"]


@given(st.one_of(TRICKY, PIECES))
def test_spans_lie_in_the_text_in_order_and_apart(text):
    spans = found(text)
    assert all(0 <= each.start < each.end <= len(text) for each in spans)
    assert all(each.kind in PERSONAL_KINDS for each in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@given(st.one_of(TRICKY, PIECES))
def test_spelling_keeps_every_character_in_its_place(text):
    assert len(figures(plain(text))) == len(text)


@given(st.text(alphabet="🐈가나다 ０ｘ𝟎", max_size=20))
def test_offsets_are_right_behind_wide_and_rare_letters(before):
    text = f"{before}. 번호는 ０１０－６６３９－１８２７로"
    assert ("phone", "０１０－６６３９－１８２７") in told(text)


@given(st.text(alphabet="가나다라마 abc.,!?", max_size=200))
def test_words_alone_are_never_personal(text):
    assert found(text) == ()
