import pytest

from gieok.domain.scope import Scope
from scaling.made_up import VOCABULARY, people, questions


@pytest.fixture(scope="module")
def crowd():
    return people(16, questions(3))


def test_a_user_says_the_same_in_every_run_and_no_two_users_say_the_same(crowd):
    minsu, sujin = Scope(user="민수"), Scope(user="수진")
    said = [heard.turn.utterances[0].text for heard in crowd.talk(minsu, 20)]

    assert [heard.turn.utterances[0].text for heard in crowd.talk(minsu, 20)] == said
    assert [heard.turn.utterances[0].text for heard in crowd.talk(sujin, 20)] != said
    assert len(said) == 10, "each turn gives two items"


def test_words_are_as_common_as_words_are(crowd):
    words = [word for heard in crowd.talk(Scope(user="민수"), 4_000) for word in heard.turn.utterances[0].text.split()]
    first = words.count(crowd.words[0]) / len(words)
    tenth = words.count(crowd.words[9]) / len(words)

    assert len(crowd.words) == VOCABULARY
    assert 5 < first / tenth < 20
