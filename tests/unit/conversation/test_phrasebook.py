"""A character that no model speaks for: what it says, and that nothing is learned from it."""

from itertools import pairwise

import pytest

from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Done, Emotion
from gieok.conversation.phrasebook import Phrasebook
from gieok.domain.answer import Message, Prompt
from gieok.errors import ModelFailed
from gieok.words import LANGUAGES, words_in
from support.rows import from_rows

ASKED = Message(role="user", content="안녕")


@pytest.fixture
def talk(letia):
    return Conversation(letia, Phrasebook(letia))


def replied(events):
    [done] = [event for event in events if isinstance(event, Done)]
    assert not done.cut_off
    return done.reply


def felt(events):
    [emotion] = [event.felt.emotion for event in events if isinstance(event, Emotion)]
    return emotion


def written(language, **slots):
    """Every phrase with its key: (formal.answer.any, phrase)."""
    words = words_in(language)

    def below(key):
        found = words._find(key)
        for name in found if isinstance(found, dict) else ():
            yield from below(f"{key}.{name}")
        if isinstance(found, list):
            yield from ((key.removeprefix("phrases."), phrase) for phrase in words.choices(key, **slots))

    return list(below("phrases"))


ROWS = [
    (
        "ko",
        {"v": "고양이", "content": "고양이를 좋아함", "who": "엄마", "text": "우리 엄마는 고양이 좋아해"},
        "넌 뭐 좋아해?",
        "커피",
    ),
    ("en", {"v": "cats", "content": "likes cats", "who": "mom", "text": "My mom likes cats"}, "Any pets?", "coffee"),
]


@pytest.mark.parametrize(("language", "slots", "question", "then"), ROWS, ids=LANGUAGES)
def test_nothing_is_learned_from_what_it_says_and_the_next_message_is_no_answer_to_it(
    bank, language, slots, question, then
):
    for number, (_, phrase) in enumerate(written(language, **slots)):
        mind = bank.scope(user=str(number), character="letia")
        mind.observe(question, reply=phrase, scripted=True)
        mind.observe(then)
        assert not mind.facts(), phrase
        assert {memory.speaker for memory in mind.doubtful()} <= {"user"}


def test_both_languages_have_the_same_phrases_and_no_feeling_in_them_is_read_as_another(bank):
    shown = {"happy": "happy", "sad": "sad", "angry": "angry", "hurt": "sad", "affection": "happy", "praise": "happy"}
    mind = bank.scope(user="minsu", character="letia")
    korean, english = (written(language, v="", content="", who="", text="") for language in LANGUAGES)
    assert {key for key, _ in korean} == {key for key, _ in english}
    for key, phrase in (*korean, *english):
        table = key.rpartition(".")[2]
        if table in shown:
            observed = mind.observe("ㅎㅎ", reply=phrase, scripted=True)
            [face] = [each.emotion for each in observed.emotions if each.speaker == "character"]
            assert face in (shown[table], "neutral"), (key, phrase)


@from_rows
def test_questions_about_others_are_answered_and_earlier_words_quoted(talk, letia, told, question, answers):
    letia.observe(told, reply="네!")
    known = [memory.content for memory in letia.facts()]

    said = replied(talk.say(question))

    assert all(answer in said for answer in answers)
    assert [memory.content for memory in letia.facts()] == known  # nothing is learned from the answer


def test_it_answers_with_what_it_remembers_and_says_so_where_it_knows_nothing(talk, letia):
    letia.observe("나 고양이 좋아해", reply="그렇군요.")

    assert "고양이를 좋아한다" in replied(talk.say("내가 어떤 동물 좋아한다고 했지, 고양이?"))
    unknown = replied(talk.say("내 생일이 언제지?"))
    assert "고양이" not in unknown
    assert "생일" not in unknown


def test_what_a_model_would_not_see_is_not_brought_up(letia):
    letia.observe("나 고양이 좋아해", reply="그렇군요.")

    said = Phrasebook(letia).reply([Message(role="user", content="고양이 어때?")])

    assert "좋아" not in said


def test_what_was_taken_back_is_not_brought_up_in_another_reply_to_the_same_words(talk, letia):
    first = replied(talk.say("나 고양이 좋아해"))
    events = list(talk.regenerate())
    [built] = [event for event in events if isinstance(event, ContextBuilt)]

    assert "고양이를 좋아함" not in built.context.text
    assert "고양이" not in replied(events)
    assert replied(events) != first
    assert [memory.value for memory in letia.facts(about="user")] == ["고양이"]


def test_every_other_reply_to_the_same_words_differs_from_the_one_before(talk):
    replies = [replied(talk.say("오늘 학교 갔다 왔어")), *(replied(talk.regenerate()) for _ in range(6))]
    assert all(one != other for one, other in pairwise(replies))
    assert len(set(replies)) > 2


def test_the_same_words_in_the_same_talk_give_the_same_reply(open_bank):
    replies = set()
    for name in ("one.db", "other.db"):
        mind = open_bank(name).scope(user="minsu", character="letia")
        replies.add(replied(Conversation(mind, Phrasebook(mind)).say("오늘 학교 갔다 왔어")))
    assert len(replies) == 1


@from_rows
def test_its_face_follows_what_was_said(talk, said, face):
    assert felt(talk.say(said)) == face


def test_it_speaks_as_it_was_asked_to(talk):
    polite = replied(talk.say("오늘 학교 갔다 왔어"))
    list(talk.say("우리 말 놓자!"))
    casual = replied(talk.say("오늘은 산책했어"))
    assert polite.rstrip("?!.").endswith("요")
    assert not casual.rstrip("?!.").endswith("요")


def test_english_is_answered_in_english(talk):
    assert replied(talk.say("I passed the exam! I'm so happy!")).isascii()


def test_it_is_asked_for_nothing_but_replies(letia):
    book = Phrasebook(letia)
    prompt = Prompt(task="extract", version="extract/1", messages=(ASKED,), schema={}, read=str)
    with pytest.raises(ModelFailed):
        book.ask(prompt)
    with pytest.raises(ModelFailed):
        list(book.stream([ASKED], task="summarise", most_tokens=10))
