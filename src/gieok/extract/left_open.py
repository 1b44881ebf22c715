"""What the reader left open: sentences in which the tagger suspects a fact and nothing is read for sure.

A model is slow and dear, and most of what is said tells nothing: greetings, laughter, questions, "밥 먹었어".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import CHARACTER, Turn, Utterance
from gieok.extract.learned.reader import marks
from gieok.language.mood import hedged, joking, sentence_moods
from gieok.language.text import has_hangul, squeeze

_END: Final = re.compile(r"[.!?…~\n]+\s*")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]*|\d+")
_UNSURE: Final = frozenset("maybe perhaps probably possibly might guess suppose wish hope wonder imagine if".split())
_SUSPECTED: Final = 0.08  #: chance of the tagger from which a model is asked
_LONGEST: Final = 2_000  #: letters of an utterance that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLine:
    """An utterance with something in it that nothing is read."""

    utterance: Utterance
    sentences: tuple[str, ...]  #: as they were typed


def left_open(turn: Turn, claims: Sequence[Claim]) -> bool:
    """Say whether a model should read `turn`, of which is read `claims`."""
    return bool(open_lines(turn, [claim for claim in claims if not claim.doubtful]))


def open_lines(turn: Turn, claims: Sequence[Claim]) -> tuple[OpenLine, ...]:
    """Return what of `turn` a model should read."""
    found = (
        OpenLine(utterance=each, sentences=_open_sentences(each, [one for one in claims if one.source_id == each.id]))
        for each in turn.utterances
        if each.speaker != CHARACTER
    )
    return tuple(line for line in found if line.sentences)


def _open_sentences(utterance: Utterance, claims: Sequence[Claim]) -> tuple[str, ...]:
    text = utterance.text[:_LONGEST]
    if joking(text):
        return ()
    read = [_said_words(claim) for claim in claims]
    suspected = (
        sentence_at(text, mark.start, mark.end)
        for mark in marks(replace(utterance, text=text), (), ()).facts
        if mark.act != "not" and mark.chance >= _SUSPECTED
        if not any(_holds(squeeze(text[mark.start : mark.end]), words) for words in read)
    )
    return tuple(dict.fromkeys(sentence for sentence in suspected if _tells(sentence)))


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentence of `text` around what stands from `start` to `end`."""
    begins = max((found.end() for found in _END.finditer(text, 0, start)), default=0)
    after = _END.search(text, end)
    return text[begins : after.start() if after is not None else len(text)].strip()


def _said_words(claim: Claim) -> frozenset[str]:
    """Return the words by which the sentence is found that a claim was read from."""
    said = (claim.surface, claim.value, *claim.details) if claim.attribute else (claim.content, *claim.details)
    return frozenset(squeeze(each) for each in said if each)


def _holds(sentence: str, words: Iterable[str]) -> bool:
    return any(word in sentence or sentence in word for word in words)


def reads_in(sentence: str, claims: Iterable[Claim], utterance_id: str) -> bool:
    """Say whether is read one of `claims` in this `sentence` of an utterance."""
    squeezed = squeeze(sentence)
    return any(_holds(squeezed, _said_words(claim)) for claim in claims if claim.source_id == utterance_id)


def _tells(sentence: str) -> bool:
    """Whether a sentence may state something: it is no mere request, and does not only suppose."""
    if not has_hangul(sentence):
        return not _UNSURE & {word.casefold() for word in _WORD.findall(sentence)}
    return any(mood != "command" and not hedged(parts) for parts, mood in sentence_moods(sentence))
