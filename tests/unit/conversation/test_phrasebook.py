"""A character that no model speaks for: what it says, and that nothing is learned from it."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from itertools import pairwise

import pytest

from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Done, Emotion
from gieok.conversation.phrasebook import Phrasebook, _fill
from gieok.domain.answer import Message, Prompt
from gieok.errors import ModelFailed

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


def written(language):
    """Every phrase with a name for its table: (formal.answer, phrase)."""
    book = tomllib.loads(files("gieok.conversation").joinpath(f"phrases.{language}.toml").read_text(encoding="utf-8"))
    for style, tables in book.items():
        for table, phrases in tables.items():
            lists = phrases.values() if isinstance(phrases, dict) else [phrases]
            yield from ((style, table, phrase) for each in lists for phrase in each)


@pytest.mark.parametrize(
    ("language", "value", "content"),
    [("ko", "고양이", "고양이를 좋아함"), ("ko", "땅콩", "땅콩을 먹으면 안 됨"), ("en", "cats", "likes cats")],
)
def test_nothing_is_learned_from_what_it_says(bank, language, value, content):
    mind = bank.scope(user="minsu", character="letia")
    learned = {
        phrase: decisions
        for _, _, phrase in written(language)
        if (decisions := mind.observe("ㅎㅎ", reply=_fill(phrase, {"v": value, "content": content})).decisions)
    }
    assert not learned


@pytest.mark.parametrize(
    ("language", "value", "content", "then"),
    [
        ("ko", "매운 거", "매운 거를 싫어함", "안녕"),
        ("ko", "고양이", "고양이를 좋아함", "커피"),
        ("en", "cats", "likes cats", "coffee"),
    ],
)
def test_what_is_said_next_is_not_taken_for_an_answer_to_it(bank, language, value, content, then):
    mind = bank.scope(user="minsu", character="letia")
    learned = {}
    for _, _, phrase in written(language):
        mind.observe("ㅎㅎ", reply=_fill(phrase, {"v": value, "content": content}))
        if decisions := mind.observe(then).decisions:
            learned[phrase] = decisions
    assert not learned


@pytest.mark.parametrize("language", ["ko", "en"])
def test_what_it_says_of_a_feeling_is_read_as_that_feeling(bank, language):
    shown = {"happy": "happy", "sad": "sad", "angry": "angry", "hurt": "sad", "affection": "happy", "praise": "happy"}
    mind = bank.scope(user="minsu", character="letia")
    for style, table, phrase in written(language):
        observed = mind.observe("ㅎㅎ", reply=phrase)
        [face] = [each.emotion for each in observed.emotions if each.speaker == "character"]
        if table in shown:
            assert face == shown[table], (style, table, phrase)


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


@pytest.mark.parametrize(
    ("said", "face"),
    [
        ("오늘 시험 합격했어! 너무 행복해!", "happy"),
        ("우울해 죽겠어", "sad"),
        ("아 진짜 열받아", "angry"),
        ("오늘 학교 갔다 왔어", "neutral"),
    ],
)
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
