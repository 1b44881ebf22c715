from hypothesis import given
from hypothesis import strategies as st

from gieok.language import estimate_tokens


def test_a_syllable_counts_one_and_four_letters_count_one():
    assert estimate_tokens("나는 고양이를 좋아해") == 9
    assert estimate_tokens("understanding") == 4
    assert estimate_tokens("") == 0


@given(st.text(), st.text())
def test_more_text_never_costs_less_and_together_never_more_than_apart(first, second):
    together = estimate_tokens(first + second)
    assert max(estimate_tokens(first), estimate_tokens(second)) <= together
    assert together <= estimate_tokens(first) + estimate_tokens(second)
