"""Where an English utterance puts the scene, and at what time of day: *walks into the library*."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")
_NARRATED: Final = re.compile(r"\*([^*\n]{1,2000})\*")
_WORD: Final = re.compile(r"[^\W\d_]+")
_GREETING: Final = re.compile(r"\bgood\s(morning|afternoon|evening)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Patterns:
    narrated: re.Pattern[str]
    spoken: re.Pattern[str]
    narrated_time: re.Pattern[str]
    spoken_time: re.Pattern[str]
    other_times: frozenset[str]


@cache
def _patterns() -> _Patterns:
    raw = tomllib.loads(files(__package__).joinpath("setting.toml").read_text(encoding="utf-8"))["english"]
    places = "|".join(sorted((re.escape(place.replace("_", " ")) for place in raw["places"].split()), key=len)[::-1])
    times = "|".join(raw["daytimes"].split())
    which = rf"(?:the|a|an|our|this|my|your|her|his)\s(?:[a-z]+\s)?(?P<place>{places})\b|(?P<home>home)\b"
    return _Patterns(
        narrated=re.compile(
            rf"\b(?:into|in|inside|at|to|through|along|across|enters?|reach(?:es)?)\s(?:{which})", re.IGNORECASE
        ),
        spoken=re.compile(
            rf"\b(?:we\s?(?:['’]re|are)|i\s?(?:['’]m|am)|here|we\s(?:just\s|finally\s)?(?:arrived|made\sit)|let['’]?s\s(?:go|head))"
            rf"\s(?:now\s|finally\s|all\s|both\s|back\s)?(?:at|in|inside|to|into)\s(?:{which})"
            rf"|\bthis\sis\s(?:{which.replace('?P<place>', '?P<this>').replace('?P<home>', '?P<this_home>')})",
            re.IGNORECASE,
        ),
        narrated_time=re.compile(rf"\b({times})\b", re.IGNORECASE),
        spoken_time=re.compile(
            rf"\b(?:it['’]s|it\sis)\s(?:already\s|almost\s|late\s|a\s|such\sa\s)?({times})\b", re.IGNORECASE
        ),
        other_times=frozenset(raw["other_times"].split()),
    )


def english_setting(text: str) -> tuple[str | None, str | None]:
    """Return the place and the time of day that `text`, which holds no Hangul, puts the scene in."""
    patterns = _patterns()
    place: str | None = None
    daytime: str | None = None
    for told in _NARRATED.findall(text):
        if not _another_time(told) and "leav" not in told.lower():
            place = _place(patterns.narrated.search(told)) or place
            daytime = _group(patterns.narrated_time.search(told)) or daytime
    for sentence in _SENTENCE.findall(_NARRATED.sub(" ", text)):
        daytime = daytime or _group(_GREETING.search(sentence))
        if sentence.endswith("?") or _another_time(sentence):
            continue
        place = place or _place(patterns.spoken.search(sentence))
        daytime = daytime or _group(patterns.spoken_time.search(sentence))
    return place, daytime


def _place(found: re.Match[str] | None) -> str | None:
    told = next((each for each in found.groups() if each), None) if found is not None else None
    return told.lower() if told is not None else None


def _group(found: re.Match[str] | None) -> str | None:
    return found.group(1).lower() if found is not None else None


def _another_time(sentence: str) -> bool:
    words = {word.lower() for word in _WORD.findall(sentence)}
    return not words.isdisjoint(_patterns().other_times)
