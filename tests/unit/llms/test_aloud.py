from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.llms.endpoint import ThoughtFilter, without_thoughts

WHOLE = "<think>사용자가 < 인사를\n했다</think>\n\n안녕하세요 <3 <b>!</b><think>또</think> 반가워요 </"
SAID = "안녕하세요 <3 <b>!</b> 반가워요 </"


@given(st.lists(st.integers(0, len(WHOLE)), max_size=12))
def test_it_does_not_matter_where_the_bits_are_cut(cuts):
    at = sorted({0, len(WHOLE), *cuts})
    listening = ThoughtFilter()
    said = [listening.feed(WHOLE[start:end]) for start, end in pairwise(at)]
    assert "".join(said) + listening.end() == SAID


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("네.", "네."),
        ("<think>끝나지 않는 생각", ""),
        ("틀이 열어 둔 생각</think>\n네.", "네."),
        ("a <thin b", "a <thin b"),
        ("  네.", "네."),
        ("", ""),
    ],
)
def test_a_whole_answer_is_what_was_said_aloud(text, said):
    assert without_thoughts(text) == said
