"""What the reader left open: sentences in which the tagger suspects a fact and nothing is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import CHARACTER, Turn, Utterance
from gieok.extract.learned.reader import marks
from gieok.extract.reader import sentence_at
from gieok.language.mood import hedged, joking, sentence_moods
from gieok.language.text import has_hangul, squeeze

_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]*|\d+")
_UNSURE: Final = frozenset("maybe perhaps probably possibly might guess suppose wish hope wonder imagine if".split())
_SUSPECTED: Final = 0.08  #: chance of the tagger
_LONGEST: Final = 2_000  #: letters of an utterance that are looked at


def sentences_left_open(turn: Turn, claims: Sequence[Claim]) -> Iterator[tuple[Utterance, tuple[str, ...]]]:
    """Yield, by utterance, the sentences that tell something but gave none of `claims`; not the character's."""
    for utterance in turn.utterances:
        if utterance.speaker != CHARACTER:
            own = [claim for claim in claims if claim.source_id == utterance.id]
            found = tuple(each for each in _open_sentences(utterance, own) if not _reads_in(each, own))
            if found:
                yield utterance, found


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


def _said_words(claim: Claim) -> frozenset[str]:
    """Return the words by which the sentence is found that a claim was read from."""
    said = (claim.surface, claim.value, *claim.details) if claim.attribute else (claim.content, *claim.details)
    return frozenset(squeeze(each) for each in said if each)


def _holds(sentence: str, words: Iterable[str]) -> bool:
    return any(word in sentence or sentence in word for word in words)


def _reads_in(sentence: str, claims: Iterable[Claim]) -> bool:
    """Whether one of `claims` was read in this sentence."""
    squeezed = squeeze(sentence)
    return any(_holds(squeezed, _said_words(claim)) for claim in claims)


def _tells(sentence: str) -> bool:
    """Whether a sentence may state something: it is no mere request, and does not only suppose."""
    if not has_hangul(sentence):
        return not _UNSURE & {word.casefold() for word in _WORD.findall(sentence)}
    return any(mood != "command" and not hedged(parts) for parts, mood in sentence_moods(sentence))
