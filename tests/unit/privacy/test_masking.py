"""Masks read well, say their kind, and leave nothing behind."""

from __future__ import annotations

from hypothesis import given

from gieok.domain.personal import ENGLISH, KOREAN, PERSONAL_KINDS, masks_of
from gieok.language.terms import index_terms
from gieok.privacy.find import found
from gieok.privacy.masking import Mask, Policy, flags, held
from support.personal import PIECES, TRICKY
from support.rows import from_rows

MASK = Mask()


@from_rows
def test_what_is_masked_still_reads_and_says_its_kind(said, kept):
    assert MASK(said).text == kept


def test_a_search_for_the_kind_finds_the_mask():
    terms = index_terms(MASK("엄마 010-4482-9173").text)
    assert {"전화", "번호"} <= set(terms) or "전화번호" in terms


@from_rows
def test_a_policy_says_what_becomes_of_a_kind(action, kept, asked):
    masked = Mask(Policy({"phone": action}))("번호 010-4482-9173 저장")
    assert (masked.text, masked.flags, masked.asked) == (kept, ("phone",), asked)


def test_consent_counts_where_it_is_asked_for_and_nowhere_else():
    said = "번호 010-4482-9173, 메일 a@b.com"
    assert Mask(Policy({"phone": "ask"}))(said, ["phone"]).text == "번호 010-4482-9173, 메일 [이메일 주소]"
    assert Mask(Policy({"phone": "mask"}))(said, ["phone"]).text == "번호 [전화번호], 메일 [이메일 주소]"


def test_a_text_of_nothing_but_what_is_dropped_does_not_become_empty():
    assert Mask(Policy({"phone": "drop"}))("010-4482-9173").text == "…"


def test_flags_tell_what_is_masked_and_what_stands_there():
    assert flags("번호 [전화번호], 메일 a@b.com") == ("phone", "email")
    assert held("번호 [전화번호], 메일 a@b.com") == ("email",)


def test_every_kind_has_a_mask_of_its_own_in_both_languages():
    assert {*KOREAN} == {*ENGLISH} == {*PERSONAL_KINDS}
    masks = [mask for kind in PERSONAL_KINDS for mask in masks_of(kind)]
    assert len({*masks}) == len(masks)
    assert all((ord(word[-1]) - ord("가")) % 28 == 0 for word in KOREAN.values()), "particles fit a vowel"


@given(TRICKY)
def test_masking_what_is_masked_changes_nothing(text):
    once = MASK(text)
    assert MASK(once.text).text == once.text


@given(PIECES)
def test_nothing_personal_is_left_once_it_is_masked(text):
    masked = MASK(text)
    assert found(masked.text) == ()
    assert MASK(masked.text) == masked
    if found(text):
        assert masked.flags


@given(PIECES)
def test_what_is_dropped_is_gone_as_well(text):
    drop = Mask(Policy(dict.fromkeys(PERSONAL_KINDS, "drop")))
    assert found(drop(text).text) == ()
