"""Whatever is typed, reading it raises nothing, and a long line is cut into clauses of bounded size."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.language.clauses import clauses as korean_clauses
from support.reading import Row, read

DATA = Path(__file__).parents[2] / "data"
STRANGE = (
    "\x00\u200b\u200d\ufeff\ud800\U0010ffff*_~`'\"“”‘’「」()[]{}<>:;,.!?…/\\|@#%&+-=^$ \n\t\r0１한ㅋㅠ가힣aZé👍🏽♪½"
)
KOREAN_WORDS = "나 저 고양이 좋아해 을 를 은 는 라고 해 ? * ' \" : / 살 스물 3월 15일 안 지 않아 면 ㅋㅋ 💕".split()
ENGLISH_WORDS = (
    "I you he my your the a an is am are was 's not n't do don't can would if when because and but or so that who , "
    ". ! ? live in at to from like love hate favorite name dog Anna Seoul nurse 27 1998 5'11 lbs allergic call me it "
    'no longer anymore used quit said think wish instead of than " * ( ) : / \n > = 🎂 best every '
    "morning my birthday March 15th"
).split(" ")
SYLLABLES = "우리 강아지약속트라우마알바ㅠㅋ 내일까지 말고기로했어친구랑때문에못먹어.?!"
ENGLISH_PIECES = (
    *("being a nurse ", "as a ", "my ", "not ", ", ", ",", "I'm, ", "to be ", "who ", "of ", "used to ", "( born work"),
    *("my sister's ", "not a nurse but ", "27 ", "A B ", "favourite ", "no, ", "is ", "because I'm a teacher "),
    *("I like cats and ", "my dog ", "( ", '"x', "*a ", "that I have a dog who is "),
)
KOREAN_PIECES = (
    *("이름 ", "나는 ", "인데 ", "하고 ", "나는 간호사야 ", "서울에 살고 ", "못 먹는 ", "좋아하는 ", "살 ", "ㅋ나"),
    *("친구랑 ", "라고 ", "말고 ", "해 고 ", "좋아해 싫어해 ", "이름: 김민수 / ", "민지가 ", "떡볶이랑 "),
    *("25살 ", "제일 "),
)


def said(text: str, asked: str = "") -> Row:
    lines = (f"> {asked}", text) if asked else (text,)
    return Row(place="", said=lines, wanted=(), forbidden=())


def long(piece: str) -> str:
    return (piece * LONGEST_UTTERANCE)[:LONGEST_UTTERANCE]


def mutated(text: str, chance: random.Random, texts: list[str]) -> str:
    """Return `text` with letters lost, doubled, swapped or made strange, or cut into another one."""
    letters = list(text)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(letters) + 1)
        match chance.randrange(6):
            case 0:
                letters[place : place + chance.randint(1, 4)] = []
            case 1:
                letters[place:place] = letters[max(0, place - 3) : place] * chance.randint(1, 3)
            case 2:
                letters[place:place] = chance.choice(STRANGE)
            case 3:
                letters[place:place] = chr(chance.randrange(0xE000, 0x110000))
            case 4:
                letters[place:] = chance.choice(texts)[chance.randrange(20) :]
            case _:
                letters = [letter for letter in letters if letter != " "]
    return "".join(letters)


def strings(count: int, chance: random.Random) -> Iterator[str]:
    wordings = (DATA / "wordings.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in wordings]
    texts += (DATA / "english_lines.txt").read_text(encoding="utf-8").splitlines()
    for number in range(count):
        if number % 4:
            yield mutated(chance.choice(texts), chance, texts)
        else:
            yield "".join(chance.choice(STRANGE + "나는이름은살이야") for _ in range(chance.randrange(60)))


@pytest.mark.check
def test_no_string_raises_anything(counts: Callable[[int, int], int]) -> None:
    last = "몇 살이야?"
    for text in strings(counts(400, 100_000), random.Random(11)):
        read(said(text, last))
        last = text


@given(st.text(max_size=200), st.text(max_size=40))
def test_no_text_is_too_strange(text: str, asked: str) -> None:
    read(said(text, asked))


@pytest.mark.check
@given(
    st.lists(st.sampled_from(KOREAN_WORDS), max_size=20),
    st.lists(st.sampled_from(ENGLISH_WORDS), max_size=40),
    st.text(alphabet=SYLLABLES, max_size=60),
)
def test_no_order_of_words_is_too_strange(korean: list[str], english: list[str], syllables: str) -> None:
    for text in (" ".join(korean), "".join(korean), " ".join(english), syllables):
        read(said(text, " ".join(english[:12])))


@pytest.mark.parametrize("piece", KOREAN_PIECES)
def test_no_korean_clause_is_longer_than_a_breath(piece: str) -> None:
    phrases = [len(phrase.words) for clause in korean_clauses(long(piece)) for phrase in clause.phrases]
    assert max(phrases, default=0) <= 121


@pytest.mark.soak
@pytest.mark.parametrize("piece", [*ENGLISH_PIECES, *KOREAN_PIECES])
def test_a_long_line_is_read_in_a_moment(piece: str) -> None:
    read(said("나는 의사야"))
    start = time.process_time()
    read(said(long(piece)))
    assert time.process_time() - start < 3
