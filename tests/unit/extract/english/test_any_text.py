"""Whatever is typed is read: nothing raises, and long lines are no more than many words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, Turn, Utterance
from gieok.extract.english import EnglishRules
from gieok.extract.english.clauses import clauses
from gieok.extract.english.words import words
from gieok.testing import day

WORDS = (
    "I you he my your the a an is am are was 's not n't do don't can would if when because and but or so that who , "
    ". ! ? live in at to from like love hate favorite name dog Anna Seoul nurse 27 1998 5'11 lbs allergic call me it "
    'no longer anymore used quit said think wish instead of than " * ( ) : / \n > = 🎂 best every '
    "morning my birthday March 15th"
).split(" ")


def read(said: str, asked: str = "What's your name?") -> int:
    utterance = Utterance(id="u", turn_id="t", speaker="user", text=said, at=day(1), position=0)
    question = Utterance(id="q", turn_id="s", speaker="character", text=asked, at=day(1), position=0)
    turn = Turn(id="t", utterances=(utterance,), at=day(1), recorded_at=day(1))
    return len(EnglishRules().claims(turn, Scope(user="minsu", character="letia"), (question,)))


@given(st.text(max_size=200))
def test_no_text_is_too_strange(said: str) -> None:
    read(said)


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.lists(st.sampled_from(WORDS), max_size=12))
def test_no_order_of_words_is_too_strange(said: list[str], asked: list[str]) -> None:
    read(" ".join(said), " ".join(asked))


@pytest.mark.parametrize(
    "piece", ["I like cats and ", "my dog ", "( ", '"x', "not ", "*a ", "that I have a dog who is "]
)
def test_a_line_as_long_as_they_come_is_cut_once_into_its_words(piece: str) -> None:
    line = (piece * LONGEST_UTTERANCE)[:LONGEST_UTTERANCE]
    spoken = words(line)

    read(line)
    assert len(spoken) <= LONGEST_UTTERANCE
    assert sum(len(clause.words) for clause in clauses(spoken)) <= len(spoken)
