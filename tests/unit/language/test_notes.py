"""Facts are noted down as a person would write them."""

import pytest

from gieok.domain.attributes import SCHEMA
from gieok.language.notes import note
from gieok.language.wording import josa, polite_sentence
from support.rows import from_rows


@from_rows
def test_a_korean_note_tells_what_is_what_was_and_what_is_over(fact, now, before, negative, ended) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "ko") == now
    assert note(attribute, value, "ko", over=True) == before
    assert note(attribute, value, "ko", negative=True) == negative
    assert note(attribute, value, "ko", negative=True, over=True) == ended


@from_rows
def test_a_note_fits_its_value(fact, noted) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "ko") == noted


@from_rows
def test_an_english_note(fact, over, noted) -> None:
    attribute, _, value = fact.partition("=")
    assert note(attribute, value, "en", over=over) == noted


@pytest.mark.parametrize("language", ["ko", "en"])
def test_no_note_shows_the_name_of_its_attribute(language) -> None:
    for attribute in SCHEMA:
        for negative in (False, True):
            for over in (False, True):
                told = note(attribute, "라면", language, negative=negative, over=over)
                assert "라면" in told
                assert not set("{_") & set(told)


@from_rows
def test_a_note_becomes_a_polite_sentence(note, said):
    assert polite_sentence(note) == said


@from_rows
def test_what_happened_is_told_in_the_past(note, said):
    assert polite_sentence(note, past=True) == said


@pytest.mark.parametrize(
    "text", ["승진", "likes the film Inception best", "", "  ", "ㅋㅋㅋ", "첫 줄\n둘째 줄임", "임", "🐈"]
)
def test_what_is_no_note_stays_as_it_is(text):
    assert polite_sentence(text) == text


@from_rows
def test_the_particle_follows_the_last_sound(word, pair, written):
    assert josa(word, pair) == written


def test_a_single_form_is_refused():
    with pytest.raises(ValueError, match="을/를"):
        josa("고양이", "를")
