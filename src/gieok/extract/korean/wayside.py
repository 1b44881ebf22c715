"""What single sentences give away, where no clause says it: the readers of words rather than of grammar, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gieok.extract.korean import cues
from gieok.extract.korean.barred import barred
from gieok.extract.korean.bents import bents
from gieok.extract.korean.birthdays import birthdays
from gieok.extract.korean.cherished import cherished
from gieok.extract.korean.faiths import faiths
from gieok.extract.korean.figures import figures
from gieok.extract.korean.heard import Heard, heard
from gieok.extract.korean.household import household
from gieok.extract.korean.inoculated import inoculated
from gieok.extract.korean.leanings import leanings, ways_of_life
from gieok.extract.korean.limits import limits
from gieok.extract.korean.occasions import occasions
from gieok.extract.korean.pursuits import pursuits
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.scales import asks_weight
from gieok.extract.korean.selfsame import selfsame
from gieok.extract.korean.swings import swings
from gieok.extract.korean.whose import Whose
from gieok.language.cache import cached_by_text

_UNSURE: Final = re.compile(
    r"아마|글쎄|어쩌면|것\s?같|거\s?같|듯(?:\s|$|해|함)|일걸|일지도|을지도|려나|인가\s?봐|나\s?봐"
)

_YOUR_BIRTHDAY: Final = re.compile(
    r"(?:생일|생신|태어난\s?날|생년월일)[^?]{0,12}\?|축하[^?]{0,16}(?:언제|날짜|며칠)[^?]{0,8}\?"
)
_LIKE_YOU: Final = re.compile(
    r"동갑|(?<![가-힣])(?:저|나)(?:랑|하고|와)\s(?:친구|똑같|같)|^(?:\S{1,3}\s){0,2}(?:저|나)도(?:요|야|예요)?(?=\s*(?:[,.!~ㅋㅎ]|$))"
)


def by_the_way(text: str, told: set[str], asked: str = "", named: Sequence[int] = ()) -> Iterator[tuple[Finding, bool]]:
    """Yield what is found of attributes not yet in `told`, and whether it is said for sure.

    `asked` came before; `named` is where somebody else is named whom a clause is about.
    """
    places = tuple(named)
    for finding, sure, anothers in _given_away(text, places, asked if _bears_on(text, places, asked) else ""):
        many = finding.attribute in ("family", "nationality") or finding.act == "end"
        if anothers:
            yield finding, sure
        elif many or finding.attribute not in told:
            told.add(finding.attribute)
            yield finding, sure


def _bears_on(text: str, named: tuple[int, ...], asked: str) -> bool:
    """Whether any of the readers goes by what was asked before."""
    if not asked:
        return False
    about_figures = _YOUR_BIRTHDAY.search(asked) is not None or asks_weight(asked)
    return about_figures or any(_LIKE_YOU.search(said.text) for said in heard(text, named))


@cached_by_text
def _given_away(text: str, named: tuple[int, ...], asked: str) -> tuple[tuple[Finding, bool, bool], ...]:
    """Return what is found, whether it is said for sure, and whether it is said of somebody else."""
    found: list[tuple[Finding, bool, bool]] = []
    for said in heard(text, named):
        sure = _UNSURE.search(said.text) is None
        found += ((finding, sure, False) for finding in _found(text, said, asked))
        found += ((finding, sure, True) for finding in _of_another(text, said))
    return tuple(found)


def _of_another(text: str, said: Heard) -> Iterator[Finding]:
    """룸메가 무용과라, 딸이 대원외고 붙었어: what is told of one other person is theirs."""
    about = said.of_another()
    if about is None:
        return
    person, sentence = about
    for finding in (
        *birthdays(said.before, sentence),
        *figures(sentence),
        *selfsame(sentence),
        *cues.by_the_way(sentence),
    ):
        yield replace(finding, whose=Whose(subject="other", subject_id=person))


def _like_you(said: Heard, asked: str) -> Iterator[Finding]:
    """저는 84년생이에요! – 저랑 동갑이네요."""
    if not asked or "?" in asked or said.others or not _LIKE_YOU.search(said.text) or said.asks:
        return
    for sentence in heard(asked):
        yield from figures(sentence)
        yield from selfsame(sentence)


def _found(text: str, said: Heard, asked: str) -> Iterator[Finding]:
    quoting = text[len(said.before) : len(said.before) + len(said.text)]
    yield from birthdays(said.before, said, asked=_YOUR_BIRTHDAY.search(asked) is not None)
    yield from figures(said, asked)
    yield from selfsame(said, quoting)
    yield from household(said, quoting)
    yield from faiths(said)
    yield from _like_you(said, asked)
    yield from cues.by_the_way(said)
    yield from swings(said)
    yield from cherished(said)
    yield from leanings(said)
    yield from ways_of_life(said)
    yield from pursuits(said, quoting)
    yield from inoculated(said)
    yield from limits(said)
    yield from occasions(said)
    yield from barred(said)
    yield from bents(said)
