import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gieok.language import index_terms, query_terms


def test_particles_and_endings_are_no_terms():
    assert index_terms("나는 라면을 먹었어") == ("라면", "먹다")


def test_a_word_said_twice_is_indexed_twice_and_asked_once():
    assert index_terms("고양이, 고양이!") == ("고양이", "고양이")
    assert query_terms("고양이, 고양이!").words == ("고양이",)


def test_a_compound_is_found_whole_and_in_parts():
    assert {"김치", "볶음밥", "김치볶음밥"} <= set(index_terms("김치볶음밥 먹었어"))
    assert {"대학", "대학생"} <= set(index_terms("나 대학생임"))


def test_nouns_may_begin_a_longer_term_but_verbs_and_single_syllables_may_not():
    assert query_terms("김밥 집 먹다").prefixes == ("김밥",)


@pytest.mark.parametrize("said", ["27살", "스물일곱 살", "스물 일곱살"])
def test_an_age_is_the_same_term_however_it_is_said(said):
    assert index_terms(said) == ("27", "27살")


def test_a_day_written_with_a_slash_meets_the_day_in_words():
    assert {"8월", "15일"} <= set(index_terms("생일 8/15")) & set(index_terms("생일은 8월 15일"))


def test_numbers_keep_their_units():
    assert "176cm" in index_terms("키 176cm야")
    assert "35000원" in index_terms("3만5천원이야")
    assert "2마리" in index_terms("강아지 두 마리")


def test_programming_languages_keep_their_signs():
    assert index_terms("C++이랑 c#") == ("c++", "c#")
    assert index_terms("C++ and c#") == ("c++", "c#")


def test_english_is_stemmed_alike_in_both_kinds_of_text():
    assert index_terms("I was running with my cats") == ("run", "cat")
    assert {"run", "cat"} <= set(index_terms("나 running 이랑 cats 좋아해"))
    assert set(index_terms("iPhone15")) <= set(index_terms("어제 iPhone15 샀어"))


@pytest.mark.parametrize(("text", "term"), [("응", "응"), ("ㅋㅋ", "ㅋㅋ"), ("Yes!", "yes"), ("?!", "?!")])
def test_a_text_without_content_is_found_by_its_raw_words(text, term):
    assert index_terms(text) == (term,)


def test_nothing_gives_no_terms():
    assert index_terms(" \n") == ()


def test_emoji_and_other_scripts_are_findable():
    assert {"🐈", "東京", "ありがとう", "привет"} <= set(index_terms("🐈 東京 ありがとう Привет 좋아"))


@settings(max_examples=200, deadline=None)
@given(
    st.text(alphabet=st.characters(exclude_categories=()), max_size=60),
    st.sampled_from(["", "나 고양이 좋아해 ", "스물"]),
)
@example("\x1c\u2028가\u00a0나", "")
@example("İ\u0130ß", "")
def test_no_string_breaks_the_terms_and_no_term_holds_a_blank(text, opening):
    for term in index_terms(opening + text):
        assert term
        assert not any(letter.isspace() or letter == "\0" for letter in term)
        term.encode("utf-8")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_a_query_asks_for_what_was_indexed(text):
    asked = query_terms(text)
    assert set(asked.words) == set(index_terms(text))
    assert set(asked.prefixes) <= set(asked.words)
