"""The sentences of an utterance: how each is meant, and which of them ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.language.mood import Mood, mood_of
from gieok.language.mood_closing import closing
from gieok.language.morphemes import Morpheme, analyse

_ENDS: Final = frozenset({"SF", "SE"})
#: a sentence without any of these is a call or a laugh behind the last one: 지우야, 응, ㅋㅋ
_SAYING: Final = frozenset("NNG NNP NNB NP NR VV VA VCP VCN VX XSV XSA MM MAG SN SL XR".split())


def is_question(text: str) -> bool:
    """Say whether the utterance ends in a question.

    "내 생일 언제라고 했지? 양력으로" does; "인생영화? 난 무조건 타이타닉" asks and answers, and does not.
    """
    said = [one for one in sentence_moods(text) if any(part.tag in _SAYING for part in one[0])]
    if len(said) > 1 and said[-1][1] == "fragment" and _is_afterthought(said[-2][0], said[-1][0]):
        said.pop()
    return bool(said) and said[-1][1] == "question"


def question_sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text` that ask, as written, in order."""
    asking = (morphemes for morphemes, mood in sentence_moods(text) if mood == "question")
    return tuple(text[morphemes[0].start : morphemes[-1].end] for morphemes in asking)


def _is_afterthought(before: Sequence[Morpheme], last: Sequence[Morpheme]) -> bool:
    """Whether `last`, without a predicate, completes the sentence `before` and does not answer it."""
    close = closing(before)
    echoes = close.ending.endswith("고")  # 몇 살이냐고? 스물다섯
    return bool(close.lemma) and not echoes and not any(part.tag == "NP" for part in last)


def sentence_moods(text: str) -> Iterator[tuple[Sequence[Morpheme], Mood]]:
    """Yield the morphemes of each sentence, and how it is meant."""
    for morphemes, mark in _sentences(analyse(text)):
        yield morphemes, mood_of(morphemes, mark)


def _sentences(morphemes: Sequence[Morpheme]) -> Iterator[tuple[Sequence[Morpheme], str]]:
    """Yield each sentence with its mark. One ends at a mark, or at a final ending before another predicate."""
    begin = 0
    for at, part in enumerate(morphemes):
        if part.tag in _ENDS:
            if at > begin:
                yield morphemes[begin:at], part.form
            begin = at + 1
        elif part.tag == "EF" and _another_follows(morphemes, at + 1):
            yield morphemes[begin : at + 1], ""
            begin = at + 1
    if begin < len(morphemes):
        yield morphemes[begin:], ""


def _another_follows(morphemes: Sequence[Morpheme], begin: int) -> bool:
    """Whether a whole sentence follows before the next mark; a particle or a quoting verb carries the same one on."""
    if begin >= len(morphemes) or morphemes[begin].tag[:1] in ("J", "E") or morphemes[begin].tag in ("VX", "VCP"):
        return False
    for part in morphemes[begin:]:
        if part.tag in _ENDS:
            return False
        if part.tag == "EF":
            return True
    return False
