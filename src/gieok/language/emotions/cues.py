"""Words and marks that give a feeling away. "안 슬퍼" is no sadness, and a word tells more than a mark."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

from gieok.domain.emotion import PRIORITY, Emotion
from gieok.language.lately import remembered
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.terms import stem

_WORDS: Final = frozenset({"NNG", "XR", "VA", "VV", "MAG", "IC", "NNP", "SL"})
_DENIALS: Final = frozenset("not never no isn wasn don doesn didn aren won cannot without t".split())
_DENYING_STEMS: Final = frozenset({"않다", "말다", "없다", "아니다"})
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
    raw = tomllib.loads(files(__package__).joinpath("cues.toml").read_text(encoding="utf-8"))
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


@remembered
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
        return any(part.form.casefold() in _DENIALS for part in parts[max(0, at - 3) : at] if part.tag == "SL")
    if any(part.form in ("안", "못") and part.tag == "MAG" for part in parts[max(0, at - 1) : at]):
        return True
    after = parts[at + 1 : at + 5]
    return any(part.lemma in _DENYING_STEMS for part in after if part.tag in ("VX", "VA", "VCN"))
