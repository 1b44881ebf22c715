"""What a text is about: learned, so tested on sentences that were not learned from."""

import pytest

from gieok.embedders import UniversalEncoder
from gieok.language.terms import index_terms
from gieok.language.topics import TopicTags, topics
from support.rows import from_rows

ENCODER = UniversalEncoder()


def asked(question: str) -> dict[str, float]:
    return topics().asked(ENCODER.embed([question], purpose="query")[0], index_terms(question))


def told(text: str) -> TopicTags:
    return topics().told(ENCODER.embed([text], purpose="document"), [index_terms(text)])


@from_rows
def test_a_question_asks_for_its_attribute_first(question, attribute):
    assert next(iter(asked(question))) == attribute


@from_rows
def test_a_statement_bears_the_tag_of_what_it_tells(text, attribute):
    assert told(text).lasting
    assert attribute in told(text).tags


@pytest.mark.parametrize("text", ["ㅋㅋㅋㅋ 아 진짜 웃겨", "안녕 잘 잤어?", "오늘 비 엄청 온다", "haha good morning"])
def test_small_talk_tells_nothing(text):
    assert not told(text).lasting


def test_without_a_vector_the_words_must_do():
    words = index_terms("새우 알레르기 있어")
    assert "allergy" in topics().told(None, [words]).tags
    assert next(iter(topics().asked(None, index_terms("내 혈액형 뭐야")))) == "blood_type"


def test_each_passage_is_looked_at():
    passages = ["혈액형은 AB형이에요", "강아지 두 마리 키워요"]
    vectors = ENCODER.embed(passages, purpose="document")
    both = topics().told(vectors, [index_terms(passage) for passage in passages])
    assert {"blood_type", "pet"} <= set(both.tags)
    assert both.lasting


def test_one_telling_passage_among_small_talk_is_enough():
    passages = ["ㅋㅋㅋㅋ 아 진짜 웃겨", "복숭아만 먹었다 하면 입술이 퉁퉁 부어", "안녕 잘 잤어?"]
    vectors = ENCODER.embed(passages, purpose="document")
    assert topics().told(vectors, [index_terms(passage) for passage in passages]).lasting


@pytest.mark.parametrize("text", ["", " ", "\x00", "…", "👀"])
def test_nothing_is_no_trouble(text):
    told(text)
    asked(text)
