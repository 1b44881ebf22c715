import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gieok.language.terms import (
    MOST_TOPICS,
    asks_how_many,
    asks_when,
    holds_number,
    holds_time,
    index_terms,
    query_terms,
    telling_words,
    topics_of,
)


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


@pytest.mark.parametrize(
    "text", ["생일이 언제야?", "몇 월에 태어났지", "무슨 요일에 만나?", "When did she move?", "What year was it?"]
)
def test_asking_when(text):
    assert asks_when(text)


@pytest.mark.parametrize("text", ["몇 살이야?", "키가 얼마야", "How many cats does he have?", "how old is she"])
def test_asking_how_many(text):
    assert asks_how_many(text)


@pytest.mark.parametrize("text", ["뭐 좋아해?", "What does he like?", "이름이 뭐였지"])
def test_asking_for_neither(text):
    assert not asks_when(text)
    assert not asks_how_many(text)


@pytest.mark.parametrize(
    "text", ["어제 병원 갔다 왔어", "3월 15일에 보자", "I went there last Friday", "작년 여름에 이사했어"]
)
def test_texts_with_a_time(text):
    assert holds_time(text)


@pytest.mark.parametrize("text", ["고양이가 귀여워", "I like cats", "밥 먹자"])
def test_texts_without_a_time(text):
    assert not holds_time(text)


@pytest.mark.parametrize(
    ("text", "holds"), [("나 스물일곱 살이야", True), ("고양이 3마리", True), ("고양이가 좋아", False)]
)
def test_numbers_count_in_figures_and_in_words(text, holds):
    assert holds_number(index_terms(text)) is holds


def test_only_words_that_stand_nowhere_else_tell():
    words = telling_words(["내 보라색우산이야"], ["내 고양이야"])
    assert "보라색우산" in words
    assert not any(word in "내 고양이야" for word in words)


def test_particles_and_endings_are_left_off():
    assert {"쀼쀼링이라니", "쀼쀼링"} <= telling_words(["쀼쀼링이라니!"], [])


def test_what_rules_worded_does_not_tell():
    assert "좋아함" in telling_words(["걔 좋아함"], ["나 고양이 좋아해"])
    assert "좋아함" not in telling_words(["걔 좋아함"], ["나 고양이 좋아해"], ["고양이를 좋아함"])


def test_english_words_are_whole():
    words = telling_words(["My secret is Umbrella"], ["my cat"])
    assert "umbrella" in words
    assert "my" not in words


def test_nouns_that_stand_together_are_one_topic():
    assert topics_of("대학원생활이 힘들어") == ("대학원생활",)


def test_empty_words_are_no_topic():
    assert topics_of("그런 것 같은 느낌이라 그냥 말해 본 거야") == ()


def test_a_topic_comes_once_and_in_order():
    assert topics_of("고양이가 좋아. 산책도 좋지만 고양이가 더 좋아") == ("고양이", "산책")


def test_a_person_is_a_topic_by_their_name_and_those_who_talk_are_none():
    assert topics_of("지훈이 결혼식에 민수도 왔어", names=("민수",)) == ("지훈", "결혼식")


def test_whoever_is_called_is_not_talked_about():
    assert topics_of("레티아야, 축구 보자") == ("축구",)


def test_words_that_end_like_a_name_stay_whole():
    assert topics_of("떡볶이랑 고양이") == ("떡볶이", "고양이")


def test_topics_are_bounded():
    many = ", ".join(
        [
            "사과",
            "바나나",
            "포도",
            "수박",
            "딸기",
            "참외",
            "복숭아",
            "자두",
            "살구",
            "레몬",
            "망고",
            "키위",
            "체리",
            "매실",
        ]
    )
    assert len(topics_of(many)) == MOST_TOPICS == 12


def test_english_topics_are_nouns_and_not_what_is_said_of_them():
    assert topics_of("I really love the old castle, it is so beautiful") == ("castle",)
    assert topics_of("That is so cool!") == ()


@pytest.mark.parametrize("text", ["", "\ud800", "ㅋㅋㅋ", "🐈", "12345", "고양이" * 2600])
def test_any_text_is_answered(text):
    assert isinstance(topics_of(text), tuple)
