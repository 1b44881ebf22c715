"""What a turn is about: its salient nouns, compounds in one piece."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Final

from gieok.language.mending import mended_of
from gieok.language.morphemes import Morpheme
from gieok.language.namelike import bare_name
from gieok.language.terms import STOP_WORDS
from gieok.language.text import has_hangul

MOST_TOPICS: Final = 12
_NOUNS: Final = frozenset({"NNG", "NNP", "SL"})
_JOINING: Final = frozenset({"NNG", "NNP", "SL", "SN", "XPN"})
_ENGLISH: Final = re.compile(r"[a-zà-ÿ]+")
_MARK: Final = re.compile(r"[^\w\s'’]+")
_LONGEST: Final = 20
_NO_NOUN: Final = ("ly", "ing", "ed")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    empty: frozenset[str]
    short: frozenset[str]
    english: frozenset[str]
    before: frozenset[str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("topic_nouns.toml").read_text(encoding="utf-8"))
    korean = raw["korean"]
    return _Words(
        empty=frozenset(korean["empty"].split()),
        short=frozenset(korean["short"].split()),
        english=frozenset(raw["english"]["empty"].split()) | STOP_WORDS,
        before=frozenset(raw["english"]["before"].split()),
    )


def topics_of(text: str, *, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return what `text` is about, each once, in order, at most `MOST_TOPICS`; `names` of those who talk are none."""
    found = _korean(mended_of(text)) if has_hangul(text) else _english(text)
    return tuple(dict.fromkeys(topic for topic in found if topic not in names))[:MOST_TOPICS]


def _korean(morphemes: tuple[Morpheme, ...]) -> Iterator[str]:
    run: list[Morpheme] = []
    for part in morphemes:
        if part.tag in _JOINING and (not run or run[-1].end == part.start):
            run.append(part)
            continue
        yield from _topic(run, part)
        run = [part] if part.tag in _JOINING else []
    yield from _topic(run, None)


def _topic(run: list[Morpheme], following: Morpheme | None) -> Iterator[str]:
    if not run or not any(part.tag in _NOUNS for part in run):
        return
    called = following is not None and (following.tag == "JKV" or _is_call(run, following))
    counted = run[0].tag == "SN"
    form = "".join(part.form for part in run)
    single = len(form) == 1 and form not in _words().short
    empty = form in _words().empty or all(part.form in _words().empty for part in run)
    if not called and not counted and not single and not empty and len(form) <= _LONGEST:
        yield bare_name(form) if run[-1].tag == "NNP" else form


def _is_call(run: list[Morpheme], following: Morpheme) -> bool:
    """레티아야, …: who is called is not talked about; of an unknown name the particle is taken for its end."""
    return not run[-1].known and run[-1].form[-1] in "야아" and following.tag == "SP"


def _english(text: str) -> Iterator[str]:
    """Yield the last of the words that follow an article, a preposition or a verb like "love": "the big castle"."""
    for stretch in _MARK.split(text.lower()):
        words = _ENGLISH.findall(stretch)
        opened = False
        for word, following in zip_longest(words, words[1:], fillvalue=""):
            if word in _words().before:
                opened = True
            elif _may_be_noun(word) and opened and not _may_be_noun(following):
                yield word
                opened = False
            else:
                opened = opened and word not in STOP_WORDS


def _may_be_noun(word: str) -> bool:
    return len(word) > 2 and word not in _words().english and not word.endswith(_NO_NOUN)
