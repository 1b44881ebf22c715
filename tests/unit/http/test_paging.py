"""Pages and their cursors."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.http.problems import HTTPProblem
from gieok.http.router import read_number, sorted_page

words = st.sets(st.text(max_size=4), max_size=30)


def key(word: str) -> tuple[str, ...]:
    return (word,)


@given(words, words, st.integers(1, 7), st.booleans())
def test_page_by_page_everything_comes_once_whatever_is_written_or_taken_away_meanwhile(
    words: set[str], others: set[str], size: int, newest_first: bool
) -> None:
    """What was there all the time is seen exactly once; what comes and goes is seen at most once."""
    seen: list[str] = []
    after, turn = None, 0
    while True:
        there = words | others if turn % 2 else words
        page = sorted_page("words", sorted(there), key, after, size, newest_first=newest_first)
        assert len(page.items) <= size
        seen += page.items
        after = page.next
        turn += 1
        if after is None:
            break
    assert len(seen) == len(set(seen))
    assert words - others <= set(seen) <= words | others
    assert seen == sorted(seen, reverse=newest_first)


def told(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "given",
    [
        "", "x", "한글", "AAAA", told(), told("turns"), told("turns", "3"), told("turns", True), told("turns", -1),
        told("turns", 2**40), told("turns", 1, 2), told("memories", 1), told({"turns": 1}), "A" * 999,
    ],
)  # fmt: skip
def test_a_cursor_that_the_list_did_not_give_is_refused(given: str) -> None:
    with pytest.raises(HTTPProblem, match="leave it out"):
        read_number("turns", given)
