"""What turns a life: 할머니가 돌아가셨어, 드디어 최종 합격했어, 우리 초코가 무지개다리를 건넜어."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.nominal import nominalised

_MAKING: Final = ("하다", "되다", "나다", "받다", "당하다", "치르다", "성공하다")
_CONTRACTED: Final = ("돌아가", "떠나보", "헤어", "사겼", "태어", "다쳤", "차였", "떨어", "쓰러")  #: before -었-
_LONGEST: Final = 60  #: letters
_OURS: Final = frozenset({"나", "저", "우리", "내", "제"})
_UNREAL: Final = ("wish", "hypothetical", "hearsay", "question", "quotation", "command")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    verbs: frozenset[str]
    beside: Mapping[str, frozenset[str]]
    nouns: frozenset[str]
    sayings: tuple[str, ...]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("turning_points.ko.toml").read_text(encoding="utf-8"))
    return _Words(
        verbs=frozenset(raw["verbs"].split()),
        beside={verb: frozenset(words.split()) for verb, words in raw["beside"].items() if words},
        nouns=frozenset(raw["nouns"].split()),
        sayings=tuple(raw["sayings"]),
    )


def triggers() -> frozenset[str]:
    """Return the words without which nothing turns."""
    words = _words()
    stems = {verb.removesuffix("다") for verb in words.verbs}
    return frozenset({*words.nouns, *words.sayings, *stems, *_CONTRACTED})


def turned(telling: Telling) -> Iterator[Finding]:
    """Read what happened to the speaker or to those close to them."""
    for part in telling.parts:
        if part.mood in _UNREAL or part.closes in _UNREAL or part.negated or not part.past:
            continue
        if _close(telling, part) and _turns(part, telling.text[part.clause.start : part.clause.end]):
            said = _told(telling, part)
            if 4 <= len(said) <= _LONGEST:
                yield finding("milestone", said, whose=telling.me)
                return


def _close(telling: Telling, part: Part) -> bool:
    """Whether it happened to the speaker, their kin, a friend or a pet: not to somebody in the news."""
    if part.clause.head is not None or part.about is None or part.about.subject in ("character", "world"):
        return False
    if telling.mine(part):
        return True
    if _OURS & part.all_words or any(phrase.owner in _OURS for phrase in part.clause.phrases):
        return True
    who, words = part.about.subject_id.split()[-1], lexicon()
    return who in words.kin or who in words.of_class("animal")


def _turns(part: Part, text: str) -> bool:
    words = _words()
    predicate = part.clause.predicate
    if any(saying in text for saying in words.sayings):
        return True
    if predicate is None:
        return False
    nouns = {word for phrase in part.clause.phrases for word in phrase.words}
    honoured = any(part_.tag == "EP" and part_.form in ("시", "으시") for part_ in predicate.tail)
    lemma = "돌아가시다" if predicate.lemma == "돌아가다" and honoured else predicate.lemma
    if lemma in words.verbs:
        needed = words.beside.get(lemma)
        return needed is None or any(word.startswith(tuple(needed)) for word in part.all_words)
    made = next((lemma.removesuffix(ending) for ending in _MAKING if lemma.endswith(ending)), None)
    if made:
        return made in words.nouns
    return made == "" and bool(nouns & words.nouns)


def _told(telling: Telling, part: Part) -> str:
    predicate = part.clause.predicate
    if predicate is None:
        return ""
    start = min((phrase.morphemes[0].start for phrase in part.clause.phrases if phrase.pronoun is None), default=None)
    start = predicate.stem[0].start if start is None or start > predicate.stem[0].start else start
    ending = [*predicate.stem, *(part_ for part_ in predicate.tail if part_.tag == "EP")][:5]
    return (telling.text[start : predicate.stem[0].start] + nominalised(ending)).strip()
