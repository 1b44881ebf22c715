from hypothesis import given
from hypothesis import strategies as st

from gieok.language.text import fold, has_hangul, normalise


def test_decomposed_hangul_is_composed():
    assert normalise("\u1112\u1161\u11ab\u1100\u1173\u11af") == "한글"


def test_blanks_are_folded_and_lines_are_kept():
    assert normalise("  나는 \t 고양이를\r\n\r\n\r\n\r\n좋아해 \u3000") == "나는 고양이를\n\n좋아해"


def test_what_nobody_sees_is_taken_out():
    assert normalise("고\u200b양\ufeff이\x07") == "고양이"


def test_a_family_emoji_stays_together():
    assert normalise("👨\u200d👩\u200d👧 가\u200d족") == "👨\u200d👩\u200d👧 가족"


def test_a_lone_surrogate_becomes_storable():
    normalise("좋아\ud800").encode("utf-8")


@given(st.text())
def test_a_normalised_text_is_not_changed_again(text):
    assert normalise(normalise(text)) == normalise(text)


def test_width_and_case_make_no_difference_when_folded():
    assert fold("ＭＢＴＩ ") == fold("mbti")


def test_loose_jamo_are_no_hangul():
    assert not has_hangul("ㅋㅋ lol")
    assert has_hangul("lol 웃겨")
