"""What somebody feels by what is said: one of four, how strongly, and how pleasant it is.

A small linear classifier that was taught beforehand (`tools/train_emotions.py`) reads Korean; words and marks read
English, and Korean where the classifier cannot be loaded. A character's reply is read with its stage directions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import exp, log, sqrt
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gieok.domain.emotion import EMOTIONS, PRIORITY, Emotion, Felt, strongest, valence
from gieok.language.cache import cached_by_text
from gieok.language.data_files import WordSets, data_file
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.terms import stem
from gieok.language.text import has_hangul

_SETS: Final = WordSets("word_sets.toml", "emotions")

_WORDS: Final = frozenset({"NNG", "XR", "VA", "VV", "MAG", "IC", "NNP", "SL"})
_LONGEST: Final = 400
_DRAWN_OUT: Final = re.compile(r"([ㅠㅜㅋㅎ!~])\1{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What was found in a text."""

    words: Mapping[Emotion, int]  #: how often each is told by a word
    denied: frozenset[Emotion]  #: told by words that are denied: 안 슬퍼
    marks: frozenset[Emotion]
    more: bool  #: 너무, 진짜
    less: bool  #: 조금, 살짝
    drawn_out: bool  #: ㅠㅠㅠ, !!!


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lists:
    words: Mapping[str, Emotion]
    phrases: Mapping[str, Emotion]
    seen: Mapping[str, Emotion]
    marks: Mapping[Emotion, re.Pattern[str]]
    more: frozenset[str]
    less: frozenset[str]


@cache
def _lists() -> _Lists:
    raw = data_file("emotions.toml")
    felt = [each for each in reversed(PRIORITY) if each != "neutral"]
    words = {_root(word): each for part in ("words", "english") for each in felt for word in raw[part][each].split()}
    return _Lists(
        words=words,
        phrases={phrase: each for each in felt for phrase in raw["phrases"][each]},
        seen=words | {_root(word): each for each in felt for word in raw["seen"][each].split()},
        marks={each: re.compile("|".join(map(re.escape, raw["marks"][each].split()))) for each in felt},
        more=frozenset(raw["degree"]["more"].split()),
        less=frozenset(raw["degree"]["less"].split()),
    )


def shortened(text: str) -> str:
    """Return what of `text` is read for a feeling: of a long one the beginning and the end."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} {text[1 - _LONGEST // 2 :]}"


@cached_by_text
def cues(text: str, *, seen: bool = False) -> Cues:
    """Return what in `text` gives a feeling away. `seen`: it tells what is seen of somebody, not what one says."""
    lists = _lists()
    text = shortened(text)
    parts = analyse(text)
    known = lists.seen if seen else lists.words
    found = [(known[_root(part.form)], at) for at, part in enumerate(parts) if _is_cue(part, known)]
    found += _phrases(parts, lists.phrases)
    denied = {at for _, at in found if _denied(parts, at)}
    return Cues(
        words=Counter(emotion for emotion, at in found if at not in denied),
        denied=frozenset(emotion for emotion, at in found if at in denied),
        marks=frozenset(emotion for emotion, mark in lists.marks.items() if mark.search(text)),
        more=_any_in(parts, lists.more),
        less=_any_in(parts, lists.less),
        drawn_out=_DRAWN_OUT.search(text) is not None,
    )


def _is_cue(part: Morpheme, known: Mapping[str, Emotion]) -> bool:
    return part.tag in _WORDS and _root(part.form) in known


def _phrases(parts: Sequence[Morpheme], known: Mapping[str, Emotion]) -> Iterator[tuple[Emotion, int]]:
    words = [(_root(part.form), at) for at, part in enumerate(parts) if part.tag in _WORDS]
    for (first, _), (second, at) in pairwise(words):
        emotion = known.get(f"{first} {second}")
        if emotion is not None:
            yield emotion, at


def _root(word: str) -> str:
    """Return the stem of an English word, and a Korean one without its 하: 속상 of 속상하."""
    if word.isascii():
        return stem(word.casefold())
    return word[:-1] if len(word) > 1 and word[-1] == "하" else word


def _any_in(parts: Iterable[Morpheme], words: frozenset[str]) -> bool:
    return any(part.form.casefold() in words for part in parts)


def _denied(parts: Sequence[Morpheme], at: int) -> bool:
    """안 슬퍼, 슬프지 않아, 걱정 없어, 걱정하지 마; not sad, don't feel sad."""
    if parts[at].tag == "SL":
        return any(part.form.casefold() in _SETS.denials for part in parts[max(0, at - 3) : at] if part.tag == "SL")
    if any(part.form in ("안", "못") and part.tag == "MAG" for part in parts[max(0, at - 1) : at]):
        return True
    after = parts[at + 1 : at + 5]
    return any(part.lemma in _SETS.denying_stems for part in after if part.tag in ("VX", "VA", "VCN"))


BUCKETS: Final = 1 << 16
_SHORTEST_RUN, _LONGEST_RUN = 2, 4  #: letters looked at together
_MARKS: Final = frozenset("SF SP SS SSO SSC SE SO SW SN SB W_URL W_SERIAL W_MENTION W_HASHTAG W_EMAIL".split())
_BLANKS: Final = re.compile(r"\s+")
_DIGITS: Final = re.compile(r"\d+")
_REPEATED: Final = re.compile(r"(.)\1{2,}")

Floats = NDArray[np.float32]


def features(text: str) -> tuple[NDArray[np.intp], float]:
    """Return the buckets of what `text` shows, and what each counts."""
    text = shortened(text)
    shown = {f"m{part.form}/{part.tag[:2]}" for part in analyse(text) if part.tag not in _MARKS}
    letters = _REPEATED.sub(r"\1\1", _BLANKS.sub(" ", _DIGITS.sub("0", f" {text.casefold()} ")))
    for length in range(_SHORTEST_RUN, _LONGEST_RUN + 1):
        shown.update(letters[at : at + length] for at in range(len(letters) - length + 1))
    found = cues(text)
    shown.update(f"w{emotion}" for emotion in found.words)
    shown.update(f"k{emotion}" for emotion in found.marks)
    places = {crc32(each.encode("utf-8", "replace")) % BUCKETS for each in shown}
    return np.fromiter(places, dtype=np.intp, count=len(places)), 1 / sqrt(max(1, len(places)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """Weights of every bucket for every emotion."""

    weights: NDArray[np.int8]  #: a row for each bucket, in steps of `step`
    step: Floats  #: for each emotion
    bias: Floats

    def shares(self, text: str) -> dict[Emotion, float]:
        """Return how likely each emotion is; they add up to 1."""
        places, value = features(text)
        looks = self.weights[places].sum(axis=0, dtype=np.int32) * self.step * value + self.bias
        looks = np.exp(looks - looks.max())
        return dict(zip(EMOTIONS, (looks / looks.sum()).tolist(), strict=True))


@cache
def classifier() -> Classifier | None:
    """Return what was taught, loaded when first asked for; None where it is not there or not to be read."""
    try:
        with files(__package__).joinpath("emotions.npz").open("rb") as opened, np.load(opened) as learned:
            return Classifier(weights=learned["weights"], step=learned["step"], bias=learned["bias"])
    except (OSError, ValueError, KeyError):
        return None


BY_CLASSIFIER: Final = "classifier/1"
BY_WORDS: Final = "keywords/1"

_TOLD: Final = 5.0  #: what a word that tells a feeling adds to the logarithm of its share, over the root of the length
_HINTED: Final = 2.0  #: … and what a mark adds
_FELT, _MARKED, _SENSED = 0.5, 0.3, 0.4  #: intensity by a word, by a mark alone, by the classifier alone
_MORE, _LESS, _REPEATED_LETTERS = 0.2, -0.15, 0.1
_LEAST: Final = 0.05
_SURE: Final = 0.5  #: the share that changes no intensity
_BY_SHARE: Final = 0.2
_STAGE: Final = re.compile(r"\*([^*\n]{1,500})\*|\(([^()\n]{1,200})\)")
_SPOKEN: Final = re.compile(r'"([^"\n]{1,500}[.!?…~])"|“([^“”\n]{1,500}[.!?…~])”')
_SHORT: Final = 16  #: morphemes
_UNMOVED: Final = 1.0
_SEEN: Final = 1.25  #: what is seen of somebody counts beside what they say
_AGREED: Final = 0.1


def feel(text: str, *, speaker: str) -> Felt:
    """Return what `speaker` feels by what they say; any string is answered."""
    if not has_hangul(text) or classifier() is None:
        return by_words(text, speaker=speaker)
    emotion, intensity = _sensed(text)
    return _felt(speaker, emotion, intensity, BY_CLASSIFIER)


@cached_by_text
def _sensed(text: str) -> tuple[Emotion, float]:
    learned = classifier()
    assert learned is not None, "without it words alone are read"
    shares = emotion_shares(text, learned)
    emotion = strongest(shares) or "neutral"
    return emotion, _intensity(emotion, cues(text), shares[emotion])


def by_words(text: str, *, speaker: str, seen: bool = False) -> Felt:
    """Return what words and marks alone tell; `seen`: the text is a stage direction."""
    found = cues(text, seen=seen)
    told: Mapping[Emotion, float] = dict.fromkeys(found.words or found.marks - found.denied, 1.0)
    emotion = strongest(told) or "neutral"
    return _felt(speaker, emotion, _intensity(emotion, found, _SURE), BY_WORDS)


def feel_reply(reply: str, *, speaker: str = "character") -> Felt:
    """Return what `speaker` feels by a reply, its narration (`*웃으며*`, `(한숨)`) and its dialogue."""
    narration, dialogue = narration_and_dialogue(reply)
    said = feel(dialogue, speaker=speaker)
    shown = by_words(narration, speaker=speaker, seen=True)
    if shown.emotion == "neutral":
        return said
    if said.emotion == shown.emotion:
        return _felt(speaker, said.emotion, max(said.intensity, shown.intensity) + _AGREED, said.by)
    return shown if shown.intensity * _SEEN >= said.intensity else said


def narration_and_dialogue(reply: str) -> tuple[str, str]:
    """Return the narration and the dialogue of `reply`; in a novel's, all outside of quotes narrates."""
    directions = [one or other for one, other in _STAGE.findall(reply)]
    dialogue = _STAGE.sub(" ", reply) if directions else reply
    spoken = [one or other for one, other in _SPOKEN.findall(dialogue)]
    if spoken:
        directions.append(_SPOKEN.sub(" ", dialogue))
        dialogue = "\n".join(spoken)
    return "\n".join(directions), dialogue


def emotion_shares(text: str, learned: Classifier) -> dict[Emotion, float]:
    """Return how likely each emotion is by the classifier and the words of `text` together."""
    found = cues(text)
    length = sqrt(max(1, len(analyse(shortened(text)))))
    looks = {
        emotion: log(max(share, 1e-9))
        + (_TOLD * found.words.get(emotion, 0) + _HINTED * (emotion in found.marks)) / length
        for emotion, share in learned.shares(text).items()
    }
    for emotion in found.denied - found.words.keys():
        looks[emotion] = min(looks[emotion], looks["neutral"] - 1)
    if length**2 <= _SHORT:
        _weigh_short(looks, found)
    most = max(looks.values())
    raised = {emotion: exp(looks[emotion] - most) for emotion in EMOTIONS}
    total = sum(raised.values())
    return {emotion: share / total for emotion, share in raised.items()}


def _weigh_short(looks: dict[Emotion, float], found: Cues) -> None:
    """Who says little, and in it a word of feeling, is not unmoved; without any sign of feeling they mostly are."""
    if found.words:
        looks["neutral"] = min(looks["neutral"], max(looks[emotion] for emotion in found.words) - 1)
    elif not found.marks:
        looks["neutral"] += _UNMOVED


def _intensity(emotion: Emotion, found: Cues, share: float) -> float:
    if emotion == "neutral":
        return 0.0
    told = emotion in found.words
    base = _FELT if told else _MARKED if emotion in found.marks else _SENSED
    degree = _MORE * found.more + _LESS * found.less if told else 0.0
    return base + degree + _REPEATED_LETTERS * found.drawn_out + _BY_SHARE * (share - _SURE)


def _felt(speaker: str, emotion: Emotion, intensity: float, by: str) -> Felt:
    if emotion != "neutral":
        intensity = round(min(max(intensity, _LEAST), 1.0), 3)
    return Felt(speaker=speaker, emotion=emotion, intensity=intensity, valence=valence(emotion, intensity), by=by)
