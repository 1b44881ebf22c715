"""What somebody feels by what they say: one of four emotions, how strong and how pleasant it is.

A linear classifier looks at the message as the tagger's network encodes it, and at its letters and words.
`training/feelings.py` teaches it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gieok.domain.emotion import EMOTIONS, Emotion, Felt, valence
from gieok.domain.turn import CHARACTER
from gieok.extract.learned import network as tagger
from gieok.extract.learned.features import pieces
from gieok.extract.learned.network import Floats, Piece, softmax
from gieok.language.cache import cached_by_text
from gieok.language.morphemes import analyse
from gieok.language.weights import shipped

BY: Final = "classifier/2"
BUCKETS: Final = 1 << 15
_READ: Final = 400  #: characters; of a longer text the first and the last ones are read
_RUNS: Final = (2, 3, 4)  #: letters looked at together
_BAG: Final = 5.0  #: what letters and words count beside the network's numbers
_SPACE: Final = re.compile(r"\s+")
_REPEATED: Final = re.compile(r"(.)\1{2,}")
_LEAST, _BY_SHARE = 0.1, 0.6  #: intensity of a doubtful feeling, and what a certain one has more
_DEGREES: Final = (
    (re.compile(r"([ㅠㅜㅋㅎ!~])\1{2}"), 0.15),
    (re.compile(r"너무|진짜|정말|완전|엄청|존나|\b(?:so|really|very|super)\b", re.IGNORECASE), 0.15),
    (re.compile(r"조금|살짝|약간|\b(?:a bit|a little|slightly)\b", re.IGNORECASE), -0.2),
)
_WEAKEST: Final = 0.05
_SHORT: Final = 20  #: characters of a text that says no more than that something is not felt
_DENIED: Final = re.compile(
    r"(?:^|\s)안\s?(?:슬|우울|외로|속상|서운|화|짜증|무서|행복|기뻐|설레)|지\s?(?:않|는\s않)"
    r"|\b(?:not|never|n't)\s(?:feel\s)?(?:sad|angry|mad|happy|upset|afraid|scared|jealous|lonely)\b"
    r"|n't\sfeel\s\w+",
    re.IGNORECASE,
)


def feel(text: str, *, speaker: str) -> Felt:
    """Return what `speaker` feels by what they say, a character's stage directions included; any string is answered."""
    emotion, intensity = _sensed(text, speaker == CHARACTER)
    return Felt(speaker=speaker, emotion=emotion, intensity=intensity, valence=valence(emotion, intensity), by=BY)


def feel_reply(reply: str, *, speaker: str = CHARACTER) -> Felt:
    """Return what `speaker` feels by a reply, which is read as a character's."""
    return replace(feel(reply, speaker=CHARACTER), speaker=speaker)


@cached_by_text
def _sensed(text: str, by_character: bool) -> tuple[Emotion, float]:
    if len(text) > _READ:
        text = f"{text[: _READ // 2]} {text[-_READ // 2 :]}"
    if not text.strip() or (len(text) <= _SHORT and _DENIED.search(text)):
        return "neutral", 0.0
    learned = _learned()
    places, value = buckets(text)
    looks = learned["seen"] @ seen_of(text, tagger.CHARACTER if by_character else tagger.USER)
    looks = looks + value * learned["buckets"][:, places].sum(1) + learned["bias"]
    best = int(looks.argmax())
    if EMOTIONS[best] == "neutral":
        return "neutral", 0.0
    degree = sum(change for words, change in _DEGREES if words.search(text))
    intensity = _LEAST + _BY_SHARE * float(softmax(looks)[best]) + degree
    return EMOTIONS[best], round(min(max(intensity, _WEAKEST), 1.0), 3)


def seen_of(text: str, speaker: int) -> Floats:
    """Return what the tagger's network sees of a text by itself, as the mean of its pieces."""
    parts = [Piece(text[begin:end], speaker) for begin, end in pieces(text) if text[begin:end].strip()]
    return np.asarray(np.mean([tagger.network().pooled(part) for part in parts], axis=0))


def buckets(text: str) -> tuple[NDArray[np.intp], float]:
    """Return the buckets of the runs of letters and of the morphemes in a text, and what each counts."""
    letters = _REPEATED.sub(r"\1\1", _SPACE.sub(" ", f" {text.casefold()} "))
    runs = {letters[at : at + length] for length in _RUNS for at in range(len(letters) - length + 1)}
    words = [f"{part.form}/{part.tag}" for part in analyse(text)]
    shown = {*runs, *words, *(f"{one} {other}" for one, other in pairwise(words))}
    places = {crc32(each.encode("utf-8", "replace")) % BUCKETS for each in shown}
    return np.fromiter(places, dtype=np.intp, count=len(places)), _BAG / max(1, len(places)) ** 0.5


@cache
def _learned() -> dict[str, Any]:
    return shipped("gieok.extract.learned", "feelings.npz")[0]
