"""What speaks for the items of one scope, and which of them are read: candidates for an answer.

Every item is scored in arrays first; only the likeliest are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from gieok.domain.answer import Aid, Found, Hit, Item, Source, Where
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Parts, Weights, contributions
from gieok.domain.turn import USER, Utterance
from gieok.language.text import fold, sentences
from gieok.language.topics import CLEAREST
from gieok.ports import NO_SITTING, Layout, Mark, MemoryFilter, Party, Topic, View
from gieok.ports.nearness import Nearness, highest
from gieok.recall.question import Question
from gieok.recall.time_limit import Search

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Occurrences, Places, Scores, WordWeights

    Counts = NDArray[np.float32]

_LAYOUTS: Final = 16  #: of the scopes that were asked last
_SHORT_ANSWER: Final = 3  #: terms of an answer that says little without its question
_REACH: Final = 2  #: utterances to either side that make up a window

# What words count, by BM25
_K1: Final = 1.2
_B: Final = 0.75
_LONGER: Final = 0.25  #: what a longer word counts that begins with the asked one: 김밥 → 김밥천국
_MOST_COUNTS: Final = 1 << 20  #: of words in texts that are looked at together
_AROUND, _SITTING = 0.50, 0.25  #: the rest is for the text alone

# What meaning and the graph count
_OWN: Final = 0.5  #: what an utterance's own meaning counts beside that of its neighbours
_HANDED: Final = 0.5  #: what an utterance's own nearness and words count for a memory that was read from it
_REPLY: Final = 0.85  #: what the character's words count where the question is not about the character
_STRANDS: Final[Mapping[Source, float]] = {"topic": 1.0, "speaker": 0.20, "person": 0.20, "period": 0.25, "value": 0.08}
_FAINT: Final = np.float32(1e-6)  #: whatever has a vector is found by meaning, however far it lies
_LASTING: Final = 0.2
_NEARLY: Final = 2 * 86_400 * 1e6  #: microseconds outside a period in which something pales
_ASKS: Final = int(Mark.ASKS)
_ASKED: Final = 0.95  #: a question is like the question that looks for its answer, and answers nothing
_FEW: Final = 3.0  #: items that may be about what is asked for until it counts less
_OF_ANOTHER: Final = 0.5  #: what a topic counts in a memory about anybody but those whom the question names
_LIST: Final = 60  #: how far down its list a source says that it found something
_TELLS: Final = 0.6  #: importance of an utterance that tells something; of small talk: none

# What is read
_SURE: Final = 0.8
_PLAINEST: Final = 16
_PLAIN: Final = 40  #: characters that one fact takes to say; a longer sentence says more than it
_READ_FOR_EACH: Final = 3  #: items read for every hit that is asked for …
_READ_AT_LEAST: Final = 8  #: … and a few more
_READ_WITHIN: Final = 2_000  #: … and where many may be turned away
ANYWHERE: Final = Where()


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """The utterances of a layout; a place here is a place among them."""

    said: Places  #: their places in the layout
    sittings: NDArray[np.int32]  #: the how manieth of them each is of
    openings: Places  #: where each sitting begins
    together: tuple[NDArray[np.bool_], ...]  #: whether one so and so far behind each is of its sitting
    answers: Places  #: where somebody answers: what was said just before is another's question
    weight: Scores  #: what meaning and words count, by place in the layout, where the question is about the character …
    weight_of_user: Scores  #: … and where it is not
    tells: Scores  #: 1 where something lasting is told, by place in the layout
    asked: NDArray[np.int64]  #: by place in the layout: the question that a short answer needs to be understood, or -1
    place: Places  #: by place in the layout: the place among the utterances, or -1

    def sums(self, times: Counts) -> tuple[Counts, Counts]:
        """Return the sums of `times` over each utterance with those beside it in its sitting, and over each sitting.

        `times` may have a row for each of several words.
        """
        around = times.copy()
        for far, together in enumerate(self.together, start=1):
            around[..., far:] += times[..., :-far] * together
            around[..., :-far] += times[..., far:] * together
        return around, np.add.reduceat(times, self.openings, axis=-1) if len(self.openings) else times


_Texts = tuple["Counts", "Counts", "Counts"]  #: figures of texts alone, in their windows and in their sittings


@lru_cache(maxsize=_LAYOUTS)
def talk_in(layout: Layout) -> tuple[Talk, _Texts]:
    """Return the talk of a layout, and what lengths count against its texts."""
    said = np.flatnonzero(~layout.is_memory)
    sittings = layout.sittings[said]
    opens = np.diff(sittings, prepend=NO_SITTING) != 0
    asks, by = (layout.marks[said] & Mark.ASKS) > 0, layout.parties[said]
    answers = asks[:-1] & ~asks[1:] & (by[1:] != by[:-1]) & ~opens[1:]
    answering = np.flatnonzero(answers) + 1
    short = answering[layout.lengths[said[answering]] <= _SHORT_ANSWER]
    asked = np.full(len(layout.refs), -1, np.int64)
    asked[said[short]] = layout.refs[said[short - 1]]
    place = np.full(len(layout.refs), -1, np.intp)
    place[said] = np.arange(len(said))
    weight = np.where(layout.marks & Mark.ASKS, np.float32(_ASKED), np.float32(1))
    reply = ~layout.is_memory & (layout.parties == Party.CHARACTER)
    talk = Talk(
        said=said,
        sittings=np.cumsum(opens, dtype=np.int32) - 1,
        openings=np.flatnonzero(opens),
        together=tuple(sittings[far:] == sittings[:-far] for far in range(1, _REACH + 1)),
        answers=answering,
        asked=asked,
        place=place,
        weight=weight,
        weight_of_user=np.where(reply, weight * np.float32(_REPLY), weight),
        tells=(((layout.marks & Mark.TELLS) > 0) | layout.is_memory).astype(np.float32),
    )
    alone, windows, whole = (
        _K1 * (1 - _B + _B * lengths / (max(float(lengths.mean()), 1.0) if len(lengths) else 1.0))
        for lengths in (layout.lengths.astype(np.float32), *talk.sums(layout.lengths[said].astype(np.float32)))
    )
    return talk, (alone, windows, whole)


def _counted_shares(
    layout: Layout, talk: Talk, heavy: _Texts, words: Sequence[Occurrences], longer: Sequence[Occurrences]
) -> _Texts:
    """Return how much of the asked `words` texts hold, by BM25: 0–1."""
    held = [np.zeros(len(each)) for each in heavy]
    whole = [0.0, 0.0, 0.0]
    found = [*((each, 1.0) for each in words), *((each, _LONGER) for each in longer if len(each.places))]
    at_once = max(_MOST_COUNTS // max(len(layout.refs), 1), 1)
    for start in range(0, len(found), at_once):
        some = found[start : start + at_once]
        weights = np.array([weight for _, weight in some])
        for kind, (rows, places, times) in enumerate(_standing([each for each, _ in some], talk)):
            standing = np.bincount(rows, minlength=len(some))
            most = (_K1 + 1) * np.log(1 + (len(held[kind]) - standing + 0.5) / (standing + 0.5))
            shares = times * (weights * most)[rows] / (times + heavy[kind][places])
            held[kind] += np.bincount(places, shares, len(held[kind]))
            whole[kind] += float(most[weights == 1.0].sum())  # a longer word is a bonus, not asked for
    alone, windows, sittings = (
        np.minimum(a / b if b else a, 1.0, dtype=np.float32, casting="same_kind")
        for a, b in zip(held, whole, strict=True)
    )
    return alone, windows, sittings


def _standing(words: Sequence[Occurrences], talk: Talk) -> Iterator[tuple[Places, Places, Counts]]:
    """Yield which of `words` stand in which texts, and how often: in texts alone, in windows and in sittings."""
    rows = np.repeat(np.arange(len(words)), [len(each.places) for each in words])
    places = np.concatenate([each.places for each in words])
    times = np.concatenate([each.times for each in words]).astype(np.float32)
    yield rows, places, times
    at = talk.place[places]
    said = at >= 0
    rows, at, times = rows[said], at[said], times[said]
    size = len(talk.said)
    around = np.zeros(len(words) * size, np.float32)
    keys = rows * size + at
    around[keys] += times
    for far, together in enumerate(talk.together, start=1):
        after = at + far < size
        after[after] = together[at[after]]
        around[keys[after] + far] += times[after]
        before = at >= far
        before[before] = together[at[before] - far]
        around[keys[before] - far] += times[before]
    keys = np.flatnonzero(around)
    yield *np.divmod(keys, size), around[keys]
    whole = np.bincount(rows * len(talk.openings) + talk.sittings[at], times, len(words) * len(talk.openings))
    keys = np.flatnonzero(whole)
    yield *np.divmod(keys, max(len(talk.openings), 1)), whole[keys].astype(np.float32)


def _ranked_shares(layout: Layout, talk: Talk, words: Sequence[tuple[WordWeights, Occurrences | None]]) -> _Texts:
    """Return the same by a store's own ranking of the `words`, each with where longer ones stand that begin alike.

    What a word weighs where it weighs least is taken for its weight, standing once; one that stands nowhere is as rare
    as the rarest. Whatever the unit, a text of usual length that holds each word once holds the same share as by BM25,
    so that all weights of a ranking stay apt; and more weight is always a higher share.
    """
    once = [float(each.weights.min()) if len(each.weights) else 0.0 for each, _ in words]
    heaviest = max(once, default=0.0) or 1.0
    held = np.zeros(len(layout.refs), np.float32)
    for (each, longer), weight in zip(words, once, strict=True):
        held[each.places] += each.weights
        if longer is not None:
            held[longer.places] += _LONGER * (weight or heaviest) * longer.times
    held /= sum(weight or heaviest for weight in once) or 1.0
    alone, windows, sittings = (texts / (texts + np.float32(_K1)) for texts in (held, *talk.sums(held[talk.said])))
    return alone, windows, sittings


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Parallel to the layout, each 0–1."""

    layout: Layout
    near: Near | None  #: how near the question is; None: it has no vector, or nothing is found by meaning
    keyword: Scores
    strands: Mapping[Source, Scores]  #: what the graph is made of
    graph: Scores
    importance: Scores  #: of utterances, and what is to be expected of memories
    own_keyword: Scores  #: of each without its neighbours; of an answer with its question

    @property
    def relevance(self) -> Scores:
        """Upper bounds of relevance; relevance itself of all that may be among the `likeliest`."""
        return self.near.relevance if self.near is not None else np.zeros(len(self.layout.refs), np.float32)

    @property
    def own_relevance(self) -> Scores:
        """The same without neighbours; of an answer with its question."""
        return self.near.own if self.near is not None else np.zeros(len(self.layout.refs), np.float32)

    def likeliest(self, weights: Weights, count: int, kind: Literal["memory", "utterance"] | None) -> Places:
        """Return the places of the `count` items (of one `kind`) for which most speaks, in no order."""
        others = weights.keyword * self.keyword + weights.graph * self.graph + weights.importance * self.importance

        def total() -> Scores:
            speaks: Scores = others + weights.relevance * self.relevance
            if kind is not None:
                speaks[self.layout.is_memory != (kind == "memory")] = -1.0
            return speaks

        return highest(total, count, self.near.measure if self.near is not None else lambda _: False)

    def found(self, places: Iterable[int]) -> dict[int, list[Found]]:
        """Return which sources found what is at `places`; each source names only those with its highest scores."""
        found: dict[int, list[Found]] = {place: [] for place in places}
        relevance = self.relevance if self.near is None else np.where(self.near.measured, self.relevance, 0)
        for source, scores in {"dense": relevance, "keyword": self.keyword, **self.strands}.items():
            first = np.flatnonzero(scores > 0)
            if not len(first):
                continue
            if len(first) > _LIST:
                first = first[np.argpartition(-scores[first], _LIST)[:_LIST]]
            first = first[np.lexsort((first, -scores[first]))]
            for rank, place in enumerate(first.tolist(), start=1):
                if place in found:
                    found[place].append(found_by(source, rank))
        return found


def evidence(search: Search, question: Question, without: Collection[Aid] = ()) -> Evidence | None:
    """Return what speaks for each item, leaving out the help of `without`; None: nothing can be searched."""
    layout = search.ask("layout", search.view.layout)
    if layout is None:
        return None
    talk, heavy = talk_in(layout)
    weight, tells = talk.weight if question.party == Party.CHARACTER else talk.weight_of_user, talk.tells
    strands = _strands(search, question, layout, tells, without)
    graph: Scores = _LASTING * (tells if question.wide else np.zeros(len(layout.refs), np.float32))
    for name, scores in strands.items():
        graph += _STRANDS[name] * scores
    keyword, own_keyword = _keyword(search, question, layout, talk, heavy, without)
    return Evidence(
        layout=layout,
        near=_near(search, question, layout, talk, weight, without),
        keyword=keyword * weight,
        own_keyword=own_keyword,
        strands=strands,
        graph=np.minimum(graph, 1.0),
        importance=_TELLS * min(sum(question.about.values()), 1.0) * tells,
    )


@lru_cache(maxsize=1024)  # a few sources, and some dozens of places on the list of each
def found_by(source: Source, rank: int) -> Found:
    return Found(source=source, rank=rank)


class Near:
    """How near each item is to a question. An utterance is near by its neighbours, too.

    Where nobody spoke before or after in the same sitting, its own score stands in.
    """

    def __init__(self, nearness: Nearness, layout: Layout, talk: Talk, weight: Scores, *, neighbours: bool) -> None:
        self.cosines = nearness
        self._layout = layout
        self._talk = talk
        self._weight = weight
        self._neighbours = neighbours
        self.relevance, self.own, self.measured = self._scores()

    def measure(self, places: Places) -> bool:
        """Work out the relevance of the items at `places`; return whether any was new."""
        if self._neighbours:
            needed = np.zeros(len(self._layout.refs), np.bool_)
            needed[places] = True
            said = needed[self._talk.said]
            beside = said.copy()
            beside[1:] |= said[:-1]
            beside[:-1] |= said[1:]
            needed[self._talk.said] = beside
            places = np.flatnonzero(needed)
        if not self.cosines.measure(places):
            return False
        self.relevance, self.own, self.measured = self._scores()
        return True

    def measure_all(self) -> None:
        self.measure(np.arange(len(self._layout.refs)))

    def _scores(self) -> tuple[Scores, Scores, NDArray[np.bool_]]:
        """Return relevance with neighbours and without, and of which items the first was worked out."""
        cosines, talk, measured = self.cosines.most, self._talk, self.cosines.measured
        scores: Scores = np.where(cosines > -1, np.maximum(cosines, _FAINT), np.float32(0))
        if not self._neighbours:
            return scores * self._weight, scores, measured
        said, whole = scores[talk.said], measured[talk.said]
        mine = said.copy()
        mine[talk.answers] = np.maximum(said[talk.answers], said[talk.answers - 1])
        own = scores.copy()
        own[talk.said] = mine
        before, after = said.copy(), said.copy()
        np.copyto(before[1:], said[:-1], where=talk.together[0])
        np.copyto(after[:-1], said[1:], where=talk.together[0])
        scores[talk.said] = _OWN * mine + (1 - _OWN) / 2 * (before + after)
        if not whole.all():
            known = whole.copy()
            known[1:] &= whole[:-1]
            known[:-1] &= whole[1:]
            measured = measured.copy()
            measured[talk.said] = known
        return scores * self._weight, own, measured


def _near(
    search: Search, question: Question, layout: Layout, talk: Talk, weight: Scores, without: Collection[Aid]
) -> Near | None:
    vector = question.vector if "dense" not in without else None
    if vector is None:
        return None
    bounded = getattr(search.view, "nearness", None)  # a plugged-in store may give cosines only
    found = search.ask("dense", bounded or search.view.cosines, vector)
    if found is None:
        return None
    nearness = found if isinstance(found, Nearness) else Nearness(found)
    return Near(nearness, layout, talk, weight, neighbours="neighbours" not in without)


def _keyword(
    search: Search, question: Question, layout: Layout, talk: Talk, heavy: _Texts, without: Collection[Aid]
) -> tuple[Scores, Scores]:
    """Return how much of the asked words each item holds; what was said is mixed with its window and its sitting."""
    view, terms = search.view, question.terms
    nothing = np.zeros(len(layout.refs), np.float32)
    longer = None if "keyword" in without else search.ask("keyword", view.prefix_occurrences, terms.prefixes)
    if longer is None:
        return nothing, nothing
    ranking = getattr(view, "word_weights", None)  # a plugged-in store may not rank words
    weighed = None if ranking is None else search.ask("keyword", ranking, terms.words)
    if weighed is not None:
        begun = dict(zip(terms.prefixes, longer, strict=True))
        words = [(each, begun.get(word)) for word, each in zip(terms.words, weighed, strict=True)]
        shares, windows, sittings = _ranked_shares(layout, talk, words)
    else:
        standing = search.ask("keyword", view.occurrences, terms.words)
        if standing is None:
            return nothing, nothing
        shares, windows, sittings = _counted_shares(layout, talk, heavy, standing, longer)
    of_window, of_sitting = _AROUND * ("neighbours" not in without), _SITTING * ("sitting" not in without)
    own = shares
    said = shares[talk.said]
    if of_window:
        said[talk.answers] = np.minimum(said[talk.answers] + shares[talk.said[talk.answers - 1]], 1.0)
        own = shares.copy()
        own[talk.said] = said
    together = (1 - of_window - of_sitting) * said + of_window * windows
    shares[talk.said] = together + of_sitting * sittings[talk.sittings]
    return shares, own


def _strands(
    search: Search, question: Question, layout: Layout, tells: Scores, without: Collection[Aid]
) -> dict[Source, Scores]:
    """Return what hangs together with the question: by topic, speaker, people it names, period and kind of value."""
    strands: dict[Source, Scores] = dict.fromkeys(_STRANDS, np.zeros(len(layout.refs), np.float32))
    if "topic" not in without:
        strands["topic"] = _topics(search, question, layout) * tells
    if "speaker" not in without and question.party is not None:
        strands["speaker"] = (layout.parties == question.party).astype(np.float32)
    if "person" not in without and question.people:
        about = search.ask("topic", search.view.people, question.text) or {}
        theirs = np.isin(layout.refs, [ref for name in question.people for ref in about.get(name, ())])
        strands["person"] = theirs.astype(np.float32)
        if theirs.any():
            strands["topic"] = np.where(layout.is_memory & ~theirs, _OF_ANOTHER, np.float32(1)) * strands["topic"]
    for period in question.periods if "period" not in without else ():
        start = -np.inf if period.start is None else period.start.timestamp() * 1e6
        end = np.inf if period.end is None else period.end.timestamp() * 1e6
        outside = np.maximum(np.maximum(start - layout.moments, layout.moments - end), 0.0)
        # 1 within the period, and less the farther outside
        strands["period"] = np.maximum(strands["period"], np.exp(-outside / _NEARLY).astype(np.float32))
    if "value" not in without and question.wants:
        strands["value"] = ((layout.marks & question.wants) > 0).astype(np.float32)
    return strands


def _topics(search: Search, question: Question, layout: Layout) -> Scores:
    """Return how clearly each item is about the attributes that the question asks for, whatever its words."""
    topic = np.zeros(len(layout.refs), np.float32)
    bearing = search.ask("topic", search.view.tagged, list(question.about))
    for share, found in zip(question.about.values(), bearing or (), strict=bearing is not None):
        clear = found.times / CLEAREST
        if not question.wide:  # among few hits, what half the talk is about, or hardly asked for, tells little
            share *= share * min(1.0, (_FEW / max(float(clear.sum()), 1.0)) ** 0.5)
        topic[found.places] += share * clear
    return np.minimum(topic, 1.0)


def covered(text: str, memories: Iterable[Memory], *, surely: bool = False) -> bool:
    """Return whether every sentence of `text` has given its memories.

    `surely`: beyond doubt; what was read in passing, or out of a longer sentence, may be read by half.
    """
    memories = [memory for memory in memories if not surely or memory.certainty >= _SURE]
    plain = _PLAINEST if surely else _PLAIN
    surfaces = [_squeezed(memory.surface) for memory in memories if memory.surface]
    free = len(memories) - len(surfaces)  # an opinion keeps no words of its own: any one sentence may have given it
    uncovered = sum(length > plain * sum(surface in said for surface in surfaces) for length, said in _said(text))
    return bool(memories) and uncovered <= free


def only_asks(text: str) -> bool:
    """Whether `text`, which ends in a question, says nothing else."""
    return text.count("?") >= len(said := _said(text)) or len(said) == 1


@lru_cache(maxsize=4096)
def _said(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences of `text`: how long each is, and its letters."""
    return tuple((len(sentence), _squeezed(sentence)) for sentence in sentences(text))


@lru_cache(maxsize=4096)
def _squeezed(text: str) -> str:
    return "".join(fold(text).split())


@dataclass(slots=True)
class Candidate:
    """An item, what speaks for it, and (once it is ranked) its score. Only the one that is chosen becomes a hit."""

    item: Item
    relevance: float = 0.0
    keyword: float = 0.0
    graph: float = 0.0
    importance: float = 0.0
    found: list[Found] = field(default_factory=list)
    own: tuple[float, float] = (0.0, 0.0)  #: relevance and keyword without its neighbours
    asks: bool = False  #: an utterance that ends in a question
    answers: Utterance | None = None  #: the question that makes a short answer understood
    taken_back: Utterance | None = None  #: what took back something that an utterance tells
    handed: float = _HANDED  #: what its own words count for a memory that was read from them
    told: bool = False  #: an utterance of which every sentence was understood: its memories say it all
    scope: Scope | None = None
    recency: float = 0.0
    strength: float = 0.0
    weights: Weights | None = None
    score: float = 0.0

    def take_over(self, said: Candidate) -> None:
        """Let the words that this memory was read from speak for it; what stands beside them does not.

        Where it alone says all that they say, it takes their place; else they say more than it, and count by half.
        """
        relevance, keyword = said.own
        self.relevance = max(self.relevance, said.handed * relevance)
        self.keyword = max(self.keyword, said.handed * keyword)
        if said.told:
            self.graph = max(self.graph, said.graph)
        self.found.extend(found for found in said.found if found not in self.found)

    def hit(self, *, explain: bool = False) -> Hit:
        assert self.scope is not None, "it is ranked"
        parts = Parts(
            recency=self.recency,
            importance=self.importance,
            relevance=self.relevance,
            keyword=self.keyword,
            strength=self.strength,
            graph=self.graph,
        )
        return Hit(
            item=self.item,
            scope=self.scope,
            score=self.score,
            parts=parts,
            why=tuple(self.found),
            answers=self.answers,
            taken_back=self.taken_back,
            contributions=contributions(parts, self.weights) if explain and self.weights else None,
        )


def gathered(
    view: View,
    known: Evidence | None,
    question: Question,
    now: datetime,
    where: Where,
    *,
    search_turns: bool,
    weights: Weights,
    k: int,
) -> list[Candidate]:
    """Return the candidates of one scope that are visible, true and within `where`; `known` is what speaks for them.

    Reading an item costs more than finding it: of a plain question only the best are read, several times as many as
    are asked for, so that importance and recency can still reorder them.
    """
    candidates: dict[str, Candidate] = {}
    is_wide = replace(where, without=(), kind=None) == ANYWHERE  # hardly anything is turned away
    if is_wide and where.kind is None:
        where = ANYWHERE
    if known is not None:
        count = _READ_FOR_EACH * k + _READ_AT_LEAST if is_wide else _READ_WITHIN
        places = known.likeliest(weights, count, where.kind if search_turns else "memory")
        refs = known.layout.refs[places].tolist()
        asked = talk_in(known.layout)[0].asked[places].tolist()
        read, silent = view.items([*refs, *(ref for ref in asked if ref >= 0)]), view.forgotten_words()
        scores = [each[places].tolist() for each in (known.relevance, known.keyword, known.graph, known.importance)]
        own = zip(known.own_relevance[places].tolist(), known.own_keyword[places].tolist(), strict=True)
        asks = (known.layout.marks[places] & _ASKS).astype(np.bool_).tolist()
        found = known.found(places.tolist()).values()
        for ref, before, *given in zip(refs, asked, *scores, found, own, asks, strict=True):
            item = read[ref]
            if item.id not in silent and admitted(item, now, where):
                candidates[item.id] = each = Candidate(item, *given)
                question_before = read.get(before)
                if isinstance(question_before, Utterance) and question_before.id not in silent:
                    each.answers = question_before
    _add_memories_of_words(view, candidates, now, where)
    if not where.history:  # drop what was concluded from something that no longer holds
        memories = [each.item for each in candidates.values() if isinstance(each.item, Memory)]
        for memory in memories:
            if memory.made_from and not still_supported(view, memory, now):
                del candidates[memory.id]
    for fact in facts_asked_for(view, question, now, where):
        known_fact = candidates.setdefault(fact.item.id, fact)
        known_fact.graph = max(known_fact.graph, fact.graph)
        known_fact.found.extend(found for found in fact.found if found not in known_fact.found)
    return list(candidates.values())


def _add_memories_of_words(view: View, candidates: dict[str, Candidate], now: datetime, where: Where) -> None:
    """Put the memories that were read from utterances beside them, with the same support.

    Words that were understood, and whose every meaning has been given up since, no longer speak for anything.
    """
    said = [each.item.id for each in candidates.values() if not isinstance(each.item, Memory)]
    told: defaultdict[str, list[Memory]] = defaultdict(list)
    for memory in view.read_from(said) if said else []:
        if memory.sources[:1] and memory.sources[0] in candidates:
            told[memory.sources[0]].append(memory)
    retracted = _retractions(view, told)
    for utterance_id, memories in told.items():
        current = [memory for memory in memories if admitted(memory, now, where)]
        utterance = candidates[utterance_id]
        assert isinstance(utterance.item, Utterance), "memories were not asked for"
        utterance.told = covered(utterance.item.text, memories, surely=True)
        utterance.handed = 1.0 if utterance.told and len(memories) == 1 else _HANDED
        given_up = all(memory.disowned or (memory.closed_by and not memory.faded_at) for memory in memories)
        silent = given_up and not current and covered(utterance.item.text, memories)
        utterance.taken_back = retracted.get(utterance_id)
        if silent and not where.history and where.kind != "utterance":
            del candidates[utterance_id]
            continue
        for memory in current:
            if memory.id not in candidates:
                handed = Candidate(memory, importance=utterance.importance)
                handed.take_over(utterance)
                candidates[memory.id] = handed


def _retractions(view: View, told: Mapping[str, Sequence[Memory]]) -> dict[str, Utterance]:
    """Return the words that took back what was `told`, by the id of the utterance that told it.

    They are the last source of a memory that was never true, or the first of the one that corrected it.
    """
    wrong = {id: next((each for each in memories if each.retracted), None) for id, memories in told.items()}
    closers = view.memories_by_id([each.closed_by for each in wrong.values() if each is not None and each.closed_by])
    sources = {}
    for id, memory in wrong.items():
        if memory is not None and memory.closed_by is not None:
            right = closers.get(memory.closed_by)
            sources[id] = right.sources[0] if right is not None and right.sources else id
        elif memory is not None and not memory.doubtful:  # a person who rejects a doubtful memory says nothing
            sources[id] = memory.sources[-1]
    silent = view.forgotten_words() if sources else frozenset()
    refs = view.refs({source for id, source in sources.items() if source != id and source not in silent})
    items = view.items(refs.values()) if refs else {}
    found = {id: items.get(refs[source]) for id, source in sources.items() if source in refs}
    return {id: item for id, item in found.items() if isinstance(item, Utterance)}


def still_supported(view: View, concluded: Memory, now: datetime) -> bool:
    """Return whether all that a summary or an insight was made from still holds; what faded may stay in it."""
    grounds = view.memories_by_id(concluded.made_from).values()
    return not any(each.given_up_by(now) for each in grounds)


def facts_asked_for(view: View, question: Question, now: datetime, where: Where) -> list[Candidate]:
    """Return what the one whom the question is about is in the attributes it asks for that hold one value at a time.

    That is the user, unless only others are named.
    """
    facts: list[Candidate] = []
    for name, share in question.about.items():
        if not attribute(name).single:
            continue
        if not question.people or question.party is not None:
            told = view.memories(MemoryFilter(subject=USER, subject_id=USER, attribute=name, current_at=now))
        else:
            topics = [Topic(subject="other", subject_id=each, attributes=(name,)) for each in question.people]
            told = [each for each in view.memories_about(topics) if each.attribute == name and each.true_at(now)]
        for memory in told:
            if admitted(memory, now, where):
                facts.append(Candidate(memory, graph=share, found=[found_by("topic", len(facts) + 1)]))
    return facts


def nearest_facts(view: View, known: Evidence | None, question: Question, now: datetime, limit: int) -> list[Candidate]:
    """Return the facts about the user that are true at `now`, nearest to the question first."""
    if known is None or known.near is None or not np.any(question.vector):
        return []
    nearness = known.near.cosines  # among many, those that were worked out for the candidates are the nearest
    near = np.flatnonzero(known.layout.is_memory & nearness.measured & (nearness.most > -1))
    cosines = nearness.most[near]
    if len(near) > limit:
        least = np.partition(cosines, len(near) - limit)[len(near) - limit]
        near, cosines = near[cosines >= least], cosines[cosines >= least]
    order = np.lexsort((near, -cosines))[:limit]
    refs, scores = known.layout.refs[near[order]].tolist(), cosines[order].tolist()
    items = view.items(refs)
    facts = []
    for rank, (ref, score) in enumerate(zip(refs, scores, strict=True), start=1):
        item = items.get(ref)
        if isinstance(item, Memory) and item.attribute and item.subject == USER and item.true_at(now):
            facts.append(Candidate(item, min(max(score, 0.0), 1.0), found=[found_by("dense", rank)]))
    return facts


def admitted(item: Item, now: datetime, where: Where) -> bool:
    """Whether `item` may answer: visible, true at the asked moment (or `where.history`), and within `where`."""
    if isinstance(item, Memory):
        if item.hidden if where.history else not item.true_at(now):
            return False
        if item.content_type == "summary" and not (where.history or where.type == "summary"):
            return False  # the newest stands in a context anyway, and the older ones tell of how it was
        if where is ANYWHERE:  # without asking: recall asks this of hundreds
            return True
        return (
            where.kind != "utterance"
            and (where.about is None or where.about in (item.subject_id, item.subject))
            and where.said_by in (None, item.speaker)
            and where.type in (None, item.content_type)
            and where.attribute in (None, item.attribute)
            and _between(where, item.valid_at, item.invalid_at)
        )
    if item.at > now or where.kind == "memory" or where.about or where.type or where.attribute:
        return False
    return where.said_by in (None, item.speaker) and _between(where, item.at, item.at)


def _between(where: Where, start: datetime, end: datetime | None) -> bool:
    if where.since is not None and end is not None and end.timestamp() < where.since.timestamp():
        return False
    return where.until is None or start.timestamp() < where.until.timestamp()
