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
from support.rows import from_rows

MARK = re.compile(r"\{(\w+):([^}]*)\}")


def marked(line: str) -> tuple[str, list[tuple[str, str]]]:
    return MARK.sub(lambda mark: mark[2], line), [(mark[1], mark[2]) for mark in MARK.finditer(line)]


def told(text: str) -> list[tuple[str, str]]:
    return [(each.kind, text[each.start : each.end]) for each in found(text)]


@from_rows
def test_telephone_numbers_are_found_however_they_are_written(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@from_rows
def test_identity_numbers_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@from_rows
def test_accounts_and_cards_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@from_rows
def test_mail_and_street_addresses_are_found(line):
    text, wanted = marked(line)
    assert told(text) == wanted


@from_rows
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
