"""Notes are put as one would say them to somebody's face."""

import pytest

from gieok.language.wording import politely
from support.rows import from_rows


@from_rows
def test_a_note_becomes_a_polite_sentence(note, said):
    assert politely(note) == said


@from_rows
def test_what_happened_is_told_in_the_past(note, said):
    assert politely(note, past=True) == said


@pytest.mark.parametrize(
    "text", ["승진", "likes the film Inception best", "", "  ", "ㅋㅋㅋ", "첫 줄\n둘째 줄임", "임", "🐈"]
)
def test_what_is_no_note_stays_as_it_is(text):
    assert politely(text) == text
