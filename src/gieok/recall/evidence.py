"""What speaks for every item of a scope, before any of them is read: in arrays parallel to its layout.

- relevance: how near an utterance and those beside it mean; a memory alone
- keyword: how much of the question's words it holds
- graph: how it hangs together with the question by what both are about, by who speaks or is spoken of, by when, and
  by whether it holds such a value as is asked for
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from gieok.domain.answer import Aid, Found, Source
from gieok.domain.scoring import Weights
from gieok.language.topics import CLEAREST
from gieok.ports import Layout, Mark
from gieok.recall.question import Question
from gieok.recall.reading import Searchable
from gieok.recall.talk import Talk
from gieok.recall.words import shares_held, shares_weighed

if TYPE_CHECKING:
    from gieok.ports import Places, Scores

_OWN: Final = 0.385  #: what an utterance's own meaning counts beside that of its neighbours
_STRANDS: Final[Mapping[Source, float]] = {"topic": 1.0, "speaker": 0.20, "person": 0.20, "period": 0.25, "value": 0.08}
_FAINT: Final = np.float32(1e-6)  #: whatever has a vector is found by meaning, however far it lies
_LASTING: Final = 0.2
_NEARLY: Final = 2 * 86_400 * 1e6  #: microseconds outside a period in which something pales
_ASKED: Final = 0.95  #: a question is like the question that looks for its answer, and answers nothing
_FEW: Final = 3.0  #: items that may be about what is asked for until it counts less
_OF_ANOTHER: Final = 0.5  #: what a topic counts in a memory about anybody but those whom the question names
_LIST: Final = 60  #: how far down its list a source says that it found something
_TELLS: Final = 0.6  #: importance of an utterance that tells something; of small talk: none


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Parallel to the layout, each 0–1."""

    layout: Layout
    relevance: Scores
    keyword: Scores
    strands: Mapping[Source, Scores]  #: what the graph is made of
    graph: Scores
    importance: Scores  #: of utterances, and what is to be expected of memories

    def likeliest(self, weights: Weights, count: int, kind: Literal["memory", "utterance"] | None) -> Places:
        """Return the places of the `count` items (of one `kind`) for which most speaks, in no order."""
        total = (
            weights.relevance * self.relevance
            + weights.keyword * self.keyword
            + weights.graph * self.graph
            + weights.importance * self.importance
        )
        if kind is not None:
            total[self.layout.is_memory != (kind == "memory")] = -1.0
        everything = np.arange(len(total))
        places = everything if len(total) <= count else np.argpartition(-total, count)[:count]
        likeliest: Places = places[total[places] > 0]
        return likeliest

    def found(self) -> dict[int, list[Found]]:
        """Return which sources found what, by its place; each source says so only of those it puts first."""
        found: dict[int, list[Found]] = {}
        for source, scores in {"dense": self.relevance, "keyword": self.keyword, **self.strands}.items():
            for place, reason in zip(_first(scores), _found_by(source), strict=False):
                found.setdefault(place, []).append(reason)
        return found


def evidence(view: Searchable, question: Question, without: Collection[Aid] = ()) -> Evidence:
    """Return what speaks for each item of `view`, leaving out the help of `without`."""
    layout = view.layout()
    talk = Talk.of(layout)
    answers = np.where(layout.marks & Mark.ASKS, np.float32(_ASKED), np.float32(1))
    tells = (((layout.marks & Mark.TELLS) > 0) | layout.is_memory).astype(np.float32)
    people = _people(view, question, layout) if "person" not in without else _nothing(layout)
    strands: dict[Source, Scores] = {
        "topic": _topics(view, question, layout) * tells if "topic" not in without else _nothing(layout),
        "speaker": _speakers(layout, question) if "speaker" not in without else _nothing(layout),
        "person": people,
        "period": _periods(layout, question) if "period" not in without else _nothing(layout),
        "value": _values(layout, question) if "value" not in without else _nothing(layout),
    }
    if people.any():
        strands["topic"][layout.is_memory & (people == 0)] *= _OF_ANOTHER
    return Evidence(
        layout=layout,
        relevance=_relevance(view, question, talk, without) * answers,
        keyword=_keyword(view, question, talk, without) * answers,
        strands=strands,
        graph=_together(strands, tells if question.wide else _nothing(layout)),
        importance=_TELLS * min(sum(question.about.values()), 1.0) * tells,
    )


@cache
def _found_by(source: Source) -> list[Found]:
    """Return what to say of each that a source puts first, in order."""
    return [found_by(source, rank) for rank in range(1, _LIST + 1)]


@lru_cache(maxsize=1024)  # a few sources, and some dozens of places on the list of each
def found_by(source: Source, rank: int) -> Found:
    return Found(source=source, rank=rank)


def _together(strands: Mapping[Source, Scores], lasting: Scores) -> Scores:
    """Return the graph: all strands, and `lasting` for a context, which may need what lasts whatever is asked."""
    whole: Scores = _LASTING * lasting
    for name, scores in strands.items():
        whole += _STRANDS[name] * scores
    graph: Scores = np.minimum(whole, 1.0)
    return graph


def _nothing(layout: Layout) -> Scores:
    return np.zeros(len(layout.refs), np.float32)


def _relevance(view: Searchable, question: Question, talk: Talk, without: Collection[Aid]) -> Scores:
    if question.vector is None or "dense" in without:
        return _nothing(view.layout())
    cosines = view.cosines(question.vector)
    cosines = np.where(cosines > -1, np.maximum(cosines, _FAINT), np.float32(0))
    return cosines if "neighbours" in without else talk.supported(cosines, _OWN)


def _keyword(view: Searchable, question: Question, talk: Talk, without: Collection[Aid]) -> Scores:
    if "keyword" in without:
        return _nothing(view.layout())
    asked, longer = question.terms.words, view.beginnings(question.terms.prefixes)
    around, sitting = "neighbours" not in without, "sitting" not in without
    weighed = view.weighed(asked)
    if weighed is None:
        return shares_held(view.layout(), talk, view.occurrences(asked), longer, around=around, sitting=sitting)
    begun = dict(zip(question.terms.prefixes, longer, strict=True))
    words = [(each, begun.get(word)) for word, each in zip(asked, weighed, strict=True)]
    return shares_weighed(view.layout(), talk, words, around=around, sitting=sitting)


def _topics(view: Searchable, question: Question, layout: Layout) -> Scores:
    """Return how clearly each item is about the attributes that the question asks for, whatever its words."""
    topic = _nothing(layout)
    bearing = view.tagged(list(question.about))
    for share, found in zip(question.about.values(), bearing, strict=True):
        clear = found.times / CLEAREST
        if not question.wide:  # among few hits, what half the talk is about, or hardly asked for, tells little
            share *= share * min(1.0, (_FEW / max(float(clear.sum()), 1.0)) ** 0.5)
        topic[found.places] += share * clear
    return np.minimum(topic, 1.0)


def _speakers(layout: Layout, question: Question) -> Scores:
    if question.party is None:
        return _nothing(layout)
    theirs: Scores = (layout.parties == question.party).astype(np.float32)
    return theirs


def _people(view: Searchable, question: Question, layout: Layout) -> Scores:
    """Return 1 for the memories about others whom the question names."""
    theirs = _nothing(layout)
    if question.people:
        about = view.people(question.text)
        refs = [ref for name in question.people for ref in about.get(name, ())]
        theirs[np.isin(layout.refs, refs)] = 1.0
    return theirs


def _periods(layout: Layout, question: Question) -> Scores:
    """Return 1 for what was said or true when the question asks about, and less the farther it lies outside."""
    fits = _nothing(layout)
    for period in question.periods:
        start = -np.inf if period.start is None else period.start.timestamp() * 1e6
        end = np.inf if period.end is None else period.end.timestamp() * 1e6
        outside = np.maximum(np.maximum(start - layout.moments, layout.moments - end), 0.0)
        fits = np.maximum(fits, np.exp(-outside / _NEARLY).astype(np.float32))
    return fits


def _values(layout: Layout, question: Question) -> Scores:
    return ((layout.marks & question.wants) > 0).astype(np.float32)


def _first(scores: Scores) -> list[int]:
    """Return the places with the highest scores, best first."""
    first = np.flatnonzero(scores > 0)
    if not len(first):
        return []
    if len(first) > _LIST:
        first = first[np.argpartition(-scores[first], _LIST)[:_LIST]]
    ordered: list[int] = first[np.lexsort((first, -scores[first]))].tolist()
    return ordered
